//! Who solves: the CPU or a GPU.

use tilework::{Error, Result};
use tilework_gpu::Gpu;
use tilework_solve::gpu::{GpuSolver, Precision};
use tilework_solve::{Iteration, Params, Problem, Reason, SolveOptions, Solver, Summary};

/// A solver on its way.
pub(super) enum Machine {
    Cpu(Box<Solver>),
    Gpu(Box<GpuMachine>),
}

/// A solver on a GPU, with the numbers of all parameters as they were read last.
pub(super) struct GpuMachine {
    solver: GpuSolver,
    values: Vec<f64>,
    n_told: usize,
}

/// What some steps brought.
pub(super) struct Stepped {
    pub(super) iterations: Vec<Iteration>,
    pub(super) reason: Option<Reason>,
}

impl Machine {
    pub(super) fn new(
        problem: &Problem,
        gpu: Option<(&Gpu, Precision)>,
        options: &SolveOptions<'_>,
    ) -> Result<Machine> {
        let Some((gpu, precision)) = gpu else { return Ok(Machine::Cpu(Box::new(Solver::new(problem, options)?))) };
        let solver = GpuSolver::new(gpu, problem, precision, options)?;
        Ok(Machine::Gpu(Box::new(GpuMachine { solver, values: problem.all_values().to_vec(), n_told: 1 })))
    }

    pub(super) fn runs_on(&self) -> &'static str {
        match self {
            Machine::Cpu(_) => "cpu",
            Machine::Gpu(_) => "gpu",
        }
    }

    /// At most `n` steps.
    pub(super) async fn step(&mut self, n: usize, options: &SolveOptions<'_>) -> Result<Stepped> {
        match self {
            Machine::Cpu(solver) => {
                let mut stepped = Stepped { iterations: Vec::new(), reason: None };
                while stepped.reason.is_none() && stepped.iterations.len() < n {
                    let (iteration, reason) = solver.step(options);
                    stepped.iterations.push(iteration);
                    stepped.reason = reason;
                }
                Ok(stepped)
            }
            Machine::Gpu(machine) => machine.step(n, options).await,
        }
    }

    pub(super) fn summary(&self) -> Summary {
        match self {
            Machine::Cpu(solver) => solver.summary(Reason::Stopped),
            Machine::Gpu(machine) => machine.solver.summary(Reason::Stopped),
        }
    }

    /// Replaces the numbers of a set, without another plan.
    pub(super) fn set_values(
        &mut self,
        problem: &Problem,
        (params, values): (Params, &[f64]),
        options: &SolveOptions<'_>,
    ) -> Result<()> {
        let machine = match self {
            Machine::Cpu(solver) => return solver.set_values(params, values),
            Machine::Gpu(machine) => machine,
        };
        let numbers = problem.numbers_of(params);
        if values.len() != numbers.len() {
            let message = format!("{} numbers for {}", values.len(), numbers.len());
            return Err(Error::shape("set_values", message));
        }
        let mut all = machine.values.clone();
        all[numbers].copy_from_slice(values);
        machine.solver.set_values(&all, options)?;
        machine.values = all;
        Ok(())
    }

    /// The numbers of a set.
    pub(super) fn values(&self, problem: &Problem, params: Params) -> Vec<f64> {
        match self {
            Machine::Cpu(solver) => solver.values(params).to_vec(),
            Machine::Gpu(machine) => machine.values[problem.numbers_of(params)].to_vec(),
        }
    }
}

impl GpuMachine {
    async fn step(&mut self, n: usize, options: &SolveOptions<'_>) -> Result<Stepped> {
        let mut reason = None;
        let end = self.n_told.saturating_add(n);
        while reason.is_none() && self.n_done() < end {
            reason = self.solver.advance(end - self.n_done(), options).await?;
            if self.n_done() == self.n_told {
                break;
            }
        }
        self.values = self.solver.values().await?;
        let iterations = self.solver.summary(Reason::Stopped).iterations.split_off(self.n_told);
        self.n_told += iterations.len();
        Ok(Stepped { iterations, reason })
    }

    /// Iterations that were made, the start being one.
    fn n_done(&self) -> usize {
        self.solver.summary(Reason::Stopped).iterations.len()
    }
}
