//! Levenberg and Marquardt's method, or L-BFGS, with everything on the device.
//!
//! The host submits iterations (of L-BFGS: trials of a line search) and reads a few words of status every now and then; parameters come back at the end. Parameters, costs and
//! gradients are as precise as asked for. The linear systems of large problems are solved in single precision all the same, by
//! conjugate gradients: an inexact step only costs another iteration, because steps are taken on the precise cost.

use super::iteration::Model;
use super::lbfgs::LbfgsModel;
use super::number;
use super::passes::{Ready, upload};
use super::status::{self, RECORDS, Record, Status};
use crate::clock::Clock;
use crate::evaluate::Compiled;
use crate::options::{Control, Linear, Method, SolveOptions};
use crate::problem::Problem;
use crate::summary::{Iteration, Reason, Summary, Telemetry, Times};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use tilework_core::emit::Precision;
use tilework_core::{Error, ErrorKind, Result};
use tilework_gpu::{Buffer, Counters, Gpu};
use tilework_ops::threads::Threads;

/// Problems with at most this many directions are solved in full precision throughout.
pub(crate) const MAX_PRECISE_DIRECTIONS: usize = 60;
/// Iterations between two looks at the status, if nobody wants to see each of them.
const ITERATIONS_PER_READ: usize = 4;
/// Steps of conjugate gradients in an iteration: at least, and at most.
const MIN_LINEAR_STEPS: usize = 4;
const MAX_LINEAR_STEPS: usize = 512;

/// A problem that is being solved on a GPU.
#[derive(Debug)]
pub struct GpuSolver {
    gpu: Gpu,
    work: Work,
    /// Steps of conjugate gradients, or trials, of all iterations so far.
    n_solved_steps: usize,
    /// x and status, then what the method keeps.
    buffers: Vec<Buffer>,
    precision: Precision,
    initial: Vec<f64>,
    initial_cost: f64,
    cost: f64,
    iterations: Vec<Iteration>,
    /// Iterations before the parameters were last moved.
    n_before: usize,
    telemetry: Telemetry,
    counters: Counters,
    clock: Clock,
    start: f64,
    times: Times,
}

/// The method, as plans of an iteration.
#[derive(Debug)]
enum Work {
    /// There is nothing to move.
    Nothing,
    Marquardt {
        model: Box<Model>,
        /// By number of linear steps.
        plans: HashMap<usize, Ready>,
        n_linear_steps: usize,
    },
    Lbfgs {
        model: Box<LbfgsModel>,
        plan: Ready,
    },
}

impl Problem {
    /// Minimizes the cost on a GPU, starting from the present values, which are replaced by the best that were found. Parameters, costs
    /// and gradients are computed in `precision`, linear systems of more than a few dozen directions in single precision.
    ///
    /// Fails as [`Problem::solve`] does, for methods other than Levenberg and Marquardt's and L-BFGS, for bounds, for linear solvers other
    /// than conjugate gradients, and if the device is lost; the values are then as they were.
    pub async fn solve_on(&mut self, gpu: &Gpu, precision: Precision, options: &SolveOptions<'_>) -> Result<Summary> {
        let mut solver = GpuSolver::new(gpu, self, precision, options)?;
        let reason = solver.run(options).await?;
        let values = solver.values().await?;
        if values.iter().all(|value| value.is_finite()) {
            self.values.copy_from_slice(&values);
        }
        Ok(solver.summary(reason))
    }
}

fn check(problem: &Problem, options: &SolveOptions<'_>) -> Result<()> {
    options.check(problem)?;
    let refused = |what: String| Err(Error::new(ErrorKind::Unsupported, "solve_on", what));
    if !matches!(options.method, Method::LevenbergMarquardt | Method::Lbfgs) {
        return refused(format!("{:?} runs on the CPU only; a GPU has LevenbergMarquardt and Lbfgs", options.method));
    }
    if !matches!(options.linear, Linear::Auto | Linear::Pcg) {
        return refused(format!("{:?} runs on the CPU only; a GPU has Pcg", options.linear));
    }
    if !problem.bounds.is_empty() {
        return refused(format!("{} numbers have bounds, which only the CPU keeps", problem.bounds.len()));
    }
    Ok(())
}

/// What is known before anything ran.
fn telemetry(problem: &Problem, n_directions: usize, method: Method) -> Telemetry {
    Telemetry {
        n_groups: problem.n_groups(),
        n_instances: problem.n_instances(),
        n_residuals: problem.n_residuals(),
        n_directions,
        linear: if method == Method::Lbfgs { "none" } else { "conjugate gradients on the GPU" },
        ..Telemetry::default()
    }
}

/// Plans for Levenberg and Marquardt's method, with its buffers.
fn marquardt(
    gpu: &Gpu,
    problem: &Problem,
    compiled: Compiled,
    [precision, linear]: [Precision; 2],
    options: &SolveOptions<'_>,
) -> Result<(Work, Vec<Buffer>)> {
    let n_directions = compiled.layout.n_tangents;
    let model = Box::new(Model::new(gpu, compiled, problem.values.len(), [precision, linear])?);
    let n_linear_steps = n_directions.clamp(MIN_LINEAR_STEPS, 8 * MIN_LINEAR_STEPS).next_power_of_two();
    let buffers = vec![
        upload(gpu, &precision.to_bytes(&problem.values))?,
        upload(gpu, bytemuck::cast_slice(&status::initial(options.initial_radius)))?,
        upload(gpu, &linear.to_bytes(&vec![0.0; n_directions]))?,
    ];
    Ok((Work::Marquardt { model, plans: HashMap::new(), n_linear_steps }, buffers))
}

/// A plan for L-BFGS, with its buffers.
fn lbfgs(
    gpu: &Gpu,
    problem: &Problem,
    compiled: Compiled,
    precision: Precision,
    options: &SolveOptions<'_>,
) -> Result<(Work, Vec<Buffer>)> {
    let model = Box::new(LbfgsModel::new(gpu, compiled, problem.values.len(), precision)?);
    let (plan, buffers) = (model.trial(gpu, options)?, model.buffers(gpu, &problem.values)?);
    Ok((Work::Lbfgs { model, plan }, buffers))
}

impl GpuSolver {
    /// Compiles `problem` for `gpu`. Fails as [`Problem::solve_on`] does.
    pub fn new(gpu: &Gpu, problem: &Problem, precision: Precision, options: &SolveOptions<'_>) -> Result<GpuSolver> {
        let n_directions = crate::evaluate::Layout::new(problem).n_tangents;
        let is_small = n_directions <= MAX_PRECISE_DIRECTIONS;
        GpuSolver::with_linear(gpu, problem, [precision, if is_small { precision } else { Precision::F32 }], options)
    }

    /// The same with a precision for parameters, costs and gradients and one for Jacobians and linear systems: the same or single.
    pub fn with_linear(
        gpu: &Gpu,
        problem: &Problem,
        [precision, linear]: [Precision; 2],
        options: &SolveOptions<'_>,
    ) -> Result<GpuSolver> {
        let start = options.clock.now();
        check(problem, options)?;
        if linear != precision && linear != Precision::F32 {
            let message = format!("linear systems in {linear} for costs in {precision}; they must be the same or f32");
            return Err(Error::argument("solve_on", message));
        }
        let counters = gpu.counters();
        let mut compiled = Compiled::new(problem);
        let cost = compiled.cost(&problem.values, Threads::one());
        if !cost.is_finite() {
            return Err(crate::solve::not_finite(&compiled, &problem.values, Threads::one()));
        }
        let n_directions = compiled.layout.n_tangents;
        let is_empty = n_directions == 0 || problem.n_instances() == 0;
        let (work, buffers) = match options.method {
            _ if is_empty => (Work::Nothing, Vec::new()),
            Method::Lbfgs => lbfgs(gpu, problem, compiled, precision, options)?,
            _ => marquardt(gpu, problem, compiled, [precision, linear], options)?,
        };
        let mut solver = GpuSolver {
            gpu: gpu.clone(),
            work,
            n_solved_steps: 0,
            buffers,
            precision,
            initial: problem.values.clone(),
            initial_cost: cost,
            cost,
            iterations: Vec::new(),
            n_before: 0,
            telemetry: telemetry(problem, n_directions, options.method),
            counters,
            clock: options.clock,
            start,
            times: Times::default(),
        };
        solver.record_start();
        solver.times.compile = options.clock.now() - start;
        Ok(solver)
    }

    /// Runs until there is a reason to stop.
    pub async fn run(&mut self, options: &SolveOptions<'_>) -> Result<Reason> {
        if options.on_iteration.is_some_and(|call| call(&self.iterations[0]) == Control::Stop) {
            return Ok(Reason::Stopped);
        }
        loop {
            let n_done = self.iterations.len() - 1;
            if n_done >= options.max_iterations {
                return Ok(Reason::Iterations);
            }
            if options.time_limit.is_some_and(|limit| self.clock.now() - self.start >= limit.as_secs_f64()) {
                return Ok(Reason::Time);
            }
            // Whoever wants to see every iteration may want to stop at it.
            let at_once = if options.on_iteration.is_some() || n_done == 0 { 1 } else { ITERATIONS_PER_READ };
            if let Some(reason) = self.advance(at_once.min(options.max_iterations - n_done), options).await? {
                return Ok(reason);
            }
        }
    }

    /// Makes `n_iterations` iterations, at most 8, and reads what they did; of L-BFGS, as many trials, or more if they end no iteration.
    /// The result is there if there is no point in more.
    pub async fn advance(&mut self, n_iterations: usize, options: &SolveOptions<'_>) -> Result<Option<Reason>> {
        if matches!(self.work, Work::Nothing) {
            return Ok(Some(Reason::Nothing));
        }
        let n_known = self.iterations.len();
        loop {
            let begin = self.clock.now();
            self.submit(n_iterations.clamp(1, RECORDS), options)?;
            let bytes = self.gpu.read(&self.buffers[1], 0, status::WORDS as u64 * 4).await?;
            let status = Status::new(number::singles(&bytes));
            self.times.linear += self.clock.now() - begin;
            let reason = self.follow(&status, options)?;
            if reason.is_some() || self.iterations.len() > n_known {
                return Ok(reason);
            }
        }
    }

    /// Submits `n` runs of the plan.
    fn submit(&mut self, n: usize, options: &SolveOptions<'_>) -> Result<()> {
        let begin = self.clock.now();
        let plan = match &mut self.work {
            Work::Nothing => return Ok(()),
            Work::Lbfgs { plan, .. } => plan,
            Work::Marquardt { model, plans, n_linear_steps } => match plans.entry(*n_linear_steps) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => {
                    let plan = place.insert(model.iteration(&self.gpu, *n_linear_steps, options)?);
                    self.times.compile += self.clock.now() - begin;
                    plan
                }
            },
        };
        for _ in 0..n {
            self.buffers = plan.run(&self.gpu, std::mem::take(&mut self.buffers))?;
        }
        Ok(())
    }

    /// Takes note of iterations that are new in `status`.
    fn follow(&mut self, status: &Status, options: &SolveOptions<'_>) -> Result<Option<Reason>> {
        let mut is_stopped = false;
        let new = self.iterations.len() - 1 - self.n_before..status.n_records();
        if let Some(last) = new.clone().last() {
            self.adapt(status.record(last));
        }
        for number in new {
            let record = status.record(number);
            if !record.cost_before.is_finite() {
                let message = "the cost at the start is too large for this precision, or not a number in it";
                return Err(Error::argument("solve_on", message));
            }
            let iteration = self.record(record);
            is_stopped |= options.on_iteration.is_some_and(|call| call(&iteration) == Control::Stop);
        }
        Ok(status.reason().or(is_stopped.then_some(Reason::Stopped)))
    }

    /// Prepares for more steps of conjugate gradients if they were too few, and for fewer if most did nothing.
    fn adapt(&mut self, last: Record) {
        let Work::Marquardt { n_linear_steps, .. } = &mut self.work else { return };
        if !last.is_solved {
            *n_linear_steps = (2 * *n_linear_steps).min(MAX_LINEAR_STEPS);
        } else if last.n_linear_steps * 4 < *n_linear_steps {
            *n_linear_steps = (*n_linear_steps / 2).max(MIN_LINEAR_STEPS);
        }
    }

    fn record(&mut self, record: Record) -> Iteration {
        let iteration = Iteration {
            number: self.iterations.len(),
            cost: record.cost,
            decrease: record.decrease,
            gradient_max: record.gradient_max,
            step_norm: record.step_norm,
            radius: record.radius,
            is_accepted: record.is_accepted,
            seconds: self.clock.now() - self.start,
        };
        self.cost = record.cost;
        self.n_solved_steps += record.n_linear_steps;
        self.iterations.push(iteration);
        self.telemetry.n_cost_evaluations += 1;
        self.telemetry.n_linearizations += 1;
        iteration
    }

    fn record_start(&mut self) {
        self.iterations.push(Iteration {
            number: 0,
            cost: self.initial_cost,
            decrease: 0.0,
            gradient_max: 0.0,
            step_norm: 0.0,
            radius: 0.0,
            is_accepted: true,
            seconds: self.clock.now() - self.start,
        });
    }

    /// Moves all parameters, as somebody who drags a point does: `values` holds their numbers, set after set. What the solver learned so far
    /// is forgotten. Fails, changing nothing, if they are not as many or not finite.
    pub fn set_values(&mut self, values: &[f64], options: &SolveOptions<'_>) -> Result<()> {
        if values.len() != self.initial.len() || values.iter().any(|value| !value.is_finite()) {
            let message = format!("{} numbers for {}, all of which must be finite", values.len(), self.initial.len());
            return Err(Error::argument("set_values", message));
        }
        match &self.work {
            Work::Nothing => {}
            Work::Lbfgs { model, .. } => self.buffers = model.buffers(&self.gpu, values)?,
            Work::Marquardt { .. } => {
                let x = upload(&self.gpu, &self.precision.to_bytes(values))?;
                let status = upload(&self.gpu, bytemuck::cast_slice(&status::initial(options.initial_radius)))?;
                (self.buffers[0], self.buffers[1]) = (x, status);
            }
        }
        self.initial = values.to_vec();
        self.n_before = self.iterations.len() - 1;
        Ok(())
    }

    /// The numbers of all parameters, set after set, where the solver is.
    pub async fn values(&self) -> Result<Vec<f64>> {
        // As they were given, not as this precision has them.
        if self.iterations.len() - 1 == self.n_before {
            return Ok(self.initial.clone());
        }
        let bytes =
            self.gpu.read(&self.buffers[0], 0, (self.initial.len() * self.precision.size_bytes()) as u64).await?;
        Ok(self.precision.from_bytes(&bytes))
    }

    /// The cost where the solver is.
    pub fn cost(&self) -> f64 {
        self.cost
    }

    /// Steps of conjugate gradients in all iterations, which are products with J and its transpose; of L-BFGS, trials.
    pub fn n_products(&self) -> usize {
        self.n_solved_steps
    }

    /// What the device did since the solver was made: dispatches, bytes, pipelines built and reused.
    pub fn counters(&self) -> Counters {
        self.gpu.counters().since(self.counters)
    }

    /// What happened so far, ending for `reason`.
    pub fn summary(&self, reason: Reason) -> Summary {
        let used = self.counters();
        let telemetry = Telemetry {
            n_dispatches: used.dispatches,
            n_kernels_reused: used.pipelines_reused,
            n_bytes_moved: used.bytes_up + used.bytes_down,
            ..self.telemetry.clone()
        };
        Summary {
            initial_cost: self.initial_cost,
            final_cost: self.cost,
            reason,
            iterations: self.iterations.clone(),
            times: Times { total: self.clock.now() - self.start, ..self.times },
            telemetry,
        }
    }
}
