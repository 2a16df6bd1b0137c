//! Residuals compiled once and evaluated as often as wanted, without a solver.

mod cpu;

pub use cpu::{CpuEvaluator, CpuPrecision};

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
