//! Parts of matrices as graph nodes, for derivative rules.

use crate::graph::{self, NodeRef};
use crate::ops::matmul::Matmul;
use tilework_core::Result;
use tilework_core::dtype::DType;
use tilework_core::expr::ScalarOp;
use tilework_core::shape::Shape;

/// The last two axes swapped.
pub(crate) fn transpose(node: &NodeRef) -> Result<NodeRef> {
    let rank = node.shape().rank() as isize;
    let order: Vec<isize> = (0..rank - 2).chain([rank - 1, rank - 2]).collect();
    graph::permute(node, &order)
}

/// The product of two arrays of matrices.
pub(crate) fn product(a: &NodeRef, b: &NodeRef) -> Result<NodeRef> {
    graph::apply(Matmul, &[a.clone(), b.clone()])
}

/// `a op b`, element by element.
pub(crate) fn two(op: ScalarOp, a: &NodeRef, b: &NodeRef) -> Result<NodeRef> {
    graph::map(op, &[a.clone(), b.clone()])
}

/// What multiplies the elements of the last two axes: depends on whether they lie below, on or above the diagonal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    pub(crate) below: f64,
    pub(crate) on: f64,
    pub(crate) above: f64,
}

/// The lower triangle.
pub(crate) const LOWER: Weights = Weights { below: 1.0, on: 1.0, above: 0.0 };
/// The lower triangle without the diagonal.
pub(crate) const BELOW: Weights = Weights { below: 1.0, on: 0.0, above: 0.0 };
/// The upper triangle.
pub(crate) const UPPER: Weights = Weights { below: 0.0, on: 1.0, above: 1.0 };
/// The upper triangle without the diagonal.
pub(crate) const ABOVE: Weights = Weights { below: 0.0, on: 0.0, above: 1.0 };
/// The lower triangle with half of the diagonal.
pub(crate) const HALF_LOWER: Weights = Weights { below: 1.0, on: 0.5, above: 0.0 };

/// Elements with a weight of 0 become 0 whatever they are.
pub(crate) fn weighted(node: &NodeRef, weights: Weights) -> Result<NodeRef> {
    let &[.., n_rows, n_cols] = &node.shape()[..] else { return Ok(node.clone()) };
    let along = |n: usize, sizes: Vec<usize>| {
        let counted = graph::cast(&graph::iota(Shape::new("weighted", vec![n])?), DType::I32);
        graph::reshape(&counted, &Shape::new("weighted", sizes)?)
    };
    let (row, col) = (along(n_rows, vec![n_rows, 1])?, along(n_cols, vec![1, n_cols])?);
    let scaled = |weight: f64| {
        let number = graph::full(Shape::scalar(), node.dtype(), weight);
        if weight == 1.0 {
            Ok(node.clone())
        } else if weight == 0.0 {
            Ok(number)
        } else {
            two(ScalarOp::Mul, node, &number)
        }
    };
    let pick = |condition: NodeRef, yes: NodeRef, no: NodeRef| graph::map(ScalarOp::Select, &[condition, yes, no]);
    let off = pick(two(ScalarOp::Gt, &row, &col)?, scaled(weights.below)?, scaled(weights.above)?)?;
    pick(two(ScalarOp::Eq, &row, &col)?, scaled(weights.on)?, off)
}

/// The derivative by the lower triangle, when that stands for a symmetric matrix with the derivative `s` (in any split over the two
/// halves): both halves added up, the diagonal once.
pub(crate) fn folded(s: &NodeRef) -> Result<NodeRef> {
    weighted(&two(ScalarOp::Add, s, &transpose(s)?)?, HALF_LOWER)
}
