//! One iteration of Levenberg and Marquardt's method as one Plan: a fixed list of passes that ends with the decision whether the step is
//! taken. Nothing is read back in between.

use super::evaluator::push_groups;
use super::kernels::GroupSlots;
use super::lists::{LANES, Lists, PARTIALS, REDUCE, n_partials, push_copy, push_partial_sums};
use super::number::{self, ROUNDED, element};
use super::passes::{Passes, Ready, SINGLE, upload};
use super::pcg::{Preconditioner, Region, Steps, System};
use super::plus::Movers;
use super::status;
use super::tables::Tables;
use crate::evaluate::{Compiled, Wanted};
use crate::options::SolveOptions;
use tilework_core::Result;
use tilework_core::emit::Precision;
use tilework_gpu::{Buffer, Gpu};

const REDUCE_MAX: &str = tilework_core::wgsl!("wgsl/reduce_max.wgsl");
const MEASURE_STEP: &str = tilework_core::wgsl!("wgsl/measure_step.wgsl");
const MEASURE_VALUES: &str = tilework_core::wgsl!("wgsl/measure_values.wgsl");
const DECIDE: &str = tilework_core::wgsl!("wgsl/decide.wgsl");
const SELECT: &str = tilework_core::wgsl!("wgsl/select.wgsl");

/// Conjugate gradients for large systems stop when a step brings less than this part of the mean step so far: an exact step is not worth
/// hundreds of products (S. Nash and A. Sofer, *Assessing a search direction within a truncated-Newton method*, 1990).
const FLATNESS: f32 = 0.02;

/// Everything iterations of a problem share.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) compiled: Compiled,
    pub(crate) tables: Tables,
    lists: Lists,
    preconditioner: Preconditioner,
    movers: Vec<Movers>,
    /// Of parameters, costs and gradients.
    pub(crate) precision: Precision,
    /// Of Jacobians and linear systems.
    pub(crate) linear: Precision,
    data: Buffer,
    /// The same as single floats, if the two precisions differ.
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
        number::check(gpu, precision)?;
        for wanted in [Wanted::Gradient, Wanted::Weighted, Wanted::Cost] {
            compiled.prepare(wanted);
        }
        let tables = Tables::new(&compiled, n_values)?;
        let lists = Lists::upload(gpu, &compiled, &tables)?;
        let linear_data = (linear != precision).then(|| upload(gpu, &linear.to_bytes(&tables.data))).transpose()?;
        Ok(Model {
            preconditioner: Preconditioner::upload(gpu, &lists)?,
            movers: Movers::upload(gpu, &compiled)?,
            data: upload(gpu, &precision.to_bytes(&tables.data))?,
            linear_data,
            lists,
            compiled,
            tables,
            precision,
            linear,
        })
    }

    /// The Plan of an iteration with `n_steps` steps of conjugate gradients. Inputs and outputs are x, the status and the scales.
    pub(crate) fn iteration(&self, gpu: &Gpu, n_steps: usize, options: &SolveOptions<'_>) -> Result<Ready> {
        let mut passes = Passes::new(gpu.caps());
        self.write(&mut passes, n_steps, options);
        passes.prepare(gpu)
    }

    /// Whether linear systems are small enough to be solved as well as they can be.
    fn is_small(&self) -> bool {
        self.tables.n_directions <= super::solver::MAX_PRECISE_DIRECTIONS
    }

    fn write<'a>(&'a self, passes: &mut Passes<'a>, n_steps: usize, options: &SolveOptions<'_>) {
        let (bytes, linear_bytes) = (self.precision.size_bytes(), self.linear.size_bytes());
        let (n, n_values) = (self.tables.n_directions, self.tables.n_values);
        let x = passes.input(n_values * bytes);
        let status = passes.input(status::WORDS * 4);
        let scales = passes.input(n * linear_bytes);
        let next_x = passes.output(n_values * bytes);
        let next_status = passes.output(status::WORDS * 4);
        let next_scales = passes.output(n * linear_bytes);
        let ends = Ends { x, status, next_x, next_status };

        let (gradient, costs) = self.push_gradient(passes, x);
        let system = self.push_system(passes, x, gradient, Region { status, scales, next_scales });
        let n_residuals = self.tables.end.first_residual;
        let flatness = if self.linear == self.precision && self.is_small() { 0.0 } else { FLATNESS };
        let steps = Steps { precision: self.linear, n_steps, flatness, n_directions: n, n_residuals };
        let state = self.preconditioner.push_solve(passes, &self.lists, system, steps);
        let steps = self.push_measure_step(passes, system, state);
        let (trial, moves) = self.push_trial(passes, x, state);
        let trial_costs = self.push_cost(passes, trial);
        let measures = Measures { costs, trial_costs, steps, moves, state };
        self.push_decision(passes, ends, measures, options);
        let builder = number::kernel(self.precision, "take or leave")
            .prelude(&status::wgsl())
            .param("n", n_values as u32)
            .load("x", ends.x, element(self.precision))
            .load("trial", trial, element(self.precision))
            .load("status", ends.next_status, SINGLE)
            .store("next", ends.next_x, element(self.precision));
        passes.push(builder.file(SELECT), n_values.div_ceil(LANES));
    }

    /// Gradient and partial sums of the cost, both precise.
    fn push_gradient<'a>(&'a self, passes: &mut Passes<'a>, x: usize) -> (usize, usize) {
        let bytes = self.precision.size_bytes();
        let n_instances = self.tables.end.first_instance;
        let parts = passes.temp((n_instances + self.tables.end.first_gradient) * bytes);
        self.push_groups(passes, Wanted::Gradient, self.precision, x, parts);
        let gradient = passes.temp(self.tables.n_directions * bytes);
        self.lists.push_gradient(passes, self.precision, parts, gradient);
        let costs = passes.temp(n_partials(n_instances) * bytes);
        push_partial_sums(passes, self.precision, n_instances, parts, costs);
        (gradient, costs)
    }

    /// The linear system, in its own precision.
    fn push_system<'a>(&'a self, passes: &mut Passes<'a>, x: usize, gradient: usize, region: Region) -> System {
        let bytes = self.linear.size_bytes();
        let (n, n_values) = (self.tables.n_directions, self.tables.n_values);
        let (mut linear_x, mut linear_gradient) = (x, gradient);
        if self.linear != self.precision {
            linear_x = passes.temp(n_values * bytes);
            linear_gradient = passes.temp(n * bytes);
            push_copy(passes, self.precision, n_values, x, (linear_x, true));
            push_copy(passes, self.precision, n, gradient, (linear_gradient, true));
        }
        let system = System {
            jacobian: passes.temp(self.tables.end.first_jacobian * bytes),
            upper: passes.temp(self.lists.blocks.n_upper * bytes),
            gradient: linear_gradient,
            damping: passes.temp(n * bytes),
            inverse: passes.temp(self.preconditioner.n_inverse() * bytes),
        };
        self.push_groups(passes, Wanted::Weighted, self.linear, linear_x, system.jacobian);
        self.lists.push_diagonal(passes, self.linear, system.jacobian, system.upper);
        self.preconditioner.push_invert(passes, self.linear, system, region);
        system
    }

    fn push_groups<'a>(&'a self, passes: &mut Passes<'a>, wanted: Wanted, precision: Precision, x: usize, out: usize) {
        let own =
            if precision == self.precision { &self.data } else { self.linear_data.as_ref().unwrap_or(&self.data) };
        let slots = GroupSlots { x, offsets: passes.constant(&self.lists.offsets), data: passes.constant(own), out };
        push_groups(passes, &self.compiled, &self.tables, wanted, precision, slots);
    }

    /// Partial sums of the cost at a trial.
    fn push_cost<'a>(&'a self, passes: &mut Passes<'a>, trial: usize) -> usize {
        let (bytes, n_instances) = (self.precision.size_bytes(), self.tables.end.first_instance);
        let parts = passes.temp(n_instances * bytes);
        self.push_groups(passes, Wanted::Cost, self.precision, trial, parts);
        let costs = passes.temp(n_partials(n_instances) * bytes);
        push_partial_sums(passes, self.precision, n_instances, parts, costs);
        costs
    }

    fn push_measure_step(&self, passes: &mut Passes<'_>, system: System, state: usize) -> usize {
        let (n, numbers) = (self.tables.n_directions, element(self.linear));
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

    /// The trial point, and how far it is.
    fn push_trial<'a>(&'a self, passes: &mut Passes<'a>, x: usize, state: usize) -> (usize, usize) {
        let (n, numbers) = (self.tables.n_values, element(self.precision));
        let trial = passes.temp(n * self.precision.size_bytes());
        push_copy(passes, self.precision, n, x, (trial, false));
        for movers in &self.movers {
            movers.push(passes, self.precision, x, (state, self.linear_element()), trial);
        }
        let measures = passes.temp(2 * PARTIALS * 4);
        let builder = number::kernel(self.precision, "measure the way")
            .param("n", n as u32)
            .load("x", x, numbers)
            .load("trial", trial, numbers)
            .store("measures", measures, SINGLE);
        passes.push(builder.file(REDUCE).file(MEASURE_VALUES), n_partials(n));
        (trial, measures)
    }

    /// Numbers of the linear system, for kernels of the other precision.
    fn linear_element(&self) -> tilework_core::emit::Element {
        if self.linear == self.precision { element(self.precision) } else { ROUNDED }
    }

    fn push_decision(&self, passes: &mut Passes<'_>, ends: Ends, measures: Measures, options: &SolveOptions<'_>) {
        let bits = |number: f64| (number as f32).to_bits();
        let numbers = element(self.precision);
        let [rounding, noise] = number::rounding_and_noise(self.precision);
        let builder = number::kernel(self.precision, "decide")
            .prelude(&status::wgsl())
            .param("n_costs", n_partials(self.tables.end.first_instance) as u32)
            .param("n_steps", n_partials(self.tables.n_directions) as u32)
            .param("n_moves", n_partials(self.tables.n_values) as u32)
            .param("n_scalars", (3 * self.tables.n_directions + PARTIALS) as u32)
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
