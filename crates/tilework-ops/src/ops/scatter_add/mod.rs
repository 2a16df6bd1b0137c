//! Sums rows into the places their indices name: the reverse of a gather.
//!
//! Without float atomics a sum in arrival order would be impossible anyway, and it would not be reproducible. Instead every
//! place of the result looks through the indices for those that name it and adds them in order: the same bits on every run.
//! That costs `n_axis · n_indices` comparisons, cheap next to the rows they guard unless both are large.

mod cases;
mod reference;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::{CpuCx, HAS_DOUBLE, for_each_num};
use crate::graph::{self, NodeRef};
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::ops::gather::{Gather, indices_of, resolve};
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::emit::KernelBuilder;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
use tilework_vm::Float;

const SCATTER_ADD: &str = tilework_core::wgsl!("scatter_add.wgsl");

/// Sums along `axis` into an array with `n_axis` places there.
#[derive(Clone, Debug)]
pub struct ScatterAdd {
    axis: usize,
    n_axis: usize,
}

impl ScatterAdd {
    /// Sums along `axis` into `n_axis` places.
    pub fn new(axis: usize, n_axis: usize) -> ScatterAdd {
        ScatterAdd { axis, n_axis }
    }

    /// Sizes before the indexed axes, of the indices, and after them.
    fn split(&self, x: &[usize], n_index_axes: usize) -> (usize, usize, usize) {
        let after = self.axis + n_index_axes;
        (x[..self.axis].iter().product(), x[self.axis..after].iter().product(), x[after..].iter().product())
    }
}

impl Op for ScatterAdd {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        words.extend([self.axis as u32, self.n_axis as u32]);
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [x, indices] = inputs else { return Err(Error::argument("scatter_add", "takes two inputs")) };
        let after = self.axis + indices.shape.rank();
        if after > x.shape.rank() || x.shape[self.axis..after] != indices.shape[..] {
            return Err(Error::shape(
                "scatter_add",
                format!("{} does not have the indices' shape {} at axis {}", x.shape, indices.shape, self.axis),
            ));
        }
        if indices.dtype != DType::I32 || !x.dtype.is_float() {
            return Err(Error::dtype(
                "scatter_add",
                format!("needs floats by int32, got {} by {}", x.dtype, indices.dtype),
            ));
        }
        if self.n_axis == 0 && indices.shape.n_elements() > 0 {
            return Err(Error::shape("scatter_add", "has no places to add to"));
        }
        let sizes = [&x.shape[..self.axis], &[self.n_axis][..], &x.shape[after..]].concat();
        Ok(Meta { shape: Shape::new("scatter_add", sizes)?, dtype: x.dtype })
    }

    fn input_form(&self, index: usize) -> InputForm {
        // The rows are read as often as places name them (once each), the indices once per place.
        InputForm::Elements { n_reads: if index == 0 { 1 } else { 8 } }
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        match out {
            HostBuffer::F32(out) => self.sum(cx, out),
            HostBuffer::F64(out) if HAS_DOUBLE => self.sum(cx, out),
            _ => return Err(Error::dtype("scatter_add", "needs floats")),
        }
        Ok(())
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let (_, n_indices, n_inner) = self.split(&cx.inputs[0].grid, cx.inputs[1].grid.rank());
        let n = cx.out.shape.n_elements();
        let builder = KernelBuilder::new("scatter_add")
            .file(SCATTER_ADD)
            .param("n_elements", n as u32)
            .param("n_indices", n_indices as u32)
            .param("n_axis", self.n_axis.max(1) as u32)
            .param("n_inner", n_inner.max(1) as u32);
        let builder = cx.sink(cx.source(cx.source(builder, "x", 0), "index_at", 1), "y");
        Ok(vec![builder.build(cx.workgroups(n.div_ceil(256)))])
    }

    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        let picked = graph::apply(Gather::new(self.axis), &[cx.adjoint.clone(), cx.inputs[1].clone()])?;
        Ok(vec![Some(picked), None])
    }

    fn flops(&self, inputs: &[Meta], _out: &Meta) -> f64 {
        inputs[0].shape.n_elements() as f64
    }
}

impl Reference for ScatterAdd {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::scatter_add(self, inputs, out)
    }
}

impl ScatterAdd {
    fn sum<F: Float>(&self, cx: &CpuCx<'_>, out: &mut [F]) {
        let (_, n_indices, n_inner) = self.split(&cx.inputs[0].fused.grid, cx.inputs[1].fused.grid.rank());
        let indices = indices_of(&cx.inputs[1]);
        out.fill(F::from_f64(0.0));
        if out.is_empty() {
            return;
        }
        // One outer slice is independent of the others; within it rows are added in order of their indices.
        cx.threads.for_each_piece(out, self.n_axis * n_inner, |start, piece| {
            let outer = start / (self.n_axis * n_inner);
            let mut evaluator = cx.inputs[0].evaluator::<F>();
            for (j, &index) in indices.iter().enumerate() {
                let place = resolve(index, self.n_axis) * n_inner;
                let from = (outer * n_indices + j) * n_inner;
                for_each_num(&mut evaluator, from..from + n_inner, |at, chunk| {
                    let target = &mut piece[place + at - from..][..chunk.len()];
                    target.iter_mut().zip(chunk).for_each(|(y, &x)| *y = y.add(x));
                });
            }
        });
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "scatter_add",
    inputs: &["x", "indices"],
    attributes: &[
        Attribute::required("axis", AttrKind::Axis, "axis of the result that is indexed"),
        Attribute::required("n_axis", AttrKind::Size, "its size"),
    ],
    doc: "Adds each row of x to the place of the result that its index names, in order, so that the sum is reproducible. The reverse of gather.",
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(ScatterAdd::new(given.required_axis("axis")?, given.size("n_axis")?)))
}

/// This operation's line in the registry.
pub const ENTRY: Entry =
    Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: &[("scatter_add.wgsl", SCATTER_ADD)] };
