//! Phi 3: queries, keys and values in one matrix, both halves of the feed-forward layer in another (read wherever a file has them so),
//! and a window.
//!
//! Abdin et al., "Phi-3 Technical Report" (2024).

use crate::llm::config::{Config, Keys};
use tilework::Result;

pub(super) fn describe(keys: &Keys<'_>, config: &mut Config) -> Result<()> {
    let window = keys.size("attention.sliding_window")?.filter(|&window| window > 0);
    config.layers.iter_mut().for_each(|layer| layer.window = window);
    Ok(())
}
