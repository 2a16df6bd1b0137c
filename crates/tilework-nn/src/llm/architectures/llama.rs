//! Llama and what is built like it: SmolLM, TinyLlama, Mistral.
//!
//! Touvron et al., "LLaMA: Open and Efficient Foundation Language Models" (2023). Files have queries and keys reordered so that pairs of
//! the rotary embedding are neighbours, as in Llama's own code.

use crate::llm::config::{Config, Keys};
use tilework::{Result, RopePairing};

pub(super) fn describe(keys: &Keys<'_>, config: &mut Config) -> Result<()> {
    config.rope_pairing = RopePairing::Interleaved;
    let window = keys.size("attention.sliding_window")?.filter(|&window| window > 0);
    config.layers.iter_mut().for_each(|layer| layer.window = window);
    Ok(())
}
