//! Qwen 3: queries and keys are normalised head by head, and there are no biases.
//!
//! Yang et al., "Qwen3 Technical Report" (2025).

use crate::llm::config::{Config, Keys, QueryKeyNorm};
use tilework::Result;

pub(super) fn describe(_keys: &Keys<'_>, config: &mut Config) -> Result<()> {
    config.query_key_norm = QueryKeyNorm::PerHead;
    Ok(())
}
