//! Linear algebra on the matrices in the last two axes; all axes before them count matrices. Names and meanings are NumPy's.
//!
//! [`cholesky`], [`triangular_solve`] and [`cho_solve`] run on every device. What needs pivots, QR, singular values or eigenvalues
//! has no GPU kernel: the CPU does it for any device, openly ([`Device::gpu`](crate::Device::gpu)).
//!
//! Where NumPy raises an error that depends on the values, there is none to wait for: a system with a singular matrix gives
//! infinities or NaN, the Cholesky factor of a matrix that is not positive definite is NaN from the column on that fails, and a
//! matrix that holds NaN gives NaN.
//!
//! The parts of a factorization share one computation if they are evaluated together, as by
//! `device.eval(&[&svd.u, &svd.s, &svd.vh])`; read one after the other, each computes it again.
//!
//! Eigenvalues of general matrices are complex numbers. Complex matrices are taken by everything but [`lu`], [`svd`] (there is
//! [`svdvals`]), [`triangular_solve`], [`cho_solve`] and [`solve_positive_definite`].

mod complex;
mod norms;
mod products;
mod solve;
mod tensors;

pub use norms::{
    Order, cond, matrix_norm, matrix_norm_over, matrix_rank, norm, norm_over, vector_norm, vector_norm_over,
};
pub use products::{Diagonals, cross, cross_along, kron, matrix_power, outer, tensordot, trace, trace_of};
pub use solve::{Lstsq, SlogDet, cho_solve, det, inv, lstsq, pinv, slogdet, solve, solve_positive_definite};
pub use tensors::{multi_dot, tensorinv, tensorsolve};
pub use tilework_ops::ops::factorize::{QrMode, Vectors};
pub use tilework_ops::ops::triangular_solve::{Diagonal, Form, Side, TriangularSolve};

use crate::array::Array;
use tilework_core::dtype::DType;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
use tilework_ops::ops::cholesky::Cholesky;
use tilework_ops::ops::factorize::Factorize;
use tilework_ops::{NodeRef, graph};

/// `P·L·U = A`, as `scipy.linalg.lu` gives it.
#[derive(Clone)]
pub struct Lu {
    /// The permutation matrix, `[.., m, m]`.
    pub p: Array,
    /// Lower triangular with ones on the diagonal, `[.., m, k]`.
    pub l: Array,
    /// Upper triangular, `[.., k, n]`.
    pub u: Array,
}

/// `Q·R = A`.
#[derive(Clone)]
pub struct Qr {
    /// Orthonormal columns.
    pub q: Array,
    /// Upper triangular; the diagonal is not negative.
    pub r: Array,
}

/// `U·diag(s)·Vᵀ = A`.
#[derive(Clone)]
pub struct Svd {
    /// Left singular vectors as columns.
    pub u: Array,
    /// Singular values, descending.
    pub s: Array,
    /// Right singular vectors as rows; the largest element of each is positive.
    pub vh: Array,
}

/// `A·V = V·diag(w)`.
#[derive(Clone)]
pub struct Eigen {
    /// The eigenvalues.
    pub eigenvalues: Array,
    /// Eigenvectors of length 1 as columns.
    pub eigenvectors: Array,
}

/// The lower triangular `L` with `L·Lᵀ = A` of symmetric (Hermitian) positive definite matrices, of which the lower triangle is read.
/// NaN in the lower triangle from the first column on whose pivot is not above 0.
pub fn cholesky(a: &Array) -> Array {
    if a.is_complex() {
        return complex::cholesky(a);
    }
    a.then(|node| graph::apply(Cholesky, &[float(node)]))
}

/// `X` with `T·X = B`, where `T` is the triangle of `a` that `how` names. `b` is a vector if it has one axis, else matrices.
pub fn triangular_solve(a: &Array, b: &Array, how: TriangularSolve) -> Array {
    a.then(|a| with_columns("triangular_solve", a, b.node()?, |a, b| graph::apply(how, &[a.clone(), b.clone()])))
}

/// Permutation, lower and upper factor, with the largest element of each column as pivot.
pub fn lu(a: &Array) -> Lu {
    let all = a.then(|node| graph::apply(Factorize::Lu, &[float(node)]));
    let (packed, rows) = (part_of(&all, a, Factorize::Lu, 0), part_of(&all, a, Factorize::Lu, 1));
    let (m, n) = last_two(&packed);
    let k = m.min(n);
    let row = a.device().arange(m).reshape([m, 1]);
    let col = a.device().arange(n);
    let below = row.gt(&col).select(&packed, 0.0);
    let l = row.eq(&col).select(1.0, &below).slice(-1, ..k as isize);
    let u = row.le(&col).select(&packed, 0.0).slice(-2, ..k as isize);
    // Row i of L·U is row rows[i] of A: column i of P has its one there.
    let p = rows.expand_dims(-2).eq(a.device().arange(m).reshape([m, 1])).cast(packed.dtype());
    Lu { p, l, u }
}

/// Orthonormal columns and an upper triangle; `mode` says how many columns. Complex matrices need independent columns and cannot
/// have more columns of Q added.
pub fn qr(a: &Array, mode: QrMode) -> Qr {
    if a.is_complex() {
        return complex::qr(a, mode);
    }
    let op = Factorize::Qr(mode);
    let packed = a.then(|node| graph::apply(op, &[float(node)]));
    Qr { q: part_of(&packed, a, op, 0), r: part_of(&packed, a, op, 1) }
}

/// Singular values and vectors; `Vectors::Full` for NumPy's `full_matrices=True`, `Vectors::Reduced` for `False`. With
/// `Vectors::None` there are no vectors, see [`svdvals`].
pub fn svd(a: &Array, vectors: Vectors) -> Svd {
    if a.is_complex() {
        let message = "takes real matrices; svdvals takes complex ones, too";
        let refused = Array::new(a.device(), Err(Error::dtype("svd", message)));
        return Svd { u: refused.clone(), s: refused.clone(), vh: refused };
    }
    let op = Factorize::Svd(if vectors == Vectors::None { Vectors::Reduced } else { vectors });
    let packed = a.then(|node| graph::apply(op, &[float(node)]));
    let part = |index: usize| part_of(&packed, a, op, index);
    Svd { u: part(0), s: part(1), vh: part(2) }
}

/// The singular values alone, descending.
pub fn svdvals(a: &Array) -> Array {
    if a.is_complex() {
        return complex::svdvals(a);
    }
    a.then(|node| part(node, Factorize::Svd(Vectors::None), 0))
}

/// Eigenvalues, ascending, and eigenvectors of symmetric (Hermitian) matrices, of which the lower triangle is read.
pub fn eigh(a: &Array) -> Eigen {
    if a.is_complex() {
        return complex::eigh(a);
    }
    eigen(a, Factorize::Eigh(Vectors::Reduced))
}

/// The eigenvalues of symmetric (Hermitian) matrices alone, ascending.
pub fn eigvalsh(a: &Array) -> Array {
    if a.is_complex() {
        return complex::eigvalsh(a);
    }
    a.then(|node| part(node, Factorize::Eigh(Vectors::None), 0))
}

/// Complex eigenvalues, by real, then imaginary part, and eigenvectors of square matrices.
pub fn eig(a: &Array) -> Eigen {
    if a.is_complex() {
        return complex::eig(a);
    }
    let parts = eigen(a, Factorize::Eig(Vectors::Reduced));
    Eigen { eigenvalues: parts.eigenvalues.as_complex(), eigenvectors: parts.eigenvectors.as_complex() }
}

/// The complex eigenvalues of square matrices alone.
pub fn eigvals(a: &Array) -> Array {
    if a.is_complex() {
        return complex::eig(a).eigenvalues;
    }
    a.then(|node| part(node, Factorize::Eig(Vectors::None), 0)).as_complex()
}

fn eigen(a: &Array, op: Factorize) -> Eigen {
    let packed = a.then(|node| graph::apply(op, &[float(node)]));
    Eigen { eigenvalues: part_of(&packed, a, op, 0), eigenvectors: part_of(&packed, a, op, 1) }
}

/// One part of a factorization that is made for it.
fn part(a: &NodeRef, op: Factorize, index: usize) -> Result<NodeRef> {
    let packed = graph::apply(op, &[float(a)])?;
    Ok(op.split(&packed, a.shape())?.swap_remove(index))
}

/// One part of a factorization of `a`.
fn part_of(packed: &Array, a: &Array, op: Factorize, index: usize) -> Array {
    packed.then(|packed| Ok(op.split(packed, a.node()?.shape())?.swap_remove(index)))
}

/// Integers and truth values become floats.
fn float(node: &NodeRef) -> NodeRef {
    if node.dtype().is_float() { node.clone() } else { graph::cast(node, DType::F32) }
}

/// Sizes of the last two axes; zeros if there are none.
fn last_two(a: &Array) -> (usize, usize) {
    match a.shape() {
        [.., m, n] => (*m, *n),
        _ => (0, 0),
    }
}

/// Calls `run` with matrices and right hand sides in one float type and with common axes before the last two. A vector on the right
/// is one column, and the result loses that axis.
fn with_columns(
    op: &'static str,
    a: &NodeRef,
    b: &NodeRef,
    run: impl FnOnce(&NodeRef, &NodeRef) -> Result<NodeRef>,
) -> Result<NodeRef> {
    let mismatch = |why: &str| Error::shape(op, format!("{why}: matrix {}, right hand side {}", a.shape(), b.shape()));
    let &[ref a_batch @ .., n_rows, n_cols] = &a.shape()[..] else {
        return Err(mismatch("needs matrices in the last two axes"));
    };
    if n_rows != n_cols {
        return Err(mismatch("needs square matrices"));
    }
    let is_vector = b.shape().rank() == 1;
    let columns = match &b.shape()[..] {
        [] => return Err(mismatch("needs at least one axis on the right")),
        [n] => graph::reshape(b, &Shape::new(op, vec![*n, 1])?)?,
        _ => b.clone(),
    };
    let &[ref b_batch @ .., n_b, n_rhs] = &columns.shape()[..] else { return Err(mismatch("needs columns")) };
    if n_b != n_rows {
        return Err(mismatch("numbers of rows differ"));
    }
    let batch = Shape::broadcast(op, &Shape::new(op, a_batch)?, &Shape::new(op, b_batch)?)
        .map_err(|_| mismatch("axes before the last two do not broadcast together"))?;
    let dtype = a.dtype().promote(b.dtype()).promote(DType::F32);
    let a_full = Shape::new(op, [&batch[..], &[n_rows, n_cols]].concat())?;
    let b_full = Shape::new(op, [&batch[..], &[n_rows, n_rhs]].concat())?;
    let a = graph::expand(&graph::cast(a, dtype), &a_full)?;
    let b = graph::expand(&graph::cast(&columns, dtype), &b_full)?;
    let x = run(&a, &b)?;
    if is_vector { graph::reshape(&x, &Shape::new(op, [&batch[..], &[n_rows]].concat())?) } else { Ok(x) }
}
