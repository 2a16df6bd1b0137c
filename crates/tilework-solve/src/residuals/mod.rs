//! Residuals compiled once and evaluated as often as wanted, without a solver: on the CPU, on a GPU, or wherever it is faster.
//!
//! Which is faster depends on the machine and on the problem, so it is measured: with [`Backend::Auto`] both evaluate a gradient a few
//! times while compiling, and the faster one is kept. Small problems are not worth the measurement, and a software adapter is no GPU.

mod cpu;

pub use cpu::{CpuEvaluator, CpuPrecision};

use crate::clock::Clock;
use crate::gpu::GpuEvaluator;
use crate::problem::Problem;
use tilework_core::emit::Precision;
use tilework_core::{Error, ErrorKind, Result};
use tilework_gpu::Gpu;

/// A sparse matrix, entry by entry. Entries of the same place add up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triplets {
    /// Rows: residuals, in the order evaluators give them.
    pub n_rows: usize,
    /// Columns: directions in which parameters may move.
    pub n_cols: usize,
    /// (row, column, value).
    pub entries: Vec<(u32, u32, f64)>,
}

/// Where to evaluate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Backend {
    /// The CPU.
    Cpu,
    /// The GPU; without one, compiling fails.
    Gpu,
    /// Wherever it is faster.
    #[default]
    Auto,
}

impl Backend {
    /// All, with the names programs know them by.
    pub const ALL: &[(&str, Backend)] = &[("cpu", Backend::Cpu), ("gpu", Backend::Gpu), ("auto", Backend::Auto)];
}

/// How far compiling is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompileProgress {
    /// Steps done.
    pub done: usize,
    /// Steps there are.
    pub total: usize,
    /// What was done last.
    pub what: &'static str,
}

/// How to compile residuals.
#[derive(Clone, Copy)]
pub struct CompileOptions<'a> {
    /// Where to evaluate.
    pub backend: Backend,
    /// The GPU, for the backends that may use it.
    pub gpu: Option<&'a Gpu>,
    /// What the GPU computes with. The CPU computes singles if this is single precision, doubles otherwise.
    pub precision: Precision,
    /// Instances that are evaluated by one dispatch at most; it bounds the memory of a kernel's results.
    pub batch_size: usize,
    /// Problems with fewer instances are evaluated on the CPU without asking.
    pub fallback_threshold: usize,
    /// Threads of the CPU; 0 for all there are.
    pub n_threads: usize,
    /// Called as compiling goes on.
    pub on_progress: Option<&'a dyn Fn(CompileProgress)>,
    /// Tells the time; browsers need one of theirs.
    pub clock: Clock,
}

impl Default for CompileOptions<'_> {
    fn default() -> Self {
        CompileOptions {
            backend: Backend::default(),
            gpu: None,
            precision: Precision::F64,
            batch_size: 1 << 20,
            fallback_threshold: 256,
            n_threads: 0,
            on_progress: None,
            clock: Clock::default(),
        }
    }
}

impl std::fmt::Debug for CompileOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CompileOptions")
            .field("backend", &self.backend)
            .field("precision", &self.precision)
            .field("batch_size", &self.batch_size)
            .field("fallback_threshold", &self.fallback_threshold)
            .finish_non_exhaustive()
    }
}

/// What residuals were compiled to, and what ran since.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// Groups of equal maths: kernels of each kind.
    pub n_kernels: usize,
    /// Instances of all groups.
    pub n_instances: usize,
    /// Residuals of all instances.
    pub n_residuals: usize,
    /// Directions in which parameters may move.
    pub n_directions: usize,
    /// Evaluations of any kind so far.
    pub n_evaluations: usize,
    /// Evaluations whose kernels were there already.
    pub n_cache_hits: usize,
    /// Dispatches on the GPU so far.
    pub n_dispatches: u64,
    /// Bytes to and from the GPU so far.
    pub n_bytes: u64,
    /// "cpu" or "gpu".
    pub backend: &'static str,
    /// Milliseconds of a gradient on the CPU and on the GPU, where they were compared.
    pub measured_ms: Option<(f64, f64)>,
}

/// Where evaluations run.
#[derive(Debug)]
enum Machine {
    Cpu(Box<CpuEvaluator>),
    Gpu { gpu: Gpu, evaluator: Box<GpuEvaluator> },
}

/// What was evaluated before, as bits of a set.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Residuals = 1,
    Gradient = 2,
    Jacobian = 4,
}

/// Residuals made ready to be evaluated: `x` holds the numbers of all parameters, set after set, as in the problem.
#[derive(Debug)]
pub struct CompiledResiduals {
    machine: Machine,
    counts: Counts,
    /// Kinds whose kernels are there.
    known: u8,
    /// Dispatches and bytes of the device before.
    before: (u64, u64),
}

impl CompiledResiduals {
    /// Compiles the residuals and energies of `problem`.
    ///
    /// Fails if a GPU is asked for and there is none, or if it cannot compute in this precision.
    pub async fn compile(problem: &Problem, options: &CompileOptions<'_>) -> Result<CompiledResiduals> {
        if options.batch_size == 0 {
            return Err(Error::argument("compile", "batch_size is 0; it must be at least 1"));
        }
        let tell = |done, what| {
            if let Some(call) = options.on_progress {
                call(CompileProgress { done, total: 3, what });
            }
        };
        tell(0, "grouped");
        let mut counts = Counts {
            n_kernels: problem.n_groups(),
            n_instances: problem.n_instances(),
            n_residuals: problem.n_residuals(),
            ..Counts::default()
        };
        let cut = problem.cut(options.batch_size);
        let problem = cut.as_ref().unwrap_or(problem);
        let gpu = wanted_gpu(options, problem.n_instances())?;
        let precision = if options.precision == Precision::F32 { CpuPrecision::F32 } else { CpuPrecision::F64 };
        let mut cpu = CpuEvaluator::new(problem, precision, options.n_threads);
        counts.n_directions = cpu.n_directions();
        tell(1, "derived");
        let machine = match gpu {
            None => Machine::Cpu(Box::new(cpu)),
            Some(gpu) if options.backend == Backend::Gpu => {
                let evaluator = Box::new(GpuEvaluator::new(gpu, problem, options.precision)?);
                Machine::Gpu { gpu: gpu.clone(), evaluator }
            }
            Some(gpu) => {
                // What this GPU cannot do, the CPU does: a precision it does not have, more data than it can bind.
                let compared = compare(&mut cpu, (gpu, options.precision), problem, options.clock).await;
                counts.measured_ms = compared.as_ref().ok().map(|(_, measured)| *measured);
                match compared {
                    Ok((evaluator, (on_cpu, on_gpu))) if on_gpu < on_cpu => {
                        Machine::Gpu { gpu: gpu.clone(), evaluator: Box::new(evaluator) }
                    }
                    _ => Machine::Cpu(Box::new(cpu)),
                }
            }
        };
        tell(2, "placed");
        counts.backend = if matches!(machine, Machine::Cpu(_)) { "cpu" } else { "gpu" };
        let mut compiled = CompiledResiduals { machine, counts, known: 0, before: (0, 0) };
        compiled.before = compiled.used();
        tell(3, "ready");
        Ok(compiled)
    }

    /// All residuals: group after group, instance after instance.
    pub async fn evaluate(&mut self, x: &[f64]) -> Result<Vec<f64>> {
        self.note(Kind::Residuals);
        match &mut self.machine {
            Machine::Cpu(cpu) => cpu.residuals(x),
            Machine::Gpu { evaluator, .. } => evaluator.residuals(x).await,
        }
    }

    /// The derivatives of the cost by all directions.
    pub async fn evaluate_gradient(&mut self, x: &[f64]) -> Result<Vec<f64>> {
        Ok(self.evaluate_sum_with_gradient(x).await?.1)
    }

    /// The cost (half the sum of squares, plus energies) and its derivatives.
    pub async fn evaluate_sum_with_gradient(&mut self, x: &[f64]) -> Result<(f64, Vec<f64>)> {
        self.note(Kind::Gradient);
        match &mut self.machine {
            Machine::Cpu(cpu) => cpu.gradient(x),
            Machine::Gpu { evaluator, .. } => evaluator.gradient(x).await,
        }
    }

    /// The derivatives of all residuals.
    pub async fn evaluate_jacobian(&mut self, x: &[f64]) -> Result<Triplets> {
        self.note(Kind::Jacobian);
        match &mut self.machine {
            Machine::Cpu(cpu) => cpu.jacobian(x),
            Machine::Gpu { evaluator, .. } => evaluator.jacobian(x).await,
        }
    }

    /// What was compiled, and what ran since.
    pub fn counts(&self) -> Counts {
        let (dispatches, bytes) = self.used();
        Counts { n_dispatches: dispatches - self.before.0, n_bytes: bytes - self.before.1, ..self.counts.clone() }
    }

    fn note(&mut self, kind: Kind) {
        self.counts.n_evaluations += 1;
        self.counts.n_cache_hits += usize::from(self.known & kind as u8 != 0);
        self.known |= kind as u8;
    }

    /// Dispatches and bytes of the device since it was opened.
    fn used(&self) -> (u64, u64) {
        match &self.machine {
            Machine::Cpu(_) => (0, 0),
            Machine::Gpu { gpu, .. } => {
                let counters = gpu.counters();
                (counters.dispatches, counters.bytes_up + counters.bytes_down)
            }
        }
    }
}

/// The GPU, if it may be used; fails if it must be and there is none.
fn wanted_gpu<'a>(options: &CompileOptions<'a>, n_instances: usize) -> Result<Option<&'a Gpu>> {
    match (options.backend, options.gpu) {
        (Backend::Cpu, _) | (Backend::Auto, None) => Ok(None),
        (Backend::Gpu, None) => Err(Error::new(ErrorKind::NoDevice, "compile", "backend 'gpu' needs an open GPU")),
        (Backend::Gpu, Some(gpu)) => Ok(Some(gpu)),
        (Backend::Auto, Some(gpu)) => {
            let is_worth_asking = n_instances >= options.fallback_threshold && !gpu.caps().software;
            Ok(Some(gpu).filter(|_| is_worth_asking))
        }
    }
}

/// An evaluator on the GPU, and milliseconds of a gradient on the CPU and there: the fastest of three, after one that compiles.
async fn compare(
    cpu: &mut CpuEvaluator,
    (gpu, precision): (&Gpu, Precision),
    problem: &Problem,
    clock: Clock,
) -> Result<(GpuEvaluator, (f64, f64))> {
    let x = &problem.values;
    let mut gpu = GpuEvaluator::new(gpu, problem, precision)?;
    cpu.gradient(x)?;
    gpu.gradient(x).await?;
    let (mut on_cpu, mut on_gpu) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..3 {
        let start = clock.now();
        cpu.gradient(x)?;
        let middle = clock.now();
        gpu.gradient(x).await?;
        on_cpu = on_cpu.min(middle - start);
        on_gpu = on_gpu.min(clock.now() - middle);
    }
    Ok((gpu, (on_cpu * 1e3, on_gpu * 1e3)))
}
