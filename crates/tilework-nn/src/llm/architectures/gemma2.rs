//! Gemma 2: embeddings scaled by the root of their size, norms after each half of a layer (read wherever a file has them), capped
//! scores and logits, and a window in every other layer, the first included.
//!
//! Gemma Team, "Gemma 2: Improving Open Language Models at a Practical Size" (2024).

use crate::llm::config::{Activation, Config, Keys, LayerKind};
use tilework::Result;

/// Layers of the largest model, whose queries are scaled by the elements per head of its width instead.
const LAYERS_OF_27B: usize = 46;
/// Every other layer sees everything.
const PERIOD: usize = 2;

pub(super) fn describe(keys: &Keys<'_>, config: &mut Config) -> Result<()> {
    config.embedding_scale = (config.n_embd as f64).sqrt();
    config.activation = Activation::Gelu;
    config.attention_cap = keys.number("attn_logit_softcapping")?.or(Some(50.0));
    config.logit_cap = keys.number("final_logit_softcapping")?.or(Some(30.0));
    if config.n_layers == LAYERS_OF_27B {
        config.attention_scale = 1.0 / ((config.n_embd / config.n_heads) as f64).sqrt();
    }
    let full = config.layers[0];
    let windowed = LayerKind {
        window: Some(keys.size("attention.sliding_window")?.unwrap_or(4096)),
        rope_base: keys.number("rope.freq_base_swa")?.unwrap_or(full.rope_base),
        rope_scaling: full.rope_scaling,
    };
    keys.add_windows(&mut config.layers, PERIOD, windowed)
}
