//! Norms, condition numbers and ranks.

use super::solve::default_limit;
use super::{inv, last_two, svdvals};
use crate::array::Array;
use tilework_core::Error;
use tilework_core::dtype::DType;
use tilework_core::shape::KeepAxes;

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
    vector_norm_over(x, order, [axis], KeepAxes::No)
}

/// The norm of the vectors that all elements along `axes` make (all axes if none is named).
pub fn vector_norm_over(x: &Array, order: Order, axes: impl AsRef<[isize]>, keep: KeepAxes) -> Array {
    let (x, axes) = (floats(x), axes.as_ref());
    let sum = |x: &Array| if keep == KeepAxes::Yes { x.sum_keep(axes) } else { x.sum(axes) };
    match order {
        Order::Fro | Order::P(2.0) => sum(&x.square()).sqrt(),
        // The largest of nothing is 0: no magnitude is smaller.
        Order::Inf | Order::P(f64::INFINITY) if x.size() == 0 => sum(&x),
        Order::Inf | Order::P(f64::INFINITY) if keep == KeepAxes::Yes => x.abs().max_keep(axes),
        Order::Inf | Order::P(f64::INFINITY) => x.abs().max(axes),
        Order::NegInf | Order::P(f64::NEG_INFINITY) if keep == KeepAxes::Yes => x.abs().min_keep(axes),
        Order::NegInf | Order::P(f64::NEG_INFINITY) => x.abs().min(axes),
        Order::P(0.0) => sum(&x.ne(0.0).cast(x.dtype())),
        Order::P(1.0) => sum(&x.abs()),
        Order::P(p) => sum(&x.abs().pow(p)).pow(1.0 / p),
        Order::Nuc => refused(&x, "vector_norm", "the nuclear norm is one of matrices"),
    }
}

/// The norm of the matrices in two axes: rows along the first, columns along the second.
pub fn matrix_norm_over(x: &Array, order: Order, [rows, columns]: [isize; 2], keep: KeepAxes) -> Array {
    let order_of = x.points("matrix_norm").and_then(|shape| {
        let (rows, columns) = (shape.axis("matrix_norm", rows)?, shape.axis("matrix_norm", columns)?);
        if rows == columns {
            return Err(Error::shape("matrix_norm", format!("rows and columns are both axis {rows} of {shape}")));
        }
        let others = (0..shape.rank()).filter(|&axis| axis != rows && axis != columns);
        Ok(others.chain([rows, columns]).map(|axis| axis as isize).collect::<Vec<isize>>())
    });
    let norm = match order_of {
        Ok(axes) => matrix_norm(&x.permute(axes), order),
        Err(error) => return Array::new(x.device(), Err(error)),
    };
    if keep == KeepAxes::No || norm.check().is_err() {
        return norm;
    }
    let rank = x.ndim() as isize;
    let mut axes = [rows.rem_euclid(rank), columns.rem_euclid(rank)];
    axes.sort_unstable();
    axes.into_iter().fold(norm, |norm, axis| norm.expand_dims(axis))
}

/// The norm as NumPy's `norm` has it: of all elements without axes, of vectors along one axis, of matrices in two.
pub fn norm_over(x: &Array, order: Option<Order>, axes: impl AsRef<[isize]>, keep: KeepAxes) -> Array {
    match (axes.as_ref(), order) {
        ([], None) => vector_norm_over(x, Order::Fro, [], keep),
        ([], Some(order)) if x.ndim() == 1 => vector_norm_over(x, order, [], keep),
        ([], Some(order)) if x.ndim() == 2 => matrix_norm_over(x, order, [0, 1], keep),
        ([], Some(_)) => refused(x, "norm", "an order needs a vector, a matrix, or axes that make one"),
        (&[axis], order) => vector_norm_over(x, order.unwrap_or_default(), [axis], keep),
        (&[rows, columns], order) => matrix_norm_over(x, order.unwrap_or_default(), [rows, columns], keep),
        _ => refused(x, "norm", "takes one axis or two"),
    }
}

/// The norm of the matrices in the last two axes.
pub fn matrix_norm(x: &Array, order: Order) -> Array {
    if x.ndim() < 2 {
        return refused(x, "matrix_norm", "needs matrices in the last two axes");
    }
    let (matrices, x) = (x, floats(x));
    let is_largest = matches!(order, Order::Inf | Order::P(1.0 | 2.0));
    match order {
        // The largest of nothing is 0: no magnitude is smaller.
        _ if is_largest && last_two(&x).0.min(last_two(&x).1) == 0 => x.sum([-1, -2]),
        Order::Fro => x.square().sum([-1, -2]).sqrt(),
        Order::Nuc => svdvals(matrices).sum([-1]),
        Order::Inf => x.abs().sum([-1]).max([-1]),
        Order::NegInf => x.abs().sum([-1]).min([-1]),
        Order::P(1.0) => x.abs().sum([-2]).max([-1]),
        Order::P(-1.0) => x.abs().sum([-2]).min([-1]),
        Order::P(2.0) => svdvals(matrices).max([-1]),
        Order::P(-2.0) => svdvals(matrices).min([-1]),
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

/// Floats of the same magnitudes.
fn floats(x: &Array) -> Array {
    if x.is_complex() {
        return x.abs();
    }
    x.then(|node| Ok(super::float(node)))
}

fn refused(x: &Array, op: &'static str, why: &str) -> Array {
    let error = x.points(op).and_then(|shape| Err(Error::argument(op, format!("{why}, got {shape}"))));
    Array::new(x.device(), error)
}
