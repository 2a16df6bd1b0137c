//! Problems on a GPU.
//!
//! A group is one kernel, generated from its expression, and one dispatch for all its instances. What instances contribute to is summed by
//! gather lists, in a fixed order and without atomics, by a few hand-written kernels that serve all groups at once. The number
//! modules of the expression compiler make the precision a parameter of every kernel.

mod evaluator;
mod ground;
mod iteration;
mod kernels;
mod lbfgs;
mod lists;
mod number;
mod passes;
mod pcg;
mod plus;
mod solver;
mod status;
mod tables;
#[cfg(test)]
mod tests;

pub use evaluator::GpuEvaluator;
pub use kernels::{KernelOf, wgsl};
pub use solver::GpuSolver;
pub use tilework_core::emit::{Eft, Precision};
