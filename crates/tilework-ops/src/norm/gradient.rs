//! The derivative of a normalisation, written with other operations.
//!
//! With `n = (x − mean)·s` and `y = n·weight + bias`, and `g = d·weight` what the normalised values receive,
//! `x` receives `s·(g − mean(g) − n·mean(g·n))` (without `mean(g)` if rows are not centered), `weight` receives `Σ d·n` and
//! `bias` receives `Σ d`.

use super::Center;
use crate::graph::{self, NodeRef};
use crate::op::VjpCx;
use crate::ops::reduce::{Combine, Reduce};
use tilework_core::Result;
use tilework_core::expr::ScalarOp::{Add, Div, Mul, Rsqrt, Sub};
use tilework_core::shape::{KeepAxes, Shape};

/// How the rows of a normalisation are seen by its derivative.
pub(crate) struct Rules {
    pub(crate) center: Center,
    pub(crate) epsilon: f64,
    /// Shape of `x` in which one axis is a row.
    pub(crate) rows: Shape,
    /// That axis.
    pub(crate) axis: usize,
    /// Shape in which weights broadcast against `x`.
    pub(crate) weights: Shape,
}

pub(crate) fn gradient(cx: &VjpCx<'_>, rules: &Rules) -> Result<Vec<Option<NodeRef>>> {
    let (x, d) = (&cx.inputs[0], cx.adjoint);
    let mul = |a: &NodeRef, b: &NodeRef| graph::map(Mul, &[a.clone(), b.clone()]);
    let sub = |a: &NodeRef, b: &NodeRef| graph::map(Sub, &[a.clone(), b.clone()]);
    let scalar = |value: f64| graph::full(Shape::scalar(), x.dtype(), value);
    let mean = |node: &NodeRef| {
        let sum = graph::apply(Reduce::new(Combine::Sum, vec![rules.axis], KeepAxes::Yes), std::slice::from_ref(node))?;
        graph::map(Div, &[sum, scalar(rules.rows[rules.axis] as f64)])
    };
    let rows = graph::reshape(x, &rules.rows)?;
    let centered = if rules.center == Center::Mean { sub(&rows, &mean(&rows)?)? } else { rows };
    let variance = mean(&mul(&centered, &centered)?)?;
    let scale = graph::map(Rsqrt, &[graph::map(Add, &[variance, scalar(rules.epsilon)])?])?;
    let normal = mul(&centered, &scale)?;
    let received = match cx.inputs.get(1) {
        Some(weight) => mul(d, &graph::reshape(weight, &rules.weights)?)?,
        None => d.clone(),
    };
    let received = graph::reshape(&received, &rules.rows)?;
    let along = mul(&normal, &mean(&mul(&received, &normal)?)?)?;
    let mut rest = sub(&received, &along)?;
    if rules.center == Center::Mean {
        rest = sub(&rest, &mean(&received)?)?;
    }
    let mut given = vec![Some(graph::reshape(&mul(&scale, &rest)?, x.shape())?)];
    if let Some(weight) = cx.inputs.get(1) {
        let by_weight = mul(d, &graph::reshape(&normal, x.shape())?)?;
        given.push(Some(graph::reshape(&graph::sum_to(&by_weight, &rules.weights)?, weight.shape())?));
    }
    if let Some(bias) = cx.inputs.get(2) {
        given.push(Some(graph::reshape(&graph::sum_to(d, &rules.weights)?, bias.shape())?));
    }
    Ok(given)
}
