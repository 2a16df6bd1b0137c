//! Products with packed weights: `y[.., r] = Σ_c x[.., c] · w[r, c]`, as every layer of a language model has them.
//!
//! Weights stay in the few bits they are stored in (see `tilework_core::quant::packed`) and are widened where they are used. What
//! surrounds such a product in a transformer is part of it, because it would cost as much as the product itself:
//!
//! - With a third input, `x` is normalised first: `x / √(mean(x²) + epsilon) · norm` (see `rms_norm`).
//! - With a `gate`, rows come in pairs, and a result is `gate(first) · second`: the two halves of a gated feed-forward layer
//!   (Shazeer, "GLU Variants Improve Transformer", 2020), their rows taking turns.
//!
//! In WASM on a CPU, vectors are rounded to 8 bits in groups of 32 before they meet packed weights (not floats). That is within the
//! error of such weights, but far above the rounding of floats, so cases allow for it there.

mod cases;
mod cpu;
mod gpu;
mod reference;

pub(crate) use cpu::words_of;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::CpuCx;
use crate::graph::NodeRef;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::packed_weights;
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::quant::Format;
use tilework_core::shape::Shape;
use tilework_core::{Error, ErrorKind, Result};

/// What becomes of pairs of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Gate {
    /// Rows are no pairs.
    #[default]
    None,
    /// `x · sigmoid(x)` of the first, times the second.
    Silu,
    /// The Gaussian error linear unit, by a hyperbolic tangent, of the first, times the second.
    Gelu,
}

/// A product with packed weights.
#[derive(Clone, Copy, Debug)]
pub struct PackedLinear {
    format: Format,
    gate: Gate,
    epsilon: f64,
}

impl PackedLinear {
    /// A product with weights of this format.
    pub fn new(format: Format) -> PackedLinear {
        PackedLinear { format, gate: Gate::None, epsilon: 1e-5 }
    }

    /// Pairs of rows give one result.
    #[must_use]
    pub fn gate(self, gate: Gate) -> PackedLinear {
        PackedLinear { gate, ..self }
    }

    /// What is added to the mean square where `x` is normalised.
    #[must_use]
    pub fn epsilon(self, epsilon: f64) -> PackedLinear {
        PackedLinear { epsilon, ..self }
    }

    /// Rows of weights of one result.
    fn rows_per_result(&self) -> usize {
        if self.gate == Gate::None { 1 } else { 2 }
    }
}

/// Sizes of a product.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// Vectors.
    m: usize,
    /// Elements of a vector.
    k: usize,
    /// Results of a vector.
    n: usize,
    /// Words of a row of weights.
    row_words: usize,
}

impl Sizes {
    fn of(x: &Shape, weights: &Shape, rows_per_result: usize) -> Sizes {
        let k = x.last().copied().unwrap_or(1);
        let m = x.iter().rev().skip(1).product();
        Sizes { m, k, n: weights[0] / rows_per_result, row_words: weights[1] }
    }
}

impl Op for PackedLinear {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        let bits = self.epsilon.to_bits();
        words.extend([self.format as u32, self.gate as u32, bits as u32, (bits >> 32) as u32]);
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let name = SIGNATURE.name;
        let ([x, weights] | [x, weights, _]) = inputs else {
            return Err(Error::argument(name, "takes vectors, weights and perhaps weights of a norm"));
        };
        let Some(&k) = x.shape.last() else {
            return Err(Error::shape(name, "needs [.., elements], got one number"));
        };
        if x.dtype != DType::F32 {
            return Err(Error::dtype(name, format!("needs float32, got {}", x.dtype)));
        }
        packed_weights::check(name, self.format, weights, k)?;
        if !weights.shape[0].is_multiple_of(self.rows_per_result()) {
            return Err(Error::shape(name, format!("gated rows come in pairs, got {} of them", weights.shape[0])));
        }
        if let Some(norm) = inputs.get(2)
            && (norm.shape[..] != [k] || norm.dtype != DType::F32)
        {
            let message = format!("a norm of {k} elements needs as many float32, got {} of {}", norm.shape, norm.dtype);
            return Err(Error::shape(name, message));
        }
        let mut sizes = x.shape.to_vec();
        if let Some(last) = sizes.last_mut() {
            *last = weights.shape[0] / self.rows_per_result();
        }
        Ok(Meta { shape: Shape::new(name, sizes)?, dtype: DType::F32 })
    }

    fn input_form(&self, index: usize) -> InputForm {
        // Vectors are read once per tile of rows.
        if index == 1 { InputForm::Strided } else { InputForm::Elements { n_reads: 64 } }
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        match out {
            HostBuffer::F32(out) => cpu::packed_linear(self, cx, out),
            _ => Err(Error::dtype(SIGNATURE.name, "gives float32")),
        }
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        gpu::plan(self, cx)
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, _cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        let message = "has no derivative: weights in few bits are not trained";
        Err(Error::new(ErrorKind::Unsupported, SIGNATURE.name, message))
    }

    fn flops(&self, inputs: &[Meta], out: &Meta) -> f64 {
        let k = inputs[0].shape.last().copied().unwrap_or(0) as f64;
        2.0 * self.rows_per_result() as f64 * out.shape.n_elements() as f64 * k
    }

    fn is_dense(&self) -> bool {
        true
    }
}

impl Reference for PackedLinear {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::packed_linear(self, inputs, out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "packed_linear",
    inputs: &["x", "weights", "norm?"],
    attributes: &[
        packed_weights::FORMAT,
        Attribute::optional(
            "gate",
            AttrKind::Choice(&["none", "silu", "gelu"]),
            "function of the first of a pair of rows, which the second is multiplied with; none unless told",
        ),
        Attribute::optional(
            "epsilon",
            AttrKind::Number,
            "what is added to the mean square of a norm; 1e-5 unless told",
        ),
    ],
    doc: crate::op::said(
        "Product of vectors [.., elements] with packed rows of weights, which stay in the few bits of their GGUF format. With a third input vectors are normalised by their root mean square and multiplied by it first; with a gate, rows come in pairs and give one result.",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    let gates = [("none", Gate::None), ("silu", Gate::Silu), ("gelu", Gate::Gelu)];
    Ok(Arc::new(PackedLinear {
        format: packed_weights::format_of(given)?,
        gate: given.choice("gate", &gates, Some(Gate::None))?,
        epsilon: given.number_or("epsilon", 1e-5)?,
    }))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: gpu::KERNELS };
