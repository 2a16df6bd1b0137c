//! Conjugate gradients, preconditioned by the inverses of diagonal blocks.

use tilework_sparse::{Pattern, cholesky, solve_dense};

/// Conjugate gradients stop when the residual of the system is this part of the right-hand side.
const TOLERANCE: f64 = 1e-8;

/// Solves `(H + diag(added))·x = b`, where `multiply` is `H` and `blocks` are those on its diagonal; the best there is after a bounded
/// number of steps. `None` if a block is not positive.
pub(super) fn solve(
    blocks: &DiagonalBlocks,
    mut multiply: impl FnMut(&[f64]) -> Vec<f64>,
    added: &[f64],
    b: &[f64],
) -> Option<Vec<f64>> {
    let factors = blocks.factorize(added)?;
    let mut apply = |p: &[f64]| {
        let mut product = multiply(p);
        product.iter_mut().zip(p).zip(added).for_each(|((y, p), added)| *y += added * p);
        product
    };
    let mut x = vec![0.0; b.len()];
    let mut residual = b.to_vec();
    let mut z = factors.solve(&residual);
    let mut direction = z.clone();
    let mut rho = dot(&residual, &z);
    let target = TOLERANCE * TOLERANCE * rho.abs();
    for _ in 0..(b.len() * 2).clamp(20, 2000) {
        if rho.abs() <= target {
            break;
        }
        let product = apply(&direction);
        let curvature = dot(&direction, &product);
        if curvature.is_nan() || curvature <= 0.0 {
            break;
        }
        let alpha = rho / curvature;
        add(&mut x, alpha, &direction);
        add(&mut residual, -alpha, &product);
        z = factors.solve(&residual);
        let next = dot(&residual, &z);
        let beta = next / rho;
        rho = next;
        direction.iter_mut().zip(&z).for_each(|(p, z)| *p = z + beta * *p);
    }
    Some(x)
}

/// The blocks on the diagonal of a symmetric matrix, or their Cholesky factors.
#[derive(Clone, Debug)]
pub(super) struct DiagonalBlocks {
    dims: Vec<usize>,
    /// Row by row, block after block.
    values: Vec<f64>,
    /// For every direction that is the first of a block, where the block's values begin.
    starts: Vec<usize>,
}

impl DiagonalBlocks {
    /// Zeros.
    pub(super) fn new(dims: Vec<usize>) -> DiagonalBlocks {
        let mut starts = vec![0; dims.iter().sum()];
        let (mut row, mut at) = (0, 0);
        for &dim in &dims {
            starts[row..row + dim].fill(at);
            (row, at) = (row + dim, at + dim * dim);
        }
        DiagonalBlocks { dims, values: vec![0.0; at], starts }
    }

    /// Those of a matrix by blocks.
    pub(super) fn of(pattern: &Pattern, values: &[f64]) -> DiagonalBlocks {
        let mut blocks = DiagonalBlocks::new(pattern.dims.iter().map(|&dim| dim as usize).collect());
        let mut at = 0;
        for (col, &dim) in blocks.dims.iter().enumerate() {
            let from = pattern.positions[pattern.starts[col] as usize] as usize;
            blocks.values[at..][..dim * dim].copy_from_slice(&values[from..][..dim * dim]);
            at += dim * dim;
        }
        blocks
    }

    pub(super) fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// The block whose first direction is `tangent`, and what follows it.
    pub(super) fn at(&mut self, tangent: usize) -> &mut [f64] {
        &mut self.values[self.starts[tangent]..]
    }

    /// The diagonal of the matrix.
    pub(super) fn diagonal(&self) -> Vec<f64> {
        let mut at = 0;
        let mut diagonal = Vec::with_capacity(self.starts.len());
        for &dim in &self.dims {
            diagonal.extend((0..dim).map(|k| self.values[at + k * dim + k]));
            at += dim * dim;
        }
        diagonal
    }

    /// Factors of the blocks with `added` on their diagonals. `None` if one is not positive.
    fn factorize(&self, added: &[f64]) -> Option<DiagonalBlocks> {
        let mut factors = self.clone();
        let (mut row, mut at) = (0, 0);
        for &dim in &self.dims {
            let block = &mut factors.values[at..][..dim * dim];
            (0..dim).for_each(|k| block[k * dim + k] += added[row + k]);
            cholesky(block, dim).ok()?;
            (row, at) = (row + dim, at + dim * dim);
        }
        Some(factors)
    }

    /// Solves with factors.
    fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        let (mut row, mut at) = (0, 0);
        for &dim in &self.dims {
            solve_dense(&self.values[at..][..dim * dim], dim, &mut x[row..][..dim]);
            (row, at) = (row + dim, at + dim * dim);
        }
        x
    }
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// `y += factor·x`.
pub(crate) fn add(y: &mut [f64], factor: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += factor * x);
}
