//! Weights of GGUF blocks as numbers.
//!
//! Every format's meaning is one short function over one block: the bytes it is made of and the weights it stands for. The
//! arithmetic is that of ggml's reference (`dequantize_row_*` in ggml-quants.c), in single precision and in its order, so that
//! both give the same bits. Layouts and formulas: the GGUF specification and the comments at each function.

mod blocks;
mod super_blocks;

use super::Format;
use crate::half::widen;

pub(super) use blocks::half_power;
pub(super) use super_blocks::{q3_k_scale, six_bit_pair};

impl Format {
    /// The weights of whole blocks.
    ///
    /// `bytes` is as long as [`Format::size_bytes`] of `out.len()` says; callers check that. Surplus blocks or places are left alone.
    pub fn decode(self, bytes: &[u8], out: &mut [f32]) {
        debug_assert_eq!(self.size_bytes(out.len()), Some(bytes.len()), "{self}: bytes do not fit the weights");
        match self {
            Format::F32 => each(bytes, out, |block, out: &mut [f32; 1]| out[0] = f32::from_le_bytes(*block)),
            Format::F16 => each(bytes, out, |block, out: &mut [f32; 1]| out[0] = widen(u16::from_le_bytes(*block))),
            Format::Bf16 => each(bytes, out, |block, out: &mut [f32; 1]| {
                out[0] = f32::from_bits(u32::from(u16::from_le_bytes(*block)) << 16);
            }),
            Format::Q4_0 => each(bytes, out, blocks::q4_0),
            Format::Q4_1 => each(bytes, out, blocks::q4_1),
            Format::Q5_0 => each(bytes, out, blocks::q5_0),
            Format::Q5_1 => each(bytes, out, blocks::q5_1),
            Format::Q8_0 => each(bytes, out, blocks::q8_0),
            Format::Q2K => each(bytes, out, super_blocks::q2_k),
            Format::Q3K => each(bytes, out, super_blocks::q3_k),
            Format::Q4K => each(bytes, out, super_blocks::q4_k),
            Format::Q5K => each(bytes, out, super_blocks::q5_k),
            Format::Q6K => each(bytes, out, super_blocks::q6_k),
            Format::Iq4Nl => each(bytes, out, blocks::iq4_nl),
            Format::Iq4Xs => each(bytes, out, super_blocks::iq4_xs),
            Format::Mxfp4 => each(bytes, out, blocks::mxfp4),
        }
    }
}

/// Applies `decode` to each block of `BYTES` bytes, which stands for `LEN` weights.
fn each<const BYTES: usize, const LEN: usize>(
    bytes: &[u8],
    out: &mut [f32],
    decode: impl Fn(&[u8; BYTES], &mut [f32; LEN]),
) {
    let (blocks, _) = bytes.as_chunks::<BYTES>();
    let (places, _) = out.as_chunks_mut::<LEN>();
    for (block, out) in blocks.iter().zip(places) {
        decode(block, out);
    }
}

/// The half at byte `at` of a block.
#[inline(always)]
fn half_at(block: &[u8], at: usize) -> f32 {
    widen(u16::from_le_bytes([block[at], block[at + 1]]))
}
