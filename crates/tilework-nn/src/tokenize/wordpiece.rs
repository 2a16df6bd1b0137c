//! WordPiece, the tokenizer of BERT: words, and pieces of those that are not in the vocabulary.
//!
//! Text is normalized and split at spaces and around punctuation. A word is then cut, from its beginning, into the longest pieces that
//! the vocabulary has; pieces that continue a word are written `##ing` there. A word that cannot be cut so is one unknown token
//! (Devlin et al., "BERT", 2018; Wu et al., "Google's Neural Machine Translation System", 2016).

use std::collections::HashMap;

use tilework::{Error, Result};

use super::characters::is_punctuation;
use super::normalize::Normalizer;
use super::settings::{Settings, damaged};

/// A WordPiece tokenizer with its vocabulary.
#[derive(Debug)]
pub struct WordPiece {
    normalizer: Normalizer,
    /// Pieces that begin a word.
    beginnings: Pieces,
    /// Pieces that continue one, without their prefix.
    continuations: Pieces,
    unknown_id: u32,
    max_word_chars: usize,
    added: Vec<(String, u32)>,
    before: Vec<u32>,
    after: Vec<u32>,
    pad_id: u32,
    max_tokens: usize,
    n_tokens: usize,
}

impl WordPiece {
    /// Reads `tokenizer.json`. Fails with [`tilework::ErrorKind::Io`] if the file is damaged, and with
    /// [`tilework::ErrorKind::Unsupported`] if it describes another kind of tokenizer.
    pub fn from_json(bytes: &[u8]) -> Result<WordPiece> {
        WordPiece::new(Settings::from_json(bytes)?)
    }

    /// Reads `vocab.txt`: a token per line. The rest is as in `bert-base-uncased`.
    pub fn from_vocabulary(bytes: &[u8]) -> Result<WordPiece> {
        WordPiece::new(Settings::from_vocabulary(bytes)?)
    }

    /// A tokenizer as described elsewhere than in a file of its own.
    pub(super) fn from_settings(settings: Settings) -> Result<WordPiece> {
        WordPiece::new(settings)
    }

    fn new(settings: Settings) -> Result<WordPiece> {
        let unknown_id = settings.vocabulary.get(&settings.unknown).copied();
        let unknown_id = unknown_id.ok_or_else(|| damaged(format!("the vocabulary has no {}", settings.unknown)))?;
        let ids = settings.vocabulary.values().chain(settings.added.iter().map(|(_, id)| id));
        let n_tokens = ids.max().map_or(0, |&id| id as usize + 1);
        let (mut beginnings, mut continuations) = (Pieces::default(), Pieces::default());
        for (token, id) in settings.vocabulary {
            if let Some(rest) = token.strip_prefix(&settings.prefix) {
                continuations.insert(rest.to_owned(), id);
            }
            beginnings.insert(token, id);
        }
        let tokenizer = WordPiece {
            normalizer: settings.normalizer,
            beginnings,
            continuations,
            unknown_id,
            max_word_chars: settings.max_word_chars,
            added: settings.added,
            before: settings.before,
            after: settings.after,
            pad_id: settings.pad_id,
            max_tokens: usize::MAX,
            n_tokens,
        };
        tokenizer.with_max_tokens(settings.max_tokens.unwrap_or(usize::MAX))
    }

    /// The same with another limit: what comes after so many tokens, those around the text included, is cut off.
    pub fn with_max_tokens(self, max_tokens: usize) -> Result<WordPiece> {
        let n_around = self.before.len() + self.after.len();
        if max_tokens < n_around {
            let message = format!("{max_tokens} tokens are too few for the {n_around} around a text");
            return Err(Error::argument("tokenizer", message));
        }
        Ok(WordPiece { max_tokens, ..self })
    }

    /// What a shorter row of a batch is filled up with.
    pub fn pad_id(&self) -> u32 {
        self.pad_id
    }

    /// One more than the largest number of a token.
    pub fn n_tokens(&self) -> usize {
        self.n_tokens
    }

    /// The numbers of the tokens of `text`, with those in front of it and after it.
    pub fn encode(&self, text: &str) -> Vec<u32> {
        let limit = self.max_tokens - self.after.len();
        let mut ids = self.before.clone();
        let mut rest = text;
        while ids.len() < limit && !rest.is_empty() {
            let (start, end, added) = self.next_added(rest);
            self.encode_plain(&rest[..start], limit, &mut ids);
            ids.extend(added);
            rest = &rest[end..];
        }
        ids.truncate(limit);
        ids.extend(&self.after);
        ids
    }

    /// Where the next added token begins and ends in `text`, and its number; the end of the text if there is none.
    fn next_added(&self, text: &str) -> (usize, usize, Option<u32>) {
        for (at, _) in text.char_indices() {
            let is_here = |(content, _): &&(String, u32)| text[at..].starts_with(content.as_str());
            if let Some((content, id)) = self.added.iter().find(is_here) {
                return (at, at + content.len(), Some(*id));
            }
        }
        (text.len(), text.len(), None)
    }

    fn encode_plain(&self, text: &str, limit: usize, ids: &mut Vec<u32>) {
        let text = self.normalizer.normalize(text);
        for word in Words(&text) {
            if ids.len() >= limit {
                return;
            }
            let n_before = ids.len();
            if word.chars().count() > self.max_word_chars || self.cut(word, ids).is_none() {
                ids.truncate(n_before);
                ids.push(self.unknown_id);
            }
        }
    }

    /// Adds the pieces of a word; nothing, with some of them added, if there is no piece for its end.
    fn cut(&self, word: &str, ids: &mut Vec<u32>) -> Option<()> {
        let (length, id) = self.beginnings.longest(word)?;
        ids.push(id);
        let mut rest = &word[length..];
        while !rest.is_empty() {
            let (length, id) = self.continuations.longest(rest)?;
            ids.push(id);
            rest = &rest[length..];
        }
        Some(())
    }
}

/// Pieces and their numbers.
#[derive(Debug, Default)]
struct Pieces {
    ids: HashMap<String, u32>,
    longest_bytes: usize,
}

impl Pieces {
    fn insert(&mut self, piece: String, id: u32) {
        self.longest_bytes = self.longest_bytes.max(piece.len());
        self.ids.insert(piece, id);
    }

    /// The longest piece that `text` begins with: its length in bytes and its number.
    fn longest(&self, text: &str) -> Option<(usize, u32)> {
        let longest = text.floor_char_boundary(self.longest_bytes);
        (1..=longest)
            .rev()
            .filter(|&end| text.is_char_boundary(end))
            .find_map(|end| Some((end, *self.ids.get(&text[..end])?)))
    }
}

/// Words of a text: split at spaces, and every punctuation mark is one.
struct Words<'a>(&'a str);

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0.trim_start();
        let first = text.chars().next()?;
        let end = if is_punctuation(first) {
            first.len_utf8()
        } else {
            text.find(|c: char| c.is_whitespace() || is_punctuation(c)).unwrap_or(text.len())
        };
        let (word, rest) = text.split_at(end);
        self.0 = rest;
        Some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const VOCABULARY: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nun\n##aff\n##able\nthe\n.\n,\n東\n##a\naff";

    fn tokenizer() -> WordPiece {
        WordPiece::from_vocabulary(VOCABULARY.as_bytes()).unwrap()
    }

    #[test]
    fn longest_pieces_come_first() {
        let cases: [(&str, &[u32]); 8] = [
            ("unaffable", &[5, 6, 7]),
            ("The unaffable.", &[8, 5, 6, 7, 9]),
            ("unaffablex the", &[1, 8]),
            ("affa,東the", &[13, 12, 10, 11, 8]),
            ("[MASK]the[SEP]", &[4, 8, 3]),
            ("[mask]", &[1, 1, 1]),
            ("", &[]),
            (" \n\u{200b} ", &[]),
        ];
        for (text, want) in cases {
            let ids = tokenizer().encode(text);
            assert_eq!((ids[0], ids[ids.len() - 1], &ids[1..ids.len() - 1]), (2, 3, want), "{text:?}");
        }
    }

    #[test]
    fn words_of_more_than_a_hundred_characters_are_unknown() {
        let word = |n: usize| format!("un{}", "a".repeat(n - 2));
        assert_eq!(tokenizer().encode(&word(100)).len(), 101);
        assert_eq!(tokenizer().encode(&word(101)), [2, 1, 3]);
    }

    #[test]
    fn the_end_is_cut_off() {
        let text = "unaffable the the";
        for max_tokens in 2..8 {
            let ids = tokenizer().with_max_tokens(max_tokens).unwrap().encode(text);
            assert_eq!(ids.len(), max_tokens.min(7), "{ids:?}");
            assert_eq!((ids[0], ids[ids.len() - 1]), (2, 3));
        }
        assert!(tokenizer().with_max_tokens(1).is_err());
    }

    #[test]
    fn damaged_files_are_errors() {
        let good = serde_json::json!({
            "model": {"type": "WordPiece", "vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "a": 3}},
            "normalizer": {"type": "BertNormalizer"},
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": {"type": "BertProcessing", "cls": ["[CLS]", 1], "sep": ["[SEP]", 2]},
        });
        let read = |file: &serde_json::Value| WordPiece::from_json(file.to_string().as_bytes());
        assert_eq!(read(&good).unwrap().encode("a b"), [1, 3, 0, 2]);
        for (path, wrong) in [
            ("/model/type", "BPE".into()),
            ("/model/vocab", 3.into()),
            ("/model/vocab/a", (-1).into()),
            ("/normalizer/type", "NFC".into()),
            ("/pre_tokenizer", serde_json::Value::Null),
            ("/post_processor", 1.into()),
            ("/post_processor/cls", "x".into()),
        ] {
            let mut file = good.clone();
            *file.pointer_mut(path).unwrap() = wrong;
            assert!(read(&file).is_err(), "{path}");
        }
        let text = good.to_string();
        assert!((0..text.len()).all(|end| WordPiece::from_json(&text.as_bytes()[..end]).is_err()));
        assert!(WordPiece::from_vocabulary(b"a\nb").is_err() && WordPiece::from_vocabulary(&[0xff]).is_err());
    }

    /// FNV-1a, 32 bits; a zero byte ends each text.
    fn hashed(hash: u32, text: &str) -> u32 {
        text.bytes().chain([0]).fold(hash, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }

    #[test]
    fn every_code_point_is_split_as_by_the_library() {
        const BLOCK: u32 = 4096;
        let file = include_bytes!("../../../../testdata/embeddings/tokens.npz");
        let file = crate::Weights::from_bytes(&tilework::Device::cpu(), file).unwrap();
        let hashes: Vec<u32> = pollster::block_on(file.get("block_hashes").unwrap().to_vec()).unwrap();
        assert_eq!(hashes.len(), 0x11_0000 / BLOCK as usize);
        for (first, want) in (0..).step_by(BLOCK as usize).zip(hashes) {
            let got = (first..first + BLOCK).filter_map(char::from_u32).fold(0x811c_9dc5, |hash, c| {
                let text = Normalizer::UNCASED.normalize(&format!("a{c}B"));
                hashed(hash, &Words(&text).collect::<Vec<_>>().join(" "))
            });
            assert_eq!(got, want, "some of {first:#x} to {:#x}", first + BLOCK - 1);
        }
    }

    proptest! {
        #[test]
        fn any_text_becomes_tokens(text in "\\PC*|[\\s\\S]*|[\\[\\]A-Z东a-z\\u{300}\\u{1d165}가]*") {
            let tokenizer = tokenizer();
            let ids = tokenizer.encode(&text);
            prop_assert!(ids.len() >= 2 && ids.iter().all(|&id| (id as usize) < tokenizer.n_tokens()));
        }
    }
}
