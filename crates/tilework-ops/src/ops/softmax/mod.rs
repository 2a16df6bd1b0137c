//! Softmax along one axis, and its logarithm.
//!
//! Subtracting the row maximum keeps the exponentials in range. A row that is −∞ everywhere (fully masked) has no meaningful
//! softmax; it gives zeros (−∞ for the logarithm) rather than NaN, so that masked attention rows stay harmless.

mod cases;
mod cpu;
mod reference;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::CpuCx;
use crate::graph::{self, NodeRef};
#[cfg(feature = "batch")]
use crate::op::Batched;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::ops::reduce::{Combine, Reduce};
use crate::registry::Entry;
use crate::rows::{RowShare, SUBGROUP, TREE};
use std::sync::Arc;
use tilework_core::expr::ScalarOp;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::shape::KeepAxes;
use tilework_core::{Error, Result};

const SOFTMAX: &str = tilework_core::wgsl!("softmax.wgsl");
const SOFTMAX_LONG: &str = tilework_core::wgsl!("softmax_long.wgsl");

/// Whether probabilities or their logarithms are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// `exp(x − max) / Σ`.
    Probability,
    /// `x − max − ln Σ`.
    Logarithm,
}

/// Softmax over `axis`.
#[derive(Clone, Debug)]
pub struct Softmax {
    axis: usize,
    output: Output,
}

impl Softmax {
    /// Normalises along `axis`.
    pub fn new(axis: usize, output: Output) -> Softmax {
        Softmax { axis, output }
    }

    fn name(&self) -> &'static str {
        if self.output == Output::Probability { "softmax" } else { "log_softmax" }
    }

    /// Rows as (outer, column, inner): element `c` of row `(o, i)` is at `(o·n_cols + c)·n_inner + i`.
    fn split(&self, sizes: &[usize]) -> (usize, usize, usize) {
        (sizes[..self.axis].iter().product(), sizes[self.axis], sizes[self.axis + 1..].iter().product())
    }
}

impl Op for Softmax {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        words.extend([self.axis as u32, self.output as u32]);
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [x] = inputs else { return Err(Error::argument(self.name(), "takes one input")) };
        if self.axis >= x.shape.rank() {
            return Err(Error::shape(self.name(), format!("axis {} is out of range for {}", self.axis, x.shape)));
        }
        if !x.dtype.is_float() {
            return Err(Error::dtype(self.name(), format!("needs floats, got {}", x.dtype)));
        }
        Ok(x.clone())
    }

    fn input_form(&self, _index: usize) -> InputForm {
        InputForm::Elements { n_reads: 1 }
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        cpu::softmax(self, cx, out)
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let (n_outer, n_cols, n_inner) = self.split(&cx.inputs[0].grid);
        let share = RowShare::new(n_outer * n_inner, n_cols, n_inner);
        let builder = share
            .builder(self.name(), cx.caps)
            .file(if share.n_packs.is_some() { SOFTMAX } else { SOFTMAX_LONG })
            .prelude(&format!("const IS_LOG: bool = {};", self.output == Output::Logarithm))
            .param("n_rows", (n_outer * n_inner) as u32)
            .param("n_cols", n_cols as u32)
            .param("n_inner", n_inner.max(1) as u32);
        let builder = cx.pack_sink(cx.pack_source(builder, "x", 0, share.pack), "y", share.pack);
        Ok(vec![builder.build(cx.workgroups(n_outer * n_inner))])
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        let sum = |node: NodeRef| graph::apply(Reduce::new(Combine::Sum, vec![self.axis], KeepAxes::Yes), &[node]);
        let (y, d) = (cx.output.clone(), cx.adjoint.clone());
        let mul = |a: &NodeRef, b: &NodeRef| graph::map(ScalarOp::Mul, &[a.clone(), b.clone()]);
        let rule = match self.output {
            // y·(d − Σ d·y)
            Output::Probability => mul(&y, &graph::map(ScalarOp::Sub, &[d.clone(), sum(mul(&d, &y)?)?])?)?,
            // d − exp(y)·Σ d
            Output::Logarithm => {
                let probability = graph::map(ScalarOp::Exp, &[y])?;
                graph::map(ScalarOp::Sub, &[d.clone(), mul(&probability, &sum(d)?)?])?
            }
        };
        Ok(vec![Some(rule)])
    }

    #[cfg(feature = "batch")]
    fn batched(&self, _has_axis: &[bool]) -> Batched {
        Batched::Each(Arc::new(Softmax { axis: self.axis + 1, ..self.clone() }))
    }

    fn flops(&self, inputs: &[Meta], _out: &Meta) -> f64 {
        20.0 * inputs[0].shape.n_elements() as f64
    }
}

impl Reference for Softmax {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::softmax(self, &inputs[0], out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "softmax",
    inputs: &["x"],
    attributes: &[
        Attribute::required("axis", AttrKind::Axis, "axis that is normalised"),
        Attribute::optional(
            "output",
            AttrKind::Choice(&["probability", "logarithm"]),
            "which of the two is given; probability unless told",
        ),
    ],
    doc: crate::op::said(
        "Exponentials divided by their sum along an axis, computed from differences to the maximum. A row of only -inf gives zeros.",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    let choices = [("probability", Output::Probability), ("logarithm", Output::Logarithm)];
    let output = given.choice("output", &choices, Some(Output::Probability))?;
    Ok(Arc::new(Softmax::new(given.required_axis("axis")?, output)))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry {
    signature: &SIGNATURE,
    build,
    cases: cases::cases,
    kernels: &[
        ("softmax.wgsl", SOFTMAX),
        ("softmax_long.wgsl", SOFTMAX_LONG),
        ("tree.wgsl", TREE),
        ("subgroup.wgsl", SUBGROUP),
    ],
};
