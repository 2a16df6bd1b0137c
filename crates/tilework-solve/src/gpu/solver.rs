//! Levenberg and Marquardt's method with everything on the device.
//!
//! The host submits iterations and reads a few words of status every now and then; parameters come back at the end. Parameters, costs and
//! gradients are as precise as asked for. The linear systems of large problems are solved in single precision all the same, by
//! conjugate gradients: an inexact step only costs another iteration, because steps are taken on the precise cost.

use super::iteration::Model;
use super::number;
use super::passes::{Ready, upload};
use super::status::{self, RECORDS, Record, Status};
use crate::clock::Clock;
use crate::evaluate::Compiled;
use crate::options::{Control, Linear, Method, SolveOptions};
use crate::problem::Problem;
use crate::summary::{Iteration, Reason, Summary, Telemetry, Times};
use std::collections::HashMap;
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
    model: Option<Model>,
    /// By number of linear steps.
    plans: HashMap<usize, Ready>,
    n_linear_steps: usize,
    /// Of all iterations so far.
    n_solved_steps: usize,
    /// x, status and scales.
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

impl Problem {
    /// Minimizes the cost on a GPU, starting from the present values, which are replaced by the best that were found. Parameters, costs
    /// and gradients are computed in `precision`, linear systems of more than a few dozen directions in single precision.
    ///
    /// Fails as [`Problem::solve`] does, for methods other than Levenberg and Marquardt's, for bounds, for linear solvers other than
    /// conjugate gradients, and if the device is lost; the values are then as they were.
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
    if options.method != Method::LevenbergMarquardt {
        return refused(format!("{:?} runs on the CPU only; a GPU has LevenbergMarquardt", options.method));
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
fn telemetry(problem: &Problem, n_directions: usize) -> Telemetry {
    Telemetry {
        n_groups: problem.n_groups(),
        n_instances: problem.n_instances(),
        n_residuals: problem.n_residuals(),
        n_directions,
        linear: "conjugate gradients on the GPU",
        ..Telemetry::default()
    }
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
        let model =
            (!is_empty).then(|| Model::new(gpu, compiled, problem.values.len(), [precision, linear])).transpose()?;
        let mut solver = GpuSolver {
            gpu: gpu.clone(),
            model,
            plans: HashMap::new(),
            n_linear_steps: n_directions.clamp(MIN_LINEAR_STEPS, 8 * MIN_LINEAR_STEPS).next_power_of_two(),
            n_solved_steps: 0,
            buffers: vec![
                upload(gpu, &precision.to_bytes(&problem.values))?,
                upload(gpu, bytemuck::cast_slice(&status::initial(options.initial_radius)))?,
                upload(gpu, &linear.to_bytes(&vec![0.0; n_directions]))?,
            ],
            precision,
            initial: problem.values.clone(),
            initial_cost: cost,
            cost,
            iterations: Vec::new(),
            n_before: 0,
            telemetry: telemetry(problem, n_directions),
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

    /// Makes `n_iterations` iterations, at most 8, and reads what they did. The result is there if there is no point in more.
    pub async fn advance(&mut self, n_iterations: usize, options: &SolveOptions<'_>) -> Result<Option<Reason>> {
        let Some(model) = &self.model else { return Ok(Some(Reason::Nothing)) };
        let begin = self.clock.now();
        if !self.plans.contains_key(&self.n_linear_steps) {
            let plan = model.iteration(&self.gpu, self.n_linear_steps, options)?;
            self.plans.insert(self.n_linear_steps, plan);
            self.times.compile += self.clock.now() - begin;
        }
        let plan = &self.plans[&self.n_linear_steps];
        for _ in 0..n_iterations.clamp(1, RECORDS) {
            let [x, status, scales] = [0, 1, 2].map(|at| &self.buffers[at]);
            self.buffers = plan.run(&self.gpu, &[x, status, scales])?;
        }
        let bytes = self.gpu.read(&self.buffers[1], 0, status::WORDS as u64 * 4).await?;
        let status = Status::new(number::singles(&bytes));
        self.times.linear += self.clock.now() - begin;
        self.follow(&status, options)
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
        if !last.is_solved {
            self.n_linear_steps = (2 * self.n_linear_steps).min(MAX_LINEAR_STEPS);
        } else if last.n_linear_steps * 4 < self.n_linear_steps {
            self.n_linear_steps = (self.n_linear_steps / 2).max(MIN_LINEAR_STEPS);
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
        let x = upload(&self.gpu, &self.precision.to_bytes(values))?;
        let status = upload(&self.gpu, bytemuck::cast_slice(&status::initial(options.initial_radius)))?;
        (self.buffers[0], self.buffers[1]) = (x, status);
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

    /// Steps of conjugate gradients in all iterations: products with J and its transpose.
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
