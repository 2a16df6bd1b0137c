//! The tokenizer of a language model, from the metadata of its GGUF file.

use std::fmt;

use tilework::{Error, ErrorKind, Result};

use super::bpe::{Bpe, byte_of};
use super::sentencepiece;
#[cfg(feature = "encoders")]
use super::settings::{LowersCase, Settings};
use super::specials::{Fragment, SpecialTokens};
#[cfg(feature = "encoders")]
use super::unigram::Unigram;
use super::vocabulary::{Kind, Vocabulary};
#[cfg(feature = "encoders")]
use super::wordpiece::WordPiece;
use crate::gguf::Metadata;

/// Kinds of tokenizers; those of encoders may be left out.
const KNOWN: &str = if cfg!(feature = "encoders") { "gpt2, llama, t5 and bert" } else { "gpt2 and llama" };

/// Turns text into tokens as the model was trained with, and tokens into text.
///
/// Byte-level byte-pair encoding (`gpt2`), SentencePiece's (`llama`), unigram (`t5`) and WordPiece (`bert`) are read. The results are
/// those of llama.cpp, whose reference vectors are the tests.
pub struct Tokenizer {
    vocabulary: Vocabulary,
    model: Model,
    specials: SpecialTokens,
    /// The bytes all tokens add to a text, one after the other, and where those of each end.
    bytes: Vec<u8>,
    ends_at: Vec<usize>,
    begin: Option<u32>,
    adds_begin: bool,
    /// What is added after a text.
    end: Option<u32>,
    ends: Vec<u32>,
    note: Option<String>,
}

enum Model {
    Bpe(Box<Bpe>),
    SentencePiece {
        adds_space: bool,
    },
    #[cfg(feature = "encoders")]
    Unigram(Box<Unigram>),
    #[cfg(feature = "encoders")]
    WordPiece(Box<WordPiece>),
}

/// What models of a kind do if the file does not say.
struct Usually {
    adds_begin: bool,
    adds_end: bool,
}

/// What to do about names of special tokens, such as `<|im_end|>`, in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Specials {
    /// They are text like any other: for what a stranger wrote.
    #[default]
    AsText,
    /// They are those tokens: for prompts made from a template.
    Parse,
}

/// Whether the token that begins a text is put in front.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddBegin {
    /// Begin and end tokens as the file says.
    #[default]
    AsModelSays,
    /// Nothing is added.
    Never,
    /// In front if the model has one, whatever the file says; nothing at the end.
    Always,
}

/// How to encode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EncodeOptions {
    /// Names of special tokens in the text.
    pub special: Specials,
    /// The token in front.
    pub add_begin: AddBegin,
}

impl Tokenizer {
    /// Reads the keys `tokenizer.ggml.*`.
    ///
    /// Fails with [`ErrorKind::Unsupported`], naming it, for a kind of tokenizer or way to cut words that is not known, and with
    /// [`ErrorKind::Io`] if something is missing or wrong.
    pub fn from_gguf(metadata: &Metadata) -> Result<Tokenizer> {
        let vocabulary = Vocabulary::new(metadata)?;
        let key = "tokenizer.ggml.model";
        let name = Metadata::required(key, metadata.string(key)?)?;
        let pre = metadata.string("tokenizer.ggml.pre")?;
        let mut note = None;
        let (model, adds_begin, adds_end) = match name {
            "gpt2" => {
                if pre.is_none() {
                    note = Some(
                        "the file does not say how to cut words (`tokenizer.ggml.pre`); results may differ".to_owned(),
                    );
                }
                let bpe = Bpe::new(metadata, &vocabulary, pre.unwrap_or("default"))?;
                let adds_begin = bpe.adds_begin();
                (Model::Bpe(Box::new(bpe)), adds_begin, false)
            }
            "llama" => {
                let adds_space = metadata.bool("tokenizer.ggml.add_space_prefix")?.unwrap_or(true);
                (Model::SentencePiece { adds_space }, true, false)
            }
            #[cfg(feature = "encoders")]
            "t5" => (Model::Unigram(Box::new(Unigram::new(metadata, &vocabulary)?)), false, true),
            #[cfg(feature = "encoders")]
            "bert" => (Model::WordPiece(Box::new(word_piece(metadata, &vocabulary)?)), true, true),
            other => {
                let message = format!("`{key}` is `{other}`; {KNOWN} are known");
                return Err(Error::new(ErrorKind::Unsupported, "tokenizer", message));
            }
        };
        let usual = Usually { adds_begin, adds_end };
        Tokenizer { note, ..Tokenizer::new(metadata, vocabulary, model)? }.with_ends(metadata, usual)
    }

    fn new(metadata: &Metadata, vocabulary: Vocabulary, model: Model) -> Result<Tokenizer> {
        let specials = SpecialTokens::new(metadata, &vocabulary)?;
        let ends = vocabulary.ends(metadata)?;
        let (mut bytes, mut ends_at) = (Vec::new(), Vec::new());
        for id in 0..vocabulary.len() as u32 {
            bytes.extend(bytes_of(&vocabulary, &model, id));
            ends_at.push(bytes.len());
        }
        let (begin, end, note) = (None, None, None);
        Ok(Tokenizer { vocabulary, model, specials, bytes, ends_at, begin, adds_begin: false, end, ends, note })
    }

    /// With what the file says about begin and end, or what such models usually do.
    fn with_ends(self, metadata: &Metadata, usual: Usually) -> Result<Tokenizer> {
        let special = |name: &str| self.vocabulary.special(metadata, name);
        let flag = |name: &str, usual: bool| Ok(metadata.bool(&format!("tokenizer.ggml.{name}"))?.unwrap_or(usual));
        let is_bert = self.kind() == "bert";
        let (bos, cls) = (special("bos")?, special("cls")?);
        let begin = if is_bert { cls.or(bos).or_else(|| self.vocabulary.find("[CLS]")) } else { bos };
        let end =
            if is_bert { special("seperator")?.or_else(|| self.vocabulary.find("[SEP]")) } else { special("eos")? };
        let adds_end = if is_bert { true } else { flag("add_eos_token", usual.adds_end)? };
        let adds_begin = is_bert || flag("add_bos_token", usual.adds_begin)?;
        Ok(Tokenizer { begin, adds_begin, end: end.filter(|_| adds_end), ..self })
    }

    /// Something to tell the user about this tokenizer, if there is.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// The tokens of `text`.
    pub fn encode(&self, text: &str, options: EncodeOptions) -> Vec<u32> {
        let mut out = Vec::new();
        let adds_begin = match options.add_begin {
            AddBegin::AsModelSays => self.adds_begin,
            AddBegin::Never => false,
            AddBegin::Always => true,
        };
        out.extend(self.begin.filter(|_| adds_begin));
        let mut before = None;
        for fragment in self.specials.cut(text, options.special) {
            match fragment {
                Fragment::Token(id) => out.push(id),
                Fragment::Text(text) => self.encode_text(before, text, &mut out),
            }
            before = Some(fragment);
        }
        out.extend(self.end.filter(|_| options.add_begin == AddBegin::AsModelSays));
        out
    }

    /// Tokens of ordinary text after the fragment `before`.
    fn encode_text(&self, before: Option<Fragment<'_>>, text: &str, out: &mut Vec<u32>) {
        match &self.model {
            Model::Bpe(bpe) => bpe.encode(text, out),
            Model::SentencePiece { adds_space } => {
                let follows_text = matches!(before, Some(Fragment::Text(_)));
                let space = if *adds_space && !follows_text { "▁" } else { "" };
                sentencepiece::encode(&self.vocabulary, &format!("{space}{}", text.replace(' ', "▁")), out);
            }
            #[cfg(feature = "encoders")]
            Model::Unigram(unigram) => unigram.encode(&self.vocabulary, text, out),
            #[cfg(feature = "encoders")]
            Model::WordPiece(word_piece) => out.extend(word_piece.encode(text)),
        }
    }

    /// What a token adds to a text; control tokens, and numbers that are none, add nothing.
    pub fn token_bytes(&self, token: u32) -> &[u8] {
        let index = token as usize;
        let start = index.checked_sub(1).and_then(|before| self.ends_at.get(before)).copied().unwrap_or(0);
        self.ends_at.get(index).and_then(|&end| self.bytes.get(start..end)).unwrap_or_default()
    }

    /// The text of `tokens`. Bytes that are no UTF-8 become `U+FFFD`; the space that [`Tokenizer::encode`] adds in front is taken away.
    pub fn decode(&self, tokens: &[u32]) -> String {
        let bytes: Vec<u8> = tokens.iter().flat_map(|&token| self.token_bytes(token)).copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let adds_space = match &self.model {
            Model::Bpe(_) => false,
            Model::SentencePiece { adds_space } => *adds_space,
            #[cfg(feature = "encoders")]
            Model::Unigram(_) | Model::WordPiece(_) => true,
        };
        text.strip_prefix(' ').filter(|_| adds_space).unwrap_or(&text).to_owned()
    }

    /// What GGUF files call this kind of tokenizer.
    fn kind(&self) -> &'static str {
        match self.model {
            Model::Bpe(_) => "gpt2",
            Model::SentencePiece { .. } => "llama",
            #[cfg(feature = "encoders")]
            Model::Unigram(_) => "t5",
            #[cfg(feature = "encoders")]
            Model::WordPiece(_) => "bert",
        }
    }

    /// Tokens of the vocabulary.
    pub fn n_tokens(&self) -> usize {
        self.vocabulary.len()
    }

    /// The token that begins a text, if the model has one.
    pub fn begin(&self) -> Option<u32> {
        self.begin
    }

    /// Whether a token ends a text, a turn or a message.
    pub fn is_end(&self, token: u32) -> bool {
        self.ends.binary_search(&token).is_ok()
    }

    /// Whether a token is for control: it begins, ends or separates and adds no text.
    pub fn is_control(&self, token: u32) -> bool {
        matches!(self.vocabulary.kind(token), Kind::Control | Kind::Unknown)
    }

    /// The token of this name in the vocabulary, for instance `<|im_end|>`.
    pub fn find(&self, text: &str) -> Option<u32> {
        self.vocabulary.find(text)
    }

    /// The name of a token in the vocabulary, with spaces as it writes them; empty if there is none.
    pub fn text_of(&self, token: u32) -> &str {
        self.vocabulary.text(token)
    }
}

impl fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tokenizer({}, {} tokens)", self.kind(), self.n_tokens())
    }
}

/// What a token adds to a text.
fn bytes_of(vocabulary: &Vocabulary, model: &Model, id: u32) -> Vec<u8> {
    let text = vocabulary.text(id);
    match (vocabulary.kind(id), model) {
        (Kind::Control | Kind::Unknown | Kind::Unused, _) => Vec::new(),
        (Kind::UserDefined, _) => text.as_bytes().to_vec(),
        (Kind::Byte, _) => {
            let digits = text.strip_prefix("<0x").and_then(|rest| rest.strip_suffix('>'));
            digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).into_iter().collect()
        }
        (Kind::Normal, Model::Bpe(_)) => {
            let plain = |c: char| c.to_string().into_bytes();
            text.chars().flat_map(|c| byte_of(c).map_or_else(|| plain(c), |byte| vec![byte])).collect()
        }
        (Kind::Normal, _) => text.replace('▁', " ").into_bytes(),
    }
}

/// The WordPiece tokenizer of a BERT: files write `▁word` for what begins a word and `ing` for what continues one.
#[cfg(feature = "encoders")]
fn word_piece(metadata: &Metadata, vocabulary: &Vocabulary) -> Result<WordPiece> {
    let name = |text: &str, kind: Kind| match text.strip_prefix('▁') {
        Some(rest) => rest.to_owned(),
        None if kind == Kind::Normal => format!("##{text}"),
        None => text.to_owned(),
    };
    let names = vocabulary.texts.iter().zip(&vocabulary.kinds).map(|(text, &kind)| name(text, kind));
    let lowercase = metadata.bool("tokenizer.ggml.normalizer.lowercase")?.unwrap_or(true);
    WordPiece::from_settings(Settings::from_tokens(names, LowersCase(lowercase))?)
}
