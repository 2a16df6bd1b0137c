//! Rows picked by index: `y[.., j.., ..] = x[.., indices[j..], ..]`, the indices taking the place of one axis.
//!
//! A negative index counts from the end; one out of range is moved to the nearest end, because a device cannot stop half-way
//! to report it.

mod cases;
mod reference;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::{CpuCx, CpuInput, Element, HAS_DOUBLE, by_words, for_each_num, for_each_word};
use crate::graph::{self, NodeRef};
#[cfg(feature = "batch")]
use crate::op::Batched;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::ops::scatter_add::ScatterAdd;
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::{DType, HAS_WIDE};
use tilework_core::emit::KernelBuilder;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
use tilework_vm::HostSlice;

const GATHER: &str = tilework_core::wgsl!("gather.wgsl");

/// Picks along `axis`.
#[derive(Clone, Debug)]
pub struct Gather {
    axis: usize,
}

impl Gather {
    /// Picks along `axis`.
    pub fn new(axis: usize) -> Gather {
        Gather { axis }
    }

    /// Sizes before, along and after the axis.
    pub(crate) fn split(axis: usize, sizes: &[usize]) -> (usize, usize, usize) {
        (sizes[..axis].iter().product(), sizes[axis], sizes[axis + 1..].iter().product())
    }
}

/// Where an index points in an axis of `size` elements.
pub(crate) fn resolve(index: i32, size: usize) -> usize {
    let index = i64::from(index);
    let from_start = if index < 0 { index + size as i64 } else { index };
    from_start.clamp(0, size as i64 - 1) as usize
}

/// The indices as integers.
pub(crate) fn indices_of(input: &CpuInput<'_>) -> Vec<i32> {
    let mut indices = Vec::with_capacity(input.fused.grid.n_elements());
    let range = 0..input.fused.grid.n_elements();
    for_each_word(&mut input.evaluator::<f32>(), range, |_, chunk| {
        indices.extend(chunk.iter().map(|&word| word as i32))
    });
    indices
}

impl Op for Gather {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        words.push(self.axis as u32);
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [x, indices] = inputs else { return Err(Error::argument("gather", "takes two inputs")) };
        if self.axis >= x.shape.rank() {
            return Err(Error::shape("gather", format!("axis {} is out of range for {}", self.axis, x.shape)));
        }
        if indices.dtype != DType::I32 {
            return Err(Error::dtype("gather", format!("indices must be int32, got {}", indices.dtype)));
        }
        if x.shape[self.axis] == 0 && indices.shape.n_elements() > 0 {
            return Err(Error::shape("gather", format!("axis {} of {} has nothing to pick from", self.axis, x.shape)));
        }
        let sizes = [&x.shape[..self.axis], &indices.shape[..], &x.shape[self.axis + 1..]].concat();
        Ok(Meta { shape: Shape::new("gather", sizes)?, dtype: x.dtype })
    }

    fn input_form(&self, index: usize) -> InputForm {
        if index == 0 { InputForm::Strided } else { InputForm::Elements { n_reads: 1 } }
    }

    fn reads_halves(&self, _index: usize) -> bool {
        true
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        let (n_outer, n_axis, n_inner) = Gather::split(self.axis, &cx.inputs[0].fused.grid);
        let indices = indices_of(&cx.inputs[1]);
        if out.is_empty() {
            return Ok(());
        }
        let rows: Vec<usize> = (0..n_outer)
            .flat_map(|outer| indices.iter().map(move |&j| (outer * n_axis + resolve(j, n_axis)) * n_inner))
            .collect();
        let words = |slice: HostSlice<'_>| matches!(slice, HostSlice::Words(_) | HostSlice::Truths(_));
        let is_words = cx.inputs[0].strided().is_some_and(|(slice, _, _)| words(slice));
        match out {
            HostBuffer::F32(out) => copy_rows(cx, &rows, n_inner, out, |input, range, piece: &mut [f32]| {
                let start = range.start;
                for_each_num(&mut input.evaluator(), range, |at, chunk| {
                    piece[at - start..][..chunk.len()].copy_from_slice(chunk)
                });
            }),
            HostBuffer::F64(out) if HAS_DOUBLE => {
                copy_rows(cx, &rows, n_inner, out, |input, range, piece: &mut [f64]| {
                    let start = range.start;
                    for_each_num(&mut input.evaluator(), range, |at, chunk| {
                        piece[at - start..][..chunk.len()].copy_from_slice(chunk)
                    });
                })
            }
            HostBuffer::I32(out) if is_words => copy_words(cx, &rows, n_inner, bytemuck::cast_slice_mut(out)),
            HostBuffer::U32(out) if is_words => copy_words(cx, &rows, n_inner, out),
            HostBuffer::Bool(out) if is_words => by_words(out, |words| copy_words(cx, &rows, n_inner, words)),
            HostBuffer::I64(out) if HAS_WIDE => {
                copy_rows(cx, &rows, n_inner, out, |input, range, piece: &mut [i64]| {
                    i64::read(input, range.start, piece);
                })
            }
            HostBuffer::U64(out) if HAS_WIDE => {
                copy_rows(cx, &rows, n_inner, out, |input, range, piece: &mut [u64]| {
                    u64::read(input, range.start, piece);
                })
            }
            _ => return Err(Error::dtype("gather", "the result has the type of the data")),
        }
        Ok(())
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let (_, n_axis, n_inner) = Gather::split(self.axis, &cx.inputs[0].grid);
        let n_indices = cx.inputs[1].grid.n_elements();
        let n = cx.out.shape.n_elements();
        let builder = KernelBuilder::new("gather")
            .file(GATHER)
            .param("n_elements", n as u32)
            .param("n_indices", n_indices.max(1) as u32)
            .param("n_axis", n_axis as u32)
            .param("n_inner", n_inner.max(1) as u32);
        let builder = cx.sink(cx.source(cx.source(builder, "x", 0), "index_at", 1), "y");
        Ok(vec![builder.build(cx.workgroups(n.div_ceil(256)))])
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        let x = &cx.inputs[0];
        let scatter = ScatterAdd::new(self.axis, x.shape()[self.axis]);
        let spread = graph::apply(scatter, &[cx.adjoint.clone(), cx.inputs[1].clone()])?;
        Ok(vec![Some(spread), None])
    }

    #[cfg(feature = "batch")]
    fn batched(&self, has_axis: &[bool]) -> Batched {
        match has_axis {
            [true, false] => Batched::AsTheyAre(Arc::new(Gather { axis: self.axis + 1 })),
            _ => Batched::Slices,
        }
    }

    fn flops(&self, _inputs: &[Meta], out: &Meta) -> f64 {
        out.shape.n_elements() as f64
    }
}

impl Reference for Gather {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::gather(self, inputs, out)
    }
}

/// Copies one row of `n_inner` elements per entry of `rows`.
fn copy_rows<T: Send>(
    cx: &CpuCx<'_>,
    rows: &[usize],
    n_inner: usize,
    out: &mut [T],
    copy: impl Fn(&CpuInput<'_>, std::ops::Range<usize>, &mut [T]) + Sync,
) {
    let rows_per_piece = (crate::cpu::GRAIN / n_inner.max(1)).max(1);
    cx.threads.for_each_piece(out, rows_per_piece * n_inner.max(1), |start, piece| {
        for (k, target) in piece.chunks_mut(n_inner.max(1)).enumerate() {
            let from = rows[start / n_inner.max(1) + k];
            copy(&cx.inputs[0], from..from + target.len(), target);
        }
    });
}

fn copy_words(cx: &CpuCx<'_>, rows: &[usize], n_inner: usize, out: &mut [u32]) {
    copy_rows(cx, rows, n_inner, out, |input, range, piece: &mut [u32]| {
        let start = range.start;
        for_each_word(&mut input.evaluator::<f32>(), range, |at, chunk| {
            piece[at - start..][..chunk.len()].copy_from_slice(chunk)
        });
    });
}

static SIGNATURE: OpSignature = OpSignature {
    name: "gather",
    inputs: &["x", "indices"],
    attributes: &[Attribute::required("axis", AttrKind::Axis, "axis that is indexed")],
    doc: crate::op::said(
        "Picks along an axis by integer indices; their shape takes the axis' place. Negative indices count from the end, and those out of range are moved to the nearest end.",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(Gather::new(given.required_axis("axis")?)))
}

/// This operation's line in the registry.
pub const ENTRY: Entry =
    Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: &[("gather.wgsl", GATHER)] };
