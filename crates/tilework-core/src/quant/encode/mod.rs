//! Weights as GGUF blocks.
//!
//! The integers are found as ggml's reference quantizers find them (`quantize_row_*_ref` in ggml-quants.c, for IQ4 its seven tries
//! on either side), so that files made here and by llama.cpp agree. Where a factor is searched for, `search` has the algorithm; here
//! and in the files beside it is only the packing. Nothing panics: weights that are no numbers give blocks that are no better.

mod blocks;
mod iq4;
mod search;
mod super_blocks;

use super::Format;
use crate::half::narrow;

impl Format {
    /// Appends the blocks nearest to `weights` to `out`.
    ///
    /// `weights` fills whole blocks; callers check that. A surplus that fills none is left out.
    pub fn encode(self, weights: &[f32], out: &mut Vec<u8>) {
        debug_assert!(weights.len().is_multiple_of(self.block_len()), "{self}: weights do not fill blocks");
        match self {
            Format::F32 => each(weights, out, |[weight]: &[f32; 1], block| *block = weight.to_le_bytes()),
            Format::F16 => each(weights, out, |[weight]: &[f32; 1], block| *block = narrow(*weight).to_le_bytes()),
            Format::Bf16 => each(weights, out, |[weight]: &[f32; 1], block| *block = bf16(*weight).to_le_bytes()),
            Format::Q4_0 => each(weights, out, blocks::q4_0),
            Format::Q4_1 => each(weights, out, blocks::q4_1),
            Format::Q5_0 => each(weights, out, blocks::q5_0),
            Format::Q5_1 => each(weights, out, blocks::q5_1),
            Format::Q8_0 => each(weights, out, blocks::q8_0),
            Format::Q2K => each(weights, out, super_blocks::q2_k),
            Format::Q3K => each(weights, out, super_blocks::q3_k),
            Format::Q4K => each(weights, out, super_blocks::q4_k),
            Format::Q5K => each(weights, out, super_blocks::q5_k),
            Format::Q6K => each(weights, out, super_blocks::q6_k),
            Format::Iq4Nl => each(weights, out, iq4::iq4_nl),
            Format::Iq4Xs => each(weights, out, iq4::iq4_xs),
            Format::Mxfp4 => each(weights, out, blocks::mxfp4),
        }
    }
}

/// Appends what `encode` makes of each `LEN` weights.
fn each<const LEN: usize, const BYTES: usize>(
    weights: &[f32],
    out: &mut Vec<u8>,
    encode: impl Fn(&[f32; LEN], &mut [u8; BYTES]),
) {
    let (blocks, _) = weights.as_chunks::<LEN>();
    out.reserve(blocks.len().saturating_mul(BYTES));
    for weights in blocks {
        let mut block = [0; BYTES];
        encode(weights, &mut block);
        out.extend_from_slice(&block);
    }
}

/// The high half of the bits of `value`, rounded to nearest, ties to even; NaN stays NaN.
fn bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    if value.is_nan() { (bits >> 16) as u16 | 64 } else { ((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16 }
}

/// Writes `value` as a half at byte `at` and returns what was written.
fn put_half(block: &mut [u8], at: usize, value: f32) -> f32 {
    let bits = narrow(value);
    block[at..at + 2].copy_from_slice(&bits.to_le_bytes());
    crate::half::widen(bits)
}

/// 1 / `value`, or 0 of 0.
fn inverse(value: f32) -> f32 {
    if value == 0.0 { 0.0 } else { 1.0 / value }
}

/// The nearest whole number, ties to even; 0 of NaN.
#[inline(always)]
fn nearest(value: f32) -> i32 {
    // Added to 1.5 · 2^23 a number is rounded to a whole one, which the low bits of the sum then are: cheaper than rounding.
    let sum = value.clamp(-4_194_303.0, 4_194_303.0) + 12_582_912.0;
    (sum.to_bits() & 0x007f_ffff) as i32 - 0x0040_0000
}
