//! Formats of blocks of 32: one factor, perhaps an offset, and 32 small integers.
//!
//! Four-bit integers lie two in a byte: byte `i` has weight `i` in its low and weight `i + 16` in its high half.

use super::half_at;
use crate::quant::{LEVELS_IQ4, LEVELS_MXFP4};

/// d (half), 16 bytes of q: d · (q − 8).
pub(super) fn q4_0(block: &[u8; 18], out: &mut [f32; 32]) {
    let d = half_at(block, 0);
    for i in 0..16 {
        let byte = block[2 + i];
        out[i] = d * f32::from((byte & 15) as i8 - 8);
        out[i + 16] = d * f32::from((byte >> 4) as i8 - 8);
    }
}

/// d, m (halves), 16 bytes of q: d · q + m.
pub(super) fn q4_1(block: &[u8; 20], out: &mut [f32; 32]) {
    let (d, m) = (half_at(block, 0), half_at(block, 2));
    for i in 0..16 {
        let byte = block[4 + i];
        out[i] = d * f32::from(byte & 15) + m;
        out[i + 16] = d * f32::from(byte >> 4) + m;
    }
}

/// d (half), the fifth bits of all weights, 16 bytes of q: d · (q − 16).
pub(super) fn q5_0(block: &[u8; 22], out: &mut [f32; 32]) {
    let d = half_at(block, 0);
    let high = u32::from_le_bytes([block[2], block[3], block[4], block[5]]);
    for i in 0..16 {
        let byte = block[6 + i];
        out[i] = d * f32::from((byte & 15 | fifth_bit(high, i)) as i8 - 16);
        out[i + 16] = d * f32::from((byte >> 4 | fifth_bit(high, i + 16)) as i8 - 16);
    }
}

/// d, m (halves), the fifth bits of all weights, 16 bytes of q: d · q + m.
pub(super) fn q5_1(block: &[u8; 24], out: &mut [f32; 32]) {
    let (d, m) = (half_at(block, 0), half_at(block, 2));
    let high = u32::from_le_bytes([block[4], block[5], block[6], block[7]]);
    for i in 0..16 {
        let byte = block[8 + i];
        out[i] = d * f32::from(byte & 15 | fifth_bit(high, i)) + m;
        out[i + 16] = d * f32::from(byte >> 4 | fifth_bit(high, i + 16)) + m;
    }
}

/// Bit `i` of `high` where a byte has its fifth bit.
#[inline(always)]
fn fifth_bit(high: u32, i: usize) -> u8 {
    ((high >> i & 1) as u8) << 4
}

/// d (half), 32 signed bytes q: d · q.
pub(super) fn q8_0(block: &[u8; 34], out: &mut [f32; 32]) {
    let d = half_at(block, 0);
    for i in 0..32 {
        out[i] = d * f32::from(block[2 + i] as i8);
    }
}

/// d (half), 16 bytes of indices into uneven levels: d · level.
pub(super) fn iq4_nl(block: &[u8; 18], out: &mut [f32; 32]) {
    let d = half_at(block, 0);
    for i in 0..16 {
        let byte = usize::from(block[2 + i]);
        out[i] = d * f32::from(LEVELS_IQ4[byte & 15]);
        out[i + 16] = d * f32::from(LEVELS_IQ4[byte >> 4]);
    }
}

/// An exponent e, 16 bytes of indices into the values of a 4-bit float, kept doubled: 2^(e − 128) · doubled value
/// (Open Compute Project, Microscaling Formats 1.0).
pub(super) fn mxfp4(block: &[u8; 17], out: &mut [f32; 32]) {
    let d = half_power(block[0]);
    for i in 0..16 {
        let byte = usize::from(block[1 + i]);
        out[i] = d * f32::from(LEVELS_MXFP4[byte & 15]);
        out[i + 16] = d * f32::from(LEVELS_MXFP4[byte >> 4]);
    }
}

/// 2^(e − 128), of which the two smallest are subnormal.
pub(in crate::quant) fn half_power(e: u8) -> f32 {
    let bits = if e < 2 { 0x0020_0000 << e } else { u32::from(e - 1) << 23 };
    f32::from_bits(bits)
}
