//! Arrays joined along an axis.

mod cases;
mod reference;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::{CpuCx, CpuInput, Element, HAS_DOUBLE, by_words, for_each_num, for_each_word, reads_f64};
use crate::graph::{self, NodeRef};
#[cfg(feature = "batch")]
use crate::op::Batched;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::HAS_WIDE;
use tilework_core::emit::KernelBuilder;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

const CONCAT: &str = tilework_core::wgsl!("concat.wgsl");

/// Joins along `axis`.
#[derive(Clone, Debug)]
pub struct Concat {
    axis: usize,
}

impl Concat {
    /// Joins along `axis`.
    pub fn new(axis: usize) -> Concat {
        Concat { axis }
    }

    /// Elements from one index of the outer axes to the next, in an array of these sizes.
    fn row_len(&self, sizes: &[usize]) -> usize {
        sizes[self.axis..].iter().product()
    }
}

impl Op for Concat {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        words.push(self.axis as u32);
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let Some(first) = inputs.first() else { return Err(Error::argument("concat", "needs at least one array")) };
        if self.axis >= first.shape.rank() {
            return Err(Error::shape("concat", format!("axis {} is out of range for {}", self.axis, first.shape)));
        }
        let mut sizes = first.shape.to_vec();
        for input in &inputs[1..] {
            let fits = input.shape.rank() == sizes.len()
                && (0..sizes.len()).all(|axis| axis == self.axis || input.shape[axis] == first.shape[axis]);
            if !fits {
                let (a, b) = (&first.shape, &input.shape);
                return Err(Error::shape("concat", format!("{a} and {b} differ outside axis {}", self.axis)));
            }
            if input.dtype != first.dtype {
                return Err(Error::dtype("concat", format!("{} and {} differ", first.dtype, input.dtype)));
            }
            sizes[self.axis] = sizes[self.axis].saturating_add(input.shape[self.axis]);
        }
        Ok(Meta { shape: Shape::new("concat", sizes)?, dtype: first.dtype })
    }

    fn input_form(&self, _index: usize) -> InputForm {
        InputForm::Elements { n_reads: 1 }
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        let rows: Vec<usize> = cx.inputs.iter().map(|input| self.row_len(&input.fused.grid)).collect();
        let out_row: usize = rows.iter().sum();
        let mut first = 0;
        if let HostBuffer::Bool(out) = out {
            by_words(out, |words| {
                for (input, &row) in cx.inputs.iter().zip(&rows) {
                    copy_words(input, row, out_row, first, words);
                    first += row;
                }
            });
            return Ok(());
        }
        for (input, &row) in cx.inputs.iter().zip(&rows) {
            match out {
                HostBuffer::F32(out) => copy_num(input, row, out_row, first, out),
                HostBuffer::F64(out) if HAS_DOUBLE => copy_num(input, row, out_row, first, out),
                HostBuffer::I64(out) if HAS_WIDE => copy_elements(input, row, out_row, first, out),
                HostBuffer::U64(out) if HAS_WIDE => copy_elements(input, row, out_row, first, out),
                HostBuffer::I32(out) => copy_words(input, row, out_row, first, bytemuck::cast_slice_mut(out)),
                HostBuffer::U32(out) => copy_words(input, row, out_row, first, out),
                // Operations compute no narrow types; others are not in every build.
                _ => {}
            }
            first += row;
        }
        Ok(())
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let out_row = self.row_len(&cx.out.shape);
        let mut passes = Vec::new();
        let mut first = 0;
        for index in 0..cx.inputs.len() {
            let n = cx.inputs[index].grid.n_elements();
            let row = self.row_len(&cx.inputs[index].grid);
            let builder = KernelBuilder::new("concat")
                .file(CONCAT)
                .param("n_elements", n as u32)
                .param("row_len", row.max(1) as u32)
                .param("out_row_len", out_row as u32)
                .param("first", first as u32);
            let builder = cx.sink(cx.source(builder, "x", index), "y");
            passes.push(builder.build(cx.workgroups(n.div_ceil(256))));
            first += row;
        }
        Ok(passes)
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        let mut start = 0;
        let mut rules = Vec::new();
        for input in cx.inputs {
            let len = input.shape()[self.axis];
            rules.push(Some(graph::slice(cx.adjoint, self.axis, start, 1, len)?));
            start += len;
        }
        Ok(rules)
    }

    #[cfg(feature = "batch")]
    fn batched(&self, _has_axis: &[bool]) -> Batched {
        Batched::Each(Arc::new(Concat { axis: self.axis + 1 }))
    }

    fn flops(&self, _inputs: &[Meta], out: &Meta) -> f64 {
        out.shape.n_elements() as f64
    }
}

impl Reference for Concat {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::concat(self, inputs, out)
    }
}

/// Where element `at` of an input with rows of `row` elements belongs.
fn place(at: usize, row: usize, out_row: usize, first: usize) -> usize {
    (at / row) * out_row + first + at % row
}

fn copy_elements<T: Element>(input: &CpuInput<'_>, row: usize, out_row: usize, first: usize, out: &mut [T]) {
    T::for_each(input, 0..input.fused.grid.n_elements(), |start, chunk| {
        chunk.iter().enumerate().for_each(|(i, &x)| out[place(start + i, row, out_row, first)] = x);
    });
}

fn copy_num<F: tilework_vm::Float>(input: &CpuInput<'_>, row: usize, out_row: usize, first: usize, out: &mut [F]) {
    for_each_num(&mut input.evaluator(), 0..input.fused.grid.n_elements(), |start, chunk| {
        chunk.iter().enumerate().for_each(|(i, &x)| out[place(start + i, row, out_row, first)] = x);
    });
}

fn copy_words(input: &CpuInput<'_>, row: usize, out_row: usize, first: usize, out: &mut [u32]) {
    let range = 0..input.fused.grid.n_elements();
    let mut copy = |start: usize, chunk: &[u32]| {
        chunk.iter().enumerate().for_each(|(i, &x)| out[place(start + i, row, out_row, first)] = x);
    };
    if reads_f64(input.fused) {
        for_each_word(&mut input.evaluator::<f64>(), range, &mut copy);
    } else {
        for_each_word(&mut input.evaluator::<f32>(), range, &mut copy);
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "concat",
    inputs: &["arrays…"],
    attributes: &[Attribute::required("axis", AttrKind::Axis, "axis along which they are joined")],
    doc: crate::op::said("Joins arrays of equal element type along an axis; all other sizes must agree."),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(Concat::new(given.required_axis("axis")?)))
}

/// This operation's line in the registry.
pub const ENTRY: Entry =
    Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: &[("concat.wgsl", CONCAT)] };
