//! Formats of uneven levels.

use super::{inverse, nearest, put_half};
use crate::quant::LEVELS_IQ4;

/// Tries on either side of the obvious factor.
const N_TRIES: i8 = 7;

pub(super) fn iq4_nl(weights: &[f32; 32], block: &mut [u8; 18]) {
    let scale = fit(weights);
    put_half(block, 0, scale);
    put_indices(weights, inverse(scale), &mut block[2..]);
}

pub(super) fn iq4_xs(weights: &[f32; 256], block: &mut [u8; 136]) {
    let groups = weights.as_chunks::<32>().0;
    let scales: [f32; 8] = std::array::from_fn(|group| fit(&groups[group]));
    let most = scales.iter().fold(0.0, |most: f32, &scale| if scale.abs() > most.abs() { scale } else { most });
    let d = -most / 32.0;
    put_half(block, 0, d);
    let inverse_d = inverse(d);
    let mut high_bits = 0u16;
    for (group, weights) in groups.iter().enumerate() {
        let factor = nearest(inverse_d * scales[group]).clamp(-32, 31);
        put_indices(weights, inverse(d * factor as f32), &mut block[8 + group * 16..][..16]);
        let stored = (factor + 32) as u8;
        block[4 + group / 2] |= (stored & 15) << (4 * (group % 2));
        high_bits |= u16::from(stored >> 4) << (2 * group);
    }
    block[2..4].copy_from_slice(&high_bits.to_le_bytes());
}

/// The factor that fits the levels to `x` best, elements counting by their squares.
fn fit(x: &[f32; 32]) -> f32 {
    let extreme = x.iter().fold(0.0, |extreme: f32, &x| if x.abs() > extreme.abs() { x } else { extreme });
    if extreme.abs() < 1e-15 {
        return 0.0;
    }
    let sums = |inverse: f32| {
        x.iter().fold((0.0, 0.0), |(x_level, level2), &x| {
            let level = f32::from(LEVELS_IQ4[nearest_level(inverse * x)]);
            let weight = x * x;
            (x_level + weight * level * x, level2 + weight * level * level)
        })
    };
    let lowest = f32::from(LEVELS_IQ4[0]);
    let (x_level, level2) = sums(1.0 / (-extreme / lowest));
    let mut scale = if level2 > 0.0 { x_level / level2 } else { 0.0 };
    let mut best = scale * x_level;
    for step in -N_TRIES..=N_TRIES {
        let (x_level, level2) = sums((f32::from(step) + lowest) / extreme);
        if level2 > 0.0 && x_level * x_level > best * level2 {
            scale = x_level / level2;
            best = scale * x_level;
        }
    }
    scale
}

/// Index of the level nearest to `value`; the upper one of two equally near.
fn nearest_level(value: f32) -> usize {
    let above = LEVELS_IQ4.iter().filter(|&&level| f32::from(level) <= value).count();
    match above {
        0 => 0,
        16 => 15,
        _ if value - f32::from(LEVELS_IQ4[above - 1]) < f32::from(LEVELS_IQ4[above]) - value => above - 1,
        _ => above,
    }
}

fn put_indices(weights: &[f32], inverse: f32, bytes: &mut [u8]) {
    for (i, byte) in bytes.iter_mut().enumerate() {
        *byte = (nearest_level(inverse * weights[i]) | nearest_level(inverse * weights[i + 16]) << 4) as u8;
    }
}
