//! Products with weights in few bits.
//!
//! Weights are rows as [`tilework_core::quant::packed`] describes them. They are turned into floats where they are used: in registers,
//! for one vector; row by row in the first cache, for a few ([`dots`]); and as the tiles of other matrices for many ([`decode_rows`]). That
//! costs a few instructions for sixteen weights, so that a product is bound by reading them all the same, and vectors are not rounded: how
//! many vectors are multiplied at once changes at most the last bits of a result. One and a few have the same order of sums, so the same bits; tiles
//! have their own.
//!
//! In WASM, where products of floats are half as fast as those of integers, vectors are rounded to 8 bits, block by block ([`simd128`]), and
//! [`dots`] are for any number of them.

mod dot;
mod floats;
#[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
mod plain;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd128::Rounded;
use tilework_core::math;
use tilework_core::quant::Format;
use tilework_core::quant::packed::Packing;

/// Groups that are scaled together.
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
const GROUPS: usize = 8;

/// Vectors that meet weights of some format, as this machine takes them.
#[derive(Debug)]
pub struct Vectors<'a> {
    /// `[n_vectors, n_cols]`.
    floats: &'a [f32],
    n_cols: usize,
    /// The same in 8 bits; nothing for weights that are floats.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    rounded: Option<Rounded>,
}

impl<'a> Vectors<'a> {
    /// Vectors of `n_cols` elements for products with weights of `format`.
    pub fn new(format: Format, floats: &'a [f32], n_cols: usize) -> Vectors<'a> {
        _ = format;
        Vectors {
            floats,
            n_cols,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            rounded: Packing::of(format).map(|_| Rounded::new(format, floats, n_cols)),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.floats.len() / self.n_cols.max(1)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Rows that are widened together for a few vectors: the first cache holds them.
const ROWS_AT_ONCE: usize = 4;

/// From so many vectors on, widening weights once for all of them ([`decode_rows`]) is cheaper than for every row.
pub fn many(format: Format) -> usize {
    // In WASM products of integers are twice as fast as those of floats, and weights are unpacked once for all vectors.
    if cfg!(all(target_arch = "wasm32", target_feature = "simd128")) && Packing::of(format).is_some() {
        usize::MAX
    } else {
        12
    }
}

/// `out[row · n_vectors + vector]`: the products of all rows with all vectors.
///
/// `rows` are whole packed rows of `format`; `out` decides how many.
pub fn dots(format: Format, rows: &[u32], x: &Vectors<'_>, out: &mut [f32]) {
    let (n_vectors, n_cols) = (x.len(), x.n_cols);
    let row_words = format.row_words(n_cols).unwrap_or(0);
    if n_vectors == 0 || row_words == 0 {
        return out.fill(0.0);
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    if let (Some(packing), Some(rounded)) = (Packing::of(format), &x.rounded) {
        return simd128::dots(&packing, rows, rounded, out);
    }
    #[cfg(target_arch = "x86_64")]
    let machine = x86::Machine::detect();
    #[cfg(target_arch = "x86_64")]
    if let (1, Some(packing), Some(machine)) = (n_vectors, Packing::of(format), machine) {
        return machine.dots(&packing, rows, &x.floats[..n_cols], out);
    }
    let dot = |weights: &[f32], x: &[f32]| {
        #[cfg(target_arch = "x86_64")]
        if let Some(machine) = machine {
            return machine.dot(weights, x);
        }
        dot::dot(weights, x)
    };
    let products = |weights: &[f32], out: &mut [f32]| {
        for (weights, out) in weights.chunks_exact(n_cols).zip(out.chunks_exact_mut(n_vectors)) {
            x.floats.chunks_exact(n_cols).zip(out).for_each(|(x, out)| *out = dot(weights, x));
        }
    };
    if format == Format::F32 {
        return products(bytemuck::cast_slice(rows), out);
    }
    let mut decoded = vec![0.0; ROWS_AT_ONCE * n_cols];
    for (rows, out) in rows.chunks(ROWS_AT_ONCE * row_words).zip(out.chunks_mut(ROWS_AT_ONCE * n_vectors)) {
        let weights = &mut decoded[..out.len() / n_vectors * n_cols];
        decode_rows(format, rows, n_cols, weights);
        products(weights, out);
    }
}

/// Results by vector: `out[vector · n_rows + row] = results[row · n_vectors + first + vector]`, for as many vectors as `out` holds.
#[inline(never)]
pub fn turn(results: &[f32], n_vectors: usize, first: usize, out: &mut [f32]) {
    let n_rows = results.len() / n_vectors.max(1);
    let n = out.len() / n_rows.max(1);
    for (row, results) in results.chunks_exact(n_vectors.max(1)).enumerate() {
        for (out, &result) in out.chunks_exact_mut(n_rows).zip(&results[first..first + n]) {
            out[row] = result;
        }
    }
}

/// The weights of whole rows, as floats: `[n_rows, n_cols]`.
pub fn decode_rows(format: Format, rows: &[u32], n_cols: usize, out: &mut [f32]) {
    let Some(packing) = Packing::of(format) else {
        return floats::decode_rows(format, rows, n_cols, out);
    };
    #[cfg(target_arch = "x86_64")]
    if let Some(machine) = x86::Machine::detect() {
        return machine.decode_rows(&packing, rows, n_cols, out);
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    simd128::decode_rows(&packing, rows, n_cols, out);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    plain::decode_rows(&packing, rows, n_cols, out);
}

/// Replaces each `x` by `silu(x)` times its partner.
#[inline(never)]
pub fn silu_times(x: &mut [f32], other: &[f32]) {
    crate::vectorized(
        #[inline(always)]
        || x.iter_mut().zip(other).for_each(|(x, other)| *x = math::silu(*x) * other),
    );
}

/// Replaces each `x` by `gelu(x)`, by a hyperbolic tangent, times its partner.
#[inline(never)]
pub fn gelu_times(x: &mut [f32], other: &[f32]) {
    crate::vectorized(
        #[inline(always)]
        || x.iter_mut().zip(other).for_each(|(x, other)| *x = math::gelu_tanh(*x) * other),
    );
}
