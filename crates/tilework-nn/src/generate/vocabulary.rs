//! What answers need of a tokenizer.

use std::borrow::Cow;

use crate::llm::Model;
use crate::tokenize::{AddBegin, EncodeOptions, Specials};

/// Tokens and their texts.
pub trait Vocabulary: Send + Sync {
    /// How many tokens there are.
    fn n_tokens(&self) -> usize;

    /// What a token adds to a text; nothing for control tokens.
    fn bytes(&self, token: u32) -> Cow<'_, [u8]>;

    /// Whether it ends an answer.
    fn is_end(&self, token: u32) -> bool;

    /// The tokens of a text that a person wrote: what looks like a control token is text.
    fn encode_plain(&self, text: &str) -> Vec<u32>;

    /// The tokens of a prompt that a template wrote, control tokens and all.
    fn encode_prompt(&self, text: &str) -> Vec<u32>;
}

impl Vocabulary for Model {
    fn n_tokens(&self) -> usize {
        self.tokenizer().n_tokens().min(self.config().n_vocab)
    }

    fn bytes(&self, token: u32) -> Cow<'_, [u8]> {
        Cow::Borrowed(self.tokenizer().token_bytes(token))
    }

    fn is_end(&self, token: u32) -> bool {
        self.tokenizer().is_end(token)
    }

    fn encode_plain(&self, text: &str) -> Vec<u32> {
        self.tokenizer().encode(text, EncodeOptions::default())
    }

    fn encode_prompt(&self, text: &str) -> Vec<u32> {
        let tokenizer = self.tokenizer();
        // Many templates write the first token themselves; it must not come twice.
        let begin = tokenizer.begin().map(|token| tokenizer.text_of(token)).filter(|begin| !begin.is_empty());
        let has_begin = begin.is_some_and(|begin| text.starts_with(begin));
        let add_begin = if has_begin { AddBegin::Never } else { AddBegin::AsModelSays };
        tokenizer.encode(text, EncodeOptions { special: Specials::Parse, add_begin })
    }
}
