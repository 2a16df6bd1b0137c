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
    let extra = |index: Option<usize>| index.map(|index| &cx.inputs[index]);
    let scale = graph::full(Shape::scalar(), q.dtype(), op.scale_for(sizes.d));
    let (q5, d5) = (sizes.grouped(q, sizes.d)?, sizes.grouped(cx.adjoint, sizes.dv)?);
    let (k5, v5) = (sizes.shared(k, sizes.d)?, sizes.shared(v, sizes.dv)?);
    let product = mul(&matmul(&q5, &transposed(&k5)?)?, &scale)?;
    let Scores { scores, slope } = scores(op, &sizes, product, extra(roles.mask))?;
    let lowest = graph::full(Shape::scalar(), q.dtype(), f64::NEG_INFINITY);
    let scores = graph::map(Select, &[seen(op, &sizes, extra(roles.n_past))?, scores, lowest])?;
    let p = graph::apply(Softmax::new(4, Output::Probability), &[scores])?;

    let d_p = matmul(&d5, &transposed(&v5)?)?;
    let along = graph::apply(Reduce::new(Combine::Sum, vec![4], KeepAxes::Yes), &[mul(&p, &d_p)?])?;
    let d_scores = mul(&p, &graph::map(Sub, &[d_p, along])?)?;
    let mut d_product = mul(&d_scores, &scale)?;
    if let Some(slope) = slope {
        d_product = mul(&d_product, &slope)?;
    }
    let sum_of_group = |node: NodeRef, like: &NodeRef| {
        let sum = graph::apply(Reduce::new(Combine::Sum, vec![2], KeepAxes::No), &[node])?;
        graph::reshape(&sum, like.shape())
    };
    let d_q = graph::reshape(&matmul(&d_product, &k5)?, q.shape())?;
    let d_k = sum_of_group(matmul(&transposed(&d_product)?, &q5)?, k)?;
    let d_v = sum_of_group(matmul(&transposed(&p)?, &d5)?, v)?;
    let mut given = vec![Some(d_q), Some(d_k), Some(d_v)];
    if let Some(mask) = extra(roles.mask) {
        given.push(Some(graph::sum_to(&graph::reshape(&d_scores, &sizes.scores()?)?, mask.shape())?));
    }
    given.extend(roles.n_past.map(|_| None));
    Ok(given)
}

impl Sizes {
    /// An array of queries or their results, `size` elements each, with the heads that share keys as an axis of their own.
    fn grouped(&self, node: &NodeRef, size: usize) -> Result<NodeRef> {
        let sizes = vec![self.n_batch, self.n_kv_heads, self.n_group(), self.n_q, size];
        graph::reshape(node, &Shape::new("attention", sizes)?)
    }

    /// An array of keys or values, `size` elements each, to go with it.
    fn shared(&self, node: &NodeRef, size: usize) -> Result<NodeRef> {
        graph::reshape(node, &Shape::new("attention", vec![self.n_batch, self.n_kv_heads, 1, self.n_kv, size])?)
    }
}

/// Scores of all keys, and how they change with the scaled products, if not by one.
struct Scores {
    scores: NodeRef,
    slope: Option<NodeRef>,
}

fn scores(op: &Attention, sizes: &Sizes, product: NodeRef, mask: Option<&NodeRef>) -> Result<Scores> {
    let scalar = |value: f64| graph::full(Shape::scalar(), product.dtype(), value);
    let (mut scores, mut slope) = (product.clone(), None);
    if let Some(cap) = op.soft_cap {
        let tangent = graph::map(Tanh, &[graph::map(Div, &[product.clone(), scalar(cap)])?])?;
        slope = Some(graph::map(Sub, &[scalar(1.0), mul(&tangent, &tangent)?])?);
        scores = mul(&tangent, &scalar(cap))?;
    }
    if let Some(mask) = mask {
        let mask = graph::expand(mask, &sizes.scores()?)?;
        scores = graph::map(Add, &[scores, sizes.grouped(&mask, sizes.n_kv)?])?;
    }
    Ok(Scores { scores, slope })
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
