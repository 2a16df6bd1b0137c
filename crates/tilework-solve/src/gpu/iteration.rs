//! One iteration of Levenberg and Marquardt's method as one Plan: a fixed list of passes that ends with the decision whether the step is
//! taken. Nothing is read back in between.

use super::ground::{Ground, REDUCE_MAX};
use super::lists::{PARTIALS, REDUCE, n_partials, push_copy, push_partial_sums};
use super::number::{self, ROUNDED, element};
use super::passes::{Passes, Ready, SINGLE, upload};
use super::pcg::{Preconditioner, Region, Steps, System};
use super::status;
use crate::evaluate::{Compiled, Wanted};
use crate::options::SolveOptions;
use tilework_core::Result;
use tilework_core::emit::Precision;
use tilework_gpu::{Buffer, Gpu};

const MEASURE_STEP: &str = tilework_core::wgsl!("wgsl/measure_step.wgsl");
const DECIDE: &str = tilework_core::wgsl!("wgsl/decide.wgsl");

/// Conjugate gradients for large systems stop when a step brings less than this part of the mean step so far: an exact step is not worth
/// hundreds of products (S. Nash and A. Sofer, *Assessing a search direction within a truncated-Newton method*, 1990).
const FLATNESS: f32 = 0.02;

/// Everything iterations of a problem share.
#[derive(Debug)]
pub(crate) struct Model {
    ground: Ground,
    preconditioner: Preconditioner,
    /// Of Jacobians and linear systems.
    linear: Precision,
    /// The instances' numbers as single floats, if the two precisions differ.
    linear_data: Option<Buffer>,
}

/// Slots of what goes into an iteration and comes out of it.
#[derive(Clone, Copy, Debug)]
struct Ends {
    x: usize,
    status: usize,
    next_x: usize,
    next_status: usize,
}

/// Slots of the cost at a point: contributions and their partial sums.
#[derive(Clone, Copy, Debug)]
struct Measures {
    costs: usize,
    trial_costs: usize,
    steps: usize,
    moves: usize,
    state: usize,
}

impl Model {
    pub(crate) fn new(gpu: &Gpu, mut compiled: Compiled, n_values: usize, precisions: [Precision; 2]) -> Result<Model> {
        let [precision, linear] = precisions;
        for wanted in [Wanted::Weighted, Wanted::Cost] {
            compiled.prepare(wanted);
        }
        let ground = Ground::new(gpu, compiled, n_values, precision)?;
        let linear_data =
            (linear != precision).then(|| upload(gpu, &linear.to_bytes(&ground.tables.data))).transpose()?;
        Ok(Model { preconditioner: Preconditioner::upload(gpu, &ground.lists)?, ground, linear, linear_data })
    }

    /// The Plan of an iteration with `n_steps` steps of conjugate gradients. Inputs and outputs are x, the status and the scales.
    pub(crate) fn iteration(&self, gpu: &Gpu, n_steps: usize, options: &SolveOptions<'_>) -> Result<Ready> {
        let mut passes = Passes::new(gpu.caps());
        self.write(&mut passes, n_steps, options);
        passes.prepare(gpu)
    }

    /// Whether linear systems are small enough to be solved as well as they can be.
    fn is_small(&self) -> bool {
        self.ground.tables.n_directions <= super::solver::MAX_PRECISE_DIRECTIONS
    }

    fn write<'a>(&'a self, passes: &mut Passes<'a>, n_steps: usize, options: &SolveOptions<'_>) {
        let (bytes, linear_bytes) = (self.ground.precision.size_bytes(), self.linear.size_bytes());
        let (n, n_values) = (self.ground.tables.n_directions, self.ground.tables.n_values);
        let x = passes.input(n_values * bytes);
        let status = passes.input(status::WORDS * 4);
        let scales = passes.input(n * linear_bytes);
        let next_x = passes.output(n_values * bytes);
        let next_status = passes.output(status::WORDS * 4);
        let next_scales = passes.output(n * linear_bytes);
        let ends = Ends { x, status, next_x, next_status };

        let (gradient, costs) = self.ground.push_gradient(passes, x);
        let system = self.push_system(passes, x, gradient, Region { status, scales, next_scales });
        let n_residuals = self.ground.tables.end.first_residual;
        let flatness = if self.linear == self.ground.precision && self.is_small() { 0.0 } else { FLATNESS };
        let steps = Steps { precision: self.linear, n_steps, flatness, n_directions: n, n_residuals };
        let state = self.preconditioner.push_solve(passes, &self.ground.lists, system, steps);
        let steps = self.push_measure_step(passes, system, state);
        let (trial, moves) = self.ground.push_trial(passes, x, (state, self.linear_element()));
        let trial_costs = self.push_cost(passes, trial);
        let measures = Measures { costs, trial_costs, steps, moves, state };
        self.push_decision(passes, ends, measures, options);
        self.ground.push_select(passes, n_values, ends.next_status, [ends.x, trial, ends.next_x]);
    }

    /// The linear system, in its own precision.
    fn push_system<'a>(&'a self, passes: &mut Passes<'a>, x: usize, gradient: usize, region: Region) -> System {
        let bytes = self.linear.size_bytes();
        let (n, n_values) = (self.ground.tables.n_directions, self.ground.tables.n_values);
        let (mut linear_x, mut linear_gradient) = (x, gradient);
        if self.linear != self.ground.precision {
            linear_x = passes.temp(n_values * bytes);
            linear_gradient = passes.temp(n * bytes);
            push_copy(passes, self.ground.precision, n_values, x, (linear_x, true));
            push_copy(passes, self.ground.precision, n, gradient, (linear_gradient, true));
        }
        let system = System {
            jacobian: passes.temp(self.ground.tables.end.first_jacobian * bytes),
            upper: passes.temp(self.ground.lists.blocks.n_upper * bytes),
            gradient: linear_gradient,
            damping: passes.temp(n * bytes),
            inverse: passes.temp(self.preconditioner.n_inverse() * bytes),
        };
        self.push_linear_groups(passes, linear_x, system.jacobian);
        self.ground.lists.push_diagonal(passes, self.linear, system.jacobian, system.upper);
        self.preconditioner.push_invert(passes, self.linear, system, region);
        system
    }

    fn push_linear_groups<'a>(&'a self, passes: &mut Passes<'a>, x: usize, out: usize) {
        let own = (self.linear, self.linear_data.as_ref());
        self.ground.push_groups(passes, Wanted::Weighted, own, x, out);
    }

    /// Partial sums of the cost at a trial.
    fn push_cost<'a>(&'a self, passes: &mut Passes<'a>, trial: usize) -> usize {
        let (bytes, n_instances) = (self.ground.precision.size_bytes(), self.ground.tables.end.first_instance);
        let parts = passes.temp(n_instances * bytes);
        self.ground.push_groups(passes, Wanted::Cost, (self.ground.precision, None), trial, parts);
        let costs = passes.temp(n_partials(n_instances) * bytes);
        push_partial_sums(passes, self.ground.precision, n_instances, parts, costs);
        costs
    }

    fn push_measure_step(&self, passes: &mut Passes<'_>, system: System, state: usize) -> usize {
        let (n, numbers) = (self.ground.tables.n_directions, element(self.linear));
        let measures = passes.temp(2 * PARTIALS * 4);
        let builder = number::kernel(self.linear, "measure the step")
            .param("n", n as u32)
            .load("state", state, numbers)
            .load("gradient", system.gradient, numbers)
            .load("damping", system.damping, numbers)
            .store("measures", measures, SINGLE);
        passes.push(builder.file(REDUCE).file(REDUCE_MAX).file(MEASURE_STEP), n_partials(n));
        measures
    }

    /// Numbers of the linear system, for kernels of the other precision.
    fn linear_element(&self) -> tilework_core::emit::Element {
        if self.linear == self.ground.precision { element(self.ground.precision) } else { ROUNDED }
    }

    fn push_decision(&self, passes: &mut Passes<'_>, ends: Ends, measures: Measures, options: &SolveOptions<'_>) {
        let bits = |number: f64| (number as f32).to_bits();
        let numbers = element(self.ground.precision);
        let [rounding, noise] = number::rounding_and_noise(self.ground.precision);
        let builder = number::kernel(self.ground.precision, "decide")
            .prelude(&status::wgsl())
            .param("n_costs", n_partials(self.ground.tables.end.first_instance) as u32)
            .param("n_steps", n_partials(self.ground.tables.n_directions) as u32)
            .param("n_moves", n_partials(self.ground.tables.n_values) as u32)
            .param("n_scalars", (3 * self.ground.tables.n_directions + PARTIALS) as u32)
            .param("gradient_tolerance", bits(options.gradient_tolerance))
            .param("function_tolerance", bits(options.function_tolerance))
            .param("parameter_tolerance", bits(options.parameter_tolerance))
            .param("rounding", rounding.to_bits())
            .param("noise", noise.to_bits())
            .load("costs", measures.costs, numbers)
            .load("trial_costs", measures.trial_costs, numbers)
            .load("steps", measures.steps, SINGLE)
            .load("moves", measures.moves, SINGLE)
            .load("solved", measures.state, self.linear_element())
            .load("status", ends.status, SINGLE)
            .store("next_status", ends.next_status, SINGLE);
        passes.push(builder.file(REDUCE).file(REDUCE_MAX).file(DECIDE), 1);
    }

    /// The texts of all kernels of an iteration.
    #[cfg(test)]
    pub(crate) fn texts(&self, options: &SolveOptions<'_>) -> Vec<(String, String)> {
        let mut passes = Passes::new(&tilework_core::plan::Caps::default());
        self.write(&mut passes, 2, options);
        passes.list().iter().map(|pass| (pass.kernel.label.clone(), pass.kernel.text())).collect()
    }
}
