//! Cholesky factors: for a symmetric positive definite `A: [.., n, n]` the lower triangular `L` with `L·Lᵀ = A` and a positive
//! diagonal, zeros above it.
//!
//! Only the lower triangle of `A` is read, as if the upper one mirrored it; the derivative is accordingly that by the lower
//! triangle, and 0 above it. If `A` is not positive definite, the pivot of some column is not above 0: from that column on, every
//! element of the lower triangle is NaN, that is the diagonal of that row and the same columns of all rows after it. What comes
//! before that column is the factor as far as it exists.

mod cases;
pub(crate) mod cpu;
pub(crate) mod gpu;
mod reference;

use crate::attrs::Given;
use crate::cpu::CpuCx;
use crate::graph::{self, NodeRef};
use crate::matrices::{HALF_LOWER, LOWER, folded, product, transpose, weighted};
#[cfg(feature = "batch")]
use crate::op::Batched;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::ops::triangular_solve::TriangularSolve;
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::{Error, Result};

/// The lower factor of every matrix.
#[derive(Clone, Debug)]
pub struct Cholesky;

impl Cholesky {
    /// Number of matrices and their size.
    fn sizes(shape: &[usize]) -> (usize, usize) {
        let n_batch = shape[..shape.len() - 2].iter().product();
        (n_batch, shape[shape.len() - 1])
    }
}

/// Floats in square matrices, or an error that names them.
pub(crate) fn check_square(op: &'static str, a: &Meta) -> Result<()> {
    if !a.dtype.is_float() {
        return Err(Error::dtype(op, format!("needs floats, got {}", a.dtype)));
    }
    match &a.shape[..] {
        [.., n_rows, n_cols] if n_rows == n_cols => Ok(()),
        _ => Err(Error::shape(op, format!("needs square matrices in the last two axes, got {}", a.shape))),
    }
}

impl Op for Cholesky {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, _words: &mut Vec<u32>) {}

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [a] = inputs else { return Err(Error::argument("cholesky", "takes one input")) };
        check_square("cholesky", a)?;
        Ok(a.clone())
    }

    fn input_form(&self, _index: usize) -> InputForm {
        InputForm::Elements { n_reads: 2 }
    }

    fn n_scratch_buffers(&self) -> usize {
        2
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        cpu::cholesky(cx, out)
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        gpu::plan(cx)
    }

    /// `Ā = L⁻ᵀ·Φ(Lᵀ·L̄)·L⁻¹`, where Φ keeps the lower triangle with half of the diagonal, folded onto the lower triangle.
    /// (I. Murray, *Differentiation of the Cholesky decomposition*, 2016.)
    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        let l = cx.output;
        let inner = weighted(&product(&transpose(l)?, &weighted(cx.adjoint, LOWER)?)?, HALF_LOWER)?;
        let solve = |rhs: NodeRef| graph::apply(TriangularSolve::lower().transposed(), &[l.clone(), rhs]);
        let half_way = solve(inner)?;
        Ok(vec![Some(folded(&solve(transpose(&half_way)?)?)?)])
    }

    #[cfg(feature = "batch")]
    fn batched(&self, _has_axis: &[bool]) -> Batched {
        Batched::Each(Arc::new(Cholesky))
    }

    fn flops(&self, inputs: &[Meta], _out: &Meta) -> f64 {
        let (n_batch, n) = Cholesky::sizes(&inputs[0].shape);
        n_batch as f64 * (n as f64).powi(3) / 3.0
    }

    fn is_dense(&self) -> bool {
        true
    }
}

impl Reference for Cholesky {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::cholesky(&inputs[0], out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "cholesky",
    inputs: &["a"],
    attributes: &[],
    doc: crate::op::said(
        "Lower triangular factor L with L·Lᵀ = A of symmetric positive definite matrices in the last two axes, of which the lower triangle is read. Where a matrix is not positive definite, the lower triangle is NaN from the first column on whose pivot is not above 0.",
    ),
};

fn build(_given: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(Cholesky))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: gpu::KERNELS };
