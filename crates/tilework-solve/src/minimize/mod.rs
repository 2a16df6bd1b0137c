//! Ways to a minimum.
//!
//! A [`Minimizer`] makes one step at a time from a [`Point`], so that whoever runs it can look, stop, or move the point between steps.
//! What a step costs goes through [`Work`], which counts and times it.

mod bounds;
pub(crate) mod lbfgs;
mod line_search;
mod trust_region;

pub(crate) use bounds::Bounds;

use crate::clock::Clock;
use crate::evaluate::{Compiled, Outputs, Wanted};
use crate::linear::System;
use crate::options::{Method, SolveOptions};
use crate::summary::{Reason, Telemetry, Times};
use lbfgs::Lbfgs;
use line_search::LineSearch;
use tilework_ops::threads::Threads;
use trust_region::TrustRegion;

/// Where a minimizer is.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    /// The numbers of all parameters.
    pub(crate) x: Vec<f64>,
    /// The cost there; finite.
    pub(crate) cost: f64,
}

/// What a step did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Progress {
    pub(crate) decrease: f64,
    pub(crate) gradient_max: f64,
    pub(crate) step_norm: f64,
    pub(crate) radius: f64,
    pub(crate) is_accepted: bool,
    /// Set if there is nothing more to do.
    pub(crate) done: Option<Reason>,
}

impl Progress {
    fn done(self, reason: Reason) -> Progress {
        Progress { done: Some(reason), ..self }
    }
}

/// When a step is the last one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tolerances {
    pub(crate) function: f64,
    pub(crate) gradient: f64,
    pub(crate) parameter: f64,
}

impl Tolerances {
    pub(crate) fn new(options: &SolveOptions<'_>) -> Tolerances {
        Tolerances {
            function: options.function_tolerance,
            gradient: options.gradient_tolerance,
            parameter: options.parameter_tolerance,
        }
    }

    /// The reason to stop at a point whose largest derivative is this.
    fn at_gradient(self, gradient_max: f64) -> Option<Reason> {
        // NaN is no small gradient, but no reason to go on either.
        match gradient_max.is_nan() {
            true => Some(Reason::NoProgress),
            false => (gradient_max <= self.gradient).then_some(Reason::Gradient),
        }
    }

    /// The reason to stop after a step of this length from `x` that changes a cost by `decrease`.
    fn after(self, step_norm: f64, x: &[f64], cost: f64, decrease: f64) -> Option<Reason> {
        if step_norm <= self.parameter * (norm(x) + self.parameter) {
            return Some(Reason::Step);
        }
        (decrease.abs() <= self.function * cost.abs()).then_some(Reason::Cost)
    }
}

/// One way to a minimum.
pub(crate) trait Minimizer: std::fmt::Debug + Send {
    /// Makes one step, which moves `at` if it is accepted.
    fn step(&mut self, at: &mut Point, work: &mut Work<'_>) -> Progress;

    /// Forgets what was learned: somebody moved the point.
    fn restart(&mut self);

    /// The linear solver, if it has one.
    fn linear(&self) -> &'static str {
        "none"
    }
}

/// The minimizer that `options` ask for.
pub(crate) fn minimizer(compiled: &Compiled, options: &SolveOptions<'_>) -> Box<dyn Minimizer> {
    let system = |second| System::new(compiled, options.linear, second);
    match options.method {
        Method::LevenbergMarquardt => Box::new(TrustRegion::marquardt(system(Wanted::Normal), options.initial_radius)),
        Method::Dogleg => Box::new(TrustRegion::dogleg(system(Wanted::Normal), options.initial_radius)),
        Method::GaussNewton => Box::new(LineSearch::new(system(Wanted::Normal), Wanted::Normal)),
        Method::Newton => Box::new(LineSearch::new(system(Wanted::Hessian), Wanted::Hessian)),
        Method::Lbfgs => Box::new(Lbfgs::default()),
    }
}

/// Everything a step needs besides the point.
#[derive(Debug)]
pub(crate) struct Work<'a> {
    pub(crate) compiled: &'a mut Compiled,
    pub(crate) bounds: &'a Bounds,
    pub(crate) tolerances: Tolerances,
    pub(crate) threads: Threads,
    pub(crate) clock: Clock,
    pub(crate) times: &'a mut Times,
    pub(crate) telemetry: &'a mut Telemetry,
    /// Memory for what instances compute.
    pub(crate) outputs: &'a mut Vec<Outputs<f64>>,
}

impl Work<'_> {
    fn cost(&mut self, x: &[f64]) -> f64 {
        let start = self.clock.now();
        let cost = self.compiled.cost(x, self.threads);
        self.times.cost += self.clock.now() - start;
        self.telemetry.n_cost_evaluations += 1;
        cost
    }

    fn gradient(&mut self, x: &[f64]) -> (f64, Vec<f64>) {
        let start = self.clock.now();
        let found = self.compiled.gradient(x, self.threads, self.outputs);
        self.times.linearize += self.clock.now() - start;
        self.telemetry.n_linearizations += 1;
        found
    }

    fn linearize(&mut self, system: &mut System, second: Wanted, x: &[f64]) {
        let start = self.clock.now();
        system.linearize(self.compiled, second, x, self.threads);
        self.times.linearize += self.clock.now() - start;
        self.telemetry.n_linearizations += 1;
    }

    /// Solves a damped system.
    fn solve(&mut self, system: &mut System, damping: &[f64]) -> Option<Vec<f64>> {
        let start = self.clock.now();
        let step = system.step(damping);
        self.times.linear += self.clock.now() - start;
        step
    }

    /// `x` moved along `step`, kept within bounds; `step` becomes what was really walked.
    fn moved(&self, x: &[f64], step: &mut [f64]) -> Vec<f64> {
        let mut moved = self.compiled.layout.plus(x, step);
        self.bounds.clamp(x, &mut moved, step);
        moved
    }
}

/// The largest derivative, of directions that are not held; NaN if any is.
fn largest(gradient: &[f64], held: &[bool]) -> f64 {
    let mut max = 0.0f64;
    for (slope, _) in gradient.iter().zip(held).filter(|(_, held)| !**held) {
        if slope.is_nan() {
            return f64::NAN;
        }
        max = max.max(slope.abs());
    }
    max
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}
