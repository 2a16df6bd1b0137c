//! UTF-8 byte by byte: tokens may begin and end inside a character.

/// The beginning of a character, or nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Partial {
    /// Bits read so far.
    value: u32,
    /// Bytes still to come.
    n_left: u32,
    /// The smallest code point of this length: smaller ones are overlong, and not UTF-8.
    least: u32,
}

/// What a byte led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// A whole character.
    Char(u32),
    /// Not yet a whole one.
    More(Partial),
    /// No UTF-8.
    Invalid,
}

impl Partial {
    pub(crate) fn is_none(self) -> bool {
        self.n_left == 0
    }

    pub(crate) fn push(self, byte: u8) -> Read {
        let bits = u32::from(byte);
        if self.n_left == 0 {
            return match byte {
                0..0x80 => Read::Char(bits),
                0xc2..0xe0 => Read::More(Partial { value: bits & 0x1f, n_left: 1, least: 0x80 }),
                0xe0..0xf0 => Read::More(Partial { value: bits & 0x0f, n_left: 2, least: 0x800 }),
                0xf0..0xf5 => Read::More(Partial { value: bits & 0x07, n_left: 3, least: 0x1_0000 }),
                _ => Read::Invalid,
            };
        }
        if byte & 0xc0 != 0x80 {
            return Read::Invalid;
        }
        let next = Partial { value: self.value << 6 | (bits & 0x3f), n_left: self.n_left - 1, least: self.least };
        match next.n_left {
            0 if next.value >= next.least && char::from_u32(next.value).is_some() => Read::Char(next.value),
            0 => Read::Invalid,
            _ if next.range().is_none() => Read::Invalid,
            _ => Read::More(next),
        }
    }

    /// The code points it can still become.
    pub(crate) fn range(self) -> Option<(u32, u32)> {
        let from = (self.value << (6 * self.n_left)).max(self.least);
        let to = (((self.value + 1) << (6 * self.n_left)) - 1).min(u32::from(char::MAX));
        let is_surrogates = from >= 0xd800 && to <= 0xdfff;
        (from <= to && !is_surrogates).then_some((from, to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All characters of `bytes`, and whether they end with a whole one.
    fn read(bytes: &[u8]) -> Option<(String, bool)> {
        let mut partial = Partial::default();
        let mut text = String::new();
        for &byte in bytes {
            partial = match partial.push(byte) {
                Read::Char(code) => {
                    text.push(char::from_u32(code)?);
                    Partial::default()
                }
                Read::More(partial) => partial,
                Read::Invalid => return None,
            };
        }
        Some((text, partial.is_none()))
    }

    #[test]
    fn agrees_with_the_standard_library() {
        let text = "aé€😀\u{7ff}\u{800}\u{d7ff}\u{e000}\u{ffff}\u{10000}\u{10ffff}";
        assert_eq!(read(text.as_bytes()), Some((text.to_owned(), true)));
        // Every pair and many triples of bytes.
        let mut random = super::super::super::sample::Random::new(9);
        for a in 0..=255u8 {
            for b in 0..=255u8 {
                let third = random.next_u64() as u8;
                for bytes in [vec![a, b], vec![a, b, third], vec![a, b, third, 0x80 | third >> 2]] {
                    let got = read(&bytes);
                    match std::str::from_utf8(&bytes) {
                        Ok(text) => assert_eq!(got, Some((text.to_owned(), true)), "{bytes:x?}"),
                        Err(error) if error.error_len().is_none() => assert!(!got.unwrap().1, "{bytes:x?}"),
                        Err(_) => assert_eq!(got, None, "{bytes:x?}"),
                    }
                }
            }
        }
    }
}
