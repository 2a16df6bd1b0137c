//! Attention of images to neighborhoods: each position attends to a square window of positions around it.
//!
//! `q, k: [n_batch, n_heads, height, width, d]`, `v: [.., dv]`. The window of a query has `window²` keys, `window` being odd. Along each
//! axis it is centered on the query, but moved inward at the borders, so that every query has all `window²` keys; with a dilation it
//! takes every `dilation`-th position, those that are a multiple of the dilation away from the query. As in Hassani et al.,
//! "Neighborhood Attention Transformer" (2022) and "Dilated Neighborhood Attention Transformer" (2022), without their biases.

mod cases;
mod cpu;
mod gpu;
mod gradient;
mod reference;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::CpuCx;
use crate::graph::NodeRef;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

/// Attention to windows.
#[derive(Clone, Copy, Debug)]
pub struct NeighborhoodAttention {
    window: usize,
    dilation: usize,
    scale: Option<f64>,
}

impl NeighborhoodAttention {
    /// Windows of `window` positions along both axes, which are `dilation` apart.
    pub fn new(window: usize, dilation: usize) -> NeighborhoodAttention {
        NeighborhoodAttention { window, dilation, scale: None }
    }

    /// Multiplies products by `scale` instead of `1/√d`.
    #[must_use]
    pub fn scale(self, scale: f64) -> NeighborhoodAttention {
        NeighborhoodAttention { scale: Some(scale), ..self }
    }

    fn scale_for(&self, d: usize) -> f64 {
        self.scale.unwrap_or(1.0 / (d.max(1) as f64).sqrt())
    }

    /// Position `step` of the window of position `at` along an axis of `size` positions.
    fn neighbor(&self, at: usize, size: usize, step: usize) -> usize {
        // Positions a multiple of the dilation away are first, first + dilation, ...; among those the window is centered.
        let first = at % self.dilation;
        let n = (size - first).div_ceil(self.dilation);
        let start = (at / self.dilation).saturating_sub(self.window / 2).min(n - self.window);
        first + (start + step) * self.dilation
    }
}

/// Sizes of the inputs.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// Batches times heads.
    n_images: usize,
    height: usize,
    width: usize,
    d: usize,
    dv: usize,
}

impl Sizes {
    fn of(q: &Shape, k: &Shape, v: &Shape) -> Result<Sizes> {
        let wrong =
            |why: &str| Error::shape("neighborhood_attention", format!("{why}: queries {q}, keys {k}, values {v}"));
        let (&[n_batch, n_heads, height, width, d], &[.., dv]) = (&**q, &**v) else {
            return Err(wrong("needs [batch, heads, height, width, elements] three times"));
        };
        if q != k || v.rank() != 5 || v[..4] != q[..4] {
            return Err(wrong("sizes differ"));
        }
        Ok(Sizes { n_images: n_batch * n_heads, height, width, d, dv })
    }
}

impl Op for NeighborhoodAttention {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        let bits = self.scale.map_or(u64::MAX, f64::to_bits);
        words.extend([self.window as u32, self.dilation as u32, bits as u32, (bits >> 32) as u32]);
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let name = SIGNATURE.name;
        let [q, k, v] = inputs else { return Err(Error::argument(name, "takes queries, keys and values")) };
        if self.window.is_multiple_of(2) || self.dilation == 0 {
            let (window, dilation) = (self.window, self.dilation);
            return Err(Error::argument(
                name,
                format!("needs an odd window, got {window}, dilated by 1 or more, got {dilation}"),
            ));
        }
        if !q.dtype.is_float() || k.dtype != q.dtype || v.dtype != q.dtype {
            let message = format!("needs one float type, got {}, {} and {}", q.dtype, k.dtype, v.dtype);
            return Err(Error::dtype(name, message));
        }
        let sizes = Sizes::of(&q.shape, &k.shape, &v.shape)?;
        let span = self.window.saturating_mul(self.dilation);
        if q.shape.n_elements() > 0 && sizes.height.min(sizes.width) < span {
            let (window, dilation) = (self.window, self.dilation);
            let message =
                format!("a window of {window} dilated by {dilation} needs {span} rows and columns: {}", q.shape);
            return Err(Error::shape(name, message));
        }
        Ok(v.clone())
    }

    fn input_form(&self, _index: usize) -> InputForm {
        InputForm::Strided
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        cpu::attention(self, cx, out)
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        Ok(vec![gpu::plan(self, cx)?])
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        gradient::gradient(self, cx)
    }

    fn flops(&self, inputs: &[Meta], out: &Meta) -> f64 {
        let per_key = inputs[0].shape[4] + out.shape[4];
        let n_keys = self.window * self.window * out.shape[..4].iter().product::<usize>();
        2.0 * n_keys as f64 * per_key as f64
    }

    fn is_dense(&self) -> bool {
        true
    }
}

impl Reference for NeighborhoodAttention {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::attention(self, inputs, out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "neighborhood_attention",
    inputs: &["q", "k", "v"],
    attributes: &[
        Attribute::required("window", AttrKind::Size, "positions of a window along each axis; odd"),
        Attribute::optional("dilation", AttrKind::Size, "distance of the positions of a window; 1 unless told"),
        Attribute::optional("scale", AttrKind::Number, "factor of the products; 1/sqrt(elements) unless told"),
    ],
    doc: crate::op::said(
        "Attention of every position of [batch, heads, height, width, elements] to a square window of positions around it, which is moved inward at the borders.",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    let scale = given.number_or("scale", f64::NAN)?;
    Ok(Arc::new(NeighborhoodAttention {
        window: given.size("window")?,
        dilation: given.size_if_given("dilation")?.unwrap_or(1),
        scale: (!scale.is_nan()).then_some(scale),
    }))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry {
    signature: &SIGNATURE,
    build,
    cases: cases::cases,
    kernels: &[("neighborhood_attention.wgsl", gpu::KERNEL)],
};
