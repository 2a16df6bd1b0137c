//! Matrix products: `[.., m, k] · [.., k, n] → [.., m, n]`, batched with broadcasting, any strides.
//!
//! Operands are read by address, so a transposed or sliced matrix costs no copy. What follows a product element by element
//! (bias, activation) is spliced into the kernel's store.

mod cases;
pub(crate) mod cpu;
pub(crate) mod gpu;
mod reference;

use crate::attrs::Given;
use crate::cpu::CpuCx;
use crate::graph::{self, NodeKind, NodeRef, View};
#[cfg(feature = "batch")]
use crate::op::Batched;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, Variants, VjpCx};
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::layout::Layout;
use tilework_core::plan::{Caps, Pass};
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

/// The product of two arrays of matrices.
#[derive(Clone, Debug)]
pub struct Matmul;

/// Sizes of a product.
#[derive(Clone, Debug)]
pub(crate) struct Sizes {
    /// Batch axes after broadcasting.
    pub(crate) batch: Shape,
    pub(crate) m: usize,
    pub(crate) k: usize,
    pub(crate) n: usize,
}

impl Sizes {
    fn of(a: &Shape, b: &Shape) -> Result<Sizes> {
        let mismatch = |why: &str| Error::shape("matmul", format!("{why}: {a} · {b}"));
        let (&[ref a_batch @ .., m, k], &[ref b_batch @ .., k_b, n]) = (&**a, &**b) else {
            return Err(mismatch("needs at least two axes on both sides"));
        };
        if k != k_b {
            return Err(mismatch("inner sizes differ"));
        }
        let batch = Shape::broadcast("matmul", &Shape::new("matmul", a_batch)?, &Shape::new("matmul", b_batch)?)
            .map_err(|_| mismatch("batch axes do not broadcast together"))?;
        Ok(Sizes { batch, m, k, n })
    }

    /// Layout of an operand with its batch axes broadcast, as (offset of each batch element, row stride, column stride).
    pub(crate) fn operand(&self, layout: &Layout) -> Operand {
        let rank = layout.shape.rank();
        let matrix = [layout.shape[rank - 2], layout.shape[rank - 1]];
        let full: Vec<usize> = self.batch.iter().copied().chain(matrix).collect();
        let expanded = layout.expanded(&Shape::new("matmul", full).unwrap_or_default());
        let n_batch_axes = self.batch.rank();
        Operand {
            batch: Layout {
                shape: self.batch.clone(),
                strides: expanded.strides[..n_batch_axes].iter().copied().collect(),
                offset: expanded.offset,
            },
            row_stride: expanded.strides[n_batch_axes],
            col_stride: expanded.strides[n_batch_axes + 1],
        }
    }
}

/// How one operand lies in its buffer.
#[derive(Clone, Debug)]
pub(crate) struct Operand {
    pub(crate) batch: Layout,
    pub(crate) row_stride: isize,
    pub(crate) col_stride: isize,
}

impl Op for Matmul {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, _words: &mut Vec<u32>) {}

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [a, b] = inputs else { return Err(Error::argument("matmul", "takes two inputs")) };
        if a.dtype != b.dtype || !a.dtype.is_float() {
            return Err(Error::dtype(
                "matmul",
                format!("needs two arrays of one float type, got {} and {}", a.dtype, b.dtype),
            ));
        }
        let sizes = Sizes::of(&a.shape, &b.shape)?;
        let shape: Vec<usize> = sizes.batch.iter().copied().chain([sizes.m, sizes.n]).collect();
        Ok(Meta { shape: Shape::new("matmul", shape)?, dtype: a.dtype })
    }

    fn input_form(&self, _index: usize) -> InputForm {
        InputForm::Strided
    }

    fn input_form_of(&self, index: usize, inputs: &[Meta]) -> InputForm {
        let [a, b] = inputs else { return InputForm::Strided };
        let Ok(sizes) = Sizes::of(&a.shape, &b.shape) else { return InputForm::Strided };
        // A matrix that meets a few vectors is read once, or once for each element of the batch: an expression can be computed on
        // the way. Other operands are read again for every tile.
        if gpu::matrix_of_vectors(&sizes) != Some(index) || a.dtype == DType::F64 {
            return InputForm::Strided;
        }
        let n_own = inputs[index].shape.n_elements() / (sizes.k * sizes.m.max(sizes.n)).max(1);
        InputForm::Elements { n_reads: sizes.batch.n_elements().div_ceil(n_own.max(1)) }
    }

    fn reads_halves(&self, _index: usize) -> bool {
        true
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        cpu::matmul(cx, out)
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let variants = self.variants(cx.metas, cx.caps);
        gpu::plan(cx, &variants)
    }

    fn variants(&self, inputs: &[Meta], caps: &Caps) -> Variants {
        let sizes = inputs.first().zip(inputs.get(1)).and_then(|(a, b)| Sizes::of(&a.shape, &b.shape).ok());
        sizes.map_or_else(Variants::default, |sizes| gpu::variants(&sizes, caps))
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        let (a, b, d) = (&cx.inputs[0], &cx.inputs[1], cx.adjoint);
        let d_a = product_stored_as(a, d, &transposed(b)?)?;
        let d_b = product_stored_as(b, &transposed(a)?, d)?;
        Ok(vec![Some(graph::sum_to(&d_a, a.shape())?), Some(graph::sum_to(&d_b, b.shape())?)])
    }

    #[cfg(feature = "batch")]
    fn batched(&self, _has_axis: &[bool]) -> Batched {
        Batched::Broadcast(Arc::new(Matmul))
    }

    fn flops(&self, inputs: &[Meta], out: &Meta) -> f64 {
        let k = inputs[0].shape.last().copied().unwrap_or(0);
        2.0 * out.shape.n_elements() as f64 * k as f64
    }

    fn is_dense(&self) -> bool {
        true
    }
}

/// `left·right`, in memory the way `like` is: the gradient of a transposed matrix is then in the order of the matrix itself,
/// whose users (an optimizer's state, say) read it row by row. `(left·right)ᵀ = rightᵀ·leftᵀ` is as much work.
fn product_stored_as(like: &NodeRef, left: &NodeRef, right: &NodeRef) -> Result<NodeRef> {
    let rank = like.shape().rank();
    let is_transposed = match &like.kind {
        NodeKind::View(View::Permute(order)) => order[rank - 2..] == [rank - 1, rank - 2],
        _ => false,
    };
    match is_transposed {
        false => graph::apply(Matmul, &[left.clone(), right.clone()]),
        true => transposed(&graph::apply(Matmul, &[transposed(right)?, transposed(left)?])?),
    }
}

/// With the last two axes exchanged.
fn transposed(node: &NodeRef) -> Result<NodeRef> {
    let rank = node.shape().rank() as isize;
    let order: Vec<isize> = (0..rank - 2).chain([rank - 1, rank - 2]).collect();
    graph::permute(node, &order)
}

impl Reference for Matmul {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::matmul(inputs, out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "matmul",
    inputs: &["a", "b"],
    attributes: &[],
    doc: crate::op::said("Matrix product over the last two axes; the axes before them broadcast together."),
};

fn build(_given: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(Matmul))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: gpu::KERNELS };
