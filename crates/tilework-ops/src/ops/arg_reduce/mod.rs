//! Position of the smallest or largest element along an axis. The first wins among equals; NaN counts as the extreme, as in
//! NumPy, so that it is found rather than hidden.

mod cases;
mod cpu;
mod reference;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::{CpuCx, CpuInput};
use crate::graph::NodeRef;
#[cfg(feature = "batch")]
use crate::op::Batched;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::ops::reduce::as_rows;
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::{DType, HAS_WIDE, Scalar};
use tilework_core::emit::KernelBuilder;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::shape::KeepAxes;
use tilework_core::{Error, Result};

const ARG_REDUCE: &str = tilework_core::wgsl!("arg_reduce.wgsl");

/// Which end is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extreme {
    /// The smallest.
    Min,
    /// The largest.
    Max,
}

/// The operation: one axis, or all of them flattened when `axis` is `None`.
#[derive(Clone, Debug)]
pub struct ArgReduce {
    extreme: Extreme,
    axis: Option<usize>,
    keep: KeepAxes,
}

impl ArgReduce {
    /// Looks along `axis`, or over the flattened array.
    pub fn new(extreme: Extreme, axis: Option<usize>, keep: KeepAxes) -> ArgReduce {
        ArgReduce { extreme, axis, keep }
    }

    fn name(&self) -> &'static str {
        if self.extreme == Extreme::Min { "argmin" } else { "argmax" }
    }

    fn axes(&self, rank: usize) -> Vec<usize> {
        self.axis.map_or_else(|| (0..rank).collect(), |axis| vec![axis])
    }

    /// Whether `a` beats `b`, the best so far, which comes earlier.
    fn beats(&self, a: f64, b: f64) -> bool {
        let more = if self.extreme == Extreme::Min { a < b } else { a > b };
        more || (a.is_nan() && !b.is_nan())
    }
}

impl Op for ArgReduce {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        words.extend([self.extreme as u32, self.keep as u32, self.axis.map_or(u32::MAX, |axis| axis as u32)]);
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [x] = inputs else { return Err(Error::argument(self.name(), "takes one input")) };
        let axes = self.axes(x.shape.rank());
        if axes.iter().any(|&axis| axis >= x.shape.rank()) {
            return Err(Error::shape(self.name(), format!("axis {axes:?} is out of range for {}", x.shape)));
        }
        let shape = x.shape.reduced(&axes, self.keep);
        if axes.iter().map(|&axis| x.shape[axis]).product::<usize>() == 0 && shape.n_elements() > 0 {
            return Err(Error::shape(self.name(), format!("{} has no elements along axis {axes:?}", x.shape)));
        }
        Ok(Meta { shape, dtype: DType::I32 })
    }

    fn input_form(&self, _index: usize) -> InputForm {
        InputForm::Elements { n_reads: 1 }
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        let axes = self.axes(cx.inputs[0].fused.grid.rank());
        let (fused, rows) = as_rows(cx.inputs[0].fused, &axes);
        let input = CpuInput { fused: &fused, ..cx.inputs[0] };
        let HostBuffer::I32(out) = out else { return Err(Error::dtype(self.name(), "gives int32")) };
        match input.fused.scalar() {
            Scalar::Num if crate::cpu::reads_f64(input.fused) => cpu::search::<f64>(self, &input, rows, cx, out),
            Scalar::Num => cpu::search::<f32>(self, &input, rows, cx, out),
            // One loop for both kinds of integers is slower, and smaller.
            scalar if !HAS_WIDE => cpu::search_words(self, &input, rows, scalar, out),
            Scalar::Int => cpu::search::<i32>(self, &input, rows, cx, out),
            Scalar::Long if HAS_WIDE => cpu::search::<i64>(self, &input, rows, cx, out),
            Scalar::Ulong if HAS_WIDE => cpu::search::<u64>(self, &input, rows, cx, out),
            _ => cpu::search::<u32>(self, &input, rows, cx, out),
        }
        Ok(())
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let (x, rows) = as_rows(&cx.inputs[0], &self.axes(cx.inputs[0].grid.rank()));
        let scalar = x.scalar();
        let (prefix, wgsl_type) = (scalar.wgsl_prefix(), scalar.wgsl_type());
        let compare = if self.extreme == Extreme::Min { "lt" } else { "gt" };
        let beats = match scalar {
            Scalar::Num => format!("num_{compare}(a, b) || (num_is_nan(a) && !num_is_nan(b))"),
            Scalar::Bool => {
                if self.extreme == Extreme::Min {
                    "!a && b".to_owned()
                } else {
                    "a && !b".to_owned()
                }
            }
            _ => format!("{prefix}_{compare}(a, b)"),
        };
        let builder = KernelBuilder::new(self.name())
            .file(ARG_REDUCE)
            .prelude(&format!("alias Acc = {wgsl_type};"))
            .prelude(&format!("fn beats(a: Acc, b: Acc) -> bool {{ return {beats}; }}"))
            .param("n_rows", rows.n_rows as u32)
            .param("n_cols", rows.n_cols as u32);
        let builder = cx.sink(builder.source("x", &x, cx.slots), "y");
        Ok(vec![builder.build(cx.workgroups(rows.n_rows))])
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, _cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        Ok(vec![None])
    }

    #[cfg(feature = "batch")]
    fn batched(&self, _has_axis: &[bool]) -> Batched {
        match self.axis {
            Some(axis) => Batched::Each(Arc::new(ArgReduce { axis: Some(axis + 1), ..self.clone() })),
            None => Batched::Slices,
        }
    }

    fn flops(&self, inputs: &[Meta], _out: &Meta) -> f64 {
        inputs[0].shape.n_elements() as f64
    }
}

impl Reference for ArgReduce {
    fn reference(&self, inputs: &[HostView<'_>], _out: &Meta) -> HostBuffer {
        reference::arg_reduce(self, &inputs[0])
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "arg_reduce",
    inputs: &["x"],
    attributes: &[
        Attribute::required("extreme", AttrKind::Choice(&["min", "max"]), "which end is looked for"),
        Attribute::optional("axis", AttrKind::Axis, "axis to search; none means the flattened array"),
        Attribute::optional("keep_axes", AttrKind::Truth, "leave the searched axis in place with size 1"),
    ],
    doc: crate::op::said(
        "Position of the smallest or largest element. The first of equals; a NaN counts as the extreme.",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    let extreme = given.choice("extreme", &[("min", Extreme::Min), ("max", Extreme::Max)], None)?;
    Ok(Arc::new(ArgReduce::new(extreme, given.resolved_axis("axis")?, given.keep_axes()?)))
}

/// This operation's line in the registry.
pub const ENTRY: Entry =
    Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: &[("arg_reduce.wgsl", ARG_REDUCE)] };
