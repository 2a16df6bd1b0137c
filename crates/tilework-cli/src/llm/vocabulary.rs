//! What commands and the server need of a tokenizer.

use std::borrow::Cow;

/// Tokens and their texts.
pub(crate) trait Vocabulary: Send + Sync {
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
