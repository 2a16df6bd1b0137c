//! Qwen 2 and 2.5: as Llama, with biases of queries, keys and values (which are read wherever a file has them).
//!
//! Yang et al., "Qwen2 Technical Report" (2024).

use crate::llm::config::{Config, Keys};
use tilework::Result;

pub(super) fn describe(_keys: &Keys<'_>, _config: &mut Config) -> Result<()> {
    Ok(())
}
