//! Contexts: the tokens of a conversation with their keys and values.

use super::config::Config;
use tilework::{Array, DType, Device, Error, Result};

/// How keys and values are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheType {
    /// As 16-bit floats: half the memory, of which half is read for every token.
    #[default]
    Halves,
    /// As they were computed.
    Floats,
}

impl CacheType {
    /// The type of its elements. Heads whose elements are no multiple of four are kept as floats.
    pub fn dtype(self, head_dim: usize) -> DType {
        if self == CacheType::Halves && head_dim.is_multiple_of(4) { DType::F16 } else { DType::F32 }
    }
}

/// Tokens that a model has seen, and what it keeps of them.
///
/// Keys and values lie in one array per layer, `[2, n_kv_heads, n_places, head_dim]`, which grows by doubling up to the context's
/// length: a short conversation in a long context costs what a short one does.
#[derive(Debug)]
pub struct Context {
    pub(super) tokens: Vec<u32>,
    n_max: usize,
    pub(super) caches: Vec<Array>,
    n_places: usize,
    sizes: [usize; 2],
    dtype: DType,
}

/// Places of the smallest cache.
const MIN_PLACES: usize = 256;

impl Context {
    pub(super) fn new(device: &Device, config: &Config, cache: CacheType, n_max: usize) -> Result<Context> {
        if n_max == 0 {
            return Err(Error::argument("context", "a context needs room for one token at least"));
        }
        let n_places = MIN_PLACES.min(n_max);
        let sizes = [config.n_kv_heads, config.head_dim];
        let dtype = cache.dtype(config.head_dim);
        let caches = (0..config.n_layers).map(|_| blank(device, dtype, sizes, n_places)).collect();
        Ok(Context { tokens: Vec::new(), n_max, caches, n_places, sizes, dtype })
    }

    /// The tokens so far.
    pub fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether nothing was said yet.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Tokens there is room for.
    pub fn n_max(&self) -> usize {
        self.n_max
    }

    /// Forgets all but the first `n` tokens.
    pub fn truncate(&mut self, n: usize) {
        self.tokens.truncate(n);
    }

    /// Makes room for `n_new` more tokens. Fails if the context has no room for them.
    pub(super) async fn grow(&mut self, n_new: usize) -> Result<()> {
        let n = self.tokens.len().saturating_add(n_new);
        if n > self.n_max {
            let message = format!("{n} tokens do not fit into a context of {}", self.n_max);
            return Err(Error::argument("context", message));
        }
        if n <= self.n_places {
            return Ok(());
        }
        let n_places = n.next_power_of_two().max(2 * self.n_places).min(self.n_max);
        // Layer by layer, so that no more than one of them is in memory twice.
        for at in 0..self.caches.len() {
            let cache = &self.caches[at];
            let more = blank(cache.device(), self.dtype, self.sizes, n_places - self.n_places);
            let grown = cache.device().concat(&[cache, &more], 2).cast(self.dtype);
            if let Err(error) = grown.eval().await {
                // Caches of two lengths are of no use; they are computed again when they are needed.
                self.caches.clear();
                return Err(error);
            }
            self.caches[at] = grown;
        }
        self.n_places = n_places;
        Ok(())
    }

    /// Takes over tokens with their keys and values, `[2, n_kv_heads, n, head_dim]` for each layer; the first, if there is no room for all.
    pub(super) fn fill(&mut self, mut tokens: Vec<u32>, filled: &[Array]) {
        tokens.truncate(self.n_max);
        let n = tokens.len();
        if n > self.n_places {
            self.n_places = n.next_power_of_two().min(self.n_max);
        }
        for (cache, filled) in self.caches.iter_mut().zip(filled).filter(|_| n > 0) {
            let (device, filled) = (filled.device(), filled.slice(2, 0..n as isize));
            let rest = blank(device, self.dtype, self.sizes, self.n_places - n);
            let whole = if n < self.n_places { device.concat(&[&filled, &rest], 2) } else { filled };
            *cache = whole.cast(self.dtype);
        }
        self.tokens = tokens;
    }

    /// Whether its caches are there, on this device. A step that fails may leave none.
    pub(super) fn is_on(&self, device: &Device) -> bool {
        self.caches.first().is_some_and(|cache| cache.device().is_same(device))
    }

    /// What its caches hold.
    pub(super) fn dtype(&self) -> DType {
        self.dtype
    }

    /// Places of its caches.
    pub(super) fn n_places(&self) -> usize {
        self.n_places
    }
}

/// Places with nothing in them, of `sizes` heads and elements.
fn blank(device: &Device, dtype: DType, sizes: [usize; 2], n_places: usize) -> Array {
    device.full_of([2, sizes[0], n_places, sizes[1]], 0.0, dtype)
}
