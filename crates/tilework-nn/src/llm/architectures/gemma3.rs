//! Gemma 3: as Gemma 2 without caps, with normalised queries and keys, and a window in five of six layers, whose positions have a base
//! of their own.
//!
//! Gemma Team, "Gemma 3 Technical Report" (2025).

use crate::llm::config::{Activation, Config, Keys, QueryKeyNorm};
use tilework::Result;

/// Layers of the largest model, whose queries are scaled by the elements per head of its width instead.
const LAYERS_OF_27B: usize = 62;
/// Every sixth layer sees everything.
const PERIOD: usize = 6;
const LOCAL_BASE: f64 = 10_000.0;

pub(super) fn describe(keys: &Keys<'_>, config: &mut Config) -> Result<()> {
    config.embedding_scale = (config.n_embd as f64).sqrt();
    config.activation = Activation::Gelu;
    config.query_key_norm = QueryKeyNorm::PerHead;
    config.logit_cap = keys.number("final_logit_softcapping")?.filter(|&cap| cap > 0.0);
    if config.n_layers == LAYERS_OF_27B {
        config.attention_scale = 1.0 / ((config.n_embd / config.n_heads) as f64).sqrt();
    }
    if keys.number("rope.freq_base")?.is_none() {
        config.layers.iter_mut().for_each(|layer| layer.rope_base = 1_000_000.0);
    }
    let window = keys.size("attention.sliding_window")?.unwrap_or(1024);
    for (index, layer) in config.layers.iter_mut().enumerate() {
        if index % PERIOD != PERIOD - 1 {
            layer.window = Some(window);
            layer.rope_base = LOCAL_BASE;
            layer.rope_divisor = 1.0;
        }
    }
    Ok(())
}
