//! One layer of a decoder.

use super::config::{Config, LayerKind, QueryKeyNorm};
use super::decoder::Sequence;
use super::load::Loader;
use super::parts::{Feed, Positions, Projections, Rope, RopeFactors, biased, span};
use super::weights::{Around, Matrix};
use tilework::{Array, Attention, AttentionMask, Device, Gate, Result};

#[derive(Clone, Debug)]
pub(super) struct Layer {
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
    down_bias: Option<Array>,
    after_feed: Option<Array>,
}

impl Layer {
    pub(super) fn load(loader: &mut Loader<'_>, config: &Config, index: usize, factors: &RopeFactors) -> Result<Layer> {
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
            down_bias: loader.vector_if_there(&name("ffn_down.bias"), n_embd)?,
            after_feed: loader.vector_if_there(&name("post_ffw_norm.weight"), n_embd)?,
        })
    }

    pub(super) fn apply(
        &self,
        config: &Config,
        x: &Array,
        positions: Positions<'_>,
        at: (usize, &mut [Sequence<'_>]),
    ) -> Array {
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
        let attended = biased(self.out.apply(&seen, Around::NOTHING), &self.out_bias);
        let x = x + after(attended, &self.after_attention, config);
        let fed = self.down.apply(&self.feed.apply(config, &x, &self.feed_norm), Around::NOTHING);
        let fed = biased(fed, &self.down_bias);
        &x + after(fed, &self.after_feed, config)
    }

    /// Queries, keys and values `[heads, n, elements]`, the first two turned by their positions.
    fn queries_keys_values(&self, config: &Config, x: &Array, positions: Positions<'_>) -> [Array; 3] {
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

    pub(super) fn size_bytes(&self) -> u64 {
        let projections: u64 = self.projections.matrices.iter().map(Matrix::size_bytes).sum();
        let feed = match &self.feed {
            Feed::Pairs(matrix) => matrix.size_bytes(),
            Feed::Apart(matrices, _) => matrices.iter().map(Matrix::size_bytes).sum(),
        };
        projections + feed + self.out.size_bytes() + self.down.size_bytes()
    }

    pub(super) fn to_device(&self, device: &Device) -> Layer {
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
            rope: Rope {
                table: moved(&self.rope.table),
                long_table: maybe(&self.rope.long_table),
                ..self.rope.clone()
            },
            attention: self.attention,
            out: self.out.to_device(device),
            out_bias: maybe(&self.out_bias),
            after_attention: maybe(&self.after_attention),
            feed_norm: moved(&self.feed_norm),
            feed: match &self.feed {
                Feed::Pairs(matrix) => Feed::Pairs(matrix.to_device(device)),
                Feed::Apart(matrices, biases) => Feed::Apart(
                    [0, 1].map(|half| matrices[half].to_device(device)),
                    [0, 1].map(|half| maybe(&biases[half])),
                ),
            },
            down: self.down.to_device(device),
            down_bias: maybe(&self.down_bias),
            after_feed: maybe(&self.after_feed),
        }
    }
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

fn attention(config: &Config, kind: &LayerKind) -> Attention {
    let mask = kind.window.map_or(AttentionMask::Causal, AttentionMask::Windowed);
    let attention = Attention::new(mask).scale(config.attention_scale);
    config.attention_cap.map_or(attention, |cap| attention.soft_cap(cap))
}
