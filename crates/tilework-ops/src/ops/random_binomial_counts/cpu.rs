//! The binomial distribution on the CPU, in single precision as on a GPU.

use super::{LARGEST_DISTANCE, N_BLOCKS, N_TRIES};
use crate::cpu::{CpuCx, Element};
use crate::ops::random_bits::stream_of;
use crate::ops::random_poisson_counts::{Hat, SMALLEST_MEAN, deviance, half_steps, stirling_rest, unit};
use tilework_core::expr::Real;
use tilework_core::host::HostBuffer;
use tilework_core::{Error, Result};
use tilework_vm::philox::philox;

/// Elements a thread takes at a time.
const GRAIN: usize = 4096;

pub(super) fn binomial(cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
    let stream = stream_of(&cx.inputs[0]);
    let HostBuffer::I32(out) = out else { return Err(Error::dtype("random_binomial_counts", "gives int32")) };
    cx.threads.for_each_piece(out, GRAIN, |start, piece| {
        let mut p = vec![0.0f32; piece.len()];
        <i32 as Element>::read(&cx.inputs[1], start, piece);
        <f32 as Element>::read(&cx.inputs[2], start, &mut p);
        for (i, (count, &p)) in piece.iter_mut().zip(&p).enumerate() {
            let words = |t: u32| philox([(start + i) as u32, t, stream.stream[0], stream.stream[1]], stream.key);
            *count = sample(*count, p, words);
        }
    });
    Ok(())
}

fn sample(n: i32, p: f32, words: impl Fn(u32) -> [u32; 4]) -> i32 {
    if n < 0 || !(0.0..=1.0).contains(&p) {
        return -1;
    }
    let q = if p > 0.5 { 1.0 - p } else { p };
    let k = if n as f32 * q < SMALLEST_MEAN { waiting(n, q, words) } else { rejection(n, q, words) };
    if p > 0.5 { n - k } else { k }
}

fn waiting(n: i32, q: f32, words: impl Fn(u32) -> [u32; 4]) -> i32 {
    if q == 0.0 {
        return 0;
    }
    let log_failure = Real::log1p(-q);
    let mut tries = 0.0f32;
    let mut count = 0;
    for word in (0..N_BLOCKS).flat_map(words) {
        tries += (Real::log(unit(word)) / log_failure).floor() + 1.0;
        if tries > n as f32 {
            break;
        }
        count += 1;
    }
    count
}

/// What probabilities depend on.
struct Binomial {
    n: i32,
    q: f32,
    mean: f32,
}

impl Binomial {
    /// Of a count `k` that is this far from the mean; without what is the same for all counts.
    fn log_probability(&self, distance: f32, k: i32) -> f32 {
        let failures = self.n as f32 * (1.0 - self.q);
        let scale = |k: i32| {
            let size = k.max(1) as f32;
            if k > 0 { 0.5 * Real::log(std::f32::consts::TAU * size) + stirling_rest(size) } else { 0.0 }
        };
        let away = self.mean * deviance(distance / self.mean) + failures * deviance(-distance / failures);
        -(away + scale(k) + scale(self.n - k))
    }
}

fn rejection(n: i32, q: f32, words: impl Fn(u32) -> [u32; 4]) -> i32 {
    let whole = Binomial { n, q, mean: n as f32 * q };
    let deviation = (whole.mean * (1.0 - q)).sqrt();
    let b = 1.15 + 2.53 * deviation;
    let hat = Hat { a: -0.0873 + 0.0248 * b + 0.01 * q, b };
    let squeeze = 0.92 - 4.2 / b;
    let peak = (2.83 + 5.1 / b) * deviation;
    let base = whole.mean.floor();
    let rest = whole.mean - base;
    // The mode is floor(n·q + q).
    let to_mode = (rest + q).floor();
    let highest = whole.log_probability(to_mode - rest, base as i32 + to_mode as i32);
    for [first, second, ..] in (0..N_TRIES).map(words) {
        let (u, v) = (half_steps(first), unit(second));
        let distance = hat.distance(u, rest + 0.5, LARGEST_DISTANCE);
        let k = base as i32 + distance as i32;
        if 0.5 - u.abs() >= 0.07 && v <= squeeze {
            return k;
        }
        let is_inside = (0..=n).contains(&k);
        let height = Real::log(v * peak / hat.density(u));
        if is_inside && height <= whole.log_probability(distance - rest, k) - highest {
            return k;
        }
    }
    base as i32
}
