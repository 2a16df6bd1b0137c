//! Attention: every query's mean of the values it sees, weighted by the softmax of its products with their keys.
//!
//! `q: [n_batch, n_heads, n_q, d]`, `k: [n_batch, n_kv_heads, n_kv, d]`, `v: [n_batch, n_kv_heads, n_kv, dv]`; `n_heads` is a multiple
//! of `n_kv_heads`, and head `h` uses keys and values of head `h / (n_heads / n_kv_heads)`. The score of a query and a key is
//! `scale·q·k`, then `soft_cap·tanh(score / soft_cap)` if there is a cap (Gemma 2), then increased by the additive mask.
//!
//! *Caches.* Keys and values may be longer than what is filled. The integer input `n_past` says how many entries were there before
//! these queries; query `i` has the absolute position `n_past + i`, and entries `0 .. n_past + n_q` are valid (those of the queries
//! themselves included). It is an input and no attribute, so that a captured step can be replayed at the next position. If it is
//! not given, the queries are the last of the `n_kv` positions: `n_past = max(n_kv − n_q, 0)`.
//!
//! *What a query sees.* All valid entries; with `causal` those up to its own position; with `windowed` of those the last `window`,
//! its own included. A query that sees nothing, or whose every score is −∞, gives zeros, as softmax does.
//!
//! Scores are never stored: the softmax is computed online (Milakov, Gimelshein, "Online normalizer calculation for softmax", 2018;
//! Dao et al., "FlashAttention", 2022).

mod cases;
mod cpu;
mod gpu;
mod gradient;
pub(crate) mod operands;
mod reference;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::CpuCx;
use crate::graph::NodeRef;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::registry::Entry;
use std::ops::Range;
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

/// Which keys a query sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mask {
    /// All that are valid.
    #[default]
    None,
    /// Those up to its own position.
    Causal,
    /// The last so many up to its own position, which is one of them.
    Windowed(usize),
}

/// Attention with its attributes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attention {
    mask: Mask,
    scale: Option<f64>,
    soft_cap: Option<f64>,
}

impl Attention {
    /// Queries see what `mask` says; scores are products over the root of the head size.
    pub fn new(mask: Mask) -> Attention {
        Attention { mask, scale: None, soft_cap: None }
    }

    /// Multiplies products by `scale` instead of `1/√d`.
    #[must_use]
    pub fn scale(self, scale: f64) -> Attention {
        Attention { scale: Some(scale), ..self }
    }

    /// Keeps scores within `±cap` by a hyperbolic tangent.
    #[must_use]
    pub fn soft_cap(self, cap: f64) -> Attention {
        Attention { soft_cap: Some(cap), ..self }
    }

    fn scale_for(&self, d: usize) -> f64 {
        self.scale.unwrap_or(1.0 / (d.max(1) as f64).sqrt())
    }

    /// The keys that query `query` sees.
    fn seen(&self, sizes: &Sizes, query: usize, past: i64) -> Range<usize> {
        let limit = |key: i64| key.clamp(0, sizes.n_kv as i64) as usize;
        let own = past + query as i64;
        let end = limit(if self.mask == Mask::None { past + sizes.n_q as i64 } else { own + 1 });
        let first = match self.mask {
            Mask::Windowed(window) => limit((own + 1).saturating_sub(i64::try_from(window).unwrap_or(i64::MAX))),
            _ => 0,
        };
        first.min(end)..end
    }
}

/// Sizes of the inputs.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    n_batch: usize,
    n_heads: usize,
    n_kv_heads: usize,
    n_q: usize,
    n_kv: usize,
    d: usize,
    dv: usize,
}

impl Sizes {
    fn of(q: &Shape, k: &Shape, v: &Shape) -> Result<Sizes> {
        let wrong = |why: &str| Error::shape("attention", format!("{why}: queries {q}, keys {k}, values {v}"));
        let (&[n_batch, n_heads, n_q, d], &[k_batch, n_kv_heads, n_kv, k_d], &[v_batch, v_heads, v_n, dv]) =
            (&**q, &**k, &**v)
        else {
            return Err(wrong("needs [batch, heads, positions, elements] three times"));
        };
        if (k_batch, v_batch, v_heads, v_n) != (n_batch, n_batch, n_kv_heads, n_kv) || k_d != d {
            return Err(wrong("sizes differ"));
        }
        if n_kv_heads == 0 && n_heads > 0 || n_kv_heads > 0 && !n_heads.is_multiple_of(n_kv_heads) {
            return Err(wrong("the heads of queries are no multiple of those of keys"));
        }
        Ok(Sizes { n_batch, n_heads, n_kv_heads, n_q, n_kv, d, dv })
    }

    /// Heads of queries that share one head of keys.
    fn n_group(&self) -> usize {
        self.n_heads / self.n_kv_heads.max(1)
    }

    /// `n_past` if it is not given.
    fn default_past(&self) -> usize {
        self.n_kv.saturating_sub(self.n_q)
    }

    /// Shape of the scores.
    fn scores(&self) -> Result<Shape> {
        Shape::new("attention", vec![self.n_batch, self.n_heads, self.n_q, self.n_kv])
    }
}

/// Which input is which: after the values come a mask of floats and `n_past`, an integer; each may be missing.
#[derive(Clone, Copy, Debug, Default)]
struct Roles {
    mask: Option<usize>,
    n_past: Option<usize>,
}

impl Roles {
    fn of(dtypes: impl Iterator<Item = DType>) -> Option<Roles> {
        let mut roles = Roles::default();
        for (index, dtype) in dtypes.enumerate().skip(3) {
            match (dtype.is_float(), dtype.is_integer(), roles.mask, roles.n_past) {
                (true, _, None, None) => roles.mask = Some(index),
                (_, true, _, None) => roles.n_past = Some(index),
                _ => return None,
            }
        }
        Some(roles)
    }
}

impl Op for Attention {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        let window = if let Mask::Windowed(window) = self.mask { window } else { 0 };
        let kind = match self.mask {
            Mask::None => 0,
            Mask::Causal => 1,
            Mask::Windowed(_) => 2,
        };
        words.extend([kind, window as u32]);
        for number in [self.scale, self.soft_cap] {
            let bits = number.map_or(u64::MAX, f64::to_bits);
            words.extend([bits as u32, (bits >> 32) as u32]);
        }
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [q, k, v, ..] = inputs else { return Err(Error::argument("attention", "needs queries, keys and values")) };
        let Some(roles) = Roles::of(inputs.iter().map(|input| input.dtype)) else {
            let message = "takes at most a mask of floats and an integer n_past, in this order, after the values";
            return Err(Error::argument("attention", message));
        };
        if self.mask == Mask::Windowed(0) {
            return Err(Error::argument("attention", "\"windowed\" needs the attribute \"window\", 1 or more"));
        }
        let floats = [Some(0), Some(1), Some(2), roles.mask];
        if !q.dtype.is_float() || floats.into_iter().flatten().any(|index| inputs[index].dtype != q.dtype) {
            let dtypes: Vec<String> = inputs.iter().map(|input| input.dtype.to_string()).collect();
            return Err(Error::dtype("attention", format!("needs one float type, got {}", dtypes.join(", "))));
        }
        let sizes = Sizes::of(&q.shape, &k.shape, &v.shape)?;
        let scores = sizes.scores()?;
        if let Some(mask) = roles.mask.map(|index| &inputs[index].shape)
            && !Shape::broadcast("attention", mask, &scores).is_ok_and(|shape| shape == scores)
        {
            return Err(Error::shape("attention", format!("mask {mask} does not broadcast to scores {scores}")));
        }
        if let Some(n_past) = roles.n_past.map(|index| &inputs[index].shape)
            && n_past.n_elements() != 1
        {
            return Err(Error::shape("attention", format!("n_past must be one number, got {n_past}")));
        }
        let shape = Shape::new("attention", vec![sizes.n_batch, sizes.n_heads, sizes.n_q, sizes.dv])?;
        Ok(Meta { shape, dtype: q.dtype })
    }

    fn input_form(&self, _index: usize) -> InputForm {
        InputForm::Strided
    }

    fn reads_halves(&self, _index: usize) -> bool {
        true
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        cpu::attention(self, cx, out)
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        gpu::plan(self, cx)
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        gradient::gradient(self, cx)
    }

    fn flops(&self, inputs: &[Meta], out: &Meta) -> f64 {
        let n_kv = inputs[1].shape[2] as f64;
        let d = inputs[0].shape[3] as f64;
        let dv = out.shape[3] as f64;
        let n_rows = out.shape[..3].iter().product::<usize>() as f64;
        2.0 * n_rows * n_kv * (d + dv)
    }

    fn is_dense(&self) -> bool {
        true
    }
}

impl Reference for Attention {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::attention(self, inputs, out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "attention",
    inputs: &["q", "k", "v", "mask?", "n_past?"],
    attributes: &[
        Attribute::optional(
            "mask",
            AttrKind::Choice(&["none", "causal", "windowed"]),
            "which keys a query sees: all that are valid, those up to its own position, or the last of those; none unless told",
        ),
        Attribute::optional("window", AttrKind::Size, "keys that a windowed query sees, its own included"),
        Attribute::optional("scale", AttrKind::Number, "factor of the products; 1/sqrt(elements) unless told"),
        Attribute::optional(
            "soft_cap",
            AttrKind::Number,
            "bound of the scores, by a hyperbolic tangent; none unless told",
        ),
    ],
    doc: crate::op::said(
        "Mean of values weighted by the softmax of query-key products, for [batch, heads, positions, elements]; heads of queries may share heads of keys. Inputs after the values: an additive mask of floats that broadcasts to [batch, heads, queries, keys], and n_past, one integer: entries of the cache before these queries, which n_past + queries are valid of. A query that sees nothing gives zeros.",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    let window = given.size_if_given("window")?.unwrap_or(0);
    let choices = [("none", Mask::None), ("causal", Mask::Causal), ("windowed", Mask::Windowed(window))];
    let optional = |name: &str| -> Result<Option<f64>> {
        let number = given.number_or(name, f64::NAN)?;
        Ok((!number.is_nan()).then_some(number))
    };
    Ok(Arc::new(Attention {
        mask: given.choice("mask", &choices, Some(Mask::None))?,
        scale: optional("scale")?,
        soft_cap: optional("soft_cap")?,
    }))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: gpu::KERNELS };
