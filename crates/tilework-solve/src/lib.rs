//! Sparse nonlinear least squares: residual graphs compiled to kernels, exact derivatives, solvers.

pub mod formats;
pub mod graph;
pub mod problems;
