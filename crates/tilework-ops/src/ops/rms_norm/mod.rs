//! Root-mean-square normalisation along one axis.
//!
//! `y = x / √(mean(x²) + epsilon) · weight`, after Zhang, Sennrich, "Root Mean Square Layer Normalization" (2019).

mod cases;
mod reference;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::CpuCx;
use crate::graph::NodeRef;
use crate::norm::{self, Affine, Center, RowNorm, Rules};
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

/// Normalises along `axis`.
#[derive(Clone, Debug)]
pub struct RmsNorm {
    axis: usize,
    epsilon: f64,
}

impl RmsNorm {
    /// Normalises along `axis`; `epsilon` keeps rows without spread finite.
    pub fn new(axis: usize, epsilon: f64) -> RmsNorm {
        RmsNorm { axis, epsilon }
    }

    fn rows(&self, sizes: &[usize]) -> RowNorm {
        RowNorm {
            name: SIGNATURE.name,
            center: Center::Zero,
            affine: Affine::Columns,
            epsilon: self.epsilon,
            axis: self.axis,
            n_outer: sizes[..self.axis].iter().product(),
            n_cols: sizes[self.axis],
            n_inner: sizes[self.axis + 1..].iter().product::<usize>().max(1),
        }
    }
}

impl Op for RmsNorm {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        words.push(self.axis as u32);
        words.extend(norm::epsilon_words(self.epsilon));
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let name = SIGNATURE.name;
        let Some(x) = inputs.first() else { return Err(Error::argument(name, "needs an input")) };
        if self.axis >= x.shape.rank() {
            return Err(Error::shape(name, format!("axis {} is out of range for {}", self.axis, x.shape)));
        }
        norm::check_inputs(name, inputs, 1, x.shape[self.axis])?;
        Ok(x.clone())
    }

    fn input_form(&self, index: usize) -> InputForm {
        if index == 0 { InputForm::Elements { n_reads: 1 } } else { InputForm::Strided }
    }

    fn reads_halves(&self, _index: usize) -> bool {
        true
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        norm::normalize(&self.rows(&cx.inputs[0].fused.grid), cx, out)
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        Ok(vec![norm::plan(&self.rows(&cx.inputs[0].grid), cx)])
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        let rows = cx.inputs[0].shape().clone();
        let mut weights = vec![1; rows.rank()];
        weights[self.axis] = rows[self.axis];
        let weights = Shape::new(SIGNATURE.name, weights)?;
        norm::gradient(cx, &Rules { center: Center::Zero, epsilon: self.epsilon, rows, axis: self.axis, weights })
    }

    fn flops(&self, inputs: &[Meta], _out: &Meta) -> f64 {
        8.0 * inputs[0].shape.n_elements() as f64
    }
}

impl Reference for RmsNorm {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::normalize(self, inputs, out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "rms_norm",
    inputs: &["x", "weight?"],
    attributes: &[
        Attribute::optional("axis", AttrKind::Axis, "axis that is normalised; the last unless told"),
        Attribute::optional("epsilon", AttrKind::Number, "added to the mean square; 1e-5 unless told"),
    ],
    doc: crate::op::said(
        "Elements divided by the root of their mean square plus epsilon along an axis; then multiplied by weight, if it is given (of the size of the axis).",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    let axis = given.axis_or_last("axis")?;
    Ok(Arc::new(RmsNorm::new(axis, given.number_or("epsilon", norm::EPSILON)?)))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: norm::KERNELS };
