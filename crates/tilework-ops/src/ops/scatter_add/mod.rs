//! Sums rows into the places their indices name: the reverse of a gather.
//!
//! Without float atomics a sum in arrival order would be impossible anyway, and it would not be reproducible. Instead every
//! place of the result adds the rows whose indices name it in order: the same bits on every run. On a GPU a place finds them by
//! looking through all indices or, where that would be `n_axis · n_indices` comparisons too many, because they were sorted.

mod cases;
pub(crate) mod gpu;
mod reference;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::{CpuCx, HAS_DOUBLE, for_each_num};
use crate::graph::{self, NodeRef};
#[cfg(feature = "batch")]
use crate::op::Batched;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, Variants, VjpCx};
use crate::ops::gather::{Gather, indices_of, resolve};
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::{Caps, Pass};
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
use tilework_vm::Float;

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

    fn sizes(&self, x: &[usize], n_index_axes: usize) -> gpu::Sizes {
        let (n_outer, n_indices, n_inner) = self.split(x, n_index_axes);
        gpu::Sizes { n_outer, n_indices, n_axis: self.n_axis, n_inner }
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
        let sizes = self.sizes(&cx.inputs[0].grid, cx.inputs[1].grid.rank());
        Ok(gpu::plan(self, &sizes, cx))
    }

    fn variants(&self, inputs: &[Meta], _caps: &Caps) -> Variants {
        match inputs {
            [x, indices] if self.axis + indices.shape.rank() <= x.shape.rank() => {
                gpu::variants(&self.sizes(&x.shape, indices.shape.rank()))
            }
            _ => Variants::default(),
        }
    }

    fn n_scratch_buffers(&self) -> usize {
        3
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        let picked = graph::apply(Gather::new(self.axis), &[cx.adjoint.clone(), cx.inputs[1].clone()])?;
        Ok(vec![Some(picked), None])
    }

    #[cfg(feature = "batch")]
    fn batched(&self, has_axis: &[bool]) -> Batched {
        match has_axis {
            [true, false] => Batched::AsTheyAre(Arc::new(ScatterAdd::new(self.axis + 1, self.n_axis))),
            _ => Batched::Slices,
        }
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
        let places: Vec<usize> = indices.iter().map(|&index| resolve(index, self.n_axis) * n_inner).collect();
        // One outer slice is independent of the others; within it rows are added in order of their indices.
        cx.threads.for_each_piece(out, self.n_axis * n_inner, |start, piece| {
            let from = start / (self.n_axis * n_inner) * n_indices * n_inner;
            let mut evaluator = cx.inputs[0].evaluator::<F>();
            for_each_num(&mut evaluator, from..from + n_indices * n_inner, |at, chunk| {
                for_each_run(&places, n_inner, at - from, chunk, |place, run| {
                    let target = &mut piece[place..][..run.len()];
                    target.iter_mut().zip(run).for_each(|(y, &x)| *y = y.add(x));
                });
            });
        });
    }
}

/// Calls `visit(place, run)` for the parts of `chunk`, the elements from `start` on of rows of `n_inner`, that belong to one row
/// each; row `j` goes to `places[j]`.
pub(crate) fn for_each_run<T>(
    places: &[usize],
    n_inner: usize,
    start: usize,
    chunk: &[T],
    mut visit: impl FnMut(usize, &[T]),
) {
    if n_inner == 1 {
        return places[start..].iter().zip(chunk.chunks(1)).for_each(|(&place, run)| visit(place, run));
    }
    let mut done = 0;
    while done < chunk.len() {
        let (row, inner) = ((start + done) / n_inner, (start + done) % n_inner);
        let n = (n_inner - inner).min(chunk.len() - done);
        visit(places[row] + inner, &chunk[done..done + n]);
        done += n;
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "scatter_add",
    inputs: &["x", "indices"],
    attributes: &[
        Attribute::required("axis", AttrKind::Axis, "axis of the result that is indexed"),
        Attribute::required("n_axis", AttrKind::Size, "its size"),
    ],
    doc: crate::op::said(
        "Adds each row of x to the place of the result that its index names, in order, so that the sum is reproducible. The reverse of gather.",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(ScatterAdd::new(given.required_axis("axis")?, given.size("n_axis")?)))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: gpu::KERNELS };
