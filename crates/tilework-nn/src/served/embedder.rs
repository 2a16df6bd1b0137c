//! "embedder": sentence embeddings.
//!
//! Files: those of a sentence-transformers model by their own names (`config.json`, `model.safetensors`, `tokenizer.json` or
//! `vocab.txt`, perhaps `sentence_bert_config.json`). Method: `embed` (option `texts`; answer: a vector per text, one after the
//! other, and `size`, the elements of each).

use std::rc::Rc;

use serde_json::{Value, json};
use tilework::{Device, Error, Result};

use super::{Answer, Answering, Files, Opening, Question, Served, no_method};
use crate::{Embedder, EmbedderFiles, TokenizerFile};

pub(super) fn open<'a>(device: &'a Device, files: &'a Files, _options: &'a Value) -> Opening<'a> {
    Box::pin(async move {
        let tokenizer = match files.0.get("vocab.txt") {
            Some(vocabulary) if !files.0.contains_key("tokenizer.json") => TokenizerFile::Vocabulary(vocabulary),
            _ => TokenizerFile::Json(files.get("tokenizer.json")?),
        };
        let files = EmbedderFiles {
            config: files.get("config.json")?,
            weights: files.get("model.safetensors")?,
            tokenizer,
            sentence_config: files.0.get("sentence_bert_config.json").map(Vec::as_slice),
        };
        Ok(Rc::new(Embedder::new(device, files).await?) as Rc<dyn Served>)
    })
}

impl Served for Embedder {
    fn ask(&self, question: Question) -> Answering<'_> {
        Box::pin(async move {
            match question.method.as_str() {
                "embed" => embedded(self, &question.options).await,
                method => Err(no_method(method, &["embed"])),
            }
        })
    }
}

async fn embedded(embedder: &Embedder, options: &Value) -> Result<Answer> {
    let wrong = || Error::argument("embed", "`texts` must be a list of strings");
    let texts = options.get("texts").and_then(Value::as_array).ok_or_else(wrong)?;
    let texts: Vec<&str> = texts.iter().map(|text| text.as_str().ok_or_else(wrong)).collect::<Result<_>>()?;
    let data = embedder.embed(&texts).await?.concat();
    Ok(Answer { value: json!({ "size": embedder.n_elements() }), data, ..Answer::default() })
}
