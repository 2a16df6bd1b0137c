//! Products with weights in few bits.
//!
//! Weights are rows as [`tilework_core::quant::packed`] describes them. A product with a few vectors is bound by reading them, so the
//! vectors are turned into 8-bit numbers block by block ([`Activations`]), and a group of 32 products is a handful of integer
//! instructions ([`dots`]). A product with many vectors is bound by arithmetic: weights are turned into floats ([`decode_rows`]) and
//! go through the same tiles as other matrices, after vectors were rounded to the same numbers ([`round`]): a prompt read at once
//! means what it means token by token. In WASM, where products of floats are half as fast as those of integers, [`dots`] are for any
//! number of vectors.
//!
//! Vectors are rounded as ggml does it: with blocks of 32 to multiples of a 127th of the largest, as a 16-bit float; with the formats
//! of 256 weights in blocks of 256, to multiples of a 127th of the largest.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod bytes;
mod floats;
#[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(test)]
mod tests;

/// Rounded vectors as the machine takes them.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use bytes as form;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd128 as form;
use tilework_core::quant::Format;
use tilework_core::quant::packed::{GROUP, Packing};
use tilework_core::{half, math};

/// Groups that are scaled together.
const GROUPS: usize = 8;

/// Vectors whose elements are 8-bit numbers with a scale per group of 32.
#[derive(Debug, Default)]
pub struct Activations {
    /// Vectors.
    n_vectors: usize,
    /// Groups of a vector.
    n_groups: usize,
    /// Groups of a vector with those that fill it up to eights.
    n_padded: usize,
    /// `[n_vectors, n_padded, 32]`.
    codes: Vec<form::Code>,
    /// `[n_vectors, n_padded]`.
    scales: Vec<f32>,
    /// Sums of the first and the last 16 elements of a group: `[n_vectors, 2, n_padded]`.
    sums: Vec<f32>,
    /// The floats themselves, for weights that are floats: `[n_vectors, n_cols]`.
    floats: Vec<f32>,
    n_cols: usize,
}

impl Activations {
    /// Vectors of `n_cols` elements, rounded for a product with weights of `format`.
    pub fn new(format: Format, x: &[f32], n_cols: usize) -> Activations {
        let n_vectors = x.len() / n_cols.max(1);
        if Packing::of(format).is_none() {
            return Activations { n_vectors, n_cols, floats: x.to_vec(), ..Activations::default() };
        }
        let n_groups = n_cols / GROUP;
        let n_padded = n_groups.next_multiple_of(GROUPS);
        let mut all = Activations {
            n_vectors,
            n_groups,
            n_padded,
            codes: vec![0; n_vectors * n_padded * GROUP],
            scales: vec![0.0; n_vectors * n_padded],
            sums: vec![0.0; n_vectors * 2 * n_padded],
            floats: Vec::new(),
            n_cols,
        };
        crate::vectorized(
            #[inline(always)]
            || all.fill(x, Rounding::of(format)),
        );
        all
    }

    /// Vectors.
    pub fn n_vectors(&self) -> usize {
        self.n_vectors
    }

    #[inline(always)]
    fn fill(&mut self, x: &[f32], rounding: Rounding) {
        for (vector, x) in x.chunks_exact(self.n_cols.max(1)).enumerate() {
            let codes = &mut self.codes[vector * self.n_padded * GROUP..][..self.n_padded * GROUP];
            for (block, x) in x.chunks(rounding.block_len()).enumerate() {
                let scale = rounding.scale(x);
                for (k, x) in x.as_chunks::<GROUP>().0.iter().enumerate() {
                    let group = block * rounding.block_len() / GROUP + k;
                    let sums = form::quantize(x, scale.inverse, codes, group);
                    self.scales[vector * self.n_padded + group] = scale.step;
                    for (part, sum) in sums.into_iter().enumerate() {
                        self.sums[(2 * vector + part) * self.n_padded + group] = sum as f32 * scale.step;
                    }
                }
            }
        }
    }
}

/// In which blocks vectors are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rounding {
    By32,
    By256,
}

/// What the numbers of a block are multiples of.
#[derive(Clone, Copy)]
struct Scale {
    step: f32,
    inverse: f32,
}

impl Rounding {
    fn of(format: Format) -> Rounding {
        if format.block_len() == 256 { Rounding::By256 } else { Rounding::By32 }
    }

    #[inline(always)]
    fn block_len(self) -> usize {
        match self {
            Rounding::By32 => 32,
            Rounding::By256 => 256,
        }
    }

    #[inline(always)]
    fn scale(self, x: &[f32]) -> Scale {
        // Without their sign, floats are ordered as their bits are, infinities and NaN above all others.
        let bits = x.iter().fold(0, |largest: u32, value| largest.max(value.abs().to_bits()));
        let largest = f32::from_bits(bits);
        if !largest.is_finite() {
            return Scale { step: f32::NAN, inverse: 0.0 };
        }
        if largest == 0.0 {
            return Scale { step: 0.0, inverse: 0.0 };
        }
        match self {
            Rounding::By32 => Scale { step: half::widen(half::narrow(largest / 127.0)), inverse: 127.0 / largest },
            Rounding::By256 => {
                // The first of the largest becomes −127, whatever its sign.
                let is_largest = |value: &&f32| value.abs() == largest;
                let inverse = -127.0 / x.iter().find(is_largest).copied().unwrap_or(largest);
                Scale { step: 1.0 / inverse, inverse }
            }
        }
    }
}

/// Adding and taking away 1.5 · 2²³ rounds to the nearest integer, ties to even, in one vector instruction each.
const ROUND: f32 = 12_582_912.0;

/// Rounds vectors of `n_cols` elements to the numbers that [`Activations`] stand for; leaves them where weights are floats.
#[inline(never)]
pub fn round(format: Format, x: &mut [f32], n_cols: usize) {
    if Packing::of(format).is_none() {
        return;
    }
    let rounding = Rounding::of(format);
    crate::vectorized(
        #[inline(always)]
        || {
            for block in x.chunks_mut(n_cols.max(1)).flat_map(|x| x.chunks_mut(rounding.block_len())) {
                let scale = rounding.scale(block);
                block.iter_mut().for_each(|x| *x = ((*x * scale.inverse + ROUND) - ROUND) * scale.step);
            }
        },
    );
}

/// From so many vectors on, widening weights once for all of them ([`decode_rows`]) is cheaper than unpacking them for every four.
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
pub fn dots(format: Format, rows: &[u32], x: &Activations, out: &mut [f32]) {
    let Some(packing) = Packing::of(format) else {
        return floats::dots(format, rows, &x.floats, x.n_cols, out);
    };
    #[cfg(target_arch = "x86_64")]
    if let Some(machine) = avx2::Machine::detect() {
        return machine.dots(&packing, rows, x, out);
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    simd128::dots(&packing, rows, x, out);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    portable::dots(&packing, rows, x, out);
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
    if let Some(machine) = avx2::Machine::detect() {
        return machine.decode_rows(&packing, rows, n_cols, out);
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    simd128::decode_rows(&packing, rows, n_cols, out);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    portable::decode_rows(&packing, rows, n_cols, out);
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
