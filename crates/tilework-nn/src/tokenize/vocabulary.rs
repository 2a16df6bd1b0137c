//! The tokens of a language model, as a GGUF file lists them.

use tilework::layers::core::order;
use tilework::{Error, ErrorKind, Result};

use super::texts::Texts;
use crate::gguf::{Metadata, Value, Values};

/// What a token is for; the numbers are those of `tokenizer.ggml.token_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Normal,
    Unknown,
    /// Begins, ends or separates; adds nothing to a text.
    Control,
    /// Stands in a text by its name and is never split.
    UserDefined,
    Unused,
    /// One byte, named `<0x0A>`.
    Byte,
}

/// Texts, kinds and scores of all tokens.
#[derive(Debug)]
pub(super) struct Vocabulary {
    pub(super) texts: Texts,
    pub(super) kinds: Vec<Kind>,
    pub(super) scores: Vec<f32>,
}

/// Tokens that end a text or a turn, whatever the file says about them (the list is llama.cpp's).
const ENDS: &[&str] = &[
    "<|eot_id|>",
    "<|im_end|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|flush|>",
    "<|calls|>",
    "<end_of_turn>",
    "<|endoftext|>",
    "</s>",
    "<|eom_id|>",
    "<EOT>",
    "_<EOT>",
    "[EOT]",
    "[EOS]",
    "<|end_of_text|>",
    "<end_of_utterance>",
    "<eos>",
    "<turn|>",
    "<|tool_response>",
    "<｜end▁of▁sentence｜>",
    "[e~[",
];

impl Vocabulary {
    pub(super) fn new(metadata: &Metadata) -> Result<Vocabulary> {
        let key = "tokenizer.ggml.tokens";
        let texts = Metadata::required(key, metadata.strings(key)?)?;
        let n_bytes: usize = texts.iter().map(String::len).sum();
        if u32::try_from(texts.len().max(n_bytes)).is_err() || texts.is_empty() {
            return Err(damaged(format!("a vocabulary of {} tokens", texts.len())));
        }
        let mut kinds = kinds(metadata, texts.len())?;
        let scores = scores(metadata, texts.len())?;
        // Of two tokens with one text the last counts, as in llama.cpp.
        let texts = Texts::new(texts);
        for id in ENDS.iter().filter_map(|&end| texts.find(end)) {
            // Some files say that these are ordinary.
            kinds[id as usize] = Kind::Control;
        }
        Ok(Vocabulary { texts, kinds, scores })
    }

    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    pub(super) fn find(&self, text: &str) -> Option<u32> {
        self.texts.find(text)
    }

    pub(super) fn text(&self, id: u32) -> &str {
        self.texts.get(id)
    }

    pub(super) fn kind(&self, id: u32) -> Kind {
        self.kinds.get(id as usize).copied().unwrap_or(Kind::Unused)
    }

    pub(super) fn score(&self, id: u32) -> f32 {
        self.scores.get(id as usize).copied().unwrap_or(0.0)
    }

    /// The token of one byte: `<0x0A>`, or the byte itself.
    pub(super) fn byte(&self, byte: u8) -> Option<u32> {
        let itself = || self.find(std::str::from_utf8(&[byte]).ok()?);
        self.find(&format!("<0x{byte:02X}>")).or_else(itself)
    }

    /// The special token that `tokenizer.ggml.{name}_token_id` names, if it is one of the vocabulary.
    pub(super) fn special(&self, metadata: &Metadata, name: &str) -> Result<Option<u32>> {
        let id = metadata.u32(&format!("tokenizer.ggml.{name}_token_id"))?;
        Ok(id.filter(|&id| (id as usize) < self.len()))
    }

    /// All tokens that end a text or a turn.
    pub(super) fn ends(&self, metadata: &Metadata) -> Result<Vec<u32>> {
        let mut ends: Vec<u32> = ENDS.iter().filter_map(|end| self.find(end)).collect();
        for name in ["eos", "eot", "eom"] {
            ends.extend(self.special(metadata, name)?);
        }
        // In vocabularies with these, `<|end|>` only ends a part of an answer.
        let has = |text: &str| self.find(text).is_some();
        if (has("<|return|>") && has("<|call|>")) || (has("<|calls|>") && has("<|flush|>")) {
            let part = self.find("<|end|>");
            ends.retain(|&id| Some(id) != part);
        }
        order::sort_by(&mut ends, Ord::cmp);
        ends.dedup();
        Ok(ends)
    }
}

fn kinds(metadata: &Metadata, n: usize) -> Result<Vec<Kind>> {
    let Some(numbers) = metadata.i32s("tokenizer.ggml.token_type")? else { return Ok(vec![Kind::Normal; n]) };
    expect_len("token_type", numbers.len(), n)?;
    let kind = |number: &i32| match number {
        2 => Kind::Unknown,
        3 => Kind::Control,
        4 => Kind::UserDefined,
        5 => Kind::Unused,
        6 => Kind::Byte,
        _ => Kind::Normal,
    };
    Ok(numbers.iter().take(n).map(kind).collect())
}

fn scores(metadata: &Metadata, n: usize) -> Result<Vec<f32>> {
    let key = "tokenizer.ggml.scores";
    let scores: Vec<f32> = match metadata.get(key) {
        None => vec![0.0; n],
        Some(Value::Array(Values::I32(scores))) => scores.iter().map(|&score| score as f32).collect(),
        Some(_) => metadata.f32s(key)?.unwrap_or_default().to_vec(),
    };
    expect_len("scores", scores.len(), n)?;
    Ok(scores)
}

fn expect_len(name: &str, found: usize, n: usize) -> Result<()> {
    if found < n {
        return Err(damaged(format!("`tokenizer.ggml.{name}` has {found} entries for {n} tokens")));
    }
    Ok(())
}

/// Metadata that no tokenizer can be made of.
pub(super) fn damaged(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Io, "tokenizer", message)
}
