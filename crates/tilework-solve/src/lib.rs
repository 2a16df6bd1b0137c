//! Sparse nonlinear least squares: residual graphs compiled to kernels, exact derivatives, solvers.

mod evaluate;
pub mod formats;
pub mod graph;
mod loss;
mod manifold;
mod problem;
pub mod problems;
pub mod wire;

pub use loss::Loss;
pub use manifold::Manifold;
pub use problem::{Family, Instance, Params, Problem, Recorder};
