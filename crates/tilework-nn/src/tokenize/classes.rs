//! Kinds of characters, as the patterns of byte-level tokenizers tell them apart.

use super::generated::classes::RUNS;

/// The general category of a character, as far as patterns ask: `\p{L}` is the first three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Upper or title case letter (Lu, Lt).
    Upper,
    /// Lower case letter (Ll).
    Lower,
    /// Letter without case (Lm, Lo).
    Letter,
    /// Accent and the like (M).
    Mark,
    Number,
    Punctuation,
    Symbol,
    Other,
}

impl Class {
    pub(super) fn of(c: char) -> Class {
        let next = RUNS.partition_point(|run| run.0 <= u32::from(c));
        next.checked_sub(1).map_or(Class::Other, |at| RUNS[at].1)
    }

    /// `\p{L}`.
    pub(super) fn is_letter(self) -> bool {
        matches!(self, Class::Upper | Class::Lower | Class::Letter)
    }
}

/// A character and its class.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) c: char,
    pub(super) class: Class,
}

impl Item {
    pub(super) fn new(c: char) -> Item {
        Item { c, class: Class::of(c) }
    }

    pub(super) fn is_letter(self) -> bool {
        self.class.is_letter()
    }

    pub(super) fn is_number(self) -> bool {
        self.class == Class::Number
    }

    /// `\s`: the characters with Unicode's property White_Space.
    pub(super) fn is_space(self) -> bool {
        self.c.is_whitespace()
    }

    pub(super) fn is_line_end(self) -> bool {
        matches!(self.c, '\r' | '\n')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_some_characters() {
        let classes = "Aaªˆ́1½!+ \u{e000}".chars().map(Class::of).collect::<Vec<_>>();
        use Class::*;
        let expected = [Upper, Lower, Letter, Letter, Mark, Number, Number, Punctuation, Symbol, Other, Other];
        assert_eq!(classes, expected);
    }
}
