//! The decoder that all architectures share, as expressions of arrays.
//!
//! A layer is eight operations: norm with queries, keys and values; rotation; keys and values into the cache; attention (two kernels
//! where there are few tokens); product with the residual; norm with both halves of the gated layer; product with the residual.

use super::config::{Config, damaged};
use super::layer::Layer;
use super::load::Loader;
use super::parts::{Positions, RopeFactors, biased};
use super::weights::{Around, Matrix};
use tilework::{Array, Device, Gate, Result};

/// All weights of a model.
#[derive(Clone, Debug)]
pub(super) struct Decoder {
    pub(super) config: Config,
    embedding: Matrix,
    layers: Vec<Layer>,
    output_norm: Array,
    output: Matrix,
    output_bias: Option<Array>,
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
        let factors = RopeFactors::load(loader, &config)?;
        let layers =
            (0..config.n_layers).map(|index| Layer::load(loader, &config, index, &factors)).collect::<Result<_>>()?;
        let output_norm = loader.vector("output_norm.weight", n_embd)?;
        if output.n_rows != config.n_vocab {
            return Err(damaged(format!("it has {} outputs for {} tokens", output.n_rows, config.n_vocab)));
        }
        let output_bias = loader.vector_if_there("output.bias", config.n_vocab)?;
        loader.check_all_read()?;
        Ok(Decoder { config, embedding, layers, output_norm, output, output_bias })
    }

    /// What layers make of tokens `[n]`, which belong to these sequences: `[n, n_embd]`.
    pub(super) fn hidden(&self, tokens: &Array, positions: Positions<'_>, sequences: &mut [Sequence<'_>]) -> Array {
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
        let logits = biased(self.output.apply(hidden, Around { norm, gate: Gate::None }), &self.output_bias);
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
            output_bias: self.output_bias.as_ref().map(|bias| bias.to_device(device)),
        }
    }
}
