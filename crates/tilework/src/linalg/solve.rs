//! Systems of equations, inverses and determinants.

use super::{Vectors, complex, float, last_two, svd, with_columns};
use crate::array::Array;
use tilework_core::dtype::DType;
use tilework_core::expr::ScalarOp;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
use tilework_ops::ops::cholesky::Cholesky;
use tilework_ops::ops::factorize::Factorize;
use tilework_ops::ops::gather::Gather;
use tilework_ops::ops::triangular_solve::TriangularSolve;
use tilework_ops::{NodeRef, graph};

/// Sign and logarithm of a determinant.
#[derive(Clone)]
pub struct SlogDet {
    /// −1, 0 or 1; of a complex matrix a number of magnitude 1, or 0.
    pub sign: Array,
    /// Logarithm of the absolute value; −∞ if it is 0.
    pub logabsdet: Array,
}

/// A solution in the sense of least squares.
#[derive(Clone)]
pub struct Lstsq {
    /// The solution; the shortest one if there are several.
    pub x: Array,
    /// For each right hand side the sum of squared residuals. (NumPy gives nothing if the rank is not full.)
    pub residuals: Array,
    /// The number of singular values above the limit, as int32.
    pub rank: Array,
    /// The singular values.
    pub s: Array,
}

/// `X` with `A·X = B`, by LU with partial pivoting. `b` is a vector if it has one axis, else matrices; axes before the last two
/// broadcast. A singular matrix gives infinities or NaN.
pub fn solve(a: &Array, b: &Array) -> Array {
    if a.is_complex() || b.is_complex() {
        return complex::solve(a, b);
    }
    a.then(|a| with_columns("solve", a, b.node()?, lu_solve))
}

/// The same for symmetric positive definite matrices, of which the lower triangle is read: half of the work, and on every device.
/// NaN if a matrix is not positive definite.
pub fn solve_positive_definite(a: &Array, b: &Array) -> Array {
    a.then(|a| {
        with_columns("solve_positive_definite", a, b.node()?, |a, b| {
            cho_solve_nodes(&graph::apply(Cholesky, std::slice::from_ref(a))?, b)
        })
    })
}

/// `X` with `L·Lᵀ·X = B` from the factor that [`cholesky`](super::cholesky) gave.
pub fn cho_solve(l: &Array, b: &Array) -> Array {
    l.then(|l| with_columns("cho_solve", l, b.node()?, cho_solve_nodes))
}

fn cho_solve_nodes(l: &NodeRef, b: &NodeRef) -> Result<NodeRef> {
    let half_way = graph::apply(TriangularSolve::lower(), &[l.clone(), b.clone()])?;
    graph::apply(TriangularSolve::lower().transposed(), &[l.clone(), half_way])
}

fn lu_solve(a: &NodeRef, b: &NodeRef) -> Result<NodeRef> {
    let packed = graph::apply(Factorize::Lu, std::slice::from_ref(a))?;
    let parts = Factorize::Lu.split(&packed, a.shape())?;
    let permuted = rows_in_order(b, &parts[1])?;
    let half_way = graph::apply(TriangularSolve::lower().unit(), &[parts[0].clone(), permuted])?;
    graph::apply(TriangularSolve::upper(), &[parts[0].clone(), half_way])
}

/// Row `rows[.., i]` of each matrix as its row `i`.
fn rows_in_order(b: &NodeRef, rows: &NodeRef) -> Result<NodeRef> {
    let &[.., n, n_rhs] = &b.shape()[..] else { return Err(Error::shape("solve", "needs columns")) };
    let n_rows = rows.shape().n_elements();
    if n_rows * n_rhs == 0 {
        return Ok(b.clone());
    }
    let flat = Shape::new("solve", vec![n_rows])?;
    let number = graph::full(Shape::scalar(), DType::I32, n as f64);
    let count = graph::cast(&graph::iota(flat.clone()), DType::I32);
    let batch = graph::map(ScalarOp::FloorDiv, &[count, number.clone()])?;
    let start = graph::map(ScalarOp::Mul, &[batch, number])?;
    let rows = graph::reshape(&graph::cast(rows, DType::I32), &flat)?;
    let places = graph::map(ScalarOp::Add, &[start, rows])?;
    let all = graph::reshape(b, &Shape::new("solve", vec![n_rows, n_rhs])?)?;
    graph::reshape(&graph::apply(Gather::new(0), &[all, places])?, b.shape())
}

/// The inverse of square matrices; infinities or NaN if one is singular.
pub fn inv(a: &Array) -> Array {
    if a.is_complex() {
        return complex::inv(a);
    }
    let eye = a.device().eye(last_two(a).1).cast(a.dtype().promote(DType::F32));
    a.then(|a| with_columns("inv", a, eye.node()?, lu_solve))
}

/// Packed factors, their diagonal and the sign of the permutation of rows.
fn factors(op: &'static str, a: &Array) -> (Array, Array) {
    let packed = a.then(|node| {
        tilework_ops::op::Op::infer(&tilework_ops::ops::cholesky::Cholesky, &[float(node).meta.clone()])
            .map_err(|error| Error::new(error.kind(), op, error.message()))?;
        graph::apply(Factorize::Lu, &[float(node)])
    });
    let n = last_two(a).1;
    let diagonal = packed.then(|node| {
        let axis = node.shape().rank() - 1;
        graph::slice(node, axis, 0, n as isize + 1, n)
    });
    let rows = packed.then(|node| Ok(Factorize::Lu.split(node, a.node()?.shape())?.swap_remove(1)));
    // The parity of a permutation is that of the number of pairs in the wrong order.
    let index = a.device().arange(n);
    let is_before = index.reshape([n, 1]).lt(&index);
    let is_above = rows.expand_dims(-1).gt(rows.expand_dims(-2));
    let n_swapped = is_before.and(&is_above).cast(DType::I32).sum([-1, -2]);
    let sign = (n_swapped.rem(2) * -2 + 1).cast(diagonal.dtype());
    (diagonal, sign)
}

/// The determinant, by LU; the phase of a complex one by eigenvalues. The derivative goes through the factors, so it is not finite
/// for a singular matrix.
pub fn det(a: &Array) -> Array {
    if a.is_complex() {
        return complex::det(a);
    }
    let (diagonal, sign) = factors("det", a);
    diagonal.prod([-1]) * sign
}

/// Sign and logarithm of the determinant, which may be out of the range of floats itself.
pub fn slogdet(a: &Array) -> SlogDet {
    if a.is_complex() {
        return complex::slogdet(a);
    }
    let (diagonal, sign) = factors("slogdet", a);
    SlogDet { sign: diagonal.sign().prod([-1]) * sign, logabsdet: diagonal.abs().log().sum([-1]) }
}

/// Unit roundoff of a type of floats times the longer side of the matrices: what singular values are compared with.
pub(super) fn default_limit(a: &Array) -> f64 {
    let (m, n) = last_two(a);
    let epsilon = if a.dtype().part() == DType::F64 { f64::EPSILON } else { f64::from(f32::EPSILON) };
    m.max(n) as f64 * epsilon
}

/// For each singular value its inverse, or 0 if it is not above `limit` times the largest.
fn inverted(s: &Array, limit: f64) -> Array {
    if s.shape().last() == Some(&0) {
        return s.clone();
    }
    let is_kept = s.gt(s.max_keep([-1]) * limit);
    is_kept.select(is_kept.select(s, 1.0).recip(), 0.0)
}

/// The pseudoinverse. Singular values up to `rcond` times the largest count as 0; unless told, that is the unit roundoff times the
/// longer side.
pub fn pinv(a: &Array, rcond: Option<f64>) -> Array {
    if a.is_complex() {
        return complex::pinv(a, rcond.unwrap_or(default_limit(a)));
    }
    let parts = svd(a, Vectors::Reduced);
    let weights = inverted(&parts.s, rcond.unwrap_or(default_limit(a)));
    (parts.vh.swap_axes(-1, -2) * weights.expand_dims(-2)).matmul(&parts.u.swap_axes(-1, -2))
}

/// The `X` that makes `|A·X − B|` smallest. `b` is a vector if it has one axis, else matrices. `rcond` as in [`pinv`].
pub fn lstsq(a: &Array, b: &Array, rcond: Option<f64>) -> Lstsq {
    let limit = rcond.unwrap_or(default_limit(a));
    if a.is_complex() || b.is_complex() {
        return complex::lstsq(a, b, limit);
    }
    let is_vector = b.ndim() == 1;
    let columns = if is_vector { b.expand_dims(-1) } else { b.clone() };
    let parts = svd(a, Vectors::Reduced);
    let weighted = parts.u.swap_axes(-1, -2).matmul(&columns) * inverted(&parts.s, limit).expand_dims(-1);
    let x = parts.vh.swap_axes(-1, -2).matmul(&weighted);
    let residuals = (a.matmul(&x) - &columns).square().sum([-2]);
    let rank = super::norms::count_above(&parts.s, limit);
    Lstsq { x: if is_vector { x.squeeze([-1]) } else { x }, residuals, rank, s: parts.s }
}
