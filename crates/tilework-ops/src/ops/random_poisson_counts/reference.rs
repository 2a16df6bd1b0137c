//! The meaning of a Poisson count: the published steps in `f64`, on the words of the element's stream.

use super::{LARGEST_RATE, N_BLOCKS, N_TRIES, SMALLEST_MEAN};
use crate::op::Meta;
use crate::ops::random_bits::block;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn poisson(state: &HostView<'_>, rate: &HostView<'_>, out: &Meta) -> HostBuffer {
    let word = |i: usize| state.f64_at(i) as u32;
    let samples = (0..out.shape.n_elements()).map(|element| {
        let words = |t: u32| block([element as u32, t, word(2), word(3)], [word(0), word(1)]);
        Value::num(sample(rate.f64_at(element), words))
    });
    HostBuffer::from_values(out.dtype, samples)
}

fn sample(rate: f64, words: impl Fn(u32) -> [u32; 4]) -> f64 {
    if rate.is_nan() || rate < 0.0 {
        return -1.0;
    }
    if rate > f64::from(LARGEST_RATE) {
        return f64::from(i32::MAX);
    }
    if rate < f64::from(SMALLEST_MEAN) { product(rate, words) } else { rejection(rate, words) }
}

fn product(rate: f64, words: impl Fn(u32) -> [u32; 4]) -> f64 {
    let mut left = 1.0;
    let mut count = 0.0;
    for word in (0..N_BLOCKS).flat_map(words) {
        left *= (f64::from(word >> 8) + 1.0) / 16_777_216.0;
        // The limit is a 32-bit float, as even numbers are: else those equal to it would fall on either side.
        if left <= f64::from((-rate).exp() as f32) {
            break;
        }
        count += 1.0;
    }
    count
}

fn rejection(rate: f64, words: impl Fn(u32) -> [u32; 4]) -> f64 {
    let b = 0.931 + 2.53 * rate.sqrt();
    let a = -0.059 + 0.02483 * b;
    let peak = 1.1239 + 1.1328 / (b - 3.4);
    let squeeze = 0.9277 - 3.6224 / (b - 2.0);
    for [first, second, ..] in (0..N_TRIES).map(words) {
        let u = (f64::from(first >> 9) + 0.5) / 8_388_608.0 - 0.5;
        let v = (f64::from(second >> 8) + 1.0) / 16_777_216.0;
        let us = 0.5 - u.abs();
        let k = ((2.0 * a / us + b) * u + rate + 0.43).floor();
        if us >= 0.07 && v <= squeeze {
            return k;
        }
        if k < 0.0 || (us < 0.013 && v > us) {
            continue;
        }
        if (v * peak / (a / (us * us) + b)).ln() <= k * rate.ln() - rate - log_factorial(k) {
            return k;
        }
    }
    rate.floor()
}

/// The logarithm of `k!`, by summing for few factors and by Stirling's series for many.
pub(crate) fn log_factorial(k: f64) -> f64 {
    if k < 64.0 {
        return (2..=k as u32).map(|factor| f64::from(factor).ln()).sum();
    }
    let rest = (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1260.0 * k * k)) / (k * k)) / k;
    (k + 0.5) * k.ln() - k + 0.5 * std::f64::consts::TAU.ln() + rest
}
