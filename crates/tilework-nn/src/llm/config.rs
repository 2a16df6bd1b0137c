//! What a model is, as its file says.

use super::context::CacheType;
use crate::gguf::{Gguf, Metadata};
use tilework::{Error, ErrorKind, Result, RopePairing, RopeScaling};

use super::architectures;

/// The function of a gated feed-forward layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// `x · sigmoid(x)`.
    Silu,
    /// The Gaussian unit, by a hyperbolic tangent.
    Gelu,
}

/// Whether queries and keys are normalised head by head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryKeyNorm {
    /// They are not.
    None,
    /// By their root mean square, before they are turned.
    PerHead,
}

/// What a layer's queries see, and how its positions are told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerKind {
    /// The last so many tokens; all, if there is no window.
    pub window: Option<usize>,
    /// Base of the frequencies of its rotary embedding.
    pub rope_base: f64,
    /// How those frequencies are changed for contexts longer than the trained one.
    pub rope_scaling: RopeScaling,
}

/// Which of its two lists of frequency factors a context takes, where a model has two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// The one for contexts as long as those it was first trained with.
    Short,
    /// The one for longer contexts.
    Long,
}

/// Sizes and settings of a model.
#[derive(Clone, Debug)]
pub struct Config {
    /// Name of the architecture in GGUF files.
    pub architecture: String,
    /// Tokens of the vocabulary.
    pub n_vocab: usize,
    /// Tokens the model was trained to see at once.
    pub n_context: usize,
    /// Layers.
    pub n_layers: usize,
    /// Elements of a token between layers.
    pub n_embd: usize,
    /// Heads of queries.
    pub n_heads: usize,
    /// Heads of keys and values.
    pub n_kv_heads: usize,
    /// Elements of a head of queries and keys.
    pub head_dim: usize,
    /// Elements of a feed-forward layer.
    pub n_ff: usize,
    /// What is added to mean squares.
    pub epsilon: f64,
    /// Elements of a head that are turned.
    pub rope_dims: usize,
    /// Which of them are a pair.
    pub rope_pairing: RopePairing,
    /// What turned elements are multiplied with, besides what YaRN does.
    pub rope_amplitude: f64,
    /// Tokens of the longest context of [`Reach::Short`]; `None` if there is no other.
    pub n_short_context: Option<usize>,
    /// What query-key products are multiplied with.
    pub attention_scale: f64,
    /// Bound of attention scores.
    pub attention_cap: Option<f64>,
    /// Bound of logits.
    pub logit_cap: Option<f64>,
    /// What embeddings are multiplied with.
    pub embedding_scale: f64,
    /// The function of feed-forward layers.
    pub activation: Activation,
    /// Whether queries and keys are normalised.
    pub query_key_norm: QueryKeyNorm,
    /// Every layer's own settings.
    pub layers: Vec<LayerKind>,
}

/// No model is larger in any of its sizes; a file that says otherwise is damaged.
const MAX_SIZE: u32 = 1 << 24;
const MAX_LAYERS: usize = 1 << 12;
/// The base of frequencies where a file names none.
pub(super) const DEFAULT_ROPE_BASE: f64 = 10_000.0;

/// Reads the settings of one architecture: keys have its name in front.
pub(super) struct Keys<'a> {
    pub(super) metadata: &'a Metadata,
    pub(super) architecture: &'a str,
}

impl Keys<'_> {
    fn key(&self, name: &str) -> String {
        format!("{}.{name}", self.architecture)
    }

    pub(super) fn size(&self, name: &str) -> Result<Option<usize>> {
        let key = self.key(name);
        // Some files have a list with one number per layer; all of them must be equal.
        let found = match self.metadata.u32(&key) {
            Ok(found) => found,
            Err(error) => match self.metadata.u32s(&key)? {
                Some(all) if !all.is_empty() && all.iter().all(|one| *one == all[0]) => Some(all[0]),
                _ => return Err(error),
            },
        };
        match found {
            Some(size) if size > MAX_SIZE => Err(damaged(format!("`{key}` is {size}, which is no size"))),
            found => Ok(found.map(|size| size as usize)),
        }
    }

    pub(super) fn required_size(&self, name: &str) -> Result<usize> {
        match self.size(name)? {
            Some(size) if size > 0 => Ok(size),
            Some(_) => Err(damaged(format!("`{}` is 0", self.key(name)))),
            None => Err(damaged(format!("there is no `{}`", self.key(name)))),
        }
    }

    pub(super) fn number(&self, name: &str) -> Result<Option<f64>> {
        let key = self.key(name);
        match self.metadata.f32(&key)? {
            Some(number) if !number.is_finite() => Err(damaged(format!("`{key}` is {number}"))),
            found => Ok(found.map(f64::from)),
        }
    }

    fn text(&self, name: &str) -> Result<Option<&str>> {
        self.metadata.string(&self.key(name))
    }

    fn rope_scaling(&self, original_context: usize) -> Result<RopeScaling> {
        let factor = self.number("rope.scaling.factor")?.or(self.number("rope.scale_linear")?);
        let factor = factor.filter(|&by| by > 0.0).unwrap_or(1.0);
        match self.text("rope.scaling.type")? {
            Some("none") => Ok(RopeScaling::None),
            // Lists of factors do what there is to do (`rope_factors_long.weight`); files have no other factor then.
            None | Some("linear" | "longrope") => Ok(RopeScaling::Linear { factor }),
            Some("yarn") => Ok(RopeScaling::Yarn {
                factor,
                original_context: original_context as f64,
                beta_fast: 32.0,
                beta_slow: 1.0,
                attention_factor: None,
            }),
            Some(other) => {
                let message = format!("there is no scaling `{other}` of positions here");
                Err(Error::new(ErrorKind::Unsupported, "model", message))
            }
        }
    }

    /// Gives a window to all but the last of every `period` layers, or as many as the file says instead.
    pub(super) fn add_windows(&self, layers: &mut [LayerKind], period: usize, windowed: LayerKind) -> Result<()> {
        let period = self.size("attention.sliding_window_pattern")?.unwrap_or(period);
        for (index, layer) in layers.iter_mut().enumerate() {
            if period == 0 || index % period < period - 1 {
                *layer = windowed;
            }
        }
        Ok(())
    }
}

impl Config {
    /// Reads the settings of a file. Fails with `Unsupported` for an architecture that is not known, and with `Io` if sizes are
    /// missing or contradict each other.
    pub fn new(gguf: &Gguf) -> Result<Config> {
        let metadata = &gguf.metadata;
        let Some(architecture) = metadata.string("general.architecture")? else {
            return Err(damaged("there is no `general.architecture`"));
        };
        let keys = Keys { metadata, architecture };
        let describe = architectures::find(architecture)?;
        let mut config = Config::common(&keys, gguf)?;
        describe(&keys, &mut config)?;
        config.check()?;
        Ok(config)
    }

    /// What all architectures have in common; each then changes what it does differently.
    fn common(keys: &Keys<'_>, gguf: &Gguf) -> Result<Config> {
        let n_embd = keys.required_size("embedding_length")?;
        let n_heads = keys.required_size("attention.head_count")?;
        let head_dim = keys.size("attention.key_length")?.unwrap_or(n_embd / n_heads);
        let n_layers = keys.required_size("block_count")?;
        if n_layers > MAX_LAYERS {
            return Err(damaged(format!("it has {n_layers} layers")));
        }
        let n_vocab = gguf.tensor("token_embd.weight")?.shape.first().copied().unwrap_or(0);
        if keys.size("expert_count")?.is_some_and(|n| n > 0) {
            return Err(Error::new(ErrorKind::Unsupported, "model", "mixtures of experts are not supported"));
        }
        let n_context = keys.size("context_length")?.unwrap_or(2048);
        let original = keys.size("rope.scaling.original_context_length")?.filter(|&n| n > 0).unwrap_or(n_context);
        let kind = LayerKind {
            window: None,
            rope_base: keys.number("rope.freq_base")?.unwrap_or(DEFAULT_ROPE_BASE),
            rope_scaling: keys.rope_scaling(original)?,
        };
        Ok(Config {
            architecture: keys.architecture.to_owned(),
            n_vocab: usize::try_from(n_vocab).unwrap_or(usize::MAX),
            n_context,
            n_layers,
            n_embd,
            n_heads,
            n_kv_heads: keys.size("attention.head_count_kv")?.unwrap_or(n_heads),
            head_dim,
            n_ff: keys.required_size("feed_forward_length")?,
            epsilon: keys.number("attention.layer_norm_rms_epsilon")?.unwrap_or(1e-5),
            rope_dims: keys.size("rope.dimension_count")?.unwrap_or(head_dim),
            rope_pairing: RopePairing::Half,
            rope_amplitude: keys.number("rope.scaling.attn_factor")?.unwrap_or(1.0),
            n_short_context: gguf.find("rope_factors_long.weight").map(|_| original),
            attention_scale: 1.0 / (head_dim as f64).sqrt(),
            attention_cap: None,
            logit_cap: None,
            embedding_scale: 1.0,
            activation: Activation::Silu,
            query_key_norm: QueryKeyNorm::None,
            layers: vec![kind; n_layers],
        })
    }

    fn check(&self) -> Result<()> {
        let is_even = self.n_kv_heads > 0 && self.n_heads.is_multiple_of(self.n_kv_heads);
        if !is_even || self.head_dim == 0 || self.n_vocab == 0 {
            let message = format!(
                "its sizes contradict each other: {} heads, {} of keys, {} elements each, {} tokens",
                self.n_heads, self.n_kv_heads, self.head_dim, self.n_vocab
            );
            return Err(damaged(message));
        }
        if self.rope_dims > self.head_dim || !self.rope_dims.is_multiple_of(2) {
            return Err(damaged(format!("{} of {} elements are turned", self.rope_dims, self.head_dim)));
        }
        Ok(())
    }

    /// Which frequencies a context of so many tokens has.
    pub fn reach(&self, n_context: usize) -> Reach {
        if self.n_short_context.is_some_and(|n_short| n_context > n_short) { Reach::Long } else { Reach::Short }
    }

    /// Bytes that one token of a context takes: keys and values of all layers.
    pub fn cache_bytes_per_token(&self, cache: CacheType) -> u64 {
        let per_layer =
            2 * self.n_kv_heads as u64 * self.head_dim as u64 * cache.dtype(self.head_dim).size_bytes() as u64;
        per_layer * self.n_layers as u64
    }
}

pub(super) fn damaged(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Io, "model", message)
}
