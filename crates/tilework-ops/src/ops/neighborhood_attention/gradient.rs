//! The derivative of neighborhood attention, written with other operations: keys and values of every window are gathered, the
//! probabilities computed again, and what keys and values receive is scattered back.

use super::{NeighborhoodAttention, Sizes};
use crate::graph::{self, NodeRef};
use crate::op::VjpCx;
use crate::ops::gather::Gather;
use crate::ops::matmul::Matmul;
use crate::ops::reduce::{Combine, Reduce};
use crate::ops::scatter_add::ScatterAdd;
use crate::ops::softmax::{Output, Softmax};
use tilework_core::Result;
use tilework_core::dtype::DType;
use tilework_core::expr::ScalarOp::{self, Add, FloorDiv, Maximum, Minimum, Mul, Rem, Sub};
use tilework_core::expr::Value;
use tilework_core::shape::{KeepAxes, Shape};

const NAME: &str = "neighborhood_attention";

pub(super) fn gradient(op: &NeighborhoodAttention, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
    let [q, k, v] = [&cx.inputs[0], &cx.inputs[1], &cx.inputs[2]];
    let Sizes { n_images, height, width, d, dv } = Sizes::of(q.shape(), k.shape(), v.shape())?;
    let n_places = height * width;
    let places = |node: &NodeRef, size| graph::reshape(node, &Shape::new(NAME, vec![n_images, n_places, size])?);
    let single = |node: &NodeRef, size| graph::reshape(node, &Shape::new(NAME, vec![n_images, n_places, 1, size])?);
    let windows = indices(op, height, width)?;
    let gathered = |node: &NodeRef, size| graph::apply(Gather::new(1), &[places(node, size)?, windows.clone()]);
    let scattered = |node: NodeRef, like: &NodeRef| {
        let sum = graph::apply(ScatterAdd::new(1, n_places), &[node, windows.clone()])?;
        graph::reshape(&sum, like.shape())
    };
    let (k_windows, v_windows) = (gathered(k, d)?, gathered(v, dv)?);
    let (query, received) = (single(q, d)?, single(cx.adjoint, dv)?);
    let scale = graph::full(Shape::scalar(), q.dtype(), op.scale_for(d));

    let scores = mul(&matmul(&query, &transposed(&k_windows)?)?, &scale)?;
    let p = graph::apply(Softmax::new(3, Output::Probability), &[scores])?;
    let d_p = matmul(&received, &transposed(&v_windows)?)?;
    let along = graph::apply(Reduce::new(Combine::Sum, vec![3], KeepAxes::Yes), &[mul(&p, &d_p)?])?;
    let d_product = mul(&mul(&p, &graph::map(Sub, &[d_p, along])?)?, &scale)?;
    let d_q = graph::reshape(&matmul(&d_product, &k_windows)?, q.shape())?;
    let d_k = scattered(matmul(&transposed(&d_product)?, &query)?, k)?;
    let d_v = scattered(matmul(&transposed(&p)?, &received)?, v)?;
    Ok(vec![Some(d_q), Some(d_k), Some(d_v)])
}

fn mul(a: &NodeRef, b: &NodeRef) -> Result<NodeRef> {
    graph::map(Mul, &[a.clone(), b.clone()])
}

fn matmul(a: &NodeRef, b: &NodeRef) -> Result<NodeRef> {
    graph::apply(Matmul, &[a.clone(), b.clone()])
}

fn transposed(node: &NodeRef) -> Result<NodeRef> {
    graph::permute(node, &[0, 1, 3, 2])
}

/// Positions of the keys of every window, as `[places, window²]`.
fn indices(op: &NeighborhoodAttention, height: usize, width: usize) -> Result<NodeRef> {
    let int = |value: usize| graph::constant(DType::I32, Value::Int(value as i32));
    let by = |op: ScalarOp, a: &NodeRef, b: usize| graph::map(op, &[a.clone(), int(b)]);
    let counted =
        |shape: Vec<usize>| -> Result<NodeRef> { Ok(graph::cast(&graph::iota(Shape::new(NAME, shape)?), DType::I32)) };
    let place = counted(vec![height * width, 1])?;
    let step = counted(vec![1, op.window * op.window])?;
    // The same as `NeighborhoodAttention::neighbor`.
    let neighbor = |at: NodeRef, size: usize, step: NodeRef| {
        let first = by(Rem, &at, op.dilation)?;
        let missing = graph::map(Sub, &[int(size + op.dilation - 1), first.clone()])?;
        let last_start = by(Sub, &by(FloorDiv, &missing, op.dilation)?, op.window)?;
        let start = by(Maximum, &by(Sub, &by(FloorDiv, &at, op.dilation)?, op.window / 2)?, 0)?;
        let start = graph::map(Minimum, &[start, last_start])?;
        graph::map(Add, &[first, by(Mul, &graph::map(Add, &[start, step])?, op.dilation)?])
    };
    let row = neighbor(by(FloorDiv, &place, width)?, height, by(FloorDiv, &step, op.window)?)?;
    let col = neighbor(by(Rem, &place, width)?, width, by(Rem, &step, op.window)?)?;
    graph::map(Add, &[by(Mul, &row, width)?, col])
}
