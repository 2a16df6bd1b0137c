//! What kind of character a character is, as BERT's tokenizer sees it.
//!
//! The tables are those of the library that trained such models (testdata/embeddings/make_unicode.py asks it), not of a Unicode
//! version: it mixes several, and a model knows the words that came out of it.

use super::generated::unicode::{BASES, FIXED_MARKS, KEPT_MARKS, LONG_BASES, MOVABLE_MARKS, PUNCTUATION, REMOVED};

/// Controls, formats and private characters, which are left out of a text.
pub(super) fn is_removed(c: char) -> bool {
    is_within(REMOVED, c)
}

/// Characters that are words of their own.
pub(super) fn is_punctuation(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_punctuation() } else { is_within(PUNCTUATION, c) }
}

/// Chinese characters, which are words of their own; not those of Japanese syllables and Korean, which are written with spaces
/// or are not many.
pub(super) fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c),
        0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff
        | 0x20000..=0x2a6df | 0x2a700..=0x2b81f | 0x2b920..=0x2ceaf | 0x2f800..=0x2fa1f)
}

/// What canonical decomposition without accents makes of a character.
pub(super) enum Base {
    /// An accent that stays in its place while others are ordered.
    FixedMark,
    /// An accent that is ordered among its neighbors.
    MovableMark,
    /// One character; it may be the same.
    One(char),
    /// Several.
    Several(&'static str),
    /// The letters of a Korean syllable; there may be no third.
    Syllable([char; 2], Option<char>),
}

/// The character without its accents.
pub(super) fn base(c: char) -> Base {
    let code = u32::from(c);
    if let Some(syllable) = syllable(code) {
        return syllable;
    }
    if let Ok(at) = BASES.binary_search_by_key(&code, |row| row.0) {
        return Base::One(char::from_u32(BASES[at].1).unwrap_or(c));
    }
    if let Ok(at) = LONG_BASES.binary_search_by_key(&code, |row| row.0) {
        return Base::Several(LONG_BASES[at].1);
    }
    match c {
        _ if is_within(MOVABLE_MARKS, c) => Base::MovableMark,
        _ if is_within(FIXED_MARKS, c) => Base::FixedMark,
        _ => Base::One(c),
    }
}

/// The combining class of a character that is no accent: 0 except for a few vowel signs and musical symbols.
pub(super) fn kept_class(c: char) -> u8 {
    KEPT_MARKS.binary_search_by_key(&u32::from(c), |row| row.0).map_or(0, |at| KEPT_MARKS[at].1)
}

/// Korean syllables are numbered by their letters (The Unicode Standard, section 3.12).
fn syllable(code: u32) -> Option<Base> {
    const FIRST: u32 = 0xac00;
    const N_SYLLABLES: u32 = 11_172;
    const N_VOWELS: u32 = 21;
    const N_FINALS: u32 = 28;
    let number = code.checked_sub(FIRST).filter(|&number| number < N_SYLLABLES)?;
    let lead = char::from_u32(0x1100 + number / (N_VOWELS * N_FINALS))?;
    let vowel = char::from_u32(0x1161 + number / N_FINALS % N_VOWELS)?;
    let last = number % N_FINALS;
    Some(Base::Syllable([lead, vowel], if last == 0 { None } else { char::from_u32(0x11a7 + last) }))
}

/// Whether one of the ranges, sorted and with both ends included, has the character.
fn is_within(ranges: &[(u32, u32)], c: char) -> bool {
    let code = u32::from(c);
    let after = ranges.partition_point(|&(first, _)| first <= code);
    after > 0 && code <= ranges[after - 1].1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends() {
        let ranges = [(0x41, 0x43), (0x61, 0x61)];
        let found: String = ('@'..='c').filter(|&c| is_within(&ranges, c)).collect();
        assert_eq!(found, "ABCa");
        assert!(!is_within(&[], 'A'));
    }

    #[test]
    fn syllables_are_letters() {
        assert!(matches!(base('각'), Base::Syllable(['\u{1100}', '\u{1161}'], Some('\u{11a8}'))));
        assert!(matches!(base('가'), Base::Syllable(['\u{1100}', '\u{1161}'], None)));
        assert!(matches!(base('힣'), Base::Syllable(['\u{1112}', '\u{1175}'], Some('\u{11c2}'))));
    }
}
