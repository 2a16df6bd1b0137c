//! The structured operations, one folder each: `mod.rs` is the contract, `reference.rs` the meaning, `cpu.rs` the fast CPU
//! kernel, `gpu.rs` the passes, `*.wgsl` the kernels and `cases.rs` what they must survive.

pub mod arg_reduce;
pub mod bincount;
pub mod concat;
pub mod gather;
pub mod matmul;
pub mod reduce;
pub mod scan;
pub mod scatter_add;
pub mod searchsorted;
pub mod softmax;
pub mod sort;
pub mod top_k;
