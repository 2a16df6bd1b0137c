//! Group normalisation: the channels of a sample are split into groups, and each group with all its positions is normalised.
//!
//! `x: [n, c, spatial..]`; channels `g·c/n_groups ..` are group `g`. `y = (x − mean) / √(variance + epsilon) · weight[channel] +
//! bias[channel]`, after Wu, He, "Group Normalization" (2018). One group is layer normalisation over a sample, as many groups as
//! channels is instance normalisation.

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

/// Normalises groups of channels.
#[derive(Clone, Debug)]
pub struct GroupNorm {
    n_groups: usize,
    epsilon: f64,
}

impl GroupNorm {
    /// Splits the channels into `n_groups`; `epsilon` keeps groups without spread finite.
    pub fn new(n_groups: usize, epsilon: f64) -> GroupNorm {
        GroupNorm { n_groups, epsilon }
    }

    fn rows(&self, sizes: &[usize]) -> RowNorm {
        let n_spatial: usize = sizes[2..].iter().product();
        RowNorm {
            name: SIGNATURE.name,
            center: Center::Mean,
            affine: Affine::Channels { n_groups: self.n_groups, n_spatial },
            epsilon: self.epsilon,
            axis: 0,
            n_outer: sizes[0] * self.n_groups,
            n_cols: sizes[1] / self.n_groups * n_spatial,
            n_inner: 1,
        }
    }
}

impl Op for GroupNorm {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        words.push(self.n_groups as u32);
        words.extend(norm::epsilon_words(self.epsilon));
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let name = SIGNATURE.name;
        let Some(x) = inputs.first() else { return Err(Error::argument(name, "needs an input")) };
        let &[_, n_channels, ..] = &x.shape[..] else {
            return Err(Error::shape(name, format!("needs [samples, channels, ..], got {}", x.shape)));
        };
        if self.n_groups == 0 || !n_channels.is_multiple_of(self.n_groups) {
            let message = format!("{n_channels} channels of {} are not {} equal groups", x.shape, self.n_groups);
            return Err(Error::shape(name, message));
        }
        norm::check_inputs(name, inputs, 2, n_channels)?;
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
        let shape = cx.inputs[0].shape();
        let rows = self.rows(shape);
        let mut weights = vec![1; shape.rank()];
        weights[1] = shape[1];
        let rules = Rules {
            center: Center::Mean,
            epsilon: self.epsilon,
            rows: Shape::new(SIGNATURE.name, vec![shape[0], self.n_groups, rows.n_cols])?,
            axis: 2,
            weights: Shape::new(SIGNATURE.name, weights)?,
        };
        norm::gradient(cx, &rules)
    }

    fn flops(&self, inputs: &[Meta], _out: &Meta) -> f64 {
        8.0 * inputs[0].shape.n_elements() as f64
    }
}

impl Reference for GroupNorm {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::normalize(self, inputs, out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "group_norm",
    inputs: &["x", "weight?", "bias?"],
    attributes: &[
        Attribute::required("n_groups", AttrKind::Size, "groups the channels (axis 1) are split into"),
        Attribute::optional("epsilon", AttrKind::Number, "added to the variance; 1e-5 unless told"),
    ],
    doc: crate::op::said(
        "Normalises [samples, channels, ..] over each group of channels and all positions; then multiplied by weight and increased by bias, if they are given (each of the number of channels, bias only with weight).",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(GroupNorm::new(given.size("n_groups")?, given.number_or("epsilon", norm::EPSILON)?)))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: norm::KERNELS };
