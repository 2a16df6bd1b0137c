//! Puts rows into the places their indices name: a copy of an array with some of its rows replaced.
//!
//! Where several indices name one place, the last of them wins, on every machine: the winner of a place is the largest position
//! that names it, found before anything is stored.

mod cases;
mod cpu;
mod reference;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::CpuCx;
use crate::graph::{self, NodeRef};
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::ops::gather::Gather;
use crate::ops::scan::gpu::read_slot;
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::emit::KernelBuilder;
use tilework_core::expr::{Graph, ScalarOp, Value};
use tilework_core::fused::{Fused, Leaf, LeafSource};
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::layout::Layout;
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

const SCATTER: &str = tilework_core::wgsl!("scatter.wgsl");
const SCATTER_WINNERS: &str = tilework_core::wgsl!("scatter_winners.wgsl");

/// Replaces rows along `axis`.
#[derive(Clone, Debug)]
pub struct Scatter {
    axis: usize,
}

impl Scatter {
    /// Replaces rows along `axis`.
    pub fn new(axis: usize) -> Scatter {
        Scatter { axis }
    }

    /// The shape of the rows that `indices` put into `x`.
    fn rows_shape(&self, x: &Shape, indices: &Shape) -> Vec<usize> {
        [&x[..self.axis], &indices[..], &x[self.axis + 1..]].concat()
    }

    /// Which rows were not overwritten by a later one, in a shape that broadcasts over the rows.
    fn is_kept(&self, x: &NodeRef, indices: &NodeRef) -> Result<NodeRef> {
        let n_axis = Shape::new("scatter", vec![x.shape()[self.axis]])?;
        let own = graph::cast(&graph::iota(indices.shape().clone()), DType::I32);
        let none = graph::full(n_axis, DType::I32, 0.0);
        let last = graph::apply(Scatter::new(0), &[none, indices.clone(), own.clone()])?;
        let winner = graph::apply(Gather::new(0), &[last, indices.clone()])?;
        let kept = graph::map(ScalarOp::Eq, &[winner, own])?;
        let after = x.shape().rank() - self.axis - 1;
        let sizes: Vec<usize> = indices.shape().iter().copied().chain(std::iter::repeat_n(1, after)).collect();
        graph::reshape(&kept, &Shape::new("scatter", sizes)?)
    }
}

impl Op for Scatter {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        words.push(self.axis as u32);
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [x, indices, rows] = inputs else { return Err(Error::argument("scatter", "takes three inputs")) };
        if self.axis >= x.shape.rank() {
            return Err(Error::shape("scatter", format!("axis {} is out of range for {}", self.axis, x.shape)));
        }
        if indices.dtype != DType::I32 || rows.dtype != x.dtype {
            let message =
                format!("needs int32 indices and rows of {}, got {} and {}", x.dtype, indices.dtype, rows.dtype);
            return Err(Error::dtype("scatter", message));
        }
        if rows.shape[..] != self.rows_shape(&x.shape, &indices.shape)[..] {
            let message = format!(
                "rows {} do not fit indices {} along axis {} of {}",
                rows.shape, indices.shape, self.axis, x.shape
            );
            return Err(Error::shape("scatter", message));
        }
        if x.shape[self.axis] == 0 && indices.shape.n_elements() > 0 {
            return Err(Error::shape("scatter", format!("axis {} of {} has no places", self.axis, x.shape)));
        }
        Ok(x.clone())
    }

    fn input_form(&self, _index: usize) -> InputForm {
        InputForm::Elements { n_reads: 1 }
    }

    fn n_scratch_buffers(&self) -> usize {
        1
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        cpu::scatter(self, cx, out)
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let (_, n_axis, n_inner) = Gather::split(self.axis, &cx.inputs[0].grid);
        let n_indices = cx.inputs[1].grid.n_elements();
        let n = cx.out.shape.n_elements();
        let winners_slot = (cx.temp)((n_axis.max(1) * DType::U32.size_bytes()) as u64);
        let clear = KernelBuilder::map("scatter clear", &zeros(n_axis)?, &[], &[(winners_slot, DType::U32)]);
        let sizes = |label: &str, file| {
            KernelBuilder::new(label)
                .file(file)
                .param("n_indices", n_indices as u32)
                .param("n_axis", n_axis.max(1) as u32)
        };
        let winners = cx.source(sizes("scatter winners", SCATTER_WINNERS), "index_at", 1).raise("raise", winners_slot);
        let builder = sizes("scatter", SCATTER)
            .param("n_elements", n as u32)
            .param("n_inner", n_inner.max(1) as u32)
            .source("winner_at", &read_slot(DType::U32, n_axis), &[winners_slot.into()]);
        let builder = cx.sink(cx.source(cx.source(builder, "x", 0), "rows", 2), "y");
        Ok(vec![
            clear.build(cx.workgroups(n_axis.div_ceil(256))),
            winners.build(cx.workgroups(n_indices.div_ceil(256))),
            builder.build(cx.workgroups(n.div_ceil(256))),
        ])
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        let ([x, indices, rows], d) = (cx.inputs, cx.adjoint) else {
            return Err(Error::argument("scatter", "takes three inputs"));
        };
        let zero = |shape: &Shape| graph::full(shape.clone(), d.dtype(), 0.0);
        let d_x = graph::apply(self.clone(), &[d.clone(), indices.clone(), zero(rows.shape())])?;
        // A row that was overwritten has no part in the result.
        let picked = graph::apply(Gather::new(self.axis), &[d.clone(), indices.clone()])?;
        let kept = self.is_kept(x, indices)?;
        let d_rows = graph::map(ScalarOp::Select, &[kept, picked, zero(&Shape::scalar())])?;
        Ok(vec![Some(d_x), None, Some(d_rows)])
    }

    fn flops(&self, _inputs: &[Meta], out: &Meta) -> f64 {
        out.shape.n_elements() as f64
    }
}

/// `n` zeros as an expression.
fn zeros(n: usize) -> Result<Fused> {
    let graph = Graph::new();
    let root = graph.constant(Value::Uint(0)).id();
    let grid = Shape::new("scatter", vec![n])?;
    let unused = Leaf { source: LeafSource::Offset, layout: Layout::contiguous(grid.clone()) };
    Ok(Fused::new(&graph, &[root], grid, |_| unused.clone()))
}

impl Reference for Scatter {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::scatter(self, inputs, out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "scatter",
    inputs: &["x", "indices", "rows"],
    attributes: &[Attribute::required("axis", AttrKind::Axis, "axis that is indexed")],
    doc: crate::op::said(
        "A copy of x in which the places that integer indices name along an axis are replaced by rows, in whose shape that of the indices takes the axis' place. Where indices are equal, the last wins. Negative indices count from the end, and those out of range are moved to the nearest end.",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(Scatter::new(given.required_axis("axis")?)))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry {
    signature: &SIGNATURE,
    build,
    cases: cases::cases,
    kernels: &[("scatter.wgsl", SCATTER), ("scatter_winners.wgsl", SCATTER_WINNERS)],
};
