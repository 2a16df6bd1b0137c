//! What a solver did.

/// Why a solver stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The cost hardly changes any more.
    Cost,
    /// The gradient is nearly zero.
    Gradient,
    /// Steps are tiny.
    Step,
    /// The limit of iterations was reached.
    Iterations,
    /// The limit of time was reached.
    Time,
    /// A callback said so.
    Stopped,
    /// There is nothing to minimize: no residual, or no parameter that moves.
    Nothing,
    /// No step lowers the cost, however small: the residuals are not finite around here, or as exact as they can be.
    NoProgress,
}

impl Reason {
    /// Stable name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Cost => "cost",
            Reason::Gradient => "gradient",
            Reason::Step => "step",
            Reason::Iterations => "iterations",
            Reason::Time => "time",
            Reason::Stopped => "stopped",
            Reason::Nothing => "nothing",
            Reason::NoProgress => "no_progress",
        }
    }

    /// Whether it is a minimum as far as the tolerances say.
    pub fn is_converged(self) -> bool {
        matches!(self, Reason::Cost | Reason::Gradient | Reason::Step)
    }

    /// In words.
    pub fn explanation(self) -> &'static str {
        match self {
            Reason::Cost => "the cost hardly changes any more",
            Reason::Gradient => "the gradient is nearly zero",
            Reason::Step => "steps are tiny",
            Reason::Iterations => "the limit of iterations was reached",
            Reason::Time => "the limit of time was reached",
            Reason::Stopped => "it was told to",
            Reason::Nothing => "there is nothing to minimize",
            Reason::NoProgress => "no step lowers the cost",
        }
    }
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration {
    /// Its number, from 1; 0 is the start.
    pub number: usize,
    /// Cost after it.
    pub cost: f64,
    /// By how much it lowered the cost; 0 if it was rejected.
    pub decrease: f64,
    /// Largest derivative.
    pub gradient_max: f64,
    /// Length of the step.
    pub step_norm: f64,
    /// Trust region radius, or length of the line search's step.
    pub radius: f64,
    /// Whether the step was taken.
    pub is_accepted: bool,
    /// Seconds since the start.
    pub seconds: f64,
}

/// Seconds spent on each part of the work.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// Deriving kernels and building lists.
    pub compile: f64,
    /// Costs of trial steps.
    pub cost: f64,
    /// Derivatives.
    pub linearize: f64,
    /// Linear systems.
    pub linear: f64,
    /// Everything.
    pub total: f64,
}

/// How the problem was compiled and what ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Telemetry {
    /// Groups: kernels of each kind.
    pub n_groups: usize,
    /// Instances of all groups.
    pub n_instances: usize,
    /// Residuals of all instances.
    pub n_residuals: usize,
    /// Directions in which parameters may move.
    pub n_directions: usize,
    /// Evaluations of the cost.
    pub n_cost_evaluations: usize,
    /// Evaluations of derivatives.
    pub n_linearizations: usize,
    /// The linear solver that ran.
    pub linear: &'static str,
    /// Dispatches on a GPU.
    pub n_dispatches: u64,
    /// Kernels a GPU did not have to compile, because it had them.
    pub n_kernels_reused: u64,
    /// Bytes that went to a GPU and came back.
    pub n_bytes_moved: u64,
}

/// What a solver did, and why it stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Cost before.
    pub initial_cost: f64,
    /// Cost after.
    pub final_cost: f64,
    /// Why it stopped.
    pub reason: Reason,
    /// Every step, the start first.
    pub iterations: Vec<Iteration>,
    /// Where the time went.
    pub times: Times,
    /// What ran.
    pub telemetry: Telemetry,
}

impl Summary {
    /// Steps, accepted or not.
    pub fn n_iterations(&self) -> usize {
        self.iterations.len().saturating_sub(1)
    }
}
