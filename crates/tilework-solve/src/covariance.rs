//! Covariance: how well the residuals determine the parameters.

use crate::evaluate::{Compiled, Wanted};
use crate::linear::System;
use crate::options::Linear;
use crate::problem::{Params, Problem};
use tilework_core::{Error, Result};
use tilework_ops::threads::Threads;

/// A direction is undetermined if its variance exceeds that of the direction alone by this much: all digits are gone.
const MAX_INFLATION: f64 = 1e14;

impl Problem {
    /// The covariance of each of `blocks` at the present values, row by row: its part of `(JᵀJ)⁻¹`, by tangent directions, for
    /// residuals that were divided by their standard deviations.
    ///
    /// Fails if a block is fixed or unused, if there are energies, and if the residuals do not determine the parameters.
    pub fn covariance(&self, params: Params, blocks: &[usize]) -> Result<Vec<Vec<f64>>> {
        let set = self.set("covariance", params)?;
        if self.has_energies() {
            return Err(Error::argument("covariance", "energies have none; only residuals do"));
        }
        let mut compiled = Compiled::new(self);
        let mut wanted = Vec::new();
        for &block in blocks {
            let free = compiled
                .layout
                .blocks
                .get(set.first_block + block)
                .filter(|found| block < set.n_blocks && found.is_free());
            let free = free.ok_or_else(|| {
                Error::argument("covariance", format!("block {block} does not exist, is fixed, or is in no residual"))
            })?;
            wanted.push((free.tangent as usize, free.tangent_dim as usize));
        }
        let mut system = System::new(&compiled, Linear::SparseCholesky, Wanted::Normal);
        system.linearize(&mut compiled, Wanted::Normal, &self.values, Threads::all());
        let undetermined = || {
            Error::argument("covariance", "the residuals do not determine the parameters; fix some, or add residuals")
        };
        let mut found = Vec::new();
        for (first, dim) in wanted {
            let directions: Vec<usize> = (first..first + dim).collect();
            let columns = system.inverse_columns(&directions).ok_or_else(undetermined)?;
            let is_determined = |(k, column): (usize, &Vec<f64>)| {
                let inflation = column[first + k] * system.diagonal[first + k];
                inflation > 0.0 && inflation < MAX_INFLATION
            };
            if !columns.iter().enumerate().all(is_determined) {
                return Err(undetermined());
            }
            found.push((0..dim * dim).map(|at| columns[at % dim][first + at / dim]).collect());
        }
        Ok(found)
    }
}
