//! The decoder that all architectures share, as expressions of arrays.
//!
//! A layer is eight operations: norm with queries, keys and values; rotation; keys and values into the cache; attention (two kernels
//! where there are few tokens); product with the residual; norm with both halves of the gated layer; product with the residual.

use super::config::{Activation, Config, LayerKind, QueryKeyNorm, damaged};
use super::load::Loader;
use super::weights::{Around, Matrix};
use crate::gguf::TensorInfo;
use tilework::{Array, Attention, AttentionMask, Device, Gate, Result, RopeFrequencies, RopePairing, RopeScaling};

/// All weights of a model.
#[derive(Clone, Debug)]
pub(super) struct Decoder {
    pub(super) config: Config,
    embedding: Matrix,
    layers: Vec<Layer>,
    output_norm: Array,
    output: Matrix,
}

#[derive(Clone, Debug)]
struct Layer {
    attention_norm: Array,
    projections: Projections,
    query_norm: Option<Array>,
    key_norm: Option<Array>,
    rope: Rope,
    attention: Attention,
    out: Matrix,
    out_bias: Option<Array>,
    after_attention: Option<Array>,
    feed_norm: Array,
    feed: Feed,
    down: Matrix,
    after_feed: Option<Array>,
}

/// Matrices of queries, keys and values: neighbours of one format are one matrix.
#[derive(Clone, Debug)]
struct Projections {
    matrices: Vec<Matrix>,
    biases: Vec<Option<Array>>,
}

/// Both halves of the gated feed-forward layer.
#[derive(Clone, Debug)]
enum Feed {
    /// Rows take turns.
    Pairs(Matrix),
    /// Two matrices of different formats.
    Apart(Matrix, Matrix),
}

#[derive(Clone, Debug)]
struct Rope {
    table: Array,
    pairing: RopePairing,
    amplitude: f64,
}

/// One sequence of a step.
#[derive(Debug)]
pub(super) struct Sequence<'a> {
    /// Which rows of the step are its tokens.
    pub(super) rows: std::ops::Range<usize>,
    /// How many tokens it had before: one integer.
    pub(super) n_past: &'a Array,
    /// Its caches, layer by layer; replaced by the changed ones.
    pub(super) caches: Vec<Array>,
}

impl Decoder {
    pub(super) fn load(loader: &mut Loader<'_>, config: Config) -> Result<Decoder> {
        let n_embd = config.n_embd;
        let token_embd = loader.tensor("token_embd.weight")?;
        let embedding = loader.matrix(&[token_embd], n_embd)?;
        let output = match loader.find("output.weight") {
            Some(tensor) => loader.matrix(&[tensor], n_embd)?,
            None => embedding.clone(),
        };
        let factors = rope_factors(loader, &config)?;
        let layers = (0..config.n_layers)
            .map(|index| Layer::load(loader, &config, index, factors.as_deref()))
            .collect::<Result<_>>()?;
        let output_norm = loader.vector("output_norm.weight", n_embd)?;
        if output.n_rows != config.n_vocab {
            return Err(damaged(format!("it has {} outputs for {} tokens", output.n_rows, config.n_vocab)));
        }
        Ok(Decoder { config, embedding, layers, output_norm, output })
    }

    /// What layers make of tokens `[n]`, which belong to these sequences: `[n, n_embd]`.
    pub(super) fn hidden(&self, tokens: &Array, positions: &Array, sequences: &mut [Sequence<'_>]) -> Array {
        let mut x = self.embedding.rows(tokens);
        if self.config.embedding_scale != 1.0 {
            x = x * self.config.embedding_scale;
        }
        for (index, layer) in self.layers.iter().enumerate() {
            x = layer.apply(&self.config, &x, positions, (index, sequences));
        }
        x
    }

    /// Logits of rows of [`Decoder::hidden`].
    pub(super) fn logits(&self, hidden: &Array) -> Array {
        let norm = Some((&self.output_norm, self.config.epsilon));
        let logits = self.output.apply(hidden, Around { norm, gate: Gate::None });
        match self.config.logit_cap {
            Some(cap) => (logits * (1.0 / cap)).tanh() * cap,
            None => logits,
        }
    }

    /// Rows of [`Decoder::hidden`], normalised: what embeddings of texts are made of.
    pub(super) fn normalized(&self, hidden: &Array) -> Array {
        hidden.rms_norm(-1, &[&self.output_norm], self.config.epsilon)
    }

    /// Bytes of the weights.
    pub(super) fn size_bytes(&self) -> u64 {
        let tied = self.output.parts.first().zip(self.embedding.parts.first());
        let is_tied = tied.is_some_and(|(a, b)| a.is_same(b));
        let of_layers: u64 = self.layers.iter().map(Layer::size_bytes).sum();
        of_layers + self.embedding.size_bytes() + if is_tied { 0 } else { self.output.size_bytes() }
    }

    /// The same on another device, sharing memory of the host.
    pub(super) fn to_device(&self, device: &Device) -> Decoder {
        Decoder {
            config: self.config.clone(),
            embedding: self.embedding.to_device(device),
            layers: self.layers.iter().map(|layer| layer.to_device(device)).collect(),
            output_norm: self.output_norm.to_device(device),
            output: self.output.to_device(device),
        }
    }
}

impl Layer {
    fn load(loader: &mut Loader<'_>, config: &Config, index: usize, factors: Option<&[f64]>) -> Result<Layer> {
        let name = |part: &str| format!("blk.{index}.{part}");
        let (n_embd, kind) = (config.n_embd, &config.layers[index]);
        let q_cols = config.n_heads * config.head_dim;
        let out = loader.tensor(&name("attn_output.weight"))?;
        let down = loader.tensor(&name("ffn_down.weight"))?;
        let feed_norm = name("ffn_norm.weight");
        let has_norms = config.query_key_norm == QueryKeyNorm::PerHead;
        let mut head_norm = |part: &str| has_norms.then(|| loader.vector(&name(part), config.head_dim)).transpose();
        let (query_norm, key_norm) = (head_norm("attn_q_norm.weight")?, head_norm("attn_k_norm.weight")?);
        Ok(Layer {
            attention_norm: loader.vector(&name("attn_norm.weight"), n_embd)?,
            projections: Projections::load(loader, config, index)?,
            query_norm,
            key_norm,
            rope: Rope::new(loader.device, config, kind, factors)?,
            attention: attention(config, kind),
            out: loader.matrix(&[out], q_cols)?,
            out_bias: loader.vector_if_there(&name("attn_output.bias"), n_embd)?,
            after_attention: loader.vector_if_there(&name("post_attention_norm.weight"), n_embd)?,
            feed_norm: loader.vector(&feed_norm, n_embd)?,
            feed: Feed::load(loader, config, index)?,
            down: loader.matrix(&[down], config.n_ff)?,
            after_feed: loader.vector_if_there(&name("post_ffw_norm.weight"), n_embd)?,
        })
    }

    fn apply(&self, config: &Config, x: &Array, positions: &Array, at: (usize, &mut [Sequence<'_>])) -> Array {
        let (index, sequences) = at;
        let [queries, keys, values] = self.queries_keys_values(config, x, positions);
        let mut seen = Vec::with_capacity(sequences.len());
        for sequence in sequences {
            let rows = |heads: &Array| heads.slice(1, span(sequence.rows.start, sequence.rows.end));
            let cache = &mut sequence.caches[index];
            *cache = cache.cache_append(&rows(&keys), &rows(&values), sequence.n_past);
            let (k, v) = (cache.slice(0, 0..1), cache.slice(0, 1..2));
            let found = rows(&queries).expand_dims(0).attention(&k, &v, &[sequence.n_past], self.attention);
            // [1, heads, tokens, elements] to [tokens, heads · elements]
            let n_tokens = sequence.rows.len();
            seen.push(found.permute([0, 2, 1, 3]).reshape([n_tokens, config.n_heads * config.head_dim]));
        }
        let seen = match &seen[..] {
            [one] => one.clone(),
            several => x.device().concat(&several.iter().collect::<Vec<_>>(), 0),
        };
        let mut attended = self.out.apply(&seen, Around::NOTHING);
        if let Some(bias) = &self.out_bias {
            attended = attended + bias;
        }
        let x = x + after(attended, &self.after_attention, config);
        let fed = self.down.apply(&self.feed.apply(config, &x, &self.feed_norm), Around::NOTHING);
        &x + after(fed, &self.after_feed, config)
    }

    /// Queries, keys and values `[heads, n, elements]`, the first two turned by their positions.
    fn queries_keys_values(&self, config: &Config, x: &Array, positions: &Array) -> [Array; 3] {
        let norm = Some((&self.attention_norm, config.epsilon));
        let heads = [config.n_heads, config.n_kv_heads, config.n_kv_heads];
        let products = self.projections.apply(x, Around { norm, gate: Gate::None });
        let n = x.shape().first().copied().unwrap_or(0);
        let by_head = |rows: &Array, n_heads: usize| rows.reshape([n, n_heads, config.head_dim]).permute([1, 0, 2]);
        if let ([joint, others @ ..], None) = (&products[..], &self.query_norm)
            && joint.shape().last().is_some_and(|&rows| rows >= (heads[0] + heads[1]) * config.head_dim)
        {
            // Queries and keys are neighbours: one rotation turns both.
            let n_turned = (heads[0] + heads[1]) * config.head_dim;
            let turned = self.rope.apply(&by_head(&joint.slice(1, span(0, n_turned)), heads[0] + heads[1]), positions);
            let values = others.first().cloned().unwrap_or_else(|| joint.slice(1, n_turned as isize..));
            let queries = turned.slice(0, span(0, heads[0]));
            return [queries, turned.slice(0, heads[0] as isize..), by_head(&values, heads[2])];
        }
        let parts = apart(&products, heads.map(|n_heads| n_heads * config.head_dim));
        let [queries, keys, values] = [0, 1, 2].map(|part| by_head(&parts[part], heads[part]));
        let normal = |heads: Array, norm: &Option<Array>| match norm {
            Some(norm) => heads.rms_norm(-1, &[norm], config.epsilon),
            None => heads,
        };
        let queries = self.rope.apply(&normal(queries, &self.query_norm), positions);
        [queries, self.rope.apply(&normal(keys, &self.key_norm), positions), values]
    }

    fn size_bytes(&self) -> u64 {
        let projections: u64 = self.projections.matrices.iter().map(Matrix::size_bytes).sum();
        let feed = match &self.feed {
            Feed::Pairs(matrix) => matrix.size_bytes(),
            Feed::Apart(gate, up) => gate.size_bytes() + up.size_bytes(),
        };
        projections + feed + self.out.size_bytes() + self.down.size_bytes()
    }

    fn to_device(&self, device: &Device) -> Layer {
        let moved = |array: &Array| array.to_device(device);
        let maybe = |array: &Option<Array>| array.as_ref().map(moved);
        Layer {
            attention_norm: moved(&self.attention_norm),
            projections: Projections {
                matrices: self.projections.matrices.iter().map(|matrix| matrix.to_device(device)).collect(),
                biases: self.projections.biases.iter().map(maybe).collect(),
            },
            query_norm: maybe(&self.query_norm),
            key_norm: maybe(&self.key_norm),
            rope: Rope { table: moved(&self.rope.table), ..self.rope.clone() },
            attention: self.attention,
            out: self.out.to_device(device),
            out_bias: maybe(&self.out_bias),
            after_attention: maybe(&self.after_attention),
            feed_norm: moved(&self.feed_norm),
            feed: match &self.feed {
                Feed::Pairs(matrix) => Feed::Pairs(matrix.to_device(device)),
                Feed::Apart(gate, up) => Feed::Apart(gate.to_device(device), up.to_device(device)),
            },
            down: self.down.to_device(device),
            after_feed: maybe(&self.after_feed),
        }
    }
}

fn span(start: usize, end: usize) -> std::ops::Range<isize> {
    start as isize..end as isize
}

/// A norm after half a layer, where a model has one.
fn after(x: Array, norm: &Option<Array>, config: &Config) -> Array {
    match norm {
        Some(norm) => x.rms_norm(-1, &[norm], config.epsilon),
        None => x,
    }
}

/// Cuts products of matrices that lie one after the other into columns of these numbers.
fn apart(products: &[Array], n_columns: [usize; 3]) -> [Array; 3] {
    let (mut product, mut start) = (0, 0);
    n_columns.map(|n| {
        let part = products[product].slice(1, span(start, start + n));
        start += n;
        if products[product].shape().get(1) == Some(&start) {
            (product, start) = ((product + 1).min(products.len() - 1), 0);
        }
        part
    })
}

impl Projections {
    fn load(loader: &mut Loader<'_>, config: &Config, index: usize) -> Result<Projections> {
        let name = |part: &str| format!("blk.{index}.{part}");
        let rows = [config.n_heads, config.n_kv_heads, config.n_kv_heads].map(|n| n * config.head_dim);
        if let Some(joint) = loader.find(&name("attn_qkv.weight")) {
            let matrix = loader.matrix(&[joint], config.n_embd)?;
            check_rows(&matrix, &name("attn_qkv.weight"), rows.iter().sum())?;
            let bias = loader.vector_if_there(&name("attn_qkv.bias"), matrix.n_rows)?;
            return Ok(Projections { matrices: vec![matrix], biases: vec![bias] });
        }
        let names = ["attn_q", "attn_k", "attn_v"];
        let mut groups: Vec<(Vec<&TensorInfo>, Vec<Option<Array>>, usize)> = Vec::new();
        for (part, n_rows) in names.into_iter().zip(rows) {
            let tensor = loader.tensor(&name(&format!("{part}.weight")))?;
            let bias = loader.vector_if_there(&name(&format!("{part}.bias")), n_rows)?;
            match groups.last_mut() {
                Some(group) if group.0[0].format == tensor.format => {
                    group.0.push(tensor);
                    group.1.push(bias);
                    group.2 += n_rows;
                }
                _ => groups.push((vec![tensor], vec![bias], n_rows)),
            }
        }
        let (mut matrices, mut biases) = (Vec::new(), Vec::new());
        for (tensors, parts, n_rows) in groups {
            let matrix = loader.matrix(&tensors, config.n_embd)?;
            check_rows(&matrix, &tensors[0].name, n_rows)?;
            matrices.push(matrix);
            let parts: Option<Vec<Array>> = parts.into_iter().collect();
            biases.push(parts.map(|parts| loader.device.concat(&parts.iter().collect::<Vec<_>>(), 0)));
        }
        Ok(Projections { matrices, biases })
    }

    fn apply(&self, x: &Array, around: Around<'_>) -> Vec<Array> {
        let products = self.matrices.iter().zip(&self.biases).map(|(matrix, bias)| {
            let product = matrix.apply(x, around);
            if let Some(bias) = bias { product + bias } else { product }
        });
        products.collect()
    }
}

fn check_rows(matrix: &Matrix, name: &str, n_rows: usize) -> Result<()> {
    if matrix.n_rows == n_rows {
        return Ok(());
    }
    Err(damaged(format!("`{name}` and what follows it have {} rows instead of {n_rows}", matrix.n_rows)))
}

impl Feed {
    fn load(loader: &mut Loader<'_>, config: &Config, index: usize) -> Result<Feed> {
        let name = |part: &str| format!("blk.{index}.{part}");
        let up = loader.tensor(&name("ffn_up.weight"))?;
        let feed = match loader.find(&name("ffn_gate.weight")) {
            None => Feed::Pairs(loader.pairs(&[up], config.n_embd)?),
            Some(gate) if gate.format == up.format => Feed::Pairs(loader.pairs(&[gate, up], config.n_embd)?),
            Some(gate) => Feed::Apart(loader.matrix(&[gate], config.n_embd)?, loader.matrix(&[up], config.n_embd)?),
        };
        match &feed {
            Feed::Pairs(matrix) => check_rows(matrix, &up.name, 2 * config.n_ff)?,
            Feed::Apart(gate, up_rows) => {
                check_rows(gate, &name("ffn_gate.weight"), config.n_ff)?;
                check_rows(up_rows, &up.name, config.n_ff)?;
            }
        }
        Ok(feed)
    }

    fn apply(&self, config: &Config, x: &Array, norm: &Array) -> Array {
        let gate = match config.activation {
            Activation::Silu => Gate::Silu,
            Activation::Gelu => Gate::Gelu,
        };
        let norm = Some((norm, config.epsilon));
        match self {
            Feed::Pairs(matrix) => matrix.apply(x, Around { norm, gate }),
            Feed::Apart(gate, up) => {
                let around = Around { norm, gate: Gate::None };
                let (gate, up) = (gate.apply(x, around), up.apply(x, around));
                let active = if config.activation == Activation::Silu { gate.silu() } else { gate.gelu_tanh() };
                active * up
            }
        }
    }
}

fn attention(config: &Config, kind: &LayerKind) -> Attention {
    let mask = kind.window.map_or(AttentionMask::Causal, AttentionMask::Windowed);
    let attention = Attention::new(mask).scale(config.attention_scale);
    config.attention_cap.map_or(attention, |cap| attention.soft_cap(cap))
}

/// Factors that frequencies are divided by, where a file lists them (Llama 3.1, long contexts of Phi 3).
fn rope_factors(loader: &mut Loader<'_>, config: &Config) -> Result<Option<Vec<f64>>> {
    let names = ["rope_freqs.weight", "rope_factors_short.weight"];
    let Some(tensor) = names.iter().find_map(|name| loader.find(name)) else { return Ok(None) };
    if tensor.n_elements() != config.rope_dims as u64 / 2 {
        return Err(damaged(format!("`{}` has {} factors", tensor.name, tensor.n_elements())));
    }
    loader.floats(tensor).map(|factors| Some(factors.into_iter().map(f64::from).collect()))
}

impl Rope {
    fn new(device: &Device, config: &Config, kind: &LayerKind, factors: Option<&[f64]>) -> Result<Rope> {
        let mut frequencies = RopeFrequencies::new(config.rope_dims, kind.rope_base);
        if let Some(yarn) = config.yarn {
            frequencies = frequencies.scaled(RopeScaling::Yarn {
                factor: yarn.factor,
                original_context: yarn.original_context,
                beta_fast: 32.0,
                beta_slow: 1.0,
                attention_factor: yarn.attention_factor,
            });
        }
        let mut radians = frequencies.radians();
        for (pair, theta) in radians.iter_mut().enumerate() {
            *theta /= kind.rope_divisor * factors.map_or(1.0, |factors| factors[pair]);
        }
        let table = RopeFrequencies::table_of(&radians)?;
        let table = device.array(table, [2, config.rope_dims / 2]);
        Ok(Rope { table, pairing: config.rope_pairing, amplitude: frequencies.amplitude() })
    }

    fn apply(&self, heads: &Array, positions: &Array) -> Array {
        heads.rope(positions, &self.table, self.pairing, self.amplitude)
    }
}
