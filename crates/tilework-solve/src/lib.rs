//! Sparse nonlinear least squares: residual graphs compiled to kernels, exact derivatives, solvers.

mod clock;
mod covariance;
mod evaluate;
pub mod formats;
pub mod gpu;
pub mod graph;
mod linear;
mod loss;
mod manifold;
mod minimize;
mod options;
mod problem;
pub mod problems;
mod residuals;
mod solve;
mod summary;
pub mod wire;

pub use clock::Clock;
pub use loss::Loss;
pub use manifold::Manifold;
pub use options::{Control, Linear, Method, SolveOptions};
pub use problem::{Family, Instance, Params, Problem, Recorder};
pub use residuals::{
    Backend, CompileOptions, CompileProgress, CompiledResiduals, Counts, CpuEvaluator, CpuPrecision, Triplets,
};
pub use solve::Solver;
pub use summary::{Iteration, Reason, Summary, Telemetry, Times};

/// The guide's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/solving.md")]
struct Guide;
