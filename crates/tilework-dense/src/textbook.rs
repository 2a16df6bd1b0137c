//! Factorizations in double precision as textbooks state them: what the operations mean, and what runs where the compiled
//! library does not exist (WASM) or gives up. Sources: Golub and Van Loan, *Matrix Computations*, 4th edition (LU 3.4, QR 5.2,
//! Cholesky 4.2, cyclic Jacobi 8.5, one-sided Jacobi 8.6).

use std::ops::{Index, IndexMut};

/// A matrix in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Matrix {
    pub(crate) n_rows: usize,
    pub(crate) n_cols: usize,
    pub(crate) data: Vec<f64>,
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (row, col): (usize, usize)) -> &f64 {
        &self.data[row * self.n_cols + col]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, col): (usize, usize)) -> &mut f64 {
        &mut self.data[row * self.n_cols + col]
    }
}

impl Matrix {
    pub(crate) fn new(n_rows: usize, n_cols: usize, data: Vec<f64>) -> Matrix {
        Matrix { n_rows, n_cols, data }
    }

    pub(crate) fn from_fn(n_rows: usize, n_cols: usize, value: impl Fn(usize, usize) -> f64) -> Matrix {
        let data = (0..n_rows * n_cols).map(|i| value(i / n_cols, i % n_cols)).collect();
        Matrix { n_rows, n_cols, data }
    }

    pub(crate) fn identity(n: usize) -> Matrix {
        Matrix::from_fn(n, n, |row, col| f64::from(u8::from(row == col)))
    }

    pub(crate) fn transposed(&self) -> Matrix {
        Matrix::from_fn(self.n_cols, self.n_rows, |row, col| self[(col, row)])
    }

    /// `count` columns in the order of `order`.
    fn picked_columns(&self, order: &[usize]) -> Matrix {
        Matrix::from_fn(self.n_rows, order.len(), |row, col| self[(row, order[col])])
    }
}

/// The lower factor `L` with `L·Lᵀ = A`, of the lower triangle of `A`. A pivot that is not above 0 becomes NaN, and with it all of
/// the triangle from that column on.
pub(crate) fn cholesky(a: &Matrix) -> Matrix {
    let n = a.n_rows;
    let mut l = Matrix::from_fn(n, n, |_, _| 0.0);
    for col in 0..n {
        for row in col..n {
            let sum: f64 = (0..col).map(|k| l[(row, k)] * l[(col, k)]).sum();
            let rest = a[(row, col)] - sum;
            l[(row, col)] = match (row == col, rest > 0.0) {
                (true, true) => rest.sqrt(),
                (true, false) => f64::NAN,
                (false, _) => rest / l[(col, col)],
            };
        }
    }
    l
}

/// Gaussian elimination with the largest element of each column as pivot: `L` below the diagonal (its own is 1), `U` above, and
/// for each row the row of `A` it came from. A column without a pivot other than 0 is left as it is.
pub(crate) fn lu(a: &Matrix) -> (Matrix, Vec<usize>) {
    let mut lu = a.clone();
    let mut rows: Vec<usize> = (0..a.n_rows).collect();
    for col in 0..a.n_rows.min(a.n_cols) {
        let mut pivot = col;
        for row in col + 1..a.n_rows {
            if lu[(row, col)].abs() > lu[(pivot, col)].abs() {
                pivot = row;
            }
        }
        if lu[(pivot, col)] == 0.0 {
            continue;
        }
        rows.swap(col, pivot);
        for k in 0..a.n_cols {
            lu.data.swap(col * a.n_cols + k, pivot * a.n_cols + k);
        }
        for row in col + 1..a.n_rows {
            let factor = lu[(row, col)] / lu[(col, col)];
            lu[(row, col)] = factor;
            for k in col + 1..a.n_cols {
                lu[(row, k)] -= factor * lu[(col, k)];
            }
        }
    }
    (lu, rows)
}

/// Householder reflections: `Q` with `n_q` orthonormal columns and the upper triangular `R` with `Q·R = A`.
pub(crate) fn qr(a: &Matrix, n_q: usize) -> (Matrix, Matrix) {
    let (n_rows, n_cols) = (a.n_rows, a.n_cols);
    let mut r = a.clone();
    let mut reflectors = Vec::new();
    for col in 0..n_rows.min(n_cols) {
        let norm = (col..n_rows).map(|row| r[(row, col)].powi(2)).sum::<f64>().sqrt();
        let mut v: Vec<f64> = (col..n_rows).map(|row| r[(row, col)]).collect();
        v[0] += norm.copysign(v[0]);
        let square: f64 = v.iter().map(|x| x * x).sum();
        if square > 0.0 {
            reflect(&mut r, col, &v, square);
        }
        reflectors.push((v, square));
    }
    let mut q = Matrix::from_fn(n_rows, n_q, |row, col| f64::from(u8::from(row == col)));
    for (col, (v, square)) in reflectors.iter().enumerate().rev() {
        if *square > 0.0 {
            reflect(&mut q, col, v, *square);
        }
    }
    (q, Matrix::from_fn(n_q, n_cols, |row, col| if row <= col { r[(row, col)] } else { 0.0 }))
}

/// `x − 2·v·vᵀ·x / |v|²` for the rows of `x` from `first` on.
fn reflect(x: &mut Matrix, first: usize, v: &[f64], square: f64) {
    for col in 0..x.n_cols {
        let product: f64 = v.iter().enumerate().map(|(k, v)| v * x[(first + k, col)]).sum();
        for (k, v) in v.iter().enumerate() {
            x[(first + k, col)] -= 2.0 * v * product / square;
        }
    }
}

/// Sweeps over all pairs; each converges quadratically, so this many are never used.
const MAX_SWEEPS: usize = 60;

/// Cosine and sine of the rotation that makes the off-diagonal element of `[[a, b], [b, d]]` vanish.
fn jacobi_rotation(a: f64, b: f64, d: f64) -> (f64, f64) {
    let tau = (d - a) / (2.0 * b);
    let t = 1.0f64.copysign(tau) / (tau.abs() + tau.hypot(1.0));
    let cos = 1.0 / t.hypot(1.0);
    (cos, t * cos)
}

/// Turns columns `p` and `q`.
fn rotate_columns(x: &mut Matrix, p: usize, q: usize, (cos, sin): (f64, f64)) {
    for row in 0..x.n_rows {
        let (at_p, at_q) = (x[(row, p)], x[(row, q)]);
        x[(row, p)] = cos * at_p - sin * at_q;
        x[(row, q)] = sin * at_p + cos * at_q;
    }
}

/// Turns rows `p` and `q`.
fn rotate_rows(x: &mut Matrix, p: usize, q: usize, (cos, sin): (f64, f64)) {
    for col in 0..x.n_cols {
        let (at_p, at_q) = (x[(p, col)], x[(q, col)]);
        x[(p, col)] = cos * at_p - sin * at_q;
        x[(q, col)] = sin * at_p + cos * at_q;
    }
}

/// Eigenvalues, ascending, and eigenvectors, as columns, of the symmetric matrix with the lower triangle of `a`: cyclic Jacobi.
pub(crate) fn eigh(a: &Matrix) -> (Vec<f64>, Matrix) {
    let n = a.n_rows;
    let mut s = Matrix::from_fn(n, n, |row, col| a[(row.max(col), row.min(col))]);
    let mut v = Matrix::identity(n);
    for _ in 0..MAX_SWEEPS {
        let mut n_turns = 0;
        for p in 0..n {
            for q in p + 1..n {
                let limit = f64::EPSILON * 0.01 * (s[(p, p)] * s[(q, q)]).abs().sqrt();
                if s[(p, q)].abs() <= limit.max(f64::MIN_POSITIVE) {
                    continue;
                }
                let turn = jacobi_rotation(s[(p, p)], s[(p, q)], s[(q, q)]);
                rotate_columns(&mut s, p, q, turn);
                rotate_rows(&mut s, p, q, turn);
                rotate_columns(&mut v, p, q, turn);
                n_turns += 1;
            }
        }
        if n_turns == 0 {
            break;
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| s[(i, i)].total_cmp(&s[(j, j)]));
    (order.iter().map(|&i| s[(i, i)]).collect(), v.picked_columns(&order))
}

/// Singular values, descending, with `n_vectors(side)` left vectors as columns and right vectors as rows: one-sided Jacobi,
/// which turns pairs of columns until all are orthogonal.
pub(crate) fn svd(a: &Matrix, n_left: usize, n_right: usize) -> (Matrix, Vec<f64>, Matrix) {
    if a.n_rows < a.n_cols {
        let (u, s, vt) = svd(&a.transposed(), n_right, n_left);
        return (vt.transposed(), s, u.transposed());
    }
    let n = a.n_cols;
    let mut w = a.clone();
    let mut v = Matrix::identity(n);
    for _ in 0..MAX_SWEEPS {
        let mut n_turns = 0;
        for p in 0..n {
            for q in p + 1..n {
                let dot = |i: usize, j: usize| (0..w.n_rows).map(|row| w[(row, i)] * w[(row, j)]).sum::<f64>();
                let (pp, pq, qq) = (dot(p, p), dot(p, q), dot(q, q));
                if pq.abs() <= f64::EPSILON * (pp * qq).sqrt() || pq.abs() < f64::MIN_POSITIVE {
                    continue;
                }
                let turn = jacobi_rotation(pp, pq, qq);
                rotate_columns(&mut w, p, q, turn);
                rotate_columns(&mut v, p, q, turn);
                n_turns += 1;
            }
        }
        if n_turns == 0 {
            break;
        }
    }
    let length = |col: usize| (0..w.n_rows).map(|row| w[(row, col)].powi(2)).sum::<f64>().sqrt();
    let lengths: Vec<f64> = (0..n).map(length).collect();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| lengths[j].total_cmp(&lengths[i]));
    let s: Vec<f64> = order.iter().map(|&col| lengths[col]).collect();
    let u = left_vectors(&w.picked_columns(&order), &s, n_left);
    let right = v.picked_columns(&order).transposed();
    (u, s, Matrix::new(n_right, n, right.data[..n_right * n].to_vec()))
}

/// The columns of `w` divided by their lengths `s`, completed to `n_left` orthonormal columns.
fn left_vectors(w: &Matrix, s: &[f64], n_left: usize) -> Matrix {
    let smallest = s.first().copied().unwrap_or(0.0) * f64::EPSILON * w.n_rows as f64;
    let n_known = s.iter().take(n_left).take_while(|&&s| s > smallest && s > 0.0).count();
    let mut u = Matrix::from_fn(w.n_rows, n_left, |row, col| if col < n_known { w[(row, col)] / s[col] } else { 0.0 });
    for col in n_known..n_left {
        // The unit vector that the columns so far explain least, made orthogonal to them twice.
        let explained = |row: usize| (0..col).map(|k| u[(row, k)].powi(2)).sum::<f64>();
        let start = (0..w.n_rows).min_by(|&i, &j| explained(i).total_cmp(&explained(j))).unwrap_or(0);
        u[(start, col)] = 1.0;
        for _ in 0..2 {
            for k in 0..col {
                let dot: f64 = (0..w.n_rows).map(|row| u[(row, k)] * u[(row, col)]).sum();
                for row in 0..w.n_rows {
                    let part = dot * u[(row, k)];
                    u[(row, col)] -= part;
                }
            }
        }
        let length = (0..w.n_rows).map(|row| u[(row, col)].powi(2)).sum::<f64>().sqrt();
        for row in 0..w.n_rows {
            u[(row, col)] /= length;
        }
    }
    u
}
