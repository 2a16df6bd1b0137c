//! Derivative rules, written with other operations. Sources: M. Giles, *Collected matrix derivative results* (2008); J. Townsend,
//! *Differentiating the singular value decomposition* (2016); S. Walter and L. Lehmann, *Algorithmic differentiation of linear
//! algebra functions* (2010).

use super::{Factorize, QrMode, Vectors};
use crate::graph::{self, NodeRef};
use crate::matrices::{ABOVE, BELOW, LOWER, UPPER, Weights, folded, product, transpose, two, weighted};
use crate::op::{Op, VjpCx};
use crate::ops::concat::Concat;
use crate::ops::scatter_add::ScatterAdd;
use crate::ops::triangular_solve::TriangularSolve;
use tilework_core::dtype::DType;
use tilework_core::expr::ScalarOp;
use tilework_core::shape::Shape;
use tilework_core::{Error, ErrorKind, Result};

const DIAGONAL: Weights = Weights { below: 0.0, on: 1.0, above: 0.0 };
const OFF_DIAGONAL: Weights = Weights { below: 1.0, on: 0.0, above: 1.0 };

/// The adjoint of the matrix.
pub(super) fn adjoint(op: Factorize, cx: &VjpCx<'_>) -> Result<NodeRef> {
    let shape = cx.inputs[0].shape();
    let (_, [m, n]) = super::sizes(op.signature().name, shape)?;
    let parts = op.split(cx.output, shape)?;
    let given = op.split(cx.adjoint, shape)?;
    match op {
        Factorize::Lu if m == n => lu(&parts, &given),
        Factorize::Qr(QrMode::Reduced) if m >= n => qr(&parts, &given),
        Factorize::Qr(QrMode::Complete) if m == n => qr(&parts, &given),
        Factorize::Qr(_) if m < n => wide_qr(&cx.inputs[0], &parts, &given),
        Factorize::Svd(Vectors::None) => singular_values(cx, &given[0]),
        Factorize::Svd(Vectors::Reduced) => svd(&parts, &given),
        Factorize::Svd(Vectors::Full) if m == n => svd(&parts, &given),
        Factorize::Eigh(Vectors::None) => eigenvalues(cx, &given[0]),
        Factorize::Eigh(_) => eigh(&parts, &given),
        _ => {
            let message = format!("{op:?} of {shape} has no derivative rule");
            Err(Error::new(ErrorKind::Unsupported, op.signature().name, message))
        }
    }
}

/// A vector for each matrix, as a row that broadcasts down.
fn as_row(vector: &NodeRef) -> Result<NodeRef> {
    let &[ref batch @ .., n] = &vector.shape()[..] else { return Ok(vector.clone()) };
    graph::reshape(vector, &Shape::new("factorize", [batch, &[1, n]].concat())?)
}

fn as_column(vector: &NodeRef) -> Result<NodeRef> {
    transpose(&as_row(vector)?)
}

fn mul(a: &NodeRef, b: &NodeRef) -> Result<NodeRef> {
    two(ScalarOp::Mul, a, b)
}

fn add(a: &NodeRef, b: &NodeRef) -> Result<NodeRef> {
    two(ScalarOp::Add, a, b)
}

fn sub(a: &NodeRef, b: &NodeRef) -> Result<NodeRef> {
    two(ScalarOp::Sub, a, b)
}

fn square_with(vector: &NodeRef) -> Result<NodeRef> {
    let &[ref batch @ .., n] = &vector.shape()[..] else { return Ok(vector.clone()) };
    let full = graph::expand(&as_row(vector)?, &Shape::new("factorize", [batch, &[n, n]].concat())?)?;
    weighted(&full, DIAGONAL)
}

/// Each element divided by the difference of the values of its column and its row; 0 on the diagonal.
fn over_differences(matrix: &NodeRef, values: &NodeRef) -> Result<NodeRef> {
    let differences = sub(&as_row(values)?, &as_column(values)?)?;
    weighted(&two(ScalarOp::Div, matrix, &differences)?, OFF_DIAGONAL)
}

/// `A[rows] = L·U`: the adjoint of `A[rows]` is `L⁻ᵀ·(below(Lᵀ·L̄) + upper(Ū·Uᵀ))·U⁻ᵀ`; its rows go back to their places.
fn lu(parts: &[NodeRef], given: &[NodeRef]) -> Result<NodeRef> {
    let (packed, d) = (&parts[0], &given[0]);
    let unit = weighted(packed, BELOW)?;
    let (d_l, d_u) = (weighted(d, BELOW)?, weighted(d, UPPER)?);
    // Lᵀ·L̄ below the diagonal, where the ones of L add L̄ itself.
    let from_l = weighted(&add(&product(&transpose(&unit)?, &d_l)?, &d_l)?, BELOW)?;
    let from_u = weighted(&product(&d_u, &transpose(&weighted(packed, UPPER)?)?)?, UPPER)?;
    let inner = add(&from_l, &from_u)?;
    let left = graph::apply(TriangularSolve::lower().unit().transposed(), &[packed.clone(), inner])?;
    let both = transpose(&graph::apply(TriangularSolve::upper(), &[packed.clone(), transpose(&left)?])?)?;
    let n = packed.shape()[packed.shape().rank() - 1];
    let n_rows = parts[1].shape().n_elements();
    let flat = Shape::new("lu_packed", vec![n_rows])?;
    let rows = graph::reshape(&graph::cast(&parts[1], DType::I32), &flat)?;
    let number = graph::full(Shape::scalar(), DType::I32, n.max(1) as f64);
    let batch = two(ScalarOp::FloorDiv, &graph::cast(&graph::iota(flat), DType::I32), &number)?;
    let places = add(&mul(&batch, &number)?, &rows)?;
    let flat_rows = graph::reshape(&both, &Shape::new("lu_packed", vec![n_rows, n])?)?;
    let moved = graph::apply(ScatterAdd::new(0, n_rows), &[flat_rows, places])?;
    graph::reshape(&moved, packed.shape())
}

/// `Ā = (Q̄ + Q·C)·R⁻ᵀ`, where C mirrors the lower triangle of `R·R̄ᵀ − Q̄ᵀ·Q`.
fn qr(parts: &[NodeRef], given: &[NodeRef]) -> Result<NodeRef> {
    let (q, r, d_q) = (&parts[0], &parts[1], &given[0]);
    let d_r = weighted(&given[1], UPPER)?;
    let m = sub(&product(r, &transpose(&d_r)?)?, &product(&transpose(d_q)?, q)?)?;
    let mirrored = add(&weighted(&m, LOWER)?, &weighted(&transpose(&m)?, ABOVE)?)?;
    let right = add(d_q, &product(q, &mirrored)?)?;
    transpose(&graph::apply(TriangularSolve::upper(), &[r.clone(), transpose(&right)?])?)
}

/// A wide matrix is `[X Y]` with `X = Q·U` and `V = Qᵀ·Y`, where `R = [U V]`: Y receives `Q·V̄`, and Q receives `Y·V̄ᵀ` besides.
fn wide_qr(a: &NodeRef, parts: &[NodeRef], given: &[NodeRef]) -> Result<NodeRef> {
    let last = a.shape().rank() - 1;
    let (m, n) = (a.shape()[last - 1], a.shape()[last]);
    let left = |x: &NodeRef| graph::slice(x, last, 0, 1, m);
    let right = |x: &NodeRef| graph::slice(x, last, m, 1, n - m);
    let (q, d_v) = (&parts[0], right(&given[1])?);
    let d_q = add(&given[0], &product(&right(a)?, &transpose(&d_v)?)?)?;
    let d_x = qr(&[q.clone(), left(&parts[1])?], &[d_q, left(&given[1])?])?;
    graph::apply(Concat::new(last), &[d_x, product(q, &d_v)?])
}

/// `Ā = U·diag(s̄)·Vᵀ`.
fn singular_values(cx: &VjpCx<'_>, d_s: &NodeRef) -> Result<NodeRef> {
    let op = Factorize::Svd(Vectors::Reduced);
    let parts = op.split(&graph::apply(op, cx.inputs)?, cx.inputs[0].shape())?;
    product(&mul(&parts[0], &as_row(d_s)?)?, &parts[2])
}

/// With `F_ij = 1/(s_j² − s_i²)`, `P = Uᵀ·Ū` and `R = Vᵀ·V̄`:
/// `Ā = U·[(F∘(P − Pᵀ))·S + S·(F∘(R − Rᵀ)) + diag(s̄)]·Vᵀ + (Ū − U·P)·S⁻¹·Vᵀ + U·S⁻¹·(V̄ᵀ − Rᵀ·Vᵀ)`.
fn svd(parts: &[NodeRef], given: &[NodeRef]) -> Result<NodeRef> {
    let ([u, s, vt], [d_u, d_s, d_vt]) = (parts, given) else {
        return Err(Error::argument("svd_packed", "has three parts"));
    };
    let p = product(&transpose(u)?, d_u)?;
    let r = product(vt, &transpose(d_vt)?)?;
    let squares = mul(s, s)?;
    let antisymmetric = |x: &NodeRef| over_differences(&sub(x, &transpose(x)?)?, &squares);
    let from_u = mul(&antisymmetric(&p)?, &as_row(s)?)?;
    let from_v = mul(&antisymmetric(&r)?, &as_column(s)?)?;
    let core = add(&add(&from_u, &from_v)?, &square_with(d_s)?)?;
    let inside = product(&product(u, &core)?, vt)?;
    let over = |x: &NodeRef, s: &NodeRef| two(ScalarOp::Div, x, s);
    let left = product(&over(&sub(d_u, &product(u, &p)?)?, &as_row(s)?)?, vt)?;
    let right = product(&over(u, &as_row(s)?)?, &sub(d_vt, &product(&transpose(&r)?, vt)?)?)?;
    add(&inside, &add(&left, &right)?)
}

/// `V·diag(w̄)·Vᵀ`, folded onto the lower triangle, which is all that is read.
fn eigenvalues(cx: &VjpCx<'_>, d_w: &NodeRef) -> Result<NodeRef> {
    let op = Factorize::Eigh(Vectors::Reduced);
    let parts = op.split(&graph::apply(op, cx.inputs)?, cx.inputs[0].shape())?;
    folded(&product(&mul(&parts[1], &as_row(d_w)?)?, &transpose(&parts[1])?)?)
}

/// `V·(diag(w̄) + E∘(Vᵀ·V̄))·Vᵀ` with `E_ij = 1/(w_j − w_i)`, folded onto the lower triangle.
fn eigh(parts: &[NodeRef], given: &[NodeRef]) -> Result<NodeRef> {
    let (w, v) = (&parts[0], &parts[1]);
    let turned = over_differences(&product(&transpose(v)?, &given[1])?, w)?;
    let inner = add(&turned, &square_with(&given[0])?)?;
    folded(&product(&product(v, &inner)?, &transpose(v)?)?)
}
