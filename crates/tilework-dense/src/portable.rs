//! The kernels by textbook algorithms in double precision: what runs in WASM, and natively where the library gives up.

use crate::schur;
use crate::textbook::{self, Matrix};
use crate::{Eigen, Real, Sides, Svd, Triangle};

fn matrix<T: Real>(a: &[T], n_rows: usize, n_cols: usize) -> Matrix {
    Matrix::new(n_rows, n_cols, a.iter().map(|x| x.to_f64()).collect())
}

fn narrow<T: Real>(values: &[f64]) -> Vec<T> {
    values.iter().map(|&x| T::from_f64(x)).collect()
}

/// Replaces `a` of `n` rows by its lower factor.
pub(crate) fn cholesky<T: Real>(a: &mut [T], n: usize) {
    let factor = textbook::cholesky(&matrix(a, n, n));
    a.copy_from_slice(&narrow::<T>(&factor.data));
}

/// Replaces `a` by its packed factors and returns where each row came from.
pub(crate) fn lu<T: Real>(a: &mut [T], [m, n]: [usize; 2]) -> Vec<usize> {
    let (packed, rows) = textbook::lu(&matrix(a, m, n));
    a.copy_from_slice(&narrow::<T>(&packed.data));
    rows
}

/// `Q` of `n_q` columns and `R`.
pub(crate) fn qr<T: Real>(a: &[T], [m, n]: [usize; 2], n_q: usize) -> (Vec<T>, Vec<T>) {
    let (q, r) = textbook::qr(&matrix(a, m, n), n_q);
    (narrow(&q.data), narrow(&r.data))
}

/// The singular values and as many vectors as `sides` says.
pub(crate) fn svd<T: Real>(a: &[T], [m, n]: [usize; 2], sides: Sides) -> Svd<T> {
    let (u, s, vt) = textbook::svd(&matrix(a, m, n), sides.n_left, sides.n_right);
    Svd { u: narrow(&u.data), s: narrow(&s), vt: narrow(&vt.data) }
}

/// Eigenvalues and vectors of a symmetric matrix, of which the lower triangle is read.
pub(crate) fn eigh<T: Real>(a: &[T], n: usize, n_vectors: usize) -> (Vec<T>, Vec<T>) {
    let (values, vectors) = textbook::eigh(&matrix(a, n, n));
    (narrow(&values), narrow(&vectors.data[..n * n_vectors]))
}

/// Eigenvalues and vectors of any square matrix, as pairs of real and imaginary parts; NaN if the iteration does not end.
pub(crate) fn eig<T: Real>(a: &[T], n: usize, n_vectors: usize) -> Eigen<T> {
    let Some((values, vectors)) = schur::eig(&matrix(a, n, n)) else {
        let nan = T::from_f64(f64::NAN);
        return Eigen { values: vec![nan; 2 * n], vectors: vec![nan; 2 * n * n_vectors] };
    };
    let parts = |z: &schur::Complex| [T::from_f64(z.re), T::from_f64(z.im)];
    let values = values.iter().flat_map(parts).collect();
    Eigen { values, vectors: vectors.iter().flatten().take(n * n_vectors).flat_map(parts).collect() }
}

/// Replaces the rows of `x` by the solution, substituting row by row.
pub(crate) fn triangular_solve<T: Real>(triangle: Triangle, t: &[T], x: &mut [T]) {
    let n = triangle.n;
    if n == 0 || x.is_empty() {
        return;
    }
    let n_rhs = x.len() / n;
    let at = |row: usize, col: usize| {
        if triangle.is_transposed { t[col * n + row].to_f64() } else { t[row * n + col].to_f64() }
    };
    let is_backward = triangle.is_upper != triangle.is_transposed;
    for rhs in 0..n_rhs {
        let mut solved = vec![0.0; n];
        for step in 0..n {
            let row = if is_backward { n - 1 - step } else { step };
            let known = if is_backward { row + 1..n } else { 0..row };
            let sum: f64 = known.map(|col| at(row, col) * solved[col]).sum();
            let rest = x[row * n_rhs + rhs].to_f64() - sum;
            solved[row] = if triangle.is_unit { rest } else { rest / at(row, row) };
            x[row * n_rhs + rhs] = T::from_f64(solved[row]);
        }
    }
}
