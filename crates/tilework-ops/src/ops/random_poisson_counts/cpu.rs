//! The Poisson distribution on the CPU, in single precision as on a GPU.

use super::{LARGEST_DISTANCE, LARGEST_RATE, N_BLOCKS, N_TRIES, SMALLEST_MEAN};
use crate::cpu::{CpuCx, for_each_num};
use crate::ops::random_bits::stream_of;
use tilework_core::expr::Real;
use tilework_core::host::HostBuffer;
use tilework_core::{Error, Result};
use tilework_vm::philox::philox;

/// Elements a thread takes at a time.
const GRAIN: usize = 4096;

pub(super) fn poisson(cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
    let stream = stream_of(&cx.inputs[0]);
    let HostBuffer::I32(out) = out else { return Err(Error::dtype("random_poisson_counts", "gives int32")) };
    cx.threads.for_each_piece(out, GRAIN, |start, piece| {
        for_each_num(&mut cx.inputs[1].evaluator::<f32>(), start..start + piece.len(), |at, chunk| {
            for (i, &rate) in chunk.iter().enumerate() {
                let words = |t: u32| philox([(at + i) as u32, t, stream.stream[0], stream.stream[1]], stream.key);
                piece[at - start + i] = sample(rate, words);
            }
        });
    });
    Ok(())
}

/// A word as a number in (0, 1], in steps of 2⁻²⁴.
pub(crate) fn unit(word: u32) -> f32 {
    ((word >> 8) + 1) as f32 * (1.0 / 16_777_216.0)
}

/// A word as a number between −½ and ½ that is neither: the middle of one of 2²³ steps.
pub(crate) fn half_steps(word: u32) -> f32 {
    ((word >> 9) as f32 + 0.5) * (1.0 / 8_388_608.0) - 0.5
}

/// `(1 + x)·log(1 + x) − x`; 1 at −1.
pub(crate) fn deviance(x: f32) -> f32 {
    if x <= -1.0 { 1.0 } else { (1.0 + x) * Real::log1p(x) - x }
}

/// What Stirling's formula for `log k!` lacks, of `k` above 0.
pub(crate) fn stirling_rest(k: f32) -> f32 {
    let square = k * k;
    (0.083_333_336 - (0.002_777_777_8 - 0.000_793_650_8 / square) / square) / k
}

/// A proposal of the transformed rejection, `floor((2a/s + b)·u + shift)` with `s = ½ − |u|`, and the density it had.
pub(crate) struct Hat {
    pub(crate) a: f32,
    pub(crate) b: f32,
}

impl Hat {
    /// The distance that `u` leads to, not farther than `largest`.
    pub(crate) fn distance(&self, u: f32, shift: f32, largest: f32) -> f32 {
        let s = 0.5 - u.abs();
        ((2.0 * self.a / s + self.b) * u + shift).floor().clamp(-largest, largest)
    }

    /// By how much the density of `u` is smaller than that of what it leads to.
    pub(crate) fn density(&self, u: f32) -> f32 {
        let s = 0.5 - u.abs();
        self.a / (s * s) + self.b
    }
}

fn sample(rate: f32, words: impl Fn(u32) -> [u32; 4]) -> i32 {
    if rate.is_nan() || rate < 0.0 {
        return -1;
    }
    if rate > LARGEST_RATE {
        return i32::MAX;
    }
    if rate < SMALLEST_MEAN { product(rate, words) } else { rejection(rate, words) }
}

fn product(rate: f32, words: impl Fn(u32) -> [u32; 4]) -> i32 {
    let limit = Real::exp(-rate);
    let mut left = 1.0f32;
    let mut count = 0;
    for word in (0..N_BLOCKS).flat_map(words) {
        left *= unit(word);
        if left <= limit {
            break;
        }
        count += 1;
    }
    count
}

fn rejection(rate: f32, words: impl Fn(u32) -> [u32; 4]) -> i32 {
    let b = 0.931 + 2.53 * rate.sqrt();
    let hat = Hat { a: -0.059 + 0.02483 * b, b };
    let peak = 1.1239 + 1.1328 / (b - 3.4);
    let squeeze = 0.9277 - 3.6224 / (b - 2.0);
    let base = rate.floor();
    let rest = rate - base;
    for [first, second, ..] in (0..N_TRIES).map(words) {
        let (u, v) = (half_steps(first), unit(second));
        let s = 0.5 - u.abs();
        let distance = hat.distance(u, rest + 0.43, LARGEST_DISTANCE);
        let k = base as i32 + distance as i32;
        let is_inside = s >= 0.07 && v <= squeeze;
        let is_outside = k < 0 || (s < 0.013 && v > s);
        if is_inside
            || (!is_outside && Real::log(v * peak / hat.density(u)) <= log_probability(rate, distance - rest, k))
        {
            return k;
        }
    }
    base as i32
}

/// Of a count `k` that is this far from the rate.
fn log_probability(rate: f32, distance: f32, k: i32) -> f32 {
    let size = k.max(1) as f32;
    let scale = if k > 0 { 0.5 * Real::log(std::f32::consts::TAU * size) + stirling_rest(size) } else { 0.0 };
    -rate * deviance(distance / rate) - scale
}
