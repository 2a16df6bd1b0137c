//! The structured operations, one folder each: `mod.rs` is the contract, `reference.rs` the meaning, `cpu.rs` the fast CPU
//! kernel, `gpu.rs` the passes, `*.wgsl` the kernels and `cases.rs` what they must survive.

pub mod arg_reduce;
pub mod attention;
pub mod bincount;
pub mod cache_append;
pub mod cholesky;
pub mod concat;
pub mod conv;
pub mod conv_transpose;
pub mod factorize;
pub mod fft;
pub mod gather;
pub mod group_norm;
pub mod layer_norm;
pub mod matmul;
pub mod max_unpool;
pub mod neighborhood_attention;
pub mod packed_linear;
pub mod packed_rows;
pub mod pool;
pub mod random_binomial_counts;
pub mod random_bits;
pub mod random_gamma;
pub mod random_poisson_counts;
pub mod reduce;
pub mod rms_norm;
pub mod rope;
pub mod scan;
pub mod scatter;
pub mod scatter_add;
pub mod searchsorted;
pub mod softmax;
pub mod sort;
pub mod top_k;
pub mod triangular_solve;
