//! SentencePiece's unigram model, the tokenizer of T5 and XLM-R.
//!
//! Every token has a log probability; of all ways to cut a text into tokens the most probable is taken, found from left to right by
//! dynamic programming (Kudo, "Subword Regularization", 2018). A character that no token covers is unknown, at a high price.

use tilework::Result;

use super::charsmap::CharsMap;
use super::vocabulary::{Kind, Vocabulary};
use crate::gguf::Metadata;
use tilework::layers::core::order;

/// How much less probable an unknown character is than the least probable token.
const UNKNOWN_PENALTY: f32 = 10.0;

/// Tokens in the order of their texts, and how text is made ready.
pub(super) struct Unigram {
    /// Ids, sorted by text: those that begin with what was read so far are a range.
    sorted: Vec<u32>,
    user_defined: Vec<String>,
    unknown: u32,
    unknown_score: f64,
    charsmap: Option<CharsMap>,
    merges_spaces: bool,
    space: Space,
}

/// Where a space is added that is not in the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Space {
    Before,
    After,
    Nowhere,
}

/// The best way to cut the text up to some byte: its last token, where that starts, and its score.
#[derive(Clone, Copy)]
struct Best {
    token: u32,
    start: usize,
    score: f64,
}

impl Unigram {
    pub(super) fn new(metadata: &Metadata, vocabulary: &Vocabulary) -> Result<Unigram> {
        let ids = 0..vocabulary.len() as u32;
        let is = |id: u32, kinds: &[Kind]| kinds.contains(&vocabulary.kind(id));
        let mut sorted: Vec<u32> =
            ids.clone().filter(|&id| is(id, &[Kind::Normal, Kind::UserDefined, Kind::Unused])).collect();
        order::sort_by_key(&mut sorted, |&id| vocabulary.text(id));
        let least =
            ids.clone().filter(|&id| is(id, &[Kind::Normal])).map(|id| vocabulary.score(id)).fold(f32::MAX, f32::min);
        let mut user_defined: Vec<String> =
            ids.filter(|&id| is(id, &[Kind::UserDefined])).map(|id| vocabulary.text(id).to_owned()).collect();
        order::sort_by_key(&mut user_defined, |text| std::cmp::Reverse(text.len()));
        let flag = |name: &str| metadata.bool(&format!("tokenizer.ggml.{name}"));
        let space = match (flag("add_space_prefix")?.unwrap_or(false), flag("treat_whitespace_as_suffix")?) {
            (false, _) => Space::Nowhere,
            (true, Some(true)) => Space::After,
            (true, _) => Space::Before,
        };
        Ok(Unigram {
            sorted,
            user_defined,
            unknown: vocabulary.special(metadata, "unknown")?.unwrap_or(2),
            unknown_score: f64::from(least - UNKNOWN_PENALTY),
            charsmap: CharsMap::new(metadata)?,
            merges_spaces: flag("remove_extra_whitespaces")?.unwrap_or(false),
            space,
        })
    }

    pub(super) fn encode(&self, vocabulary: &Vocabulary, text: &str, out: &mut Vec<u32>) {
        let text = self.normalize(text);
        let nothing = Best { token: self.unknown, start: 0, score: f64::NEG_INFINITY };
        let mut best = vec![nothing; text.len() + 1];
        best[0].score = 0.0;
        for (start, c) in text.char_indices() {
            let score = best[start].score;
            let mut is_covered = false;
            for (end, token) in self.tokens_at(vocabulary, &text, start) {
                is_covered |= end == start + c.len_utf8();
                let own =
                    if vocabulary.kind(token) == Kind::UserDefined { 0.0 } else { f64::from(vocabulary.score(token)) };
                offer(&mut best[end], Best { token, start, score: score + own });
            }
            if !is_covered {
                let unknown = Best { token: self.unknown, start, score: score + self.unknown_score };
                offer(&mut best[start + c.len_utf8()], unknown);
            }
        }
        self.trace_back(&best, out);
    }

    /// The tokens of the best way; unknown characters in a row are one token.
    fn trace_back(&self, best: &[Best], out: &mut Vec<u32>) {
        let mut tokens = Vec::new();
        let mut end = best.len() - 1;
        while end > 0 {
            let Best { token, start, .. } = best[end];
            if token != self.unknown || tokens.last() != Some(&self.unknown) {
                tokens.push(token);
            }
            end = start;
        }
        out.extend(tokens.into_iter().rev());
    }

    /// Tokens that the text has from byte `start` on, by their end.
    fn tokens_at(&self, vocabulary: &Vocabulary, text: &str, start: usize) -> Vec<(usize, u32)> {
        let mut candidates = self.sorted.as_slice();
        let mut found = Vec::new();
        for (n_read, &byte) in text.as_bytes()[start..].iter().enumerate() {
            // All candidates agree with the text so far, so their next bytes are in order.
            let next = |id: &u32| vocabulary.text(*id).as_bytes().get(n_read).copied();
            let first = candidates.partition_point(|id| next(id) < Some(byte));
            let last = candidates.partition_point(|id| next(id) <= Some(byte));
            candidates = &candidates[first..last];
            match candidates.first() {
                None => break,
                Some(&token) if vocabulary.text(token).len() == n_read + 1 => found.push((start + n_read + 1, token)),
                Some(_) => {}
            }
        }
        found
    }

    /// The text with characters replaced as the model asks and spaces written `▁`.
    fn normalize(&self, text: &str) -> String {
        let mut out = String::new();
        let (mut in_word, mut has_begun) = (false, false);
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let user_defined =
                self.user_defined.iter().find(|token| rest.starts_with(token.as_str()) && !token.is_empty());
            let replaced = self.charsmap.as_ref().and_then(|map| map.replaced(rest));
            let (piece, n_bytes) = match (user_defined, replaced) {
                (Some(token), _) => (token.as_str(), token.len()),
                (None, Some(replaced)) => replaced,
                (None, None) => (&rest[..first.len_utf8()], first.len_utf8()),
            };
            for c in piece.chars() {
                if c != ' ' {
                    if !in_word && (self.merges_spaces || (self.space == Space::Before && !has_begun)) {
                        out.push('▁');
                        has_begun = true;
                    }
                    out.push(c);
                } else if !self.merges_spaces {
                    out.push('▁');
                }
                in_word = c != ' ';
            }
            rest = rest.get(n_bytes..).unwrap_or_default();
        }
        if self.space == Space::After {
            out.push('▁');
        }
        out
    }
}

fn offer(best: &mut Best, challenger: Best) {
    if challenger.score > best.score {
        *best = challenger;
    }
}
