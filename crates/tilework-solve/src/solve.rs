//! Solving: a problem compiled once, and a minimizer that walks from step to step.

use crate::clock::Clock;
use crate::evaluate::{Compiled, Outputs, Wanted};
use crate::minimize::{Bounds, Minimizer, Point, Progress, Tolerances, Work, minimizer};
use crate::options::{Control, SolveOptions};
use crate::problem::{Params, Problem, Term};
use crate::summary::{Iteration, Reason, Summary, Telemetry, Times};
use tilework_core::{Error, Result};
use tilework_ops::threads::Threads;

impl Problem {
    /// Minimizes the cost, starting from the present values, which are replaced by the best that were found.
    ///
    /// Fails if the options do not fit the problem (Levenberg and Marquardt need residuals, not energies) and if the cost is not finite at
    /// the start; the values are then as they were.
    pub fn solve(&mut self, options: &SolveOptions<'_>) -> Result<Summary> {
        let mut solver = Solver::new(self, options)?;
        let reason = solver.run(options);
        self.values.copy_from_slice(&solver.at.x);
        Ok(solver.summary(reason))
    }

    /// The cost at the present values; infinite where it is not a number.
    pub fn cost(&self) -> f64 {
        Compiled::new(self).cost(&self.values, Threads::one())
    }
}

/// A problem that is being solved, step by step: for pages and tools that show what happens, or change values on the way. Values that
/// are changed do not cost a new plan; another structure needs another solver.
#[derive(Debug)]
pub struct Solver {
    compiled: Compiled,
    bounds: Bounds,
    minimizer: Box<dyn Minimizer>,
    at: Point,
    initial_cost: f64,
    /// First number and count of each set of parameters, and the numbers of one block.
    sets: Vec<(usize, usize, usize)>,
    threads: Threads,
    clock: Clock,
    start: f64,
    iterations: Vec<Iteration>,
    times: Times,
    telemetry: Telemetry,
    outputs: Vec<Outputs<f64>>,
}

impl Solver {
    /// Compiles `problem`. Fails as [`Problem::solve`] does.
    pub fn new(problem: &Problem, options: &SolveOptions<'_>) -> Result<Solver> {
        let start = options.clock.now();
        options.check(problem)?;
        let threads = if options.n_threads == 1 { Threads::one() } else { Threads::all() };
        let mut compiled = Compiled::new(problem);
        let cost = compiled.cost(&problem.values, threads);
        if !cost.is_finite() {
            return Err(not_finite(&compiled, &problem.values, threads));
        }
        let minimizer = minimizer(&compiled, options);
        let telemetry = Telemetry {
            n_groups: problem.n_groups(),
            n_instances: problem.n_instances(),
            n_residuals: problem.n_residuals(),
            n_directions: compiled.layout.n_tangents,
            n_cost_evaluations: 1,
            n_linearizations: 0,
            linear: minimizer.linear(),
            ..Telemetry::default()
        };
        let sets = problem.sets.iter().map(|set| (set.first_value, set.n_blocks * set.dim, set.dim)).collect();
        let mut solver = Solver {
            bounds: Bounds::new(problem, &compiled.layout),
            minimizer,
            compiled,
            at: Point { x: problem.values.clone(), cost },
            initial_cost: cost,
            sets,
            threads,
            clock: options.clock,
            start,
            iterations: Vec::new(),
            times: Times::default(),
            telemetry,
            outputs: Vec::new(),
        };
        solver.record(Progress { is_accepted: true, ..Progress::default() });
        solver.times.compile = options.clock.now() - start;
        Ok(solver)
    }

    /// Runs until there is a reason to stop.
    pub fn run(&mut self, options: &SolveOptions<'_>) -> Reason {
        if let Some(on_iteration) = options.on_iteration
            && on_iteration(&self.iterations[0]) == Control::Stop
        {
            return Reason::Stopped;
        }
        let mut n_steps = 0;
        loop {
            if n_steps >= options.max_iterations {
                return Reason::Iterations;
            }
            if options.time_limit.is_some_and(|limit| self.clock.now() - self.start >= limit.as_secs_f64()) {
                return Reason::Time;
            }
            let (iteration, done) = self.step(options);
            n_steps += 1;
            let is_stopped = options.on_iteration.is_some_and(|call| call(&iteration) == Control::Stop);
            if let Some(reason) = done.or(is_stopped.then_some(Reason::Stopped)) {
                return reason;
            }
        }
    }

    /// Makes one step. The second of the results is there if there is no point in another one.
    pub fn step(&mut self, options: &SolveOptions<'_>) -> (Iteration, Option<Reason>) {
        if self.compiled.layout.n_tangents == 0 || self.compiled.groups.is_empty() {
            let nothing = Progress { done: Some(Reason::Nothing), ..Progress::default() };
            return (self.record(nothing), Some(Reason::Nothing));
        }
        let mut work = Work {
            compiled: &mut self.compiled,
            bounds: &self.bounds,
            tolerances: Tolerances::new(options),
            threads: self.threads,
            clock: self.clock,
            times: &mut self.times,
            telemetry: &mut self.telemetry,
            outputs: &mut self.outputs,
        };
        let progress = self.minimizer.step(&mut self.at, &mut work);
        (self.record(progress), progress.done)
    }

    /// The numbers of a set, block after block.
    pub fn values(&self, params: Params) -> &[f64] {
        self.sets.get(params.0).map_or(&[], |&(first, len, _)| &self.at.x[first..][..len])
    }

    /// Moves a block, as somebody who drags a point does. What the minimizer learned so far is forgotten. Fails, changing nothing, if
    /// there is no such block or the cost is not finite there.
    pub fn set_block(&mut self, params: Params, block: usize, values: &[f64]) -> Result<()> {
        let &(first, len, dim) = self.sets.get(params.0).ok_or_else(|| Error::argument("set_block", "no such set"))?;
        if values.len() != dim || block >= len / dim {
            let message =
                format!("{} numbers for block {block}; there are {} blocks of {dim}", values.len(), len / dim);
            return Err(Error::shape("set_block", message));
        }
        let mut x = self.at.x.clone();
        x[first + block * dim..][..dim].copy_from_slice(values);
        self.move_to("set_block", x)
    }

    /// Replaces the numbers of a set, with the same consequences.
    pub fn set_values(&mut self, params: Params, values: &[f64]) -> Result<()> {
        let &(first, len, _) = self.sets.get(params.0).ok_or_else(|| Error::argument("set_values", "no such set"))?;
        if values.len() != len {
            return Err(Error::shape("set_values", format!("{} numbers for {len}", values.len())));
        }
        let mut x = self.at.x.clone();
        x[first..][..len].copy_from_slice(values);
        self.move_to("set_values", x)
    }

    fn move_to(&mut self, op: &str, x: Vec<f64>) -> Result<()> {
        let cost = self.compiled.cost(&x, self.threads);
        if !cost.is_finite() || x.iter().any(|x| !x.is_finite()) {
            return Err(Error::argument(op, "the cost is not finite there"));
        }
        self.at = Point { x, cost };
        self.minimizer.restart();
        Ok(())
    }

    /// The cost where the solver is.
    pub fn cost(&self) -> f64 {
        self.at.cost
    }

    /// What happened so far, ending for `reason`.
    pub fn summary(&self, reason: Reason) -> Summary {
        Summary {
            initial_cost: self.initial_cost,
            final_cost: self.at.cost,
            reason,
            iterations: self.iterations.clone(),
            times: Times { total: self.clock.now() - self.start, ..self.times },
            telemetry: self.telemetry.clone(),
        }
    }

    fn record(&mut self, progress: Progress) -> Iteration {
        let iteration = Iteration {
            number: self.iterations.len(),
            cost: self.at.cost,
            decrease: progress.decrease,
            gradient_max: progress.gradient_max,
            step_norm: progress.step_norm,
            radius: progress.radius,
            is_accepted: progress.is_accepted,
            seconds: self.clock.now() - self.start,
        };
        self.iterations.push(iteration);
        iteration
    }
}

/// Says which residual is not finite.
pub(crate) fn not_finite(compiled: &Compiled, x: &[f64], threads: Threads) -> Error {
    let outputs = compiled.evaluate::<f64>(Wanted::Cost, x, threads);
    for (compiled, outputs) in compiled.groups.iter().zip(&outputs) {
        for instance in 0..outputs.n_instances {
            let cost = outputs.get(0, instance);
            if !cost.is_finite() {
                let what = if compiled.group.term == Term::Energy { "energy" } else { "cost" };
                let message =
                    format!("the {what} of instance {instance} of '{}' is {cost} at the start", compiled.group.name);
                return Error::argument("solve", message);
            }
        }
    }
    Error::argument("solve", "the cost at the start is too large for a double")
}
