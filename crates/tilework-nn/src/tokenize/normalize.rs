//! Text as BERT's tokenizer compares it: without controls, with spaces around Chinese characters, without accents, in lower case.
//!
//! Accents go by canonical decomposition, which also puts marks into a canonical order. All marks but a handful are then left out, so
//! only the order among that handful has to be kept; the others merely say which of them may pass each other.

use super::characters::{self, Base};
use tilework::layers::core::order;

/// What is done to a text before it is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Normalizer {
    pub(super) cleans_text: bool,
    pub(super) spaces_ideographs: bool,
    pub(super) strips_accents: bool,
    pub(super) lowers_case: bool,
}

impl Normalizer {
    /// That of `bert-base-uncased` and models made from it.
    pub(super) const UNCASED: Normalizer =
        Normalizer { cleans_text: true, spaces_ideographs: true, strips_accents: true, lowers_case: true };

    pub(super) fn normalize(&self, text: &str) -> String {
        let cleaned = self.clean(text);
        let stripped = if self.strips_accents && !cleaned.is_ascii() { strip_accents(&cleaned) } else { cleaned };
        // One character at a time: the library does not look at a word's end for the final sigma.
        if self.lowers_case { stripped.chars().flat_map(char::to_lowercase).collect() } else { stripped }
    }

    fn clean(&self, text: &str) -> String {
        let mut cleaned = String::with_capacity(text.len());
        for c in text.chars() {
            if self.cleans_text && characters::is_removed(c) && !matches!(c, '\t' | '\n' | '\r') {
                continue;
            }
            if self.spaces_ideographs && characters::is_ideograph(c) {
                cleaned.extend([' ', c, ' ']);
            } else {
                cleaned.push(if self.cleans_text && c.is_whitespace() { ' ' } else { c });
            }
        }
        cleaned
    }
}

fn strip_accents(text: &str) -> String {
    let mut stripped = Stripped { text: String::with_capacity(text.len()), waiting: Vec::new() };
    for c in text.chars() {
        match characters::base(c) {
            Base::MovableMark => {}
            Base::FixedMark => stripped.settle(),
            Base::One(base) => stripped.push(base),
            Base::Several(bases) => bases.chars().for_each(|base| stripped.push(base)),
            Base::Syllable(letters, last) => letters.into_iter().chain(last).for_each(|letter| stripped.push(letter)),
        }
    }
    stripped.settle();
    stripped.text
}

/// Text without accents, as far as its order is settled.
struct Stripped {
    text: String,
    /// Characters with a combining class, which those that follow may still pass.
    waiting: Vec<(u8, char)>,
}

impl Stripped {
    fn push(&mut self, c: char) {
        match characters::kept_class(c) {
            0 => {
                self.settle();
                self.text.push(c);
            }
            class => self.waiting.push((class, c)),
        }
    }

    fn settle(&mut self) {
        // Stable: of one class, the first stays the first.
        order::sort_by_key(&mut self.waiting, |&(class, _)| class);
        self.text.extend(self.waiting.drain(..).map(|(_, c)| c));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_becomes_plain() {
        let cases = [
            ("Ångström É", "angstrom e"),
            ("a\u{301}\u{0}b\u{200d}c\u{ad}d", "abcd"),
            ("a\u{a0}b\tc\u{3000}d", "a b c d"),
            ("東京x", " 東  京 x"),
            ("İIı", "iiı"),
            ("ΑΣ", "ασ"),
            ("\u{1d16d}\u{1d165}", "\u{1d165}\u{1d16d}"),
            ("", ""),
        ];
        for (text, want) in cases {
            assert_eq!(Normalizer::UNCASED.normalize(text), want, "{text:?}");
        }
    }

    #[test]
    fn every_step_can_be_left_out() {
        let nothing =
            Normalizer { cleans_text: false, spaces_ideographs: false, strips_accents: false, lowers_case: false };
        assert_eq!(nothing.normalize("É\u{0}東\t"), "É\u{0}東\t");
        assert_eq!(Normalizer { lowers_case: true, ..nothing }.normalize("Éİ"), "éi\u{307}");
        assert_eq!(Normalizer { strips_accents: true, ..nothing }.normalize("Éa"), "Ea");
    }
}
