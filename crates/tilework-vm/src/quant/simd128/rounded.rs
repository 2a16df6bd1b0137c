//! Vectors in 8-bit numbers with a scale per group of 32, and the sums that leasts are multiplied with.
//!
//! They are rounded as ggml does it: with blocks of 32 to multiples of a 127th of the largest, as a 16-bit float; with the formats of
//! 256 weights in blocks of 256, to multiples of a 127th of the largest.

use super::GROUPS;
use core::arch::wasm32::*;
use tilework_core::half;
use tilework_core::quant::Format;
use tilework_core::quant::packed::GROUP;

/// A rounded element.
pub(super) type Code = i16;

/// Rounded vectors.
#[derive(Debug)]
pub(in crate::quant) struct Rounded {
    /// Vectors.
    pub(super) n_vectors: usize,
    /// Groups of a vector.
    pub(super) n_groups: usize,
    /// Groups of a vector with those that fill it up to eights.
    pub(super) n_padded: usize,
    /// `[n_vectors, n_padded, 32]`, each group in [the order](place) of its weights.
    pub(super) codes: Vec<Code>,
    /// `[n_vectors, n_padded]`.
    pub(super) scales: Vec<f32>,
    /// Sums of the first and the last 16 elements of a group: `[n_vectors, 2, n_padded]`.
    pub(super) sums: Vec<f32>,
}

impl Rounded {
    /// Vectors of `n_cols` elements, rounded for a product with weights of `format`.
    pub(in crate::quant) fn new(format: Format, x: &[f32], n_cols: usize) -> Rounded {
        let n_vectors = x.len() / n_cols.max(1);
        let n_groups = n_cols / GROUP;
        let n_padded = n_groups.next_multiple_of(GROUPS);
        let mut all = Rounded {
            n_vectors,
            n_groups,
            n_padded,
            codes: vec![0; n_vectors * n_padded * GROUP],
            scales: vec![0.0; n_vectors * n_padded],
            sums: vec![0.0; n_vectors * 2 * n_padded],
        };
        all.fill(x, n_cols, Rounding::of(format));
        all
    }

    fn fill(&mut self, x: &[f32], n_cols: usize, rounding: Rounding) {
        for (vector, x) in x.chunks_exact(n_cols.max(1)).enumerate() {
            let codes = &mut self.codes[vector * self.n_padded * GROUP..][..self.n_padded * GROUP];
            for (block, x) in x.chunks(rounding.block_len()).enumerate() {
                let scale = rounding.scale(x);
                for (k, x) in x.as_chunks::<GROUP>().0.iter().enumerate() {
                    let group = block * rounding.block_len() / GROUP + k;
                    let sums = quantize(x, scale.inverse, codes, group);
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

/// Where element `i` of group `group` lies among the codes of a vector.
#[inline(always)]
pub(super) const fn place(group: usize, i: usize) -> usize {
    group * GROUP + i / 16 * 16 + i % 2 * 8 + i % 16 / 2
}

/// Rounds a group to 8-bit numbers, among the codes of a vector. Returns the sums of both halves.
#[inline(always)]
pub(super) fn quantize(x: &[f32; GROUP], inverse: f32, codes: &mut [Code], group: usize) -> [i32; 2] {
    let codes = &mut codes[group * GROUP..][..GROUP];
    let (x, to): (*const v128, *mut v128) = (x.as_ptr().cast(), codes.as_mut_ptr().cast());
    // SAFETY: a group is eight vectors of floats and four of codes.
    unsafe { [quantize_half(x, inverse, to), quantize_half(x.add(4), inverse, to.add(2))] }
}

/// # Safety
/// There must be four vectors to read and two to write.
#[inline(always)]
unsafe fn quantize_half(x: *const v128, inverse: f32, to: *mut v128) -> i32 {
    // SAFETY: the caller's promise.
    let x = unsafe { [v128_load(x), v128_load(x.add(1)), v128_load(x.add(2)), v128_load(x.add(3))] };
    let [a, b, c, d] = x.map(
        #[inline(always)]
        |x| {
            // Next to 1.5 · 2²³ floats are integers, and their bits count them.
            let round = f32x4_splat(ROUND);
            i32x4_sub(f32x4_add(f32x4_mul(x, f32x4_splat(inverse)), round), round)
        },
    );
    let even = i16x8_narrow_i32x4(i32x4_shuffle::<0, 2, 4, 6>(a, b), i32x4_shuffle::<0, 2, 4, 6>(c, d));
    let odd = i16x8_narrow_i32x4(i32x4_shuffle::<1, 3, 5, 7>(a, b), i32x4_shuffle::<1, 3, 5, 7>(c, d));
    // SAFETY: the same.
    unsafe {
        v128_store(to, even);
        v128_store(to.add(1), odd);
    }
    let four = i32x4_add(i32x4_add(a, b), i32x4_add(c, d));
    let two = i32x4_add(four, i32x4_shuffle::<2, 3, 2, 3>(four, four));
    i32x4_extract_lane::<0>(two) + i32x4_extract_lane::<1>(two)
}
