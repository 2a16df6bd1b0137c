//! The kernels by the `faer` library. Matrices are row-major outside and column-major inside, which is what it is fastest with.

use crate::{Eigen, Real, Sides, Svd, Triangle};
use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{self, ComputeEigenvectors};
use faer::linalg::svd::{self as singular, ComputeSvdVectors, SvdParams};
use faer::linalg::{
    cholesky::llt, householder, lu::partial_pivoting as pivoting, qr::no_pivoting, triangular_solve as tri,
};
use faer::prelude::default;
use faer::{Conj, Mat, MatMut, MatRef, Par, Spec};

/// Matrices with fewer elements are not worth waking threads for.
const MIN_PARALLEL: usize = 128 * 128;

fn par(n_threads: usize, n_elements: usize) -> Par {
    if n_threads > 1 && n_elements >= MIN_PARALLEL { Par::rayon(n_threads) } else { Par::Seq }
}

fn mat<T: Real>(a: &[T], n_rows: usize, n_cols: usize) -> Mat<T> {
    Mat::from_fn(n_rows, n_cols, |row, col| a[row * n_cols + col])
}

/// The elements in row-major order.
fn rows<T: Real>(a: MatRef<'_, T>) -> Vec<T> {
    (0..a.nrows()).flat_map(|row| (0..a.ncols()).map(move |col| a[(row, col)])).collect()
}

/// Replaces `a` by its lower factor; false if it has none, and then `a` is unchanged.
pub(crate) fn cholesky<T: Real>(a: &mut [T], n: usize, n_threads: usize) -> bool {
    let par = par(n_threads, a.len());
    let mut factor = mat(a, n, n);
    let scratch = llt::factor::cholesky_in_place_scratch::<T>(n, par, default());
    let mut memory = MemBuffer::new(scratch);
    let stack = MemStack::new(&mut memory);
    let result = llt::factor::cholesky_in_place(factor.as_mut(), default(), par, stack, default());
    // A NaN on the way down is not always noticed as a pivot that fails.
    let is_definite = result.is_ok() && (0..n).all(|k| factor[(k, k)].to_f64() > 0.0);
    if is_definite {
        let zero = T::from_f64(0.0);
        for (at, x) in a.iter_mut().enumerate() {
            let (row, col) = (at / n, at % n);
            *x = if col <= row { factor[(row, col)] } else { zero };
        }
    }
    is_definite
}

/// Replaces the rows of `x` by the solution of a triangular system.
pub(crate) fn triangular_solve<T: Real>(triangle: Triangle, t: &[T], x: &mut [T], n_threads: usize) {
    let n = triangle.n;
    if n == 0 || x.is_empty() {
        return;
    }
    let n_rhs = x.len() / n;
    let par = par(n_threads, t.len().min(x.len()));
    let plain = MatRef::from_row_major_slice(t, n, n);
    let matrix = if triangle.is_transposed { plain.transpose() } else { plain };
    let rhs = MatMut::from_row_major_slice_mut(x, n, n_rhs);
    match (triangle.is_upper != triangle.is_transposed, triangle.is_unit) {
        (false, false) => tri::solve_lower_triangular_in_place(matrix, rhs, par),
        (false, true) => tri::solve_unit_lower_triangular_in_place(matrix, rhs, par),
        (true, false) => tri::solve_upper_triangular_in_place(matrix, rhs, par),
        (true, true) => tri::solve_unit_upper_triangular_in_place(matrix, rhs, par),
    }
}

/// Packed factors and where each row came from.
pub(crate) fn lu<T: Real>(a: &[T], [m, n]: [usize; 2], n_threads: usize) -> (Vec<T>, Vec<usize>) {
    let par = par(n_threads, a.len());
    let mut packed = mat(a, m, n);
    let (mut forward, mut backward) = (vec![0usize; m], vec![0usize; m]);
    let mut memory = MemBuffer::new(pivoting::factor::lu_in_place_scratch::<usize, T>(m, n, par, default()));
    let stack = MemStack::new(&mut memory);
    pivoting::factor::lu_in_place(packed.as_mut(), &mut forward, &mut backward, par, stack, default());
    (rows(packed.as_ref()), forward)
}

/// `Q` of `n_q` columns and `R`.
pub(crate) fn qr<T: Real>(a: &[T], [m, n]: [usize; 2], n_q: usize, n_threads: usize) -> (Vec<T>, Vec<T>) {
    let par = par(n_threads, a.len());
    let block = no_pivoting::factor::recommended_block_size::<T>(m, n).max(1);
    let mut packed = mat(a, m, n);
    let mut coefficients = Mat::<T>::zeros(block, m.min(n));
    let mut memory = MemBuffer::new(no_pivoting::factor::qr_in_place_scratch::<T>(m, n, block, par, default()));
    let stack = MemStack::new(&mut memory);
    no_pivoting::factor::qr_in_place(packed.as_mut(), coefficients.as_mut(), par, stack, default());
    let mut q = Mat::<T>::identity(m, n_q);
    let scratch = householder::apply_block_householder_sequence_on_the_left_in_place_scratch::<T>(m, block, n_q);
    let mut memory = MemBuffer::new(scratch);
    householder::apply_block_householder_sequence_on_the_left_in_place_with_conj(
        packed.as_ref().get(.., ..m.min(n)),
        coefficients.as_ref(),
        Conj::No,
        q.as_mut(),
        par,
        MemStack::new(&mut memory),
    );
    let zero = T::from_f64(0.0);
    let r = Mat::from_fn(n_q, n, |row, col| if row <= col { packed[(row, col)] } else { zero });
    (rows(q.as_ref()), rows(r.as_ref()))
}

/// Divide and conquer in version 0.24 of the library loses digits where it deflates: for a matrix of 300 rows with many singular values
/// next to 0 the product of its factors is off by 6e-4. The QR iteration, which this makes it use for every size, does not.
fn svd_params<T: Real>() -> Spec<SvdParams, T> {
    let mut params: Spec<SvdParams, T> = default();
    params.config.recursion_threshold = usize::MAX;
    params
}

/// Singular values and vectors; `None` if the iteration does not end.
pub(crate) fn svd<T: Real>(a: &[T], [m, n]: [usize; 2], sides: Sides, n_threads: usize) -> Option<Svd<T>> {
    let par = par(n_threads, a.len());
    let compute = |n_vectors: usize| match n_vectors {
        0 => ComputeSvdVectors::No,
        _ if n_vectors == m.min(n) => ComputeSvdVectors::Thin,
        _ => ComputeSvdVectors::Full,
    };
    let (left, right) = (compute(sides.n_left), compute(sides.n_right));
    let matrix = mat(a, m, n);
    let mut s = Diag::<T>::zeros(m.min(n));
    let (mut u, mut v) = (Mat::<T>::zeros(m, sides.n_left), Mat::<T>::zeros(n, sides.n_right));
    let mut memory = MemBuffer::new(singular::svd_scratch::<T>(m, n, left, right, par, svd_params()));
    let wanted = |n_vectors: usize| n_vectors > 0;
    singular::svd(
        matrix.as_ref(),
        s.as_mut(),
        wanted(sides.n_left).then(|| u.as_mut()),
        wanted(sides.n_right).then(|| v.as_mut()),
        par,
        MemStack::new(&mut memory),
        svd_params(),
    )
    .ok()?;
    let values = s.column_vector().iter().copied().collect();
    Some(Svd { u: rows(u.as_ref()), s: values, vt: rows(v.as_ref().transpose()) })
}

fn compute(n_vectors: usize) -> ComputeEigenvectors {
    if n_vectors > 0 { ComputeEigenvectors::Yes } else { ComputeEigenvectors::No }
}

/// Eigenvalues and vectors of a symmetric matrix; `None` if the iteration does not end.
pub(crate) fn eigh<T: Real>(a: &[T], n: usize, n_vectors: usize, n_threads: usize) -> Option<(Vec<T>, Vec<T>)> {
    let par = par(n_threads, a.len());
    let matrix = mat(a, n, n);
    let (mut values, mut vectors) = (Diag::<T>::zeros(n), Mat::<T>::zeros(n, n_vectors));
    let mut memory = MemBuffer::new(evd::self_adjoint_evd_scratch::<T>(n, compute(n_vectors), par, default()));
    let stack = MemStack::new(&mut memory);
    let wanted = (n_vectors > 0).then(|| vectors.as_mut());
    evd::self_adjoint_evd(matrix.as_ref(), values.as_mut(), wanted, par, stack, default()).ok()?;
    Some((values.column_vector().iter().copied().collect(), rows(vectors.as_ref())))
}

/// Eigenvalues and vectors of any square matrix; `None` if the iteration does not end.
pub(crate) fn eig<T: Real>(a: &[T], n: usize, n_vectors: usize, n_threads: usize) -> Option<Eigen<T>> {
    let par = par(n_threads, a.len());
    let matrix = mat(a, n, n);
    let (mut re, mut im, mut packed) = (Diag::<T>::zeros(n), Diag::<T>::zeros(n), Mat::<T>::zeros(n, n_vectors));
    let mut memory =
        MemBuffer::new(evd::evd_scratch::<T>(n, ComputeEigenvectors::No, compute(n_vectors), par, default()));
    let stack = MemStack::new(&mut memory);
    let vectors = (n_vectors > 0).then(|| packed.as_mut());
    evd::evd_real(matrix.as_ref(), re.as_mut(), im.as_mut(), None, vectors, par, stack, default()).ok()?;
    let re: Vec<T> = re.column_vector().iter().copied().collect();
    let im: Vec<T> = im.column_vector().iter().copied().collect();
    Some(conjugate_pairs(&re, &im, packed.as_ref()))
}

/// A pair of conjugate eigenvalues shares two columns: real and imaginary part of the first one's vector.
fn conjugate_pairs<T: Real>(re: &[T], im: &[T], packed: MatRef<'_, T>) -> Eigen<T> {
    let (n, n_vectors) = (re.len(), packed.ncols());
    let mut vectors = vec![T::from_f64(0.0); 2 * n * n_vectors];
    let mut values = Vec::with_capacity(2 * n);
    let mut col = 0;
    while col < n {
        let is_pair = im[col].to_f64() != 0.0 && col + 1 < n;
        values.extend([re[col], im[col]]);
        if is_pair {
            values.extend([re[col], T::from_f64(-im[col].to_f64())]);
        }
        for row in 0..if n_vectors > 0 { n } else { 0 } {
            let at = 2 * (row * n + col);
            vectors[at] = packed[(row, col)];
            if is_pair {
                let part = packed[(row, col + 1)];
                vectors[at + 1] = part;
                vectors[at + 2] = packed[(row, col)];
                vectors[at + 3] = T::from_f64(-part.to_f64());
            }
        }
        col += if is_pair { 2 } else { 1 };
    }
    Eigen { values, vectors }
}
