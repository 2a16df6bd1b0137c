//! Complex matrices as real ones of twice the size.
//!
//! An element `a + b·i` becomes the block `[[a, −b], [b, a]]`, and an element of a column the rows `a` and `b`. Sums, products and
//! transposition with conjugation are then those of real matrices, so whatever is unique has the form of such blocks too and is read
//! off them: solutions, inverses and pseudoinverses, the Cholesky factor, and Q and R with a diagonal above 0. Singular values, and
//! eigenvalues of Hermitian matrices, are there twice.
//!
//! The eigenvalues λ of any matrix are there together with their conjugates. Adding `s·i` to the diagonal, with an s above every |λ|,
//! parts the two: those with a positive imaginary part are the `λ + s·i`. This is done in double precision, and gives the phase
//! of determinants, which are products of eigenvalues; their magnitude is that of the real matrix.

use super::{Eigen, Lstsq, Qr, QrMode, SlogDet, last_two};
use crate::array::Array;
use tilework_core::Error;
use tilework_core::dtype::DType;

/// The mistake in shapes that the function for real matrices finds, or what `complex` gives.
fn unless_refused(real: Array, complex: impl FnOnce() -> Array) -> Array {
    if real.check().is_err() { real } else { complex() }
}

fn with_last(a: &Array, n: usize, sizes: &[usize]) -> Vec<usize> {
    let batch = &a.shape()[..a.ndim().saturating_sub(n)];
    [batch, sizes].concat()
}

/// `[.., m, n]` as `[.., 2m, 2n]`.
fn embedded(a: &Array) -> Array {
    let (m, n) = last_two(a);
    let (device, re, im) = (a.device(), a.real(), a.imag());
    let above = device.stack(&[&re, &-&im], -1);
    let below = device.stack(&[&im, &re], -1);
    device.stack(&[&above, &below], -3).reshape(with_last(a, 2, &[2 * m, 2 * n]))
}

/// The matrices that [`embedded`] made real.
fn taken_out(real: &Array) -> Array {
    let (m, n) = last_two(real);
    let blocks = real.reshape(with_last(real, 2, &[m / 2, 2, n / 2, 2]));
    blocks.index(-1, 0).swap_axes(-1, -2).as_complex()
}

/// Columns `[.., n, k]` as `[.., 2n, k]`.
fn as_rows(b: &Array) -> Array {
    let (n, k) = last_two(b);
    b.as_pairs().swap_axes(-1, -2).reshape(with_last(b, 2, &[2 * n, k]))
}

/// The columns that [`as_rows`] made real.
fn as_columns(x: &Array) -> Array {
    let (n, k) = last_two(x);
    x.reshape(with_last(x, 2, &[n / 2, 2, k])).swap_axes(-1, -2).as_complex()
}

/// Every second element of the last axis.
fn halved(values: &Array) -> Array {
    values.slice(-1, crate::array::Range::ALL.step(2))
}

/// The Hermitian matrices with the lower triangle of `a`, of whose diagonal the real parts are read.
fn hermitian(a: &Array) -> Array {
    let n = last_two(a).1;
    let (row, col) = (a.device().arange(n).reshape([n, 1]), a.device().arange(n));
    let on = row.eq(&col).select(a.real().to_complex(), a.swap_axes(-1, -2).conj());
    row.gt(&col).select(a, on)
}

pub(super) fn solve(a: &Array, b: &Array) -> Array {
    unless_refused(super::solve(&a.real(), &b.real()), || {
        let is_vector = b.ndim() == 1;
        let columns = if is_vector { b.expand_dims(-1) } else { b.clone() };
        let x = as_columns(&super::solve(&embedded(a), &as_rows(&columns)));
        if is_vector { x.squeeze([-1]) } else { x }
    })
}

pub(super) fn inv(a: &Array) -> Array {
    unless_refused(super::inv(&a.real()), || taken_out(&super::inv(&embedded(a))))
}

pub(super) fn pinv(a: &Array, rcond: f64) -> Array {
    unless_refused(super::pinv(&a.real(), None), || taken_out(&super::pinv(&embedded(a), Some(rcond))))
}

pub(super) fn cholesky(a: &Array) -> Array {
    unless_refused(super::cholesky(&a.real()), || taken_out(&super::cholesky(&embedded(&hermitian(a)))))
}

pub(super) fn svdvals(a: &Array) -> Array {
    unless_refused(super::svdvals(&a.real()), || halved(&super::svdvals(&embedded(a))))
}

pub(super) fn qr(a: &Array, mode: QrMode) -> Qr {
    let (m, n) = last_two(a);
    let real = super::qr(&a.real(), mode);
    if real.q.check().is_err() {
        return real;
    }
    if mode == QrMode::Complete && m > n {
        let message = format!("more columns of Q than the matrix has, {:?}, need real matrices", a.shape());
        let refused = Array::new(a.device(), Err(Error::dtype("qr", message)));
        return Qr { q: refused.clone(), r: refused };
    }
    let parts = super::qr(&embedded(a), mode);
    Qr { q: taken_out(&parts.q), r: taken_out(&parts.r) }
}

pub(super) fn lstsq(a: &Array, b: &Array, limit: f64) -> Lstsq {
    let real = super::lstsq(&a.real(), &b.real(), None);
    if real.x.check().is_err() {
        return real;
    }
    let is_vector = b.ndim() == 1;
    let columns = if is_vector { b.expand_dims(-1) } else { b.clone() };
    let parts = super::lstsq(&embedded(a), &as_rows(&columns), Some(limit));
    let (x, s) = (as_columns(&parts.x), halved(&parts.s));
    let rank = super::norms::count_above(&s, limit);
    Lstsq { x: if is_vector { x.squeeze([-1]) } else { x }, residuals: parts.residuals, rank, s }
}

pub(super) fn eigvalsh(a: &Array) -> Array {
    unless_refused(super::eigvalsh(&a.real()), || halved(&super::eigvalsh(&embedded(&hermitian(a)))))
}

/// Vectors that belong to one eigenvalue are not orthogonal yet, which Q is.
pub(super) fn eigh(a: &Array) -> Eigen {
    let eigenvalues = eigvalsh(a);
    if let Err(error) = eigenvalues.check() {
        return Eigen { eigenvectors: Array::new(a.device(), Err(error)), eigenvalues };
    }
    let vectors = parted(&hermitian(a)).eigenvectors;
    Eigen { eigenvalues, eigenvectors: qr(&vectors, QrMode::Reduced).q.cast(a.dtype()) }
}

pub(super) fn eig(a: &Array) -> Eigen {
    let real = super::eigvals(&a.real());
    if let Err(error) = real.check() {
        return Eigen { eigenvectors: Array::new(a.device(), Err(error)), eigenvalues: real };
    }
    let parts = parted(a);
    Eigen { eigenvalues: parts.eigenvalues.cast(a.dtype()), eigenvectors: parts.eigenvectors.cast(a.dtype()) }
}

pub(super) fn slogdet(a: &Array) -> SlogDet {
    let real = super::slogdet(&a.real());
    if real.sign.check().is_err() {
        return real;
    }
    let wide = a.cast(DType::C128);
    let logabsdet = super::slogdet(&embedded(&wide)).logabsdet * 0.5;
    let phase = parted(&equal_rows(&wide)).eigenvalues.sign().prod([-1]).sign();
    let sign = logabsdet.eq(f64::NEG_INFINITY).select(0.0, phase);
    SlogDet { sign: sign.cast(a.dtype()), logabsdet: logabsdet.cast(a.dtype().part()) }
}

/// Rows divided by the magnitude of their largest element, which leaves the phase of the determinant.
fn equal_rows(a: &Array) -> Array {
    if a.size() == 0 {
        return a.clone();
    }
    let largest = a.abs().max_keep([-1]);
    a / largest.eq(0.0).select(1.0, &largest).to_complex()
}

pub(super) fn det(a: &Array) -> Array {
    let wide = slogdet(&a.cast(DType::C128));
    unless_refused(wide.sign.clone(), || (wide.sign * wide.logabsdet.exp()).cast(a.dtype()))
}

/// Eigenvalues and vectors, of length 1 and with a largest element that is positive, in double precision.
fn parted(a: &Array) -> Eigen {
    let a = a.cast(DType::C128);
    let n = last_two(&a).1;
    if a.size() == 0 {
        return Eigen { eigenvalues: a.sum([-1]), eigenvectors: a };
    }
    let shift = (a.abs().sum([-1]).max_keep([-1]) * 2.0).expand_dims(-1);
    let diagonal = a.device().eye(n).cast(DType::F64) * &shift;
    let real = embedded(&(&a + a.device().complex(&diagonal.full_like(0.0), &diagonal)));
    let parts = super::eig(&real);
    // The sort is stable: those with a positive imaginary part come first, in the order they had.
    let order = parts.eigenvalues.imag().le(0.0).cast(DType::I32).argsort(-1).slice(-1, ..n as isize);
    let n_all = order.size() / n;
    let start = a.device().arange(n_all).reshape([n_all, 1]) * (2 * n) as i32;
    let places = (order.reshape([n_all, n]) + start).flatten();
    let values = parts.eigenvalues.flatten().take(&places, 0).reshape(with_last(&a, 2, &[n]));
    let no_shift = shift.squeeze([-1]).full_like(0.0);
    let eigenvalues = values - a.device().complex(&no_shift, &shift.squeeze([-1]));
    let rows = parts.eigenvectors.swap_axes(-1, -2).reshape([n_all * 2 * n, 2 * n]).take(&places, 0);
    // An eigenvector is (v, −i·v) for those, so v is the first row of each pair.
    let vectors = rows.reshape(with_last(&a, 2, &[n, n, 2])).index(-1, 0);
    Eigen { eigenvalues, eigenvectors: directed(&vectors).swap_axes(-1, -2) }
}

/// Rows of length 1 whose largest element is positive.
fn directed(rows: &Array) -> Array {
    let n = last_two(rows).1;
    let sizes = rows.abs();
    let is_largest = sizes.argmax(-1).expand_dims(-1).eq(rows.device().arange(n));
    let largest = is_largest.select(rows, rows.full_like(0.0)).sum([-1]).expand_dims(-1);
    rows * largest.sign().conj() / sizes.square().sum_keep([-1]).sqrt().to_complex()
}
