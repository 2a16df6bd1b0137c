//! Byte-level byte-pair encoding, the tokenizer of GPT-2 and most models since.
//!
//! Text is cut into words; the bytes of a word are symbols, and pairs of symbols are merged in the order in which training found them
//! frequent (Sennrich et al., "Neural Machine Translation of Rare Words with Subword Units", 2016; Radford et al. 2019 for bytes).
//! Files write bytes as characters that can be printed: `Ġ` is a space.

use std::cmp::Reverse;
use std::collections::HashMap;

use tilework::{Error, ErrorKind, Result};

use super::merge::{Pairs, merge};
use super::split::Split;
use super::vocabulary::{Vocabulary, damaged};
use crate::gguf::Metadata;

/// A string that merging can come to, by its number.
type Symbol = u32;

/// Merges and how to cut words.
pub(super) struct Bpe {
    split: Split,
    /// The symbol of each byte.
    bytes: [Symbol; 256],
    /// Rank and result of pairs.
    merges: HashMap<(Symbol, Symbol), (u32, Symbol)>,
    /// The token each symbol is, if it is one.
    tokens: Vec<Option<u32>>,
    /// Whole words that are tokens, for models that look there first.
    words: HashMap<Vec<u8>, u32>,
}

impl Bpe {
    pub(super) fn new(metadata: &Metadata, vocabulary: &Vocabulary, pre: &str) -> Result<Bpe> {
        let split = Split::find(pre).ok_or_else(|| {
            let message = format!("`tokenizer.ggml.pre` is `{pre}`, a way to cut words that is not known here");
            Error::new(ErrorKind::Unsupported, "tokenizer", message)
        })?;
        let key = "tokenizer.ggml.merges";
        let lines = Metadata::required(key, metadata.strings(key)?)?;
        let mut symbols = Symbols { by_text: HashMap::new(), tokens: Vec::new(), vocabulary };
        let bytes = std::array::from_fn(|byte| symbols.number(&character_of(byte as u8).to_string()));
        let mut merges = HashMap::with_capacity(lines.len());
        for (rank, line) in (0..).zip(lines) {
            // The space that divides is not the first character, so that a merge can begin with one.
            let divided =
                line.char_indices().skip(1).find(|c| c.1 == ' ').map(|(at, _)| (&line[..at], &line[at + 1..]));
            let (left, right) =
                divided.ok_or_else(|| damaged(format!("merge {rank} is `{line}`, which is no pair")))?;
            let merged = symbols.number(&format!("{left}{right}"));
            merges.entry((symbols.number(left), symbols.number(right))).or_insert((rank, merged));
        }
        let words = if split.takes_whole_words { whole_words(vocabulary) } else { HashMap::new() };
        Ok(Bpe { split, bytes, merges, tokens: symbols.tokens, words })
    }

    /// Whether texts begin with a token for that unless the file says otherwise.
    pub(super) fn adds_begin(&self) -> bool {
        self.split.adds_begin
    }

    pub(super) fn encode(&self, text: &str, out: &mut Vec<u32>) {
        self.split.words(text, |word| {
            if let Some(&token) = self.words.get(word.as_bytes()) {
                out.push(token);
                return;
            }
            let symbols = merge(self, word.bytes().map(|byte| self.bytes[usize::from(byte)]));
            // A vocabulary without some byte cannot write it; then it is left out, as llama.cpp does.
            out.extend(symbols.into_iter().filter_map(|symbol| self.tokens.get(symbol as usize).copied().flatten()));
        });
    }
}

impl Pairs for Bpe {
    type Symbol = Symbol;
    type Merit = Reverse<u32>;

    fn merged(&self, left: Symbol, right: Symbol) -> Option<(Reverse<u32>, Symbol)> {
        self.merges.get(&(left, right)).map(|&(rank, merged)| (Reverse(rank), merged))
    }
}

/// Numbers for strings, while merges are read.
struct Symbols<'a> {
    by_text: HashMap<String, Symbol>,
    tokens: Vec<Option<u32>>,
    vocabulary: &'a Vocabulary,
}

impl Symbols<'_> {
    fn number(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.by_text.get(text) {
            return symbol;
        }
        let symbol = self.tokens.len() as Symbol;
        self.tokens.push(self.vocabulary.find(text));
        self.by_text.insert(text.to_owned(), symbol);
        symbol
    }
}

fn whole_words(vocabulary: &Vocabulary) -> HashMap<Vec<u8>, u32> {
    let bytes = |text: &str| text.chars().map(byte_of).collect::<Option<Vec<u8>>>();
    (0..).zip(vocabulary.texts.iter()).filter_map(|(id, text)| Some((bytes(text)?, id))).collect()
}

/// Bytes that cannot be printed, in order: 0 to 32, 127 to 160 and 173. They are written as the characters from U+0100 on.
const UNPRINTABLE: [u8; 68] = {
    let mut bytes = [0; 68];
    let (mut n, mut byte) = (0, 0);
    while byte < 256 {
        if !is_printable(byte as u8) {
            bytes[n] = byte as u8;
            n += 1;
        }
        byte += 1;
    }
    bytes
};

const fn is_printable(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff)
}

/// The character that stands for a byte.
fn character_of(byte: u8) -> char {
    let place = UNPRINTABLE.binary_search(&byte).ok().and_then(|place| char::from_u32(0x100 + place as u32));
    place.unwrap_or(char::from(byte))
}

/// The byte that a character stands for.
pub(super) fn byte_of(c: char) -> Option<u8> {
    match u8::try_from(u32::from(c)) {
        Ok(byte) => is_printable(byte).then_some(byte),
        Err(_) => UNPRINTABLE.get((u32::from(c) - 0x100) as usize).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_characters_stand_for_each_other() {
        assert_eq!((character_of(b' '), character_of(b'\n'), character_of(0xad)), ('Ġ', 'Ċ', 'Ń'));
        for byte in 0..=255 {
            assert_eq!(byte_of(character_of(byte)), Some(byte));
        }
        assert_eq!((byte_of(' '), byte_of('Ƣ')), (None, None));
    }
}
