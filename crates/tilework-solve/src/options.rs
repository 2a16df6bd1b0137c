//! How to solve.

use crate::clock::Clock;
use crate::problem::Problem;
use crate::summary::Iteration;
use std::fmt;
use std::time::Duration;
use tilework_core::{Error, Result};

/// The way to a minimum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Levenberg and Marquardt's, with a damping scaled by the diagonal. The default.
    #[default]
    LevenbergMarquardt,
    /// Powell's dogleg: between the steepest descent and Gauss and Newton's step.
    Dogleg,
    /// Gauss and Newton's step with a line search.
    GaussNewton,
    /// Limited-memory BFGS: gradients only; for energies, and for problems too large to factorize.
    Lbfgs,
    /// Newton's method with exact second derivatives, made positive instance by instance; for energies.
    Newton,
}

impl Method {
    /// All, with the names programs know them by.
    pub const ALL: &[(&str, Method)] = &[
        ("lm", Method::LevenbergMarquardt),
        ("dogleg", Method::Dogleg),
        ("gauss-newton", Method::GaussNewton),
        ("lbfgs", Method::Lbfgs),
        ("newton", Method::Newton),
    ];

    /// Whether it works on residuals alone.
    pub(crate) fn needs_residuals(self) -> bool {
        matches!(self, Method::LevenbergMarquardt | Method::Dogleg | Method::GaussNewton)
    }
}

/// How linear systems are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Linear {
    /// By the shape of the problem: few parameters by QR, bundles by Schur elimination, the rest by sparse Cholesky.
    #[default]
    Auto,
    /// QR of the dense Jacobian: the most digits, for up to a few hundred parameters.
    DenseQr,
    /// Cholesky of the sparse Gauss-Newton matrix.
    SparseCholesky,
    /// Elimination of blocks that do not know each other (points), then Cholesky of the rest (cameras).
    Schur,
    /// Conjugate gradients, preconditioned by the inverses of diagonal blocks.
    Pcg,
}

impl Linear {
    /// All, with the names programs know them by.
    pub const ALL: &[(&str, Linear)] = &[
        ("auto", Linear::Auto),
        ("qr", Linear::DenseQr),
        ("cholesky", Linear::SparseCholesky),
        ("schur", Linear::Schur),
        ("pcg", Linear::Pcg),
    ];
}

/// What a callback wants to happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop with what there is.
    Stop,
}

/// How to solve. The defaults are those of Ceres where it has them.
#[derive(Clone)]
pub struct SolveOptions<'a> {
    /// The way to a minimum.
    pub method: Method,
    /// How linear systems are solved.
    pub linear: Linear,
    /// At most so many steps, successful or not.
    pub max_iterations: usize,
    /// Stop when a step lowers the cost by less than this part of it.
    pub function_tolerance: f64,
    /// Stop when no derivative is larger.
    pub gradient_tolerance: f64,
    /// Stop when a step is smaller than this part of the parameters.
    pub parameter_tolerance: f64,
    /// Stop after this time.
    pub time_limit: Option<Duration>,
    /// Threads to use; 0 for all there are.
    pub n_threads: usize,
    /// First radius of trust regions: the larger, the bolder the first step.
    pub initial_radius: f64,
    /// Called after every iteration; may stop the solver.
    pub on_iteration: Option<&'a dyn Fn(&Iteration) -> Control>,
    /// Tells the time; browsers need one of theirs.
    pub clock: Clock,
}

impl SolveOptions<'_> {
    /// Fails if these options make no sense, or none for this problem.
    pub(crate) fn check(&self, problem: &Problem) -> Result<()> {
        let numbers = [
            ("function_tolerance", self.function_tolerance),
            ("gradient_tolerance", self.gradient_tolerance),
            ("parameter_tolerance", self.parameter_tolerance),
        ];
        if let Some((name, value)) = numbers.into_iter().find(|(_, value)| value.is_nan() || *value < 0.0) {
            return Err(Error::argument("solve", format!("{name} is {value}; it must be 0 or more")));
        }
        if self.initial_radius.is_nan() || self.initial_radius <= 0.0 {
            return Err(Error::argument(
                "solve",
                format!("initial_radius is {}; it must be above 0", self.initial_radius),
            ));
        }
        if self.method.needs_residuals() && problem.has_energies() {
            let message =
                format!("{:?} needs residuals, and the problem has energies: use Lbfgs or Newton", self.method);
            return Err(Error::argument("solve", message));
        }
        Ok(())
    }
}

impl Default for SolveOptions<'_> {
    fn default() -> Self {
        SolveOptions {
            method: Method::default(),
            linear: Linear::default(),
            max_iterations: 50,
            function_tolerance: 1e-6,
            gradient_tolerance: 1e-10,
            parameter_tolerance: 1e-8,
            time_limit: None,
            n_threads: 0,
            initial_radius: 1e4,
            on_iteration: None,
            clock: Clock::default(),
        }
    }
}

impl fmt::Debug for SolveOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolveOptions")
            .field("method", &self.method)
            .field("linear", &self.linear)
            .field("max_iterations", &self.max_iterations)
            .field("function_tolerance", &self.function_tolerance)
            .field("gradient_tolerance", &self.gradient_tolerance)
            .field("parameter_tolerance", &self.parameter_tolerance)
            .field("time_limit", &self.time_limit)
            .field("n_threads", &self.n_threads)
            .field("initial_radius", &self.initial_radius)
            .finish_non_exhaustive()
    }
}
