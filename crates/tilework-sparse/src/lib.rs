//! Cholesky factorization of sparse symmetric matrices that are made of small dense blocks.
//!
//! The matrices of least squares have a block for every parameter (a pose, a point), so everything that depends on the pattern only,
//! [`Symbolic`], works on blocks: a fill-reducing order ([`minimum_degree`]), the elimination tree, and *supernodes*, runs of columns
//! with one pattern. Numbers then come as dense work: every supernode is a small dense matrix (*front*) that is
//! assembled from the matrix and from what its children leave, factorized by its own columns, and what is left goes to its parent
//! (the multifrontal method; I. Duff, J. Reid, 1983). The same code runs natively and in browsers.

mod dense;
mod factor;
mod order;
mod symbolic;

pub use dense::{cholesky, solve as solve_dense};
pub use factor::Factor;
pub use order::minimum_degree;
pub use symbolic::Symbolic;

/// Which blocks of the lower triangle of a symmetric matrix there are.
///
/// Block column `c` has the block rows `rows[starts[c]..starts[c + 1]]`, ascending, the first of them `c` itself. The values of each block lie
/// together, row by row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// Rows of each block (and columns).
    pub dims: Vec<u32>,
    /// Where the rows of each block column begin, and the end of the last.
    pub starts: Vec<u32>,
    /// Block rows.
    pub rows: Vec<u32>,
    /// Where the values of each block begin.
    pub positions: Vec<u32>,
}

impl Pattern {
    /// The pattern with diagonal blocks of `dims` and those at `pairs` of block numbers, in any order and as often as they like.
    pub fn new(dims: Vec<u32>, pairs: impl Iterator<Item = (u32, u32)>) -> Pattern {
        let diagonal = (0..dims.len() as u32).map(|k| (k, k));
        let key = |(a, b): (u32, u32)| (u64::from(a.min(b)) << 32) | u64::from(a.max(b));
        let mut keys: Vec<u64> = pairs.chain(diagonal).map(key).collect();
        keys.sort_unstable();
        keys.dedup();
        let mut starts = vec![0; dims.len() + 1];
        let mut positions = Vec::with_capacity(keys.len());
        let mut position = 0;
        for &key in &keys {
            let (col, row) = ((key >> 32) as usize, (key & 0xffff_ffff) as usize);
            starts[col + 1] += 1;
            positions.push(position);
            position += dims[col] * dims[row];
        }
        for k in 1..starts.len() {
            starts[k] += starts[k - 1];
        }
        Pattern { dims, starts, rows: keys.iter().map(|key| (key & 0xffff_ffff) as u32).collect(), positions }
    }

    /// Blocks along the diagonal.
    pub fn n_blocks(&self) -> usize {
        self.dims.len()
    }

    /// Rows of the matrix.
    pub fn n_rows(&self) -> usize {
        self.dims.iter().map(|&dim| dim as usize).sum()
    }

    /// Numbers of all blocks.
    pub fn n_values(&self) -> usize {
        let last = self.rows.len().checked_sub(1);
        last.map_or(0, |last| self.positions[last] as usize + (self.dims[self.rows[last] as usize].pow(2)) as usize)
    }

    /// The blocks of column `col`: block row, and where its values begin.
    pub fn column(&self, col: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let range = self.starts[col] as usize..self.starts[col + 1] as usize;
        range.map(|at| (self.rows[at] as usize, self.positions[at] as usize))
    }

    /// Where the values of the block at `row`, `col` of the lower triangle begin.
    pub fn position(&self, row: u32, col: u32) -> Option<u32> {
        let range = self.starts[col as usize] as usize..self.starts[col as usize + 1] as usize;
        let at = self.rows[range.clone()].binary_search(&row).ok()?;
        Some(self.positions[range.start + at])
    }
}

/// The matrix is not positive definite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPositive {
    /// Block at which that was found.
    pub block: usize,
}

#[cfg(test)]
mod tests;
