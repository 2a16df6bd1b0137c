//! Gemma 3: as Gemma 2 without caps, with normalised queries and keys, and a window in five of six layers, whose positions have a base
//! of their own.
//!
//! Gemma Team, "Gemma 3 Technical Report" (2025).

use crate::llm::config::{Activation, Config, DEFAULT_ROPE_BASE, Keys, LayerKind, QueryKeyNorm};
use tilework::{Result, RopeScaling};

/// Layers of the largest model, whose queries are scaled by the elements per head of its width instead.
const LAYERS_OF_27B: usize = 62;
/// Every sixth layer sees everything.
const PERIOD: usize = 6;

pub(super) fn describe(keys: &Keys<'_>, config: &mut Config) -> Result<()> {
    config.embedding_scale = (config.n_embd as f64).sqrt();
    config.activation = Activation::Gelu;
    config.query_key_norm = QueryKeyNorm::PerHead;
    config.logit_cap = keys.number("final_logit_softcapping")?.filter(|&cap| cap > 0.0);
    if config.n_layers == LAYERS_OF_27B {
        config.attention_scale = 1.0 / ((config.n_embd / config.n_heads) as f64).sqrt();
    }
    // A file without a window is a model without one.
    let Some(window) = keys.size("attention.sliding_window")?.filter(|&window| window > 0) else { return Ok(()) };
    let windowed = LayerKind {
        window: Some(window),
        rope_base: keys.number("rope.freq_base_swa")?.unwrap_or(DEFAULT_ROPE_BASE),
        // However long the context is, a window is not.
        rope_scaling: RopeScaling::None,
    };
    keys.add_windows(&mut config.layers, PERIOD, windowed)
}
