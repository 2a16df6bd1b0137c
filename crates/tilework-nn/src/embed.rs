//! Sentence embeddings: a vector per text, of length 1, such that texts of similar meaning have similar vectors.
//!
//! A model of [sentence-transformers](https://www.sbert.net) is a BERT whose token vectors are averaged and normalized. Texts are
//! sorted by their number of tokens and computed in batches of similar length, so that little work goes into padding; in which
//! batch a text is changes its vector by rounding only.

use serde_json::Value;
use tilework::layers::core::order;
use tilework::{Array, Device, Error, ErrorKind, Result};

use crate::Weights;
use crate::models::bert::{Bert, BertConfig};
use crate::tokenize::{TokenBatch, WordPiece};

/// The files of a model, as bytes.
#[derive(Clone, Copy, Debug)]
pub struct EmbedderFiles<'a> {
    /// `config.json`.
    pub config: &'a [u8],
    /// `model.safetensors`.
    pub weights: &'a [u8],
    /// `tokenizer.json` or `vocab.txt`.
    pub tokenizer: TokenizerFile<'a>,
    /// `sentence_bert_config.json`, which says how many tokens of a text are read; without it, as many as the model can.
    pub sentence_config: Option<&'a [u8]>,
}

/// The files of a model besides its weights, as bytes.
#[derive(Clone, Copy, Debug)]
pub struct EmbedderSettings<'a> {
    /// `config.json`.
    pub config: &'a [u8],
    /// `tokenizer.json` or `vocab.txt`.
    pub tokenizer: TokenizerFile<'a>,
    /// `sentence_bert_config.json`, if there is one.
    pub sentence_config: Option<&'a [u8]>,
}

/// The file that a tokenizer is read from.
#[derive(Clone, Copy, Debug)]
pub enum TokenizerFile<'a> {
    /// `tokenizer.json`.
    Json(&'a [u8]),
    /// `vocab.txt`: a token per line.
    Vocabulary(&'a [u8]),
}

/// A model that turns texts into vectors.
#[derive(Debug)]
pub struct Embedder {
    device: Device,
    tokenizer: WordPiece,
    bert: Bert,
}

impl Embedder {
    /// Reads a model. Fails with [`ErrorKind::Io`] if a file is damaged, [`ErrorKind::Shape`] if weights do not fit the
    /// configuration and [`ErrorKind::Unsupported`] if it is another kind of model.
    pub async fn new(device: &Device, files: EmbedderFiles<'_>) -> Result<Embedder> {
        let EmbedderFiles { config, weights, tokenizer, sentence_config } = files;
        let settings = EmbedderSettings { config, tokenizer, sentence_config };
        // The small files are looked at first: they say more about what is wrong.
        let parts = EmbedderParts::read(settings)?;
        parts.finish(&Weights::from_bytes(device, weights)?).await
    }

    /// The same with weights that are arrays already, on their device.
    pub async fn with_weights(settings: EmbedderSettings<'_>, weights: &Weights) -> Result<Embedder> {
        EmbedderParts::read(settings)?.finish(weights).await
    }

    /// Elements of a vector.
    pub fn n_elements(&self) -> usize {
        self.bert.config().n_hidden
    }

    /// The tokenizer of the model, with its limit.
    pub fn tokenizer(&self) -> &WordPiece {
        &self.tokenizer
    }

    /// A vector of length 1 for each text, in the order of the texts.
    pub async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let rows: Vec<Vec<u32>> = texts.iter().map(|text| self.tokenizer.encode(text)).collect();
        let lengths: Vec<usize> = rows.iter().map(Vec::len).collect();
        let mut vectors = vec![Vec::new(); texts.len()];
        for batch in batches(&lengths) {
            let tokens: Vec<&[u32]> = batch.iter().map(|&text| rows[text].as_slice()).collect();
            let tokens = TokenBatch::new(&tokens, self.tokenizer.pad_id());
            let pooled: Vec<f32> = self.pooled(&tokens).to_vec().await?;
            for (&text, vector) in batch.iter().zip(pooled.chunks(self.n_elements())) {
                vectors[text] = vector.to_vec();
            }
        }
        Ok(vectors)
    }

    /// Means of the token vectors, normalized: `[n_texts, n_elements]`.
    fn pooled(&self, tokens: &TokenBatch) -> Array {
        let shape = [tokens.lengths.len(), tokens.n_columns];
        let ids = self.device.array(tokens.ids.clone(), shape);
        let means = if tokens.is_even() {
            self.bert.forward(&ids, None).mean([1])
        } else {
            let mask = self.device.array(tokens.attention_mask(), shape);
            let counts: Vec<f32> = tokens.lengths.iter().map(|&n| n as f32).collect();
            let vectors = self.bert.forward(&ids, Some(&mask)) * mask.expand_dims(2);
            vectors.sum([1]) / self.device.array(counts, [shape[0], 1])
        };
        let lengths = means.square().sum_keep([-1]).sqrt().maximum(1e-12);
        means / lengths
    }
}

/// What the small files say, checked.
struct EmbedderParts {
    config: BertConfig,
    tokenizer: WordPiece,
}

impl EmbedderParts {
    fn read(files: EmbedderSettings<'_>) -> Result<EmbedderParts> {
        let config = BertConfig::from_json(files.config)?;
        let tokenizer = match files.tokenizer {
            TokenizerFile::Json(bytes) => WordPiece::from_json(bytes)?,
            TokenizerFile::Vocabulary(bytes) => WordPiece::from_vocabulary(bytes)?,
        };
        if tokenizer.n_tokens() > config.n_vocabulary {
            let message = format!("knows {} tokens, the model {}", tokenizer.n_tokens(), config.n_vocabulary);
            return Err(Error::shape("tokenizer", message));
        }
        let max_tokens = files.sentence_config.map(max_tokens).transpose()?.flatten().unwrap_or(usize::MAX);
        let tokenizer = tokenizer.with_max_tokens(max_tokens.min(config.n_positions))?;
        Ok(EmbedderParts { config, tokenizer })
    }

    async fn finish(self, weights: &Weights) -> Result<Embedder> {
        let bert = Bert::new(self.config, weights).await?;
        Ok(Embedder { device: weights.device().clone(), tokenizer: self.tokenizer, bert })
    }
}

/// Most tokens of a batch, padding included: enough for products to run at full speed, and little memory.
const MAX_BATCH_TOKENS: usize = 1 << 12;
/// A batch may be so many times the work of its texts without padding.
const MAX_PADDED: f64 = 1.15;
/// Tokens that a batch costs on top of its own.
const BATCH_COST_TOKENS: usize = 64;

/// Texts of these lengths, grouped into batches: the shortest first.
fn batches(lengths: &[usize]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order::sort_by_key(&mut order, |&text| lengths[text]);
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut n_real = 0;
    for text in order {
        let n_tokens = lengths[text];
        let joins = batches.last().is_some_and(|batch| {
            let n_padded = (batch.len() + 1) * n_tokens;
            let allowed = MAX_PADDED * (n_real + n_tokens) as f64 + BATCH_COST_TOKENS as f64;
            n_padded <= MAX_BATCH_TOKENS && n_padded as f64 <= allowed
        });
        match batches.last_mut().filter(|_| joins) {
            Some(batch) => batch.push(text),
            None => {
                batches.push(vec![text]);
                n_real = 0;
            }
        }
        n_real += n_tokens;
    }
    batches
}

/// How many tokens of a text are read, if the file says so.
fn max_tokens(sentence_config: &[u8]) -> Result<Option<usize>> {
    let file: Value = serde_json::from_slice(sentence_config).map_err(|error| {
        Error::new(ErrorKind::Io, "embedder", format!("sentence_bert_config.json is no JSON: {error}"))
    })?;
    let number = file.get("max_seq_length").and_then(Value::as_u64);
    Ok(number.map(|number| usize::try_from(number).unwrap_or(usize::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_have_every_text_once_and_little_padding() {
        for n_texts in [0, 1, 5, 500] {
            let lengths: Vec<usize> = (0..n_texts).map(|text| 2 + text * 7919 % 255).collect();
            let batches = batches(&lengths);
            let mut texts: Vec<usize> = batches.concat();
            texts.sort_unstable();
            assert_eq!(texts, (0..n_texts).collect::<Vec<_>>());
            for batch in &batches {
                let n_real: usize = batch.iter().map(|&text| lengths[text]).sum();
                let n_padded = batch.len() * batch.iter().map(|&text| lengths[text]).max().unwrap_or(0);
                assert!(n_padded as f64 <= MAX_PADDED * n_real as f64 + BATCH_COST_TOKENS as f64);
                assert!(n_padded <= MAX_BATCH_TOKENS);
            }
        }
    }

    #[test]
    fn texts_of_one_length_are_one_batch() {
        assert_eq!(batches(&[9; 32]), [(0..32).collect::<Vec<_>>()]);
    }
}
