//! What language models are made of: products with packed weights, rows of them, and caches.

use super::Array;
use tilework_ops::graph;
use tilework_ops::ops::cache_append::CacheAppend;
use tilework_ops::ops::packed_linear::PackedLinear;
use tilework_ops::ops::packed_rows::PackedRows;

impl Array {
    /// Products of vectors `[.., elements]` with packed rows of weights (see [`crate::quant`]), as `linear` describes: normalised first
    /// if there is a `norm`, and gated.
    pub fn packed_linear(&self, linear: PackedLinear, weights: &Array, norm: Option<&Array>) -> Array {
        self.then(|x| {
            let mut inputs = vec![x.clone(), weights.node()?.clone()];
            if let Some(norm) = norm {
                inputs.push(norm.node()?.clone());
            }
            graph::apply(linear, &inputs)
        })
    }

    /// The rows of packed weights (this array) that `indices` name, as floats.
    pub fn packed_rows(&self, rows: PackedRows, indices: &Array) -> Array {
        self.then(|weights| graph::apply(rows, &[weights.clone(), indices.node()?.clone()]))
    }

    /// This cache of keys and values, `[2, heads, places, elements]`, with new ones, `[heads, new, elements]` each, written from place
    /// `n_past` on. In a [`Program`](crate::Program) that is given the cache for good, it is changed in place.
    pub fn cache_append(&self, keys: &Array, values: &Array, n_past: &Array) -> Array {
        self.then(|cache| {
            let inputs = [cache.clone(), keys.node()?.clone(), values.node()?.clone(), n_past.node()?.clone()];
            graph::apply(CacheAppend, &inputs)
        })
    }
}
