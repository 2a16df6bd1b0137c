//! A problem evaluated on the CPU, as often as wanted.

use super::Triplets;
use crate::evaluate::{Compiled, Outputs, Wanted};
use crate::problem::Problem;
use tilework_core::{Error, Result};
use tilework_ops::threads::Threads;

/// What the CPU computes with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CpuPrecision {
    /// Single precision: twice as fast.
    F32,
    /// Double precision.
    #[default]
    F64,
}

/// A problem whose residuals and derivatives are computed on the CPU, chunk by chunk on all threads. Sums are gathered by lists in a
/// fixed order: the same numbers on every run, with any number of threads.
///
/// `x` holds the numbers of all parameters, set after set, as in the problem.
#[derive(Debug)]
pub struct CpuEvaluator {
    compiled: Compiled,
    precision: CpuPrecision,
    threads: Threads,
    n_values: usize,
    /// Memory for what instances compute.
    singles: Vec<Outputs<f32>>,
    doubles: Vec<Outputs<f64>>,
}

impl CpuEvaluator {
    /// Compiles `problem`; kernels are derived when they are first wanted. `n_threads` is 0 for all there are.
    pub fn new(problem: &Problem, precision: CpuPrecision, n_threads: usize) -> CpuEvaluator {
        let threads = if n_threads == 1 { Threads::one() } else { Threads::all() };
        CpuEvaluator {
            compiled: Compiled::new(problem),
            precision,
            threads,
            n_values: problem.values.len(),
            singles: Vec::new(),
            doubles: Vec::new(),
        }
    }

    /// Directions in which parameters may move: the length of a gradient.
    pub fn n_directions(&self) -> usize {
        self.compiled.layout.n_tangents
    }

    /// Residuals of all instances.
    pub fn n_residuals(&self) -> usize {
        self.compiled.groups.iter().map(|compiled| compiled.group.n_residuals() * compiled.group.n_instances).sum()
    }

    /// All residuals: group after group, instance after instance.
    pub fn residuals(&mut self, x: &[f64]) -> Result<Vec<f64>> {
        let outputs = self.evaluate(Wanted::Residuals, x)?;
        let mut found = Vec::with_capacity(self.n_residuals());
        for (compiled, outputs) in self.compiled.groups.iter().zip(&outputs) {
            for instance in 0..compiled.group.n_instances {
                found.extend((0..compiled.group.n_residuals()).map(|root| outputs.get(root, instance)));
            }
        }
        Ok(found)
    }

    /// The cost.
    pub fn cost(&mut self, x: &[f64]) -> Result<f64> {
        let outputs = self.evaluate(Wanted::Cost, x)?;
        Ok(crate::evaluate::total_cost(&outputs))
    }

    /// The cost and its derivatives by all directions.
    pub fn gradient(&mut self, x: &[f64]) -> Result<(f64, Vec<f64>)> {
        self.check(x)?;
        match self.precision {
            CpuPrecision::F64 => Ok(self.compiled.gradient(x, self.threads, &mut self.doubles)),
            CpuPrecision::F32 => {
                let x: Vec<f32> = x.iter().map(|&x| x as f32).collect();
                let (cost, gradient) = self.compiled.gradient(&x, self.threads, &mut self.singles);
                Ok((cost, gradient.into_iter().map(f64::from).collect()))
            }
        }
    }

    /// The same by walking every instance's expression operation by operation: the definition, a hundred times slower.
    pub fn gradient_by_walking(&mut self, x: &[f64]) -> Result<(f64, Vec<f64>)> {
        self.check(x)?;
        Ok(self.compiled.gradient_by_walking(x))
    }

    /// The derivatives of all residuals, not weighted by losses.
    pub fn jacobian(&mut self, x: &[f64]) -> Result<Triplets> {
        let outputs = self.evaluate(Wanted::Jacobian, x)?;
        let (mut entries, mut row) = (Vec::new(), 0);
        for (compiled, outputs) in self.compiled.groups.iter().zip(&outputs) {
            let (group, columns) = (&compiled.group, &compiled.columns);
            let m = group.n_residuals();
            for at in 0..group.n_instances * m {
                let (instance, residual) = (at / m, at % m);
                for (arg, first) in columns.first.iter().enumerate() {
                    let block = self.compiled.layout.blocks[group.blocks[arg][instance] as usize];
                    let Some(first) = first.filter(|_| block.is_free()) else { continue };
                    entries.extend((0..columns.dims[arg]).map(|k| {
                        let slope = outputs.get(m + residual * columns.n + first + k, instance);
                        (row, block.tangent + k as u32, slope)
                    }));
                }
                row += 1;
            }
        }
        Ok(Triplets { n_rows: self.n_residuals(), n_cols: self.n_directions(), entries })
    }

    fn check(&self, x: &[f64]) -> Result<()> {
        if x.len() == self.n_values {
            return Ok(());
        }
        Err(Error::shape("evaluate", format!("{} numbers for {} parameters", x.len(), self.n_values)))
    }

    fn evaluate(&mut self, wanted: Wanted, x: &[f64]) -> Result<Vec<Outputs<f64>>> {
        self.check(x)?;
        self.compiled.prepare(wanted);
        if self.precision == CpuPrecision::F64 {
            return Ok(self.compiled.evaluate(wanted, x, self.threads));
        }
        let x: Vec<f32> = x.iter().map(|&x| x as f32).collect();
        let outputs = self.compiled.evaluate(wanted, &x, self.threads);
        let widened = |outputs: Outputs<f32>| Outputs {
            values: outputs.values.into_iter().map(f64::from).collect(),
            n_roots: outputs.n_roots,
            n_instances: outputs.n_instances,
        };
        Ok(outputs.into_iter().map(widened).collect())
    }
}
