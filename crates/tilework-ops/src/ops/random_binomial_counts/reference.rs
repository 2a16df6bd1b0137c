//! The meaning of a binomial count: the published steps in `f64`, on the words of the element's stream.

use super::{N_BLOCKS, N_TRIES};
use crate::op::Meta;
use crate::ops::random_bits::block;
use crate::ops::random_poisson_counts::log_factorial;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn binomial(inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
    let word = |i: usize| inputs[0].f64_at(i) as u32;
    let samples = (0..out.shape.n_elements()).map(|element| {
        let words = |t: u32| block([element as u32, t, word(2), word(3)], [word(0), word(1)]);
        Value::num(sample(inputs[1].f64_at(element), inputs[2].f64_at(element), words))
    });
    HostBuffer::from_values(out.dtype, samples)
}

fn sample(n: f64, p: f64, words: impl Fn(u32) -> [u32; 4]) -> f64 {
    if n < 0.0 || !(0.0..=1.0).contains(&p) {
        return -1.0;
    }
    let q = p.min(1.0 - p);
    let k = if n * q < 10.0 { waiting(n, q, words) } else { rejection(n, q, words) };
    if p > 0.5 { n - k } else { k }
}

fn unit(word: u32) -> f64 {
    (f64::from(word >> 8) + 1.0) / 16_777_216.0
}

fn waiting(n: f64, q: f64, words: impl Fn(u32) -> [u32; 4]) -> f64 {
    let mut tries = 0.0;
    let mut count = 0.0;
    if q == 0.0 {
        return 0.0;
    }
    for word in (0..N_BLOCKS).flat_map(words) {
        tries += (unit(word).ln() / (-q).ln_1p()).floor() + 1.0;
        if tries > n {
            break;
        }
        count += 1.0;
    }
    count
}

fn rejection(n: f64, q: f64, words: impl Fn(u32) -> [u32; 4]) -> f64 {
    let deviation = (n * q * (1.0 - q)).sqrt();
    let b = 1.15 + 2.53 * deviation;
    let a = -0.0873 + 0.0248 * b + 0.01 * q;
    let squeeze = 0.92 - 4.2 / b;
    let peak = (2.83 + 5.1 / b) * deviation;
    let mode = ((n + 1.0) * q).floor();
    let log_probability = |k: f64| k * q.ln() + (n - k) * (-q).ln_1p() - log_factorial(k) - log_factorial(n - k);
    for [first, second, ..] in (0..N_TRIES).map(words) {
        let u = (f64::from(first >> 9) + 0.5) / 8_388_608.0 - 0.5;
        let v = unit(second);
        let us = 0.5 - u.abs();
        let k = ((2.0 * a / us + b) * u + n * q + 0.5).floor();
        if us >= 0.07 && v <= squeeze {
            return k;
        }
        if !(0.0..=n).contains(&k) {
            continue;
        }
        if (v * peak / (a / (us * us) + b)).ln() <= log_probability(k) - log_probability(mode) {
            return k;
        }
    }
    (n * q).floor()
}
