//! What `tokenizer.json` says about a WordPiece tokenizer.
//!
//! The file can describe many kinds of tokenizers. Whatever it asks for that is not done here is an error: text that is split in
//! another way than the model expects gives answers that look right and are not.

use std::collections::HashMap;

use serde_json::Value;
use tilework::layers::core::order;
use tilework::{Error, ErrorKind, Result};

use super::normalize::Normalizer;

/// Everything a tokenizer is made of.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) normalizer: Normalizer,
    pub(super) vocabulary: HashMap<String, u32>,
    /// What a piece begins with that continues a word.
    pub(super) prefix: String,
    pub(super) unknown: String,
    /// Longer words are unknown.
    pub(super) max_word_chars: usize,
    /// Tokens that stand in the text by their name, and are not split.
    pub(super) added: Vec<(String, u32)>,
    /// Tokens in front of every text and after it.
    pub(super) before: Vec<u32>,
    pub(super) after: Vec<u32>,
    pub(super) pad_id: u32,
    pub(super) max_tokens: Option<usize>,
}

/// Names that every vocabulary of BERT has.
const SPECIAL: [&str; 5] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];

impl Settings {
    pub(super) fn from_json(bytes: &[u8]) -> Result<Settings> {
        let file: Value = serde_json::from_slice(bytes).map_err(|error| damaged(format!("no JSON: {error}")))?;
        let model = file.get("model").ok_or_else(|| damaged("there is no `model`"))?;
        expect_type(model, "model", "WordPiece")?;
        expect_type(part(&file, "pre_tokenizer")?, "pre_tokenizer", "BertPreTokenizer")?;
        let vocabulary = vocabulary(model)?;
        let (before, after) = template(&file, &vocabulary)?;
        let text = |key: &str, usual: &str| model.get(key).and_then(Value::as_str).unwrap_or(usual).to_owned();
        let pad_id = file.pointer("/padding/pad_id").and_then(as_id).or_else(|| vocabulary.get("[PAD]").copied());
        Ok(Settings {
            normalizer: normalizer(part(&file, "normalizer")?)?,
            prefix: text("continuing_subword_prefix", "##"),
            unknown: text("unk_token", "[UNK]"),
            max_word_chars: model.get("max_input_chars_per_word").and_then(as_size).unwrap_or(100),
            added: added_tokens(&file)?,
            before,
            after,
            pad_id: pad_id.unwrap_or(0),
            max_tokens: max_tokens(&file)?,
            vocabulary,
        })
    }

    /// The lines of `vocab.txt` are the tokens, in order; everything else is as in `bert-base-uncased`.
    pub(super) fn from_vocabulary(bytes: &[u8]) -> Result<Settings> {
        let text = std::str::from_utf8(bytes).map_err(|_| damaged("the vocabulary is not UTF-8"))?;
        let vocabulary: HashMap<String, u32> =
            (0..).zip(text.lines()).map(|(id, line)| (line.trim_end().to_owned(), id)).collect();
        let id = |name: &str| vocabulary.get(name).copied();
        let special = |name: &str| id(name).ok_or_else(|| damaged(format!("the vocabulary has no {name}")));
        Ok(Settings {
            normalizer: Normalizer::UNCASED,
            prefix: "##".to_owned(),
            unknown: "[UNK]".to_owned(),
            max_word_chars: 100,
            added: SPECIAL.iter().filter_map(|&name| Some((name.to_owned(), id(name)?))).collect(),
            before: vec![special("[CLS]")?],
            after: vec![special("[SEP]")?],
            pad_id: special("[PAD]")?,
            max_tokens: None,
            vocabulary,
        })
    }
}

impl Settings {
    /// A vocabulary in the order of its numbers, for text whose special tokens are found elsewhere: nothing is added around it.
    pub(super) fn from_tokens(tokens: impl Iterator<Item = String>, lowers_case: LowersCase) -> Result<Settings> {
        Ok(Settings {
            normalizer: Normalizer { lowers_case: lowers_case.0, strips_accents: lowers_case.0, ..Normalizer::UNCASED },
            prefix: "##".to_owned(),
            unknown: "[UNK]".to_owned(),
            max_word_chars: usize::MAX,
            added: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            pad_id: 0,
            max_tokens: None,
            vocabulary: tokens.zip(0..).collect(),
        })
    }
}

/// Whether capital letters become small.
#[derive(Clone, Copy)]
pub(super) struct LowersCase(pub(super) bool);

fn vocabulary(model: &Value) -> Result<HashMap<String, u32>> {
    let entries = model.get("vocab").and_then(Value::as_object).ok_or_else(|| damaged("`model` has no `vocab`"))?;
    let entry = |(token, id): (&String, &Value)| Some((token.clone(), as_id(id)?));
    entries.iter().map(entry).collect::<Option<_>>().ok_or_else(|| damaged("a token of the vocabulary has no number"))
}

fn normalizer(described: &Value) -> Result<Normalizer> {
    expect_type(described, "normalizer", "BertNormalizer")?;
    let flag = |key: &str| described.get(key).and_then(Value::as_bool);
    let lowers_case = flag("lowercase").unwrap_or(true);
    Ok(Normalizer {
        cleans_text: flag("clean_text").unwrap_or(true),
        spaces_ideographs: flag("handle_chinese_chars").unwrap_or(true),
        // Nothing said means: where case goes, accents go.
        strips_accents: flag("strip_accents").unwrap_or(lowers_case),
        lowers_case,
    })
}

fn added_tokens(file: &Value) -> Result<Vec<(String, u32)>> {
    let listed = file.get("added_tokens").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut added = Vec::new();
    for token in listed {
        let content = token.get("content").and_then(Value::as_str).unwrap_or_default();
        let id = token.get("id").and_then(as_id).ok_or_else(|| damaged(format!("`{content}` has no number")))?;
        let unusual = ["single_word", "lstrip", "rstrip", "normalized"];
        if let Some(flag) = unusual.iter().find(|&&flag| token.get(flag).and_then(Value::as_bool) == Some(true)) {
            return Err(unsupported(format!("`{content}` asks for `{flag}`")));
        }
        if !content.is_empty() {
            added.push((content.to_owned(), id));
        }
    }
    // The longest that fits is the one that counts.
    order::sort_by_key(&mut added, |(content, _)| std::cmp::Reverse(content.len()));
    Ok(added)
}

/// The tokens in front of a text and after it.
fn template(file: &Value, vocabulary: &HashMap<String, u32>) -> Result<(Vec<u32>, Vec<u32>)> {
    let described = part(file, "post_processor")?;
    match described.get("type").and_then(Value::as_str) {
        Some("BertProcessing") => {
            let id = |key: &str| described.get(key)?.get(1).and_then(as_id);
            let (cls, sep) = id("cls").zip(id("sep")).ok_or_else(|| damaged("`post_processor` names no tokens"))?;
            Ok((vec![cls], vec![sep]))
        }
        Some("TemplateProcessing") => {
            let steps = described.get("single").and_then(Value::as_array);
            let steps = steps.ok_or_else(|| damaged("`post_processor` has no `single`"))?;
            let is_text = |step: &Value| step.get("Sequence").is_some();
            let at = steps.iter().position(is_text).ok_or_else(|| damaged("`post_processor` leaves the text out"))?;
            let ids = |steps: &[Value]| steps.iter().map(|step| special_id(step, vocabulary)).collect::<Result<_>>();
            Ok((ids(&steps[..at])?, ids(&steps[at + 1..])?))
        }
        other => Err(unsupported(format!("`post_processor` is {other:?}"))),
    }
}

fn special_id(step: &Value, vocabulary: &HashMap<String, u32>) -> Result<u32> {
    let name = step.pointer("/SpecialToken/id").and_then(Value::as_str);
    let id = name.and_then(|name| vocabulary.get(name));
    id.copied().ok_or_else(|| damaged(format!("`post_processor` has a step without a token: {step}")))
}

fn max_tokens(file: &Value) -> Result<Option<usize>> {
    let Some(truncation) = file.get("truncation").filter(|value| !value.is_null()) else { return Ok(None) };
    if truncation.get("direction").and_then(Value::as_str) == Some("Left") {
        return Err(unsupported("`truncation` is from the left"));
    }
    Ok(truncation.get("max_length").and_then(as_size))
}

fn part<'a>(file: &'a Value, key: &str) -> Result<&'a Value> {
    file.get(key).ok_or_else(|| damaged(format!("there is no `{key}`")))
}

fn expect_type(described: &Value, what: &str, expected: &str) -> Result<()> {
    match described.get("type").and_then(Value::as_str) {
        Some(kind) if kind == expected => Ok(()),
        // Older files do not name the model.
        None if what == "model" => Ok(()),
        kind => Err(unsupported(format!("`{what}` is {}, not {expected}", kind.unwrap_or("missing")))),
    }
}

fn as_id(value: &Value) -> Option<u32> {
    u32::try_from(value.as_u64()?).ok().filter(|&id| i32::try_from(id).is_ok())
}

fn as_size(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

/// A file that is not what it should be.
pub(super) fn damaged(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Io, "tokenizer", message)
}

fn unsupported(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Unsupported, "tokenizer", message)
}
