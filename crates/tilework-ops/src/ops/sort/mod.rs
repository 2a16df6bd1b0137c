//! Sorting along an axis: the elements in order, or the positions they come from.
//!
//! The order is total and stable. NaN comes last, ascending and descending; 0 and −0 are equal and keep their order, as do all
//! equal elements, also when descending. Nothing sorted is nothing. On the CPU every NaN comes out as the same one.

mod cases;
pub(crate) mod cpu;
pub(crate) mod gpu;
mod quick;
pub(crate) mod reference;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::CpuCx;
use crate::graph::{self, NodeRef};
#[cfg(feature = "batch")]
use crate::op::Batched;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::ops::gather::Gather;
use crate::ops::scatter_add::ScatterAdd;
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::expr::ScalarOp;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
pub use tilework_vm::radix::Order;

/// What a sort gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// The elements.
    Values,
    /// Their positions along the axis, as int32.
    Indices,
}

/// A sort of `axis`.
#[derive(Clone, Debug)]
pub struct Sort {
    pub(crate) axis: usize,
    pub(crate) order: Order,
    pub(crate) output: Output,
    /// How many of the first are kept; all if `None`.
    pub(crate) n_kept: Option<usize>,
}

impl Sort {
    /// Sorts along `axis`.
    pub fn new(axis: usize, order: Order, output: Output) -> Sort {
        Sort { axis, order, output, n_kept: None }
    }

    /// Sizes before, along and after the axis.
    fn split(&self, sizes: &[usize]) -> (usize, usize, usize) {
        Gather::split(self.axis, sizes)
    }

    fn n_kept(&self, n_cols: usize) -> usize {
        self.n_kept.unwrap_or(n_cols)
    }

    /// The adjoint of the input: the order of the order is where each element went, so that its adjoint can be picked there.
    fn adjoint(&self, x: &NodeRef, d: &NodeRef) -> Result<NodeRef> {
        let indices = graph::apply(Sort { output: Output::Indices, ..self.clone() }, std::slice::from_ref(x))?;
        let inverse = graph::apply(Sort::new(self.axis, Order::Ascending, Output::Indices), &[indices])?;
        let places = places_along(&inverse, self.axis, x.shape()[self.axis])?;
        let flat = graph::reshape(d, places.shape())?;
        graph::reshape(&graph::apply(Gather::new(0), &[flat, places])?, x.shape())
    }
}

/// The adjoint `d` of elements that were picked along `axis` of `x` at the positions that `indices` gives, back in their places.
pub(crate) fn sent_back(indices: impl Op, axis: usize, x: &NodeRef, d: &NodeRef) -> Result<NodeRef> {
    let indices = graph::apply(indices, std::slice::from_ref(x))?;
    let places = places_along(&indices, axis, x.shape()[axis])?;
    let flat = graph::reshape(d, places.shape())?;
    graph::reshape(&graph::apply(ScatterAdd::new(0, x.shape().n_elements()), &[flat, places])?, x.shape())
}

/// Row-major positions, in one row, in an array like `indices` but with `n_axis` elements along `axis`, of the elements that
/// `indices` name along that axis.
pub fn places_along(indices: &NodeRef, axis: usize, n_axis: usize) -> Result<NodeRef> {
    let shape = indices.shape();
    let (_, n_cols, n_inner) = Gather::split(axis, shape);
    let number = |n: usize| graph::full(Shape::scalar(), DType::I32, n as f64);
    let two = |op: ScalarOp, a: &NodeRef, b: &NodeRef| graph::map(op, &[a.clone(), b.clone()]);
    let here = graph::cast(&graph::iota(shape.clone()), DType::I32);
    let outer = two(ScalarOp::FloorDiv, &here, &number((n_cols * n_inner).max(1)))?;
    let inner = two(ScalarOp::Rem, &here, &number(n_inner.max(1)))?;
    let row = two(ScalarOp::Add, &two(ScalarOp::Mul, &outer, &number(n_axis))?, indices)?;
    let places = two(ScalarOp::Add, &two(ScalarOp::Mul, &row, &number(n_inner))?, &inner)?;
    graph::reshape(&places, &Shape::new("sort", vec![shape.n_elements()])?)
}

impl Op for Sort {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        let n_kept = self.n_kept.map_or(u32::MAX, |n| n as u32);
        words.extend([self.axis as u32, self.order as u32, self.output as u32, n_kept]);
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [x] = inputs else { return Err(Error::argument("sort", "takes one input")) };
        if self.axis >= x.shape.rank() {
            return Err(Error::shape("sort", format!("axis {} is out of range for {}", self.axis, x.shape)));
        }
        let dtype = if self.output == Output::Indices { DType::I32 } else { x.dtype };
        Ok(Meta { shape: x.shape.clone(), dtype })
    }

    fn input_form(&self, _index: usize) -> InputForm {
        // Every digit reads the elements twice, and the result reads them in another order.
        InputForm::Strided
    }

    fn n_scratch_buffers(&self) -> usize {
        3
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        cpu::sort(self, cx, out)
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        Ok(gpu::plan(self, cx))
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        match self.output {
            Output::Values => Ok(vec![Some(self.adjoint(&cx.inputs[0], cx.adjoint)?)]),
            Output::Indices => Ok(vec![None]),
        }
    }

    #[cfg(feature = "batch")]
    fn batched(&self, _has_axis: &[bool]) -> Batched {
        Batched::Each(Arc::new(Sort { axis: self.axis + 1, ..self.clone() }))
    }

    fn flops(&self, inputs: &[Meta], _out: &Meta) -> f64 {
        20.0 * inputs[0].shape.n_elements() as f64
    }
}

impl Reference for Sort {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::sort(self, &inputs[0], out)
    }
}

/// The choices of an order.
pub(crate) const ORDERS: [(&str, Order); 2] = [("ascending", Order::Ascending), ("descending", Order::Descending)];
/// The choices of an output.
pub(crate) const OUTPUTS: [(&str, Output); 2] = [("values", Output::Values), ("indices", Output::Indices)];

static SIGNATURE: OpSignature = OpSignature {
    name: "sort",
    inputs: &["x"],
    attributes: &[
        Attribute::required("axis", AttrKind::Axis, "axis that is sorted"),
        Attribute::optional(
            "order",
            AttrKind::Choice(&["ascending", "descending"]),
            "which end comes first; ascending unless told",
        ),
        Attribute::optional(
            "output",
            AttrKind::Choice(&["values", "indices"]),
            "the elements, or their positions along the axis; values unless told",
        ),
    ],
    doc: crate::op::said(
        "Elements along an axis in order, or the positions they come from. Equal elements keep their order, 0 and -0 among them; NaN comes last in either order. Nothing sorted is nothing.",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    let order = given.choice("order", &ORDERS, Some(Order::Ascending))?;
    let output = given.choice("output", &OUTPUTS, Some(Output::Values))?;
    Ok(Arc::new(Sort::new(given.required_axis("axis")?, order, output)))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: gpu::KERNELS };

#[cfg(test)]
mod tests;
