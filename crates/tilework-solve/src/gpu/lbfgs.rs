//! L-BFGS with everything on the device, for energies as well as residuals: one trial of a line search as one Plan.
//!
//! A run evaluates cost and gradient at one trial and decides what it means; if it is taken, the same run makes the next direction. The two
//! loops of the method are a dozen products after each other, which a GPU is bad at. Here they work on the products of the
//! vectors they combine, a matrix of 25 × 25, of which a step changes three columns: one pass sums those, one workgroup runs the loops, one
//! pass adds up the direction. Steps and changes stay where they are, and the oldest are overwritten.

use super::ground::{Ground, REDUCE_MAX};
use super::lists::{LANES, PARTIALS, REDUCE, n_partials};
use super::number::{self, element};
use super::passes::{Passes, Ready, SINGLE, upload};
use super::status;
use crate::evaluate::Compiled;
use crate::minimize::lbfgs::{MAX_SLOPE, MAX_TRIALS, MEMORY, MIN_DECREASE};
use crate::options::SolveOptions;
use tilework_core::Result;
use tilework_core::emit::{KernelBuilder, Precision};
use tilework_gpu::{Buffer, Gpu};

const SCALE: &str = tilework_core::wgsl!("wgsl/scale.wgsl");
const MEASURE_LINE: &str = tilework_core::wgsl!("wgsl/measure_line.wgsl");
const DECIDE_LINE: &str = tilework_core::wgsl!("wgsl/decide_line.wgsl");
const REMEMBER: &str = tilework_core::wgsl!("wgsl/remember.wgsl");
const BASIS: &str = tilework_core::wgsl!("wgsl/basis.wgsl");
const BASIS_DOTS: &str = tilework_core::wgsl!("wgsl/basis_dots.wgsl");
const RECALL: &str = tilework_core::wgsl!("wgsl/recall.wgsl");
const DIRECT: &str = tilework_core::wgsl!("wgsl/direct.wgsl");

/// Vectors that directions are made of: steps, changes of the gradient, the gradient.
const N_BASIS: usize = 2 * MEMORY + 1;
/// Numbers of the memory besides vectors: cost and slope, products, coefficients.
const COST: usize = 0;
const SLOPE: usize = 1;
const PRODUCTS: usize = 2;
const FACTORS: usize = PRODUCTS + N_BASIS * N_BASIS;
const N_NUMBERS: usize = FACTORS + N_BASIS;

/// A problem that L-BFGS works on.
#[derive(Debug)]
pub(crate) struct LbfgsModel {
    ground: Ground,
}

/// Slots of what goes into a trial, and of what comes out of it.
#[derive(Clone, Copy, Debug)]
struct Slots {
    x: usize,
    status: usize,
    gradient: usize,
    way: usize,
    memory: usize,
}

/// Slots of the remembered steps and changes, which are changed in place.
#[derive(Clone, Copy, Debug)]
struct History {
    steps: usize,
    changes: usize,
}

/// Slots of what was found at a trial.
#[derive(Clone, Copy, Debug)]
struct Found {
    gradient: usize,
    costs: usize,
    moves: usize,
    /// The status after the trial, before there is a new direction.
    status: usize,
    /// The cost.
    decided: usize,
}

impl LbfgsModel {
    pub(crate) fn new(gpu: &Gpu, compiled: Compiled, n_values: usize, precision: Precision) -> Result<LbfgsModel> {
        Ok(LbfgsModel { ground: Ground::new(gpu, compiled, n_values, precision)? })
    }

    /// The buffers of a search that begins at `x`, in the order of the Plan's inputs.
    pub(crate) fn buffers(&self, gpu: &Gpu, x: &[f64]) -> Result<Vec<Buffer>> {
        let zeros = |n: usize| upload(gpu, &vec![0; n * self.ground.precision.size_bytes()]);
        let n = self.ground.tables.n_directions;
        Ok(vec![
            upload(gpu, &self.ground.precision.to_bytes(x))?,
            // The first trial goes nowhere: it finds out about the start.
            upload(gpu, bytemuck::cast_slice(&status::initial(0.0)))?,
            zeros(n)?,
            zeros(n)?,
            zeros(N_NUMBERS)?,
            zeros(MEMORY * n)?,
            zeros(MEMORY * n)?,
        ])
    }

    /// The Plan of a trial. Inputs and outputs are those of [`LbfgsModel::buffers`].
    pub(crate) fn trial(&self, gpu: &Gpu, options: &SolveOptions<'_>) -> Result<Ready> {
        let mut passes = Passes::new(gpu.caps());
        self.write(&mut passes, options);
        passes.prepare(gpu)
    }

    fn write<'a>(&'a self, passes: &mut Passes<'a>, options: &SolveOptions<'_>) {
        let bytes = self.ground.precision.size_bytes();
        let (n, n_values) = (self.ground.tables.n_directions, self.ground.tables.n_values);
        let sizes = [n_values * bytes, status::WORDS * 4, n * bytes, n * bytes, N_NUMBERS * bytes];
        let slots = |[x, status, gradient, way, memory]: [usize; 5]| Slots { x, status, gradient, way, memory };
        let now = slots(sizes.map(|size_bytes| passes.input(size_bytes)));
        let next = slots(sizes.map(|size_bytes| passes.output(size_bytes)));
        let history = History { steps: passes.update(MEMORY * n * bytes), changes: passes.update(MEMORY * n * bytes) };
        let (trial, found) = self.push_look(passes, now, options);
        self.ground.push_select(passes, n_values, found.status, [now.x, trial, next.x]);
        self.ground.push_select(passes, n, found.status, [now.gradient, found.gradient, next.gradient]);
        self.push_remember(passes, now, found, history);
        self.push_recall(passes, now, found, next, history);
        self.push_direct(passes, now, next, history);
    }

    /// Evaluates at the trial and decides what it means.
    fn push_look<'a>(&'a self, passes: &mut Passes<'a>, now: Slots, options: &SolveOptions<'_>) -> (usize, Found) {
        let (n, bytes) = (self.ground.tables.n_directions, self.ground.precision.size_bytes());
        let numbers = element(self.ground.precision);
        let step = passes.temp(n * bytes);
        let builder = self.kernel("length of the step").load("way", now.way, numbers);
        let builder = builder.load("status", now.status, SINGLE).store("step", step, numbers);
        passes.push(builder.file(SCALE), n.div_ceil(LANES));
        let (trial, moves) = self.ground.push_trial(passes, now.x, (step, numbers));
        let (gradient, costs) = self.ground.push_gradient(passes, trial);
        let (status, decided) = (passes.temp(status::WORDS * 4), passes.temp(bytes));
        let found = Found { gradient, costs, moves, status, decided };
        self.push_decision(passes, now, found, options);
        (trial, found)
    }

    fn push_decision(&self, passes: &mut Passes<'_>, now: Slots, found: Found, options: &SolveOptions<'_>) {
        let (tables, numbers) = (&self.ground.tables, element(self.ground.precision));
        let line = passes.temp(2 * PARTIALS * self.ground.precision.size_bytes());
        let builder = self.kernel("measure the line").load("gradient", found.gradient, numbers);
        let builder = builder.load("way", now.way, numbers).store("measures", line, numbers);
        let n_line = n_partials(tables.n_directions);
        passes.push(builder.file(REDUCE).file(REDUCE_MAX).file(MEASURE_LINE), n_line);
        let bits = |number: f64| (number as f32).to_bits();
        let builder = self
            .kernel("look at the trial")
            .param("n_costs", n_partials(tables.end.first_instance) as u32)
            .param("n_line", n_line as u32)
            .param("n_moves", n_partials(tables.n_values) as u32)
            .param("gradient_tolerance", bits(options.gradient_tolerance))
            .param("function_tolerance", bits(options.function_tolerance))
            .param("parameter_tolerance", bits(options.parameter_tolerance))
            .load("trial_costs", found.costs, numbers)
            .load("line", line, numbers)
            .load("moves", found.moves, SINGLE)
            .load("memory", now.memory, numbers)
            .load("status", now.status, SINGLE)
            .store("next_status", found.status, SINGLE)
            .store("decided", found.decided, numbers);
        passes.push(builder.file(REDUCE).file(REDUCE_MAX).file(DECIDE_LINE), 1);
    }

    fn push_remember(&self, passes: &mut Passes<'_>, now: Slots, found: Found, history: History) {
        let numbers = element(self.ground.precision);
        let builder = self
            .kernel("remember the step")
            .load("way", now.way, numbers)
            .load("gradient", now.gradient, numbers)
            .load("trial_gradient", found.gradient, numbers)
            .load("status", found.status, SINGLE)
            .store("steps", history.steps, numbers)
            .store("changes", history.changes, numbers);
        passes.push(builder.file(REMEMBER), self.ground.tables.n_directions.div_ceil(LANES));
    }

    /// Products of vectors, and the direction as coefficients.
    fn push_recall(&self, passes: &mut Passes<'_>, now: Slots, found: Found, next: Slots, history: History) {
        let (numbers, n) = (element(self.ground.precision), n_partials(self.ground.tables.n_directions));
        let dots = passes.temp(3 * N_BASIS * PARTIALS * self.ground.precision.size_bytes());
        let builder = self.with_basis(self.kernel("products of vectors"), history, next.gradient);
        let builder = builder.param("n_partials", n as u32).load("status", found.status, SINGLE);
        let builder = builder.store("dots", dots, numbers).file(REDUCE).file(BASIS_DOTS);
        passes.push(builder, N_BASIS * n);
        let builder = self
            .kernel("recall")
            .prelude(&format!("const BASIS: u32 = {N_BASIS}u;"))
            .param("n_partials", n as u32)
            .load("dots", dots, numbers)
            .load("memory", now.memory, numbers)
            .load("decided", found.decided, numbers)
            .load("status", found.status, SINGLE)
            .store("next_memory", next.memory, numbers)
            .store("next_status", next.status, SINGLE);
        passes.push(builder.file(REDUCE).file(REDUCE_MAX).file(RECALL), 1);
    }

    fn push_direct(&self, passes: &mut Passes<'_>, now: Slots, next: Slots, history: History) {
        let numbers = element(self.ground.precision);
        let builder = self
            .with_basis(self.kernel("direction"), history, next.gradient)
            .load("memory", next.memory, numbers)
            .load("status", next.status, SINGLE)
            .load("way", now.way, numbers)
            .store("next_way", next.way, numbers);
        passes.push(builder.file(DIRECT), self.ground.tables.n_directions.div_ceil(LANES));
    }

    fn with_basis(&self, builder: KernelBuilder, history: History, gradient: usize) -> KernelBuilder {
        let numbers = element(self.ground.precision);
        let builder = builder.load("steps", history.steps, numbers).load("changes", history.changes, numbers);
        builder.load("gradient", gradient, numbers).file(BASIS)
    }

    /// A kernel with the names that all of them share.
    fn kernel(&self, label: &str) -> KernelBuilder {
        let sizes = [
            ("MEMORY", MEMORY),
            ("MEMORY_COST", COST),
            ("MEMORY_SLOPE", SLOPE),
            ("MEMORY_PRODUCTS", PRODUCTS),
            ("MEMORY_FACTORS", FACTORS),
        ];
        let limits = [("MIN_DECREASE", MIN_DECREASE), ("MAX_SLOPE", MAX_SLOPE), ("MAX_TRIALS", MAX_TRIALS as f64)];
        let sizes = sizes.map(|(name, value)| format!("const {name}: u32 = {value}u;"));
        let limits = limits.map(|(name, value)| format!("const {name}: f32 = {value:?}f;"));
        let prelude = status::wgsl() + &sizes.join("\n") + "\n" + &limits.join("\n");
        number::kernel(self.ground.precision, format!("L-BFGS: {label}"))
            .prelude(&prelude)
            .param("n", self.ground.tables.n_directions as u32)
    }

    /// The texts of all kernels of a trial.
    #[cfg(test)]
    pub(crate) fn texts(&self, options: &SolveOptions<'_>) -> Vec<(String, String)> {
        let mut passes = Passes::new(&tilework_core::plan::Caps::default());
        self.write(&mut passes, options);
        passes.list().iter().map(|pass| (pass.kernel.label.clone(), pass.kernel.text())).collect()
    }
}
