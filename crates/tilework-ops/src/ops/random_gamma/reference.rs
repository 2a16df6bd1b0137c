//! The meaning of a gamma sample: the published steps in `f64`, on the words of the element's stream.

use super::N_TRIES;
use crate::op::Meta;
use crate::ops::random_bits::block;
use std::f64::consts::TAU;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn gamma(state: &HostView<'_>, alpha: &HostView<'_>, out: &Meta) -> HostBuffer {
    let word = |i: usize| state.f64_at(i) as u32;
    let samples = (0..out.shape.n_elements()).map(|element| {
        let blocks = (0..N_TRIES).map(|attempt| block([element as u32, attempt, word(2), word(3)], [word(0), word(1)]));
        Value::num(sample(alpha.f64_at(element), blocks))
    });
    HostBuffer::from_values(out.dtype, samples)
}

fn sample(alpha: f64, blocks: impl Iterator<Item = [u32; 4]>) -> f64 {
    if alpha.is_nan() || alpha <= 0.0 {
        return f64::NAN;
    }
    let d = if alpha < 1.0 { alpha + 1.0 } else { alpha } - 1.0 / 3.0;
    let steps = |word: u32| f64::from(word >> 8);
    for words in blocks {
        let [u, turn, v, w] = words.map(steps);
        let unit = |steps: f64| (steps + 1.0) / 16_777_216.0;
        let normal = (-2.0 * unit(u).ln()).sqrt() * (TAU * turn / 16_777_216.0).cos();
        let base = 1.0 + normal / (9.0 * d).sqrt();
        if base > 0.0 && unit(v).ln() < 0.5 * normal * normal + d - d * base.powi(3) + d * base.powi(3).ln() {
            return d * base.powi(3) * if alpha < 1.0 { unit(w).powf(1.0 / alpha) } else { 1.0 };
        }
    }
    d
}
