//! The largest (or smallest) elements along an axis, or their positions.
//!
//! The order is that of a sort: the first of equals comes first, NaN after everything else, so that it is among the largest only
//! if there are not enough numbers. On the CPU the elements are found by partitioning; a GPU sorts and keeps the first.

mod cases;
mod reference;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::CpuCx;
use crate::graph::NodeRef;
#[cfg(feature = "batch")]
use crate::op::Batched;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::ops::sort::{self, OUTPUTS, Order, Output, Sort};
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

/// The first `k` of the sorted axis.
#[derive(Clone, Debug)]
pub struct TopK {
    k: usize,
    sort: Sort,
}

impl TopK {
    /// The first `k` along `axis` in this order: descending for the largest.
    pub fn new(k: usize, axis: usize, order: Order, output: Output) -> TopK {
        TopK { k, sort: Sort { n_kept: Some(k), ..Sort::new(axis, order, output) } }
    }
}

impl Op for TopK {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        self.sort.encode(words);
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [x] = inputs else { return Err(Error::argument("top_k", "takes one input")) };
        let axis = self.sort.axis;
        let Some(&size) = x.shape.get(axis) else {
            return Err(Error::shape("top_k", format!("axis {axis} is out of range for {}", x.shape)));
        };
        if self.k > size {
            return Err(Error::shape(
                "top_k",
                format!("axis {axis} of {} has fewer than {} elements", x.shape, self.k),
            ));
        }
        let mut sizes = x.shape.to_vec();
        sizes[axis] = self.k;
        Ok(Meta { shape: Shape::new("top_k", sizes)?, dtype: self.sort.infer(inputs)?.dtype })
    }

    fn input_form(&self, index: usize) -> InputForm {
        self.sort.input_form(index)
    }

    fn n_scratch_buffers(&self) -> usize {
        self.sort.n_scratch_buffers()
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        sort::cpu::sort(&self.sort, cx, out)
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        Ok(sort::gpu::plan(&self.sort, cx))
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        if self.sort.output == Output::Indices {
            return Ok(vec![None]);
        }
        let indices = TopK { sort: Sort { output: Output::Indices, ..self.sort.clone() }, ..self.clone() };
        Ok(vec![Some(sort::sent_back(indices, self.sort.axis, &cx.inputs[0], cx.adjoint)?)])
    }

    #[cfg(feature = "batch")]
    fn batched(&self, _has_axis: &[bool]) -> Batched {
        let sort = Sort { axis: self.sort.axis + 1, ..self.sort.clone() };
        Batched::Each(Arc::new(TopK { sort, ..self.clone() }))
    }

    fn flops(&self, inputs: &[Meta], out: &Meta) -> f64 {
        self.sort.flops(inputs, out)
    }
}

impl Reference for TopK {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::top_k(self, &inputs[0], out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "top_k",
    inputs: &["x"],
    attributes: &[
        Attribute::required("k", AttrKind::Size, "how many are kept, at most the size of the axis"),
        Attribute::required("axis", AttrKind::Axis, "axis that is searched"),
        Attribute::optional(
            "extreme",
            AttrKind::Choice(&["largest", "smallest"]),
            "which end is looked for; largest unless told",
        ),
        Attribute::optional(
            "output",
            AttrKind::Choice(&["values", "indices"]),
            "the elements, or their positions along the axis; values unless told",
        ),
    ],
    doc: crate::op::said(
        "The k largest elements along an axis, the largest first, or their positions. The first of equals comes first; NaN comes after all numbers. k may be 0; more than there are is an error.",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    let extremes = [("largest", Order::Descending), ("smallest", Order::Ascending)];
    let order = given.choice("extreme", &extremes, Some(Order::Descending))?;
    let output = given.choice("output", &OUTPUTS, Some(Output::Values))?;
    Ok(Arc::new(TopK::new(given.size("k")?, given.required_axis("axis")?, order, output)))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: sort::gpu::KERNELS };
