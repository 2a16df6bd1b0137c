//! Formats of blocks of 32.

use super::{inverse, put_half};
use crate::quant::LEVELS_MXFP4;
use crate::quant::decode::half_power;

/// The weight farthest from zero becomes −8 exactly; the others follow.
pub(super) fn q4_0(weights: &[f32; 32], block: &mut [u8; 18]) {
    let d = farthest(weights) / -8.0;
    let inverse = inverse(d);
    put_half(block, 0, d);
    put_pairs(&mut block[2..], |i| ((weights[i] * inverse + 8.5) as u8).min(15));
}

/// Least and greatest weight become 0 and 15.
pub(super) fn q4_1(weights: &[f32; 32], block: &mut [u8; 20]) {
    let (least, greatest) = range(weights);
    let d = (greatest - least) / 15.0;
    let inverse = inverse(d);
    put_half(block, 0, d);
    put_half(block, 2, least);
    put_pairs(&mut block[4..], |i| (((weights[i] - least) * inverse + 0.5) as u8).min(15));
}

/// The weight farthest from zero becomes −16 exactly.
pub(super) fn q5_0(weights: &[f32; 32], block: &mut [u8; 22]) {
    let d = farthest(weights) / -16.0;
    let inverse = inverse(d);
    put_half(block, 0, d);
    let level = |i: usize| ((weights[i] * inverse + 16.5) as u8).min(31);
    block[2..6].copy_from_slice(&fifth_bits(level).to_le_bytes());
    put_pairs(&mut block[6..], |i| level(i) & 15);
}

/// Least and greatest weight become 0 and 31.
pub(super) fn q5_1(weights: &[f32; 32], block: &mut [u8; 24]) {
    let (least, greatest) = range(weights);
    let d = (greatest - least) / 31.0;
    let inverse = inverse(d);
    put_half(block, 0, d);
    put_half(block, 2, least);
    let level = |i: usize| ((weights[i] - least) * inverse + 0.5) as u8;
    block[4..8].copy_from_slice(&fifth_bits(level).to_le_bytes());
    put_pairs(&mut block[8..], |i| level(i) & 15);
}

/// The weight farthest from zero becomes ±127.
pub(super) fn q8_0(weights: &[f32; 32], block: &mut [u8; 34]) {
    let d = farthest(weights).abs() / 127.0;
    let inverse = inverse(d);
    put_half(block, 0, d);
    for i in 0..32 {
        block[2 + i] = (weights[i] * inverse).round() as i8 as u8;
    }
}

/// The exponent puts the weight farthest from zero just below the largest level.
pub(super) fn mxfp4(weights: &[f32; 32], block: &mut [u8; 17]) {
    let farthest = farthest(weights).abs();
    block[0] = if farthest > 0.0 { (libm::log2f(farthest).floor() - 2.0 + 127.0) as u8 } else { 0 };
    let d = half_power(block[0]);
    let error = |level: usize, weight: f32| (f32::from(LEVELS_MXFP4[level]) * d - weight).abs();
    put_pairs(&mut block[1..], |i| {
        (1..16).fold(0, |best, level| if error(level, weights[i]) < error(best, weights[i]) { level } else { best })
            as u8
    });
}

/// The weight of the largest magnitude, the first of them; 0 if there is no number.
fn farthest(weights: &[f32; 32]) -> f32 {
    weights.iter().fold(0.0, |farthest: f32, &weight| if weight.abs() > farthest.abs() { weight } else { farthest })
}

/// Least and greatest weight.
fn range(weights: &[f32; 32]) -> (f32, f32) {
    weights.iter().fold((f32::MAX, -f32::MAX), |(least, greatest), &weight| {
        (if weight < least { weight } else { least }, if weight > greatest { weight } else { greatest })
    })
}

/// Bytes of two four-bit levels each: `i` low, `i + 16` high.
fn put_pairs(bytes: &mut [u8], level: impl Fn(usize) -> u8) {
    for (i, byte) in bytes.iter_mut().enumerate() {
        *byte = level(i) | level(i + 16) << 4;
    }
}

/// The fifth bits of all levels, weight `i` at bit `i`.
fn fifth_bits(level: impl Fn(usize) -> u8) -> u32 {
    (0..32).fold(0, |bits, i| bits | u32::from(level(i) >> 4 & 1) << i)
}
