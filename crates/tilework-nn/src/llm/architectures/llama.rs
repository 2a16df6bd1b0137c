//! Llama and what is built like it: SmolLM, TinyLlama, Mistral.
//!
//! Touvron et al., "LLaMA: Open and Efficient Foundation Language Models" (2023). Files have queries and keys reordered so that pairs of
//! the rotary embedding are neighbours, as in Llama's own code. A window that a file names is not applied, as llama.cpp does not either.

use crate::llm::config::{Config, Keys};
use tilework::{Result, RopePairing};

pub(super) fn describe(_keys: &Keys<'_>, config: &mut Config) -> Result<()> {
    config.rope_pairing = RopePairing::Interleaved;
    Ok(())
}
