//! SentencePiece's byte-pair encoding, the tokenizer of Llama 1 and 2, Mistral and Gemma.
//!
//! Spaces are written `▁`, characters are symbols, and of all pairs of neighbors that together are a token the one with the highest
//! score is merged. What is no token in the end is written in bytes (Kudo and Richardson 2018).

use super::merge::{Pairs, merge};
use super::vocabulary::Vocabulary;

/// A part of the text: first byte and bytes.
type Span = (usize, usize);

/// One text on its way.
struct Session<'a> {
    text: &'a str,
    vocabulary: &'a Vocabulary,
}

impl Pairs for Session<'_> {
    type Symbol = Span;
    type Merit = Score;

    fn merged(&self, left: Span, right: Span) -> Option<(Score, Span)> {
        let merged = (left.0, left.1 + right.1);
        let token = self.vocabulary.find(self.text.get(merged.0..merged.0 + merged.1)?)?;
        Some((Score(self.vocabulary.score(token)), merged))
    }
}

/// A score that can be compared.
#[derive(PartialEq)]
struct Score(f32);

impl Eq for Score {}

impl Ord for Score {
    fn cmp(&self, other: &Score) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Tokens of a text whose spaces are already `▁`.
pub(super) fn encode(vocabulary: &Vocabulary, text: &str, out: &mut Vec<u32>) {
    let characters = text.char_indices().map(|(at, c)| (at, c.len_utf8()));
    for (at, n_bytes) in merge(&Session { text, vocabulary }, characters) {
        let part = &text[at..at + n_bytes];
        match vocabulary.find(part) {
            Some(token) => out.push(token),
            None => out.extend(part.bytes().filter_map(|byte| vocabulary.byte(byte))),
        }
    }
}
