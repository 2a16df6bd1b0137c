//! Formats of blocks of 256.
//!
//! Where the factor of a group vanishes, its integers do not matter and are 0; ggml leaves there what its search had found.

use super::search::{Affine, Measure, coordinate_descent, symmetric};
use super::{nearest, put_half};
use crate::quant::decode::{q3_k_scale, six_bit_pair};

/// Factor and amount to subtract for each of `N` groups.
type Pairs<const N: usize> = [(f32, f32); N];

const Q2_K: Affine = Affine { n_max: 3, first: -0.5, n_steps: 15, error: Measure::Absolute };
const Q4_K: Affine = Affine { n_max: 15, first: -1.0, n_steps: 20, error: Measure::Squared };
const Q5_K: Affine = Affine { n_max: 31, first: -0.5, n_steps: 15, error: Measure::Squared };

pub(super) fn q2_k(weights: &[f32; 256], block: &mut [u8; 84]) {
    let groups = weights.as_chunks::<16>().0;
    let pairs: Pairs<16> = std::array::from_fn(|group| Q2_K.fit(&groups[group], &groups[group].map(f32::abs)));
    let (most, most_min) = greatest(&pairs);
    let (inverse, inverse_min) = (divided(15.0, most), divided(15.0, most_min));
    for (group, (scale, min)) in pairs.iter().enumerate() {
        block[group] =
            nearest(inverse * scale).clamp(0, 15) as u8 | (nearest(inverse_min * min).clamp(0, 15) as u8) << 4;
    }
    let (d, d_min) = (put_half(block, 80, most / 15.0), put_half(block, 82, most_min / 15.0));
    let mut levels = [0u8; 256];
    for (group, levels) in levels.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let (scale, min) = (d * f32::from(block[group] & 15), d_min * f32::from(block[group] >> 4));
        round_affine(&groups[group], (scale, min), Q2_K.n_max, levels);
    }
    put_two_bits(&levels, &mut block[16..80]);
}

pub(super) fn q3_k(weights: &[f32; 256], block: &mut [u8; 110]) {
    let groups = weights.as_chunks::<16>().0;
    let scales: [f32; 16] = std::array::from_fn(|group| coordinate_descent(&groups[group], 4));
    let most = farthest(&scales);
    let mut d = 0.0;
    if most != 0.0 {
        let inverse = -32.0 / most;
        for (group, scale) in scales.iter().enumerate() {
            let factor = (nearest(inverse * scale).clamp(-32, 31) + 32) as u8;
            block[96 + group % 8] |= (factor & 15) << (4 * (group / 8));
            block[104 + group % 4] |= factor >> 4 << (2 * (group / 4));
        }
        d = put_half(block, 108, 1.0 / inverse);
    }
    let mut levels = [0u8; 256];
    for (group, levels) in levels.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        round_symmetric(&groups[group], d * f32::from(q3_k_scale(&block[96..108], group)), 4, levels);
    }
    for (i, level) in levels.iter_mut().enumerate() {
        block[i % 32] |= (*level >> 2 & 1) << (i / 32);
        *level &= 3;
    }
    put_two_bits(&levels, &mut block[32..96]);
}

pub(super) fn q4_k(weights: &[f32; 256], block: &mut [u8; 144]) {
    let mut levels = [0u8; 256];
    let (head, rest) = block.split_at_mut(16);
    affine_super_block(weights, &Q4_K, head, &mut levels);
    put_nibbles(&levels, rest);
}

pub(super) fn q5_k(weights: &[f32; 256], block: &mut [u8; 176]) {
    let mut levels = [0u8; 256];
    let (head, rest) = block.split_at_mut(16);
    affine_super_block(weights, &Q5_K, head, &mut levels);
    for (i, level) in levels.iter_mut().enumerate() {
        rest[i % 32] |= (*level >> 4) << (i / 32);
        *level &= 15;
    }
    put_nibbles(&levels, &mut rest[32..]);
}

/// What Q4_K and Q5_K share: the 16 bytes at their start, and the integers.
fn affine_super_block(weights: &[f32; 256], search: &Affine, head: &mut [u8], levels: &mut [u8; 256]) {
    let groups = weights.as_chunks::<32>().0;
    let pairs: Pairs<8> = std::array::from_fn(|group| {
        let mean = (groups[group].iter().fold(0.0, |sum, x| sum + x * x) / 32.0).sqrt();
        search.fit(&groups[group], &groups[group].map(|x| mean + x.abs()))
    });
    let (most, most_min) = greatest(&pairs);
    let (inverse, inverse_min) = (divided(63.0, most), divided(63.0, most_min));
    let (d, d_min) = (put_half(head, 0, most / 63.0), put_half(head, 2, most_min / 63.0));
    let packed = &mut head[4..16];
    for (group, (scale, min)) in pairs.iter().enumerate() {
        let (factor, offset) = (six_bits(inverse * scale), six_bits(inverse_min * min));
        if group < 4 {
            (packed[group], packed[group + 4]) = (factor, offset);
        } else {
            packed[group + 4] = factor & 15 | (offset & 15) << 4;
            packed[group - 4] |= factor >> 4 << 6;
            packed[group] |= offset >> 4 << 6;
        }
    }
    for (group, levels) in levels.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        let (factor, offset) = six_bit_pair(packed, group);
        round_affine(&groups[group], (d * f32::from(factor), d_min * f32::from(offset)), search.n_max, levels);
    }
}

/// A factor or offset as an integer 0 to 63. ggml keeps the low byte of a negative one and so gets 63.
fn six_bits(value: f32) -> u8 {
    (nearest(value) as u8).min(63)
}

pub(super) fn q6_k(weights: &[f32; 256], block: &mut [u8; 210]) {
    let groups = weights.as_chunks::<16>().0;
    let scales: [f32; 16] = std::array::from_fn(|group| symmetric(&groups[group], 32));
    let most = farthest(&scales);
    if most.abs() < 1e-15 {
        return;
    }
    let inverse = -128.0 / most;
    let d = put_half(block, 208, 1.0 / inverse);
    let mut levels = [0u8; 256];
    for (group, levels) in levels.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let factor = nearest(inverse * scales[group]).clamp(-128, 127) as i8;
        block[192 + group] = factor as u8;
        round_symmetric(&groups[group], d * f32::from(factor), 32, levels);
    }
    for (i, level) in levels.iter().enumerate() {
        let (half, place) = (i / 128, i % 128);
        block[half * 64 + place % 64] |= (level & 15) << (place / 64 * 4);
        block[128 + half * 32 + place % 32] |= level >> 4 << (place / 32 * 2);
    }
}

/// Integers nearest to (x + min) / scale; left 0 if the scale vanishes.
fn round_affine(x: &[f32], (scale, min): (f32, f32), n_max: i32, levels: &mut [u8]) {
    if scale != 0.0 {
        for (level, &x) in levels.iter_mut().zip(x) {
            *level = nearest((x + min) / scale).clamp(0, n_max) as u8;
        }
    }
}

/// Integers nearest to x / scale, plus `n_max`; left 0 if the scale vanishes.
fn round_symmetric(x: &[f32], scale: f32, n_max: i32, levels: &mut [u8]) {
    if scale != 0.0 {
        for (level, &x) in levels.iter_mut().zip(x) {
            *level = (nearest(x / scale).clamp(-n_max, n_max - 1) + n_max) as u8;
        }
    }
}

/// Greatest factor and greatest offset, at least 0.
fn greatest<const N: usize>(pairs: &Pairs<N>) -> (f32, f32) {
    pairs.iter().fold((0.0, 0.0), |(most, most_min), &(scale, min)| {
        (if scale > most { scale } else { most }, if min > most_min { min } else { most_min })
    })
}

/// The factor of the largest magnitude.
fn farthest(scales: &[f32; 16]) -> f32 {
    scales.iter().fold(0.0, |farthest: f32, &scale| if scale.abs() > farthest.abs() { scale } else { farthest })
}

/// `a / b`, or 0 where nothing is to be divided.
fn divided(a: f32, b: f32) -> f32 {
    if b > 0.0 { a / b } else { 0.0 }
}

/// Two bits of each level: 32 bytes hold four runs of 32.
fn put_two_bits(levels: &[u8; 256], bytes: &mut [u8]) {
    for (i, level) in levels.iter().enumerate() {
        bytes[i / 128 * 32 + i % 32] |= level << (i % 128 / 32 * 2);
    }
}

/// Four bits of each level: 32 bytes hold two runs of 32.
fn put_nibbles(levels: &[u8; 256], bytes: &mut [u8]) {
    for (i, level) in levels.iter().enumerate() {
        bytes[i / 64 * 32 + i % 32] |= level << (i % 64 / 32 * 4);
    }
}
