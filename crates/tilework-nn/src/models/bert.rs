//! BERT: from token numbers to one vector per token (Devlin et al., "BERT", 2018).
//!
//! Word, position and type embeddings are added and normalized; then every layer lets each token look at all others (attention) and
//! transforms each by itself (two products with a GELU between them), both with a residual connection and a normalization *after* it.
//! Queries, keys and values are one product with their weights side by side: one pass over the tokens instead of three.

use serde_json::Value;
use tilework::{Array, Attention, AttentionMask, Error, ErrorKind, Result};

use crate::Weights;

/// Sizes of a BERT, as `config.json` has them.
#[derive(Clone, Debug, PartialEq)]
pub struct BertConfig {
    /// Elements of a token's vector.
    pub n_hidden: usize,
    /// Layers.
    pub n_layers: usize,
    /// Attention heads of a layer; divides `n_hidden`.
    pub n_heads: usize,
    /// Elements between the two products of a layer.
    pub n_intermediate: usize,
    /// Longest text, in tokens.
    pub n_positions: usize,
    /// Kinds of text; texts are of the first.
    pub n_types: usize,
    /// Tokens there are.
    pub n_vocabulary: usize,
    /// Added to variances.
    pub epsilon: f64,
    /// What is between the two products of a layer.
    pub activation: Activation,
}

/// What is between the two products of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// `x·Φ(x)`, with the error function.
    Gelu,
    /// The same with a hyperbolic tangent in its place.
    GeluTanh,
    /// `max(x, 0)`.
    Relu,
}

impl BertConfig {
    /// Reads `config.json`.
    pub fn from_json(bytes: &[u8]) -> Result<BertConfig> {
        let file: Value =
            serde_json::from_slice(bytes).map_err(|error| damaged(format!("config.json is no JSON: {error}")))?;
        if let Some(kind) =
            file.get("position_embedding_type").and_then(Value::as_str).filter(|&kind| kind != "absolute")
        {
            return Err(unsupported(format!("positions are {kind}, not absolute")));
        }
        let activation = match file.get("hidden_act").and_then(Value::as_str).unwrap_or("gelu") {
            "gelu" => Activation::Gelu,
            "gelu_new" | "gelu_pytorch_tanh" => Activation::GeluTanh,
            "relu" => Activation::Relu,
            other => return Err(unsupported(format!("the activation is {other}"))),
        };
        let config = BertConfig {
            n_hidden: size(&file, "hidden_size")?,
            n_layers: size(&file, "num_hidden_layers")?,
            n_heads: size(&file, "num_attention_heads")?,
            n_intermediate: size(&file, "intermediate_size")?,
            n_positions: size(&file, "max_position_embeddings")?,
            n_types: size(&file, "type_vocab_size")?,
            n_vocabulary: size(&file, "vocab_size")?,
            epsilon: file.get("layer_norm_eps").and_then(Value::as_f64).unwrap_or(1e-12),
            activation,
        };
        if !config.n_hidden.is_multiple_of(config.n_heads) {
            let message = format!("{} elements cannot be shared by {} heads", config.n_hidden, config.n_heads);
            return Err(damaged(message));
        }
        Ok(config)
    }
}

fn size(file: &Value, key: &str) -> Result<usize> {
    let number = file.get(key).and_then(Value::as_u64).filter(|&n| n > 0 && n <= u64::from(u32::MAX));
    let size = number.and_then(|n| usize::try_from(n).ok());
    size.ok_or_else(|| damaged(format!("config.json has no `{key}` that is a positive number")))
}

/// A BERT with its weights.
#[derive(Debug)]
pub struct Bert {
    config: BertConfig,
    words: Array,
    /// Positions with the first type added, which every text is of.
    positions: Array,
    norm: Norm,
    layers: Vec<Layer>,
}

impl Bert {
    /// Takes the weights by their names, whatever they are a part of: with nothing, `bert.` or `0.auto_model.` in front.
    pub async fn new(config: BertConfig, weights: &Weights) -> Result<Bert> {
        const WORDS: &str = "embeddings.word_embeddings.weight";
        let prefixes = ["", "bert.", "0.auto_model."];
        let prefix = prefixes.into_iter().find(|prefix| weights.find(&format!("{prefix}{WORDS}")).is_some());
        let named = Named { weights, prefix: prefix.unwrap_or(""), config: &config };
        let n = config.n_hidden;
        let words = named.array(WORDS, &[config.n_vocabulary, n])?.clone();
        let types = named.array("embeddings.token_type_embeddings.weight", &[config.n_types, n])?;
        let positions = named.array("embeddings.position_embeddings.weight", &[config.n_positions, n])?;
        let bert = Bert {
            positions: positions + types.index(0, 0),
            norm: named.norm("embeddings.LayerNorm")?,
            layers: (0..config.n_layers).map(|layer| named.layer(layer)).collect::<Result<_>>()?,
            words,
            config: config.clone(),
        };
        // Evaluated once, transposes lie in memory as products read them. What is in a picture stays there.
        let layers = if weights.is_in_pictures() { &[][..] } else { &bert.layers };
        let parameters = layers.iter().flat_map(Layer::parameters);
        weights.device().eval(&parameters.chain([&bert.positions]).collect::<Vec<_>>()).await?;
        Ok(bert)
    }

    /// Its sizes.
    pub fn config(&self) -> &BertConfig {
        &self.config
    }

    /// Vectors `[n_texts, n_tokens, n_hidden]` of the tokens numbered by `ids: [n_texts, n_tokens]`. `mask`, of the same shape, is 1
    /// at tokens and 0 at padding, which no token looks at; all are tokens if it is not given.
    pub fn forward(&self, ids: &Array, mask: Option<&Array>) -> Array {
        let &[n_texts, n_tokens] = ids.shape() else {
            let rank = || Error::shape("bert", format!("needs numbers [n_texts, n_tokens], got {:?}", ids.shape()));
            return ids.device().from_graph(Err(ids.check().err().unwrap_or_else(rank)));
        };
        // −1e30 and not −∞: exponentials of both are 0, and shaders need not know infinity.
        let hidden = mask.map(|mask| ((mask - 1.0) * 1e30).reshape([n_texts, 1, 1, n_tokens]));
        let places = self.positions.slice(0, ..n_tokens as isize);
        let embedded = self.words.take(ids, 0) + places;
        let rows = self.norm.of(&embedded.reshape([n_texts * n_tokens, self.config.n_hidden]));
        let batch = Batch { n_texts, n_tokens, hidden };
        let rows = self.layers.iter().fold(rows, |rows, layer| layer.of(&rows, &batch, &self.config));
        rows.reshape([n_texts, n_tokens, self.config.n_hidden])
    }
}

/// What attention has to know about the rows.
struct Batch {
    n_texts: usize,
    n_tokens: usize,
    /// Added to scores: `[n_texts, 1, 1, n_tokens]`.
    hidden: Option<Array>,
}

#[derive(Debug)]
struct Layer {
    qkv: Linear,
    output: Linear,
    attention_norm: Norm,
    wide: Linear,
    narrow: Linear,
    norm: Norm,
}

impl Layer {
    fn parameters(&self) -> impl Iterator<Item = &Array> {
        [&self.qkv, &self.output, &self.wide, &self.narrow]
            .into_iter()
            .flat_map(|linear| [&linear.weight, &linear.bias])
    }

    /// `rows: [n_texts·n_tokens, n_hidden]`.
    fn of(&self, rows: &Array, batch: &Batch, config: &BertConfig) -> Array {
        let seen = self.attention(rows, batch, config);
        let rows = self.attention_norm.of(&(self.output.of(&seen) + rows));
        let wide = self.wide.of(&rows);
        let active = match config.activation {
            Activation::Gelu => wide.gelu(),
            Activation::GeluTanh => wide.gelu_tanh(),
            Activation::Relu => wide.relu(),
        };
        self.norm.of(&(self.narrow.of(&active) + rows))
    }

    fn attention(&self, rows: &Array, batch: &Batch, config: &BertConfig) -> Array {
        let n_elements = config.n_hidden / config.n_heads;
        let qkv = self.qkv.of(rows).reshape([batch.n_texts, batch.n_tokens, 3, config.n_heads, n_elements]);
        let [q, k, v] = [0, 1, 2].map(|part| qkv.index(2, part).swap_axes(1, 2));
        let extras: Vec<&Array> = batch.hidden.iter().collect();
        let seen = q.attention(&k, &v, &extras, Attention::new(AttentionMask::None));
        seen.swap_axes(1, 2).reshape([batch.n_texts * batch.n_tokens, config.n_hidden])
    }
}

#[derive(Debug)]
struct Linear {
    /// `[in, out]`.
    weight: Array,
    bias: Array,
}

impl Linear {
    fn of(&self, rows: &Array) -> Array {
        rows.matmul(&self.weight) + &self.bias
    }
}

#[derive(Debug)]
struct Norm {
    weight: Array,
    bias: Array,
    epsilon: f64,
}

impl Norm {
    fn of(&self, rows: &Array) -> Array {
        rows.layer_norm(-1, &[&self.weight, &self.bias], self.epsilon)
    }
}

/// Weights by the names of the original.
struct Named<'a> {
    weights: &'a Weights,
    prefix: &'a str,
    config: &'a BertConfig,
}

impl Named<'_> {
    fn array(&self, name: &str, shape: &[usize]) -> Result<&Array> {
        let array = self.weights.shaped(&format!("{}{name}", self.prefix), shape)?;
        if !array.dtype().is_float() {
            return Err(Error::dtype("bert", format!("`{name}` is made of {}, not of floats", array.dtype())));
        }
        Ok(array)
    }

    fn norm(&self, name: &str) -> Result<Norm> {
        let shape = [self.config.n_hidden];
        let parameter = |part: &str| self.array(&format!("{name}.{part}"), &shape).cloned();
        Ok(Norm { weight: parameter("weight")?, bias: parameter("bias")?, epsilon: self.config.epsilon })
    }

    fn linear(&self, name: &str, n_in: usize, n_out: usize) -> Result<Linear> {
        let weight = self.array(&format!("{name}.weight"), &[n_out, n_in])?;
        Ok(Linear { weight: weight.t(), bias: self.array(&format!("{name}.bias"), &[n_out])?.clone() })
    }

    fn layer(&self, layer: usize) -> Result<Layer> {
        let BertConfig { n_hidden, n_intermediate, .. } = *self.config;
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        Ok(Layer {
            qkv: self.qkv(&name("attention.self"))?,
            output: self.linear(&name("attention.output.dense"), n_hidden, n_hidden)?,
            attention_norm: self.norm(&name("attention.output.LayerNorm"))?,
            wide: self.linear(&name("intermediate.dense"), n_hidden, n_intermediate)?,
            narrow: self.linear(&name("output.dense"), n_intermediate, n_hidden)?,
            norm: self.norm(&name("output.LayerNorm"))?,
        })
    }

    fn qkv(&self, name: &str) -> Result<Linear> {
        let n = self.config.n_hidden;
        let part = |part: &str| self.linear(&format!("{name}.{part}"), n, n);
        let parts = [part("query")?, part("key")?, part("value")?];
        let device = self.weights.device();
        let weights = parts.each_ref().map(|part| &part.weight);
        let biases = parts.each_ref().map(|part| &part.bias);
        Ok(Linear { weight: device.concat(&weights, 1), bias: device.concat(&biases, 0) })
    }
}

fn damaged(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Io, "bert", message)
}

fn unsupported(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Unsupported, "bert", message)
}
