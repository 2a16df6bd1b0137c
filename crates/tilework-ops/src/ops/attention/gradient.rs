//! The derivative of attention, written with other operations: the probabilities are computed again.
//!
//! With scores `s`, probabilities `p = softmax(s)` and `y = p·v`: `v` receives `pᵀ·d`, and `s` receives `p·(d·vᵀ − Σ p·(d·vᵀ))`,
//! which passes through cap and scale to `q` and `k`. Heads that share keys are an axis of their own, summed for `k` and `v`.

use super::{Attention, Mask, Roles, Sizes};
use crate::graph::{self, NodeRef};
use crate::op::VjpCx;
use crate::ops::matmul::Matmul;
use crate::ops::reduce::{Combine, Reduce};
use crate::ops::softmax::{Output, Softmax};
use tilework_core::dtype::DType;
use tilework_core::expr::ScalarOp::{Add, And, Div, Ge, Gt, Lt, Mul, Select, Sub, Tanh};
use tilework_core::expr::Value;
use tilework_core::shape::{KeepAxes, Shape};
use tilework_core::{Error, Result};

pub(super) fn gradient(op: &Attention, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
    let [q, k, v] = [&cx.inputs[0], &cx.inputs[1], &cx.inputs[2]];
    let sizes = Sizes::of(q.shape(), k.shape(), v.shape())?;
    let roles = Roles::of(cx.inputs.iter().map(|input| input.dtype()))
        .ok_or_else(|| Error::argument("attention", "inputs changed their types"))?;
    let Sizes { n_batch, n_kv_heads, n_q, n_kv, d, dv, .. } = sizes;
    let n_group = sizes.n_group();
    let scalar = |value: f64| graph::full(Shape::scalar(), q.dtype(), value);
    let grouped = |node: &NodeRef, n: usize, size: usize| {
        graph::reshape(node, &Shape::new("attention", vec![n_batch, n_kv_heads, n_group, n, size])?)
    };
    let shared = |node: &NodeRef, size: usize| {
        graph::reshape(node, &Shape::new("attention", vec![n_batch, n_kv_heads, 1, n_kv, size])?)
    };
    let (q5, d5) = (grouped(q, n_q, d)?, grouped(cx.adjoint, n_q, dv)?);
    let (k5, v5) = (shared(k, d)?, shared(v, dv)?);

    let scale = scalar(op.scale_for(d));
    let scaled = mul(&matmul(&q5, &transposed(&k5)?)?, &scale)?;
    let tangent = op.soft_cap.map(|cap| graph::map(Tanh, &[graph::map(Div, &[scaled.clone(), scalar(cap)])?]));
    let tangent = tangent.transpose()?;
    let mut scores = match (&tangent, op.soft_cap) {
        (Some(tangent), Some(cap)) => mul(tangent, &scalar(cap))?,
        _ => scaled,
    };
    if let Some(mask) = roles.mask.map(|index| &cx.inputs[index]) {
        let mask = graph::expand(mask, &sizes.scores()?)?;
        scores = graph::map(Add, &[scores, grouped(&mask, n_q, n_kv)?])?;
    }
    let n_past = roles.n_past.map(|index| &cx.inputs[index]);
    scores = graph::map(Select, &[seen(op, &sizes, n_past)?, scores, scalar(f64::NEG_INFINITY)])?;
    let p = graph::apply(Softmax::new(4, Output::Probability), &[scores])?;

    let d_p = matmul(&d5, &transposed(&v5)?)?;
    let row_sum = Reduce::new(Combine::Sum, vec![4], KeepAxes::Yes);
    let along = graph::apply(row_sum, &[mul(&p, &d_p)?])?;
    let d_scores = mul(&p, &graph::map(Sub, &[d_p, along])?)?;
    let mut d_product = mul(&d_scores, &scale)?;
    if let Some(tangent) = tangent {
        d_product = mul(&d_product, &graph::map(Sub, &[scalar(1.0), mul(&tangent, &tangent)?])?)?;
    }
    let d_q = graph::reshape(&matmul(&d_product, &k5)?, q.shape())?;
    let sum_of_group = |node: NodeRef, like: &NodeRef| {
        let sum = graph::apply(Reduce::new(Combine::Sum, vec![2], KeepAxes::No), &[node])?;
        graph::reshape(&sum, like.shape())
    };
    let d_k = sum_of_group(matmul(&transposed(&d_product)?, &q5)?, k)?;
    let d_v = sum_of_group(matmul(&transposed(&p)?, &d5)?, v)?;
    let mut given = vec![Some(d_q), Some(d_k), Some(d_v)];
    if let Some(mask) = roles.mask.map(|index| &cx.inputs[index]) {
        given.push(Some(graph::sum_to(&graph::reshape(&d_scores, &sizes.scores()?)?, mask.shape())?));
    }
    given.extend(roles.n_past.map(|_| None));
    Ok(given)
}

fn mul(a: &NodeRef, b: &NodeRef) -> Result<NodeRef> {
    graph::map(Mul, &[a.clone(), b.clone()])
}

fn matmul(a: &NodeRef, b: &NodeRef) -> Result<NodeRef> {
    graph::apply(Matmul, &[a.clone(), b.clone()])
}

/// The last two of five axes swapped.
fn transposed(node: &NodeRef) -> Result<NodeRef> {
    graph::permute(node, &[0, 1, 2, 4, 3])
}

/// Which query sees which key, as `[n_q, n_kv]`.
fn seen(op: &Attention, sizes: &Sizes, n_past: Option<&NodeRef>) -> Result<NodeRef> {
    let int = |value: usize| graph::constant(DType::I32, Value::Int(i32::try_from(value).unwrap_or(i32::MAX)));
    let counted = |shape: Vec<usize>| -> Result<NodeRef> {
        Ok(graph::cast(&graph::iota(Shape::new("attention", shape)?), DType::I32))
    };
    let past = match n_past {
        Some(node) => graph::cast(&graph::reshape(node, &Shape::scalar())?, DType::I32),
        None => int(sizes.default_past()),
    };
    let key = counted(vec![1, sizes.n_kv])?;
    let own = graph::map(Add, &[counted(vec![sizes.n_q, 1])?, past.clone()])?;
    let end = match op.mask {
        Mask::None => graph::map(Add, &[past, int(sizes.n_q)])?,
        _ => graph::map(Add, &[own.clone(), int(1)])?,
    };
    let before_end = graph::map(Lt, &[key.clone(), end])?;
    let first = match op.mask {
        Mask::Windowed(window) => graph::map(Sub, &[own, int(window)])?,
        _ => return graph::map(And, &[before_end, graph::map(Ge, &[key, int(0)])?]),
    };
    graph::map(And, &[before_end, graph::map(Gt, &[key, first])?])
}
