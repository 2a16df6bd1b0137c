//! Second derivatives made positive, instance by instance: negative eigenvalues of an instance's matrix become zero. The sum of positive
//! matrices is positive, so that Newton's step goes downhill. (J. Teran et al., *Robust quasistatic finite elements and flesh
//! simulation*, SCA 2005.)

use crate::evaluate::Columns;

/// The upper triangles of a chunk's matrices (the roots after cost and gradient), projected.
pub(super) fn projected(columns: &Columns, roots: &[&[f64]]) -> Vec<Vec<f64>> {
    let n = columns.n;
    let mut upper: Vec<Vec<f64>> = roots[1 + n..].iter().map(|root| root.to_vec()).collect();
    let mut matrix = vec![0.0; n * n];
    for lane in 0..roots[0].len() {
        for i in 0..n {
            for j in 0..n {
                matrix[i * n + j] = upper[columns.packed(i.min(j), i.max(j))][lane];
            }
        }
        if make_positive(&mut matrix, n) {
            for i in 0..n {
                for j in i..n {
                    upper[columns.packed(i, j)][lane] = matrix[i * n + j];
                }
            }
        }
    }
    upper
}

/// Replaces negative eigenvalues of a symmetric matrix by zero; false if there are none (or it is not finite) and it stays as it is.
fn make_positive(matrix: &mut [f64], n: usize) -> bool {
    if matrix.iter().any(|x| !x.is_finite()) {
        return false;
    }
    let mut diagonal = matrix.to_vec();
    let vectors = rotate_to_diagonal(&mut diagonal, n);
    if (0..n).all(|k| diagonal[k * n + k] >= 0.0) {
        return false;
    }
    matrix.fill(0.0);
    for k in 0..n {
        let value = diagonal[k * n + k];
        if value > 0.0 {
            for i in 0..n {
                for j in 0..n {
                    matrix[i * n + j] += value * vectors[i * n + k] * vectors[j * n + k];
                }
            }
        }
    }
    true
}

/// Jacobi's method: rotations that make `a` diagonal; returns their product, whose columns are eigenvectors.
fn rotate_to_diagonal(a: &mut [f64], n: usize) -> Vec<f64> {
    let mut vectors = vec![0.0; n * n];
    (0..n).for_each(|k| vectors[k * n + k] = 1.0);
    let norm: f64 = a.iter().map(|x| x * x).sum();
    for _sweep in 0..30 {
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i * n + j].powi(2)).sum();
        if off <= 1e-30 * norm {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(a, &mut vectors, n, (p, q));
            }
        }
    }
    vectors
}

/// The rotation that makes element `p`, `q` zero.
fn rotate(a: &mut [f64], vectors: &mut [f64], n: usize, (p, q): (usize, usize)) {
    let off = a[p * n + q];
    if off == 0.0 {
        return;
    }
    let theta = (a[q * n + q] - a[p * n + p]) / (2.0 * off);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    let turn = |x: f64, y: f64| (c * x - s * y, s * x + c * y);
    for k in 0..n {
        (a[k * n + p], a[k * n + q]) = turn(a[k * n + p], a[k * n + q]);
    }
    for k in 0..n {
        (a[p * n + k], a[q * n + k]) = turn(a[p * n + k], a[q * n + k]);
        (vectors[k * n + p], vectors[k * n + q]) = turn(vectors[k * n + p], vectors[k * n + q]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_directions_are_removed_and_others_stay() {
        // Eigenvalues 3 and −1, eigenvectors (1, 1) and (1, −1).
        let mut matrix = vec![1.0, 2.0, 2.0, 1.0];
        assert!(make_positive(&mut matrix, 2));
        assert!(matrix.iter().all(|x| (x - 1.5).abs() < 1e-14), "{matrix:?}");
        let mut positive = vec![2.0, 1.0, 0.0, 1.0, 2.0, 1.0, 0.0, 1.0, 2.0];
        assert!(!make_positive(&mut positive, 3));
        assert!(!make_positive(&mut [f64::NAN], 1));
    }
}
