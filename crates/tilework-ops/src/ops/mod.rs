//! The structured operations, one folder each: `mod.rs` is the contract, `reference.rs` the meaning, `cpu.rs` the fast CPU
//! kernel, `gpu.rs` the passes, `*.wgsl` the kernels and `cases.rs` what they must survive.

pub mod arg_reduce;
pub mod concat;
pub mod fft;
pub mod gather;
pub mod matmul;
pub mod random_bits;
pub mod random_gamma;
pub mod reduce;
pub mod scatter_add;
pub mod softmax;
