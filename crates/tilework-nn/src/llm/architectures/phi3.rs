//! Phi 3 and 4: queries, keys and values in one matrix, both halves of the feed-forward layer in another (read wherever a file has
//! them so), and, in models for long contexts, two lists of factors that frequencies are divided by.
//!
//! Abdin et al., "Phi-3 Technical Report" (2024). Files name a window that not all layers of all models have, and do not say which;
//! so, as in llama.cpp (pull request 13676), every token sees all before it.

use crate::llm::config::{Config, Keys};
use tilework::Result;

pub(super) fn describe(_keys: &Keys<'_>, _config: &mut Config) -> Result<()> {
    Ok(())
}
