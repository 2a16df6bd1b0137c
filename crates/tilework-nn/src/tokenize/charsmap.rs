//! SentencePiece's table of characters to replace before tokens are looked for.
//!
//! It is a trie in a compact double array (Kanda 2018): 32-bit nodes of a byte to check, a flag for a value and the offset of children;
//! behind it are the replacements, each ended by a zero. It comes from a file, so every index is checked.

use tilework::Result;

use super::vocabulary::damaged;
use crate::gguf::{Metadata, Value, Values};

/// The table.
pub(super) struct CharsMap {
    nodes: Vec<u32>,
    replacements: Vec<u8>,
}

impl CharsMap {
    /// Reads `tokenizer.ggml.precompiled_charsmap`; `None` if the model has none.
    pub(super) fn new(metadata: &Metadata) -> Result<Option<CharsMap>> {
        let bytes: Vec<u8> = match metadata.get("tokenizer.ggml.precompiled_charsmap") {
            None => return Ok(None),
            Some(Value::Array(Values::U8(bytes))) => bytes.clone(),
            Some(Value::Array(Values::I8(bytes))) => bytes.iter().map(|&byte| byte.cast_unsigned()).collect(),
            Some(_) => return Err(damaged("`tokenizer.ggml.precompiled_charsmap` is no array of bytes")),
        };
        if bytes.is_empty() {
            return Ok(None);
        }
        let cut = || damaged("`tokenizer.ggml.precompiled_charsmap` ends too early");
        let (size, rest) = bytes.split_first_chunk::<4>().ok_or_else(cut)?;
        let size = usize::try_from(u32::from_le_bytes(*size)).map_err(|_| cut())?;
        let (nodes, replacements) = rest.split_at_checked(size).ok_or_else(cut)?;
        let nodes = nodes.as_chunks::<4>().0.iter().map(|node| u32::from_le_bytes(*node)).collect();
        Ok(Some(CharsMap { nodes, replacements: replacements.to_vec() }))
    }

    /// What the longest entry that `text` begins with is replaced by, and its bytes.
    pub(super) fn replaced(&self, text: &str) -> Option<(&str, usize)> {
        let node = |at: u32| self.nodes.get(at as usize).copied();
        let children = |node: u32| (node >> 10) << ((node & (1 << 9)) >> 6);
        let mut at = children(node(0)?);
        let mut longest = None;
        for (index, byte) in text.bytes().enumerate().take_while(|(_, byte)| *byte != 0) {
            at ^= u32::from(byte);
            let Some(found) = node(at).filter(|found| found & (1 << 31 | 0xff) == u32::from(byte)) else { break };
            at ^= children(found);
            if found >> 8 & 1 == 1 {
                longest = Some((node(at)? & 0x7fff_ffff, index + 1));
            }
        }
        let (offset, n_bytes) = longest.filter(|longest| text.is_char_boundary(longest.1))?;
        let replacement = self.replacements.get(offset as usize..)?.split(|&byte| byte == 0).next()?;
        Some((std::str::from_utf8(replacement).ok()?, n_bytes))
    }
}
