//! Norms, condition numbers and ranks.

use super::solve::default_limit;
use super::{inv, svdvals};
use crate::array::Array;
use tilework_core::Error;
use tilework_core::dtype::DType;

/// Which norm.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Order {
    /// The root of the sum of squares: of a vector the 2-norm, of a matrix that of Frobenius.
    #[default]
    Fro,
    /// Of a matrix, the sum of the singular values.
    Nuc,
    /// Of a vector the largest magnitude, of a matrix the largest sum of magnitudes of a row.
    Inf,
    /// The same with the smallest.
    NegInf,
    /// Of a vector `(Σ|x|^p)^(1/p)`, or for 0 the number of elements that are not 0. Of a matrix 1 and −1, the largest and smallest
    /// sum of magnitudes of a column, and 2 and −2, the largest and smallest singular value.
    P(f64),
}

/// The root of the sum of squares of all elements, or another norm of a vector or of the matrices in the last two axes: an array
/// with one axis is a vector, anything else is matrices. See [`vector_norm`] and [`matrix_norm`] to choose.
pub fn norm(x: &Array, order: Order) -> Array {
    match (x.ndim(), order) {
        (_, Order::Fro) => floats(x).square().sum([]).sqrt(),
        (1, _) => vector_norm(x, order, -1),
        _ => matrix_norm(x, order),
    }
}

/// The norm of the vectors along `axis`.
pub fn vector_norm(x: &Array, order: Order, axis: isize) -> Array {
    let x = floats(x);
    match order {
        Order::Fro => x.square().sum([axis]).sqrt(),
        Order::Inf => x.abs().max([axis]),
        Order::NegInf => x.abs().min([axis]),
        Order::P(0.0) => x.ne(0.0).cast(x.dtype()).sum([axis]),
        Order::P(1.0) => x.abs().sum([axis]),
        Order::P(2.0) => x.square().sum([axis]).sqrt(),
        Order::P(p) => x.abs().pow(p).sum([axis]).pow(1.0 / p),
        Order::Nuc => refused(&x, "vector_norm", "the nuclear norm is one of matrices"),
    }
}

/// The norm of the matrices in the last two axes.
pub fn matrix_norm(x: &Array, order: Order) -> Array {
    if x.ndim() < 2 {
        return refused(x, "matrix_norm", "needs matrices in the last two axes");
    }
    let x = floats(x);
    match order {
        Order::Fro => x.square().sum([-1, -2]).sqrt(),
        Order::Nuc => svdvals(&x).sum([-1]),
        Order::Inf => x.abs().sum([-1]).max([-1]),
        Order::NegInf => x.abs().sum([-1]).min([-1]),
        Order::P(1.0) => x.abs().sum([-2]).max([-1]),
        Order::P(-1.0) => x.abs().sum([-2]).min([-1]),
        Order::P(2.0) => svdvals(&x).max([-1]),
        Order::P(-2.0) => svdvals(&x).min([-1]),
        Order::P(_) => refused(&x, "matrix_norm", "p must be 1, -1, 2 or -2"),
    }
}

/// The condition number: the norm times that of the inverse; for `P(2)` and `P(-2)` a ratio of singular values, of any matrix.
pub fn cond(x: &Array, order: Order) -> Array {
    match order {
        Order::P(2.0) => {
            let s = svdvals(x);
            s.max([-1]) / s.min([-1])
        }
        Order::P(-2.0) => {
            let s = svdvals(x);
            s.min([-1]) / s.max([-1])
        }
        _ => matrix_norm(x, order) * matrix_norm(&inv(x), order),
    }
}

/// The number of singular values above `tol`, which unless told is the largest of them times the unit roundoff times the longer side.
/// With fewer than two axes, whether any element is not 0. As int32.
pub fn matrix_rank(a: &Array, tol: Option<f64>) -> Array {
    if a.ndim() < 2 {
        return a.ne(0.0).any([]).cast(DType::I32);
    }
    let s = svdvals(a);
    match tol {
        Some(tol) => s.gt(tol).cast(DType::I32).sum([-1]),
        None => count_above(&s, default_limit(a)),
    }
}

/// How many values are above `limit` times the largest.
pub(super) fn count_above(s: &Array, limit: f64) -> Array {
    if s.shape().last() == Some(&0) {
        return s.cast(DType::I32).sum([-1]);
    }
    s.gt(s.max_keep([-1]) * limit).cast(DType::I32).sum([-1])
}

fn floats(x: &Array) -> Array {
    x.then(|node| Ok(super::float(node)))
}

fn refused(x: &Array, op: &'static str, why: &str) -> Array {
    x.then(|node| Err(Error::argument(op, format!("{why}, got {}", node.shape()))))
}
