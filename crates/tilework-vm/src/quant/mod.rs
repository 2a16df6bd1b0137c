//! Products with weights in few bits.
//!
//! Weights are rows as [`tilework_core::quant::packed`] describes them. A product with a few vectors is bound by reading them, so the
//! vectors are turned into 8-bit numbers group by group ([`Activations`]), and a group of 32 products is a handful of integer
//! instructions ([`dots`]). A product with many vectors is bound by arithmetic: weights are turned into floats ([`decode_rows`]) and
//! go through the same tiles as other matrices.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod floats;
mod portable;
#[cfg(test)]
mod tests;

use tilework_core::math;
use tilework_core::quant::Format;
use tilework_core::quant::packed::{GROUP, Packing};

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
    codes: Vec<i8>,
    /// `[n_vectors, n_padded]`.
    scales: Vec<f32>,
    /// Sums of the first and the last 16 elements of a group: `[n_vectors, 2, n_padded]`.
    sums: Vec<f32>,
    /// The floats themselves, for weights that are floats: `[n_vectors, n_cols]`.
    floats: Vec<f32>,
    n_cols: usize,
}

impl Activations {
    /// Vectors of `n_cols` elements, for a product with weights of `format`.
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
            || all.fill(x),
        );
        all
    }

    /// Vectors.
    pub fn n_vectors(&self) -> usize {
        self.n_vectors
    }

    #[inline(always)]
    fn fill(&mut self, x: &[f32]) {
        for (vector, x) in x.chunks_exact(self.n_cols).enumerate() {
            for (group, x) in x.as_chunks::<GROUP>().0.iter().enumerate() {
                let at = vector * self.n_padded + group;
                let Some(codes) = self.codes[at * GROUP..].first_chunk_mut::<GROUP>() else { return };
                let (scale, sums) = quantize(x, codes);
                self.scales[at] = scale;
                self.sums[2 * vector * self.n_padded + group] = sums[0];
                self.sums[(2 * vector + 1) * self.n_padded + group] = sums[1];
            }
        }
    }
}

/// Rounds a group to 8-bit numbers. Returns their scale, and the sums of both halves of what they stand for.
#[inline(always)]
fn quantize(x: &[f32; GROUP], codes: &mut [i8; GROUP]) -> (f32, [f32; 2]) {
    // Without their sign, floats are ordered as their bits are, infinities and NaN above all others.
    let bits = x.iter().fold(0, |largest: u32, value| largest.max(value.abs().to_bits()));
    let largest = f32::from_bits(bits);
    if !largest.is_finite() {
        return (f32::NAN, [f32::NAN; 2]);
    }
    let scale = largest / 127.0;
    let inverse = if scale > 0.0 { 1.0 / scale } else { 0.0 };
    // Adding and taking away 1.5 · 2²³ rounds to the nearest integer, ties to even, in one vector instruction each.
    const ROUND: f32 = 12_582_912.0;
    let mut sums = [0_i32; 2];
    for i in 0..GROUP {
        let code = ((x[i] * inverse + ROUND) - ROUND) as i32;
        codes[i] = code as i8;
        sums[i / 16] += code;
    }
    (scale, sums.map(|sum| sum as f32 * scale))
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
    portable::dots(&packing, rows, x, out);
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
