//! Conjugate gradients, preconditioned by the inverses of diagonal blocks.

use super::normal::first_rows;
use tilework_sparse::{Pattern, cholesky, solve_dense};

/// Conjugate gradients stop when the residual of the system is this part of the right-hand side.
const TOLERANCE: f64 = 1e-8;

/// Solves `(H + diag(added))·x = b`; the best there is after a bounded number of steps. `None` if a diagonal block is not positive.
pub(crate) fn solve(
    pattern: &Pattern,
    values: &[f64],
    multiply: impl Fn(&[f64]) -> Vec<f64>,
    added: &[f64],
    b: &[f64],
) -> Option<Vec<f64>> {
    let blocks = DiagonalBlocks::new(pattern, values, added)?;
    let apply = |p: &[f64]| {
        let mut product = multiply(p);
        product.iter_mut().zip(p).zip(added).for_each(|((y, p), added)| *y += added * p);
        product
    };
    let mut x = vec![0.0; b.len()];
    let mut residual = b.to_vec();
    let mut z = blocks.solve(&residual);
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
        z = blocks.solve(&residual);
        let next = dot(&residual, &z);
        let beta = next / rho;
        rho = next;
        direction.iter_mut().zip(&z).for_each(|(p, z)| *p = z + beta * *p);
    }
    Some(x)
}

/// Factors of the diagonal blocks.
struct DiagonalBlocks {
    first: Vec<usize>,
    dims: Vec<usize>,
    factors: Vec<Vec<f64>>,
}

impl DiagonalBlocks {
    fn new(pattern: &Pattern, values: &[f64], added: &[f64]) -> Option<DiagonalBlocks> {
        let first = first_rows(pattern);
        let factor = |col: usize| {
            let (dim, at) = (pattern.dims[col] as usize, pattern.positions[pattern.starts[col] as usize] as usize);
            let mut block = values[at..][..dim * dim].to_vec();
            (0..dim).for_each(|k| block[k * dim + k] += added[first[col] + k]);
            cholesky(&mut block, dim).ok().map(|()| block)
        };
        let factors = (0..pattern.n_blocks()).map(factor).collect::<Option<Vec<_>>>()?;
        let dims = pattern.dims.iter().map(|&dim| dim as usize).collect();
        Some(DiagonalBlocks { first, dims, factors })
    }

    fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        for ((factor, &first), &dim) in self.factors.iter().zip(&self.first).zip(&self.dims) {
            solve_dense(factor, dim, &mut x[first..][..dim]);
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
