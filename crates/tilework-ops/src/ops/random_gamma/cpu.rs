//! The gamma distribution on the CPU, in single precision as on a GPU.

use super::N_TRIES;
use crate::cpu::{CpuCx, for_each_num};
use crate::ops::random_bits::stream_of;
use std::f32::consts::TAU;
use tilework_core::expr::Real;
use tilework_core::host::HostBuffer;
use tilework_core::{Error, Result};
use tilework_vm::philox::{Stream, philox};

/// Elements a thread takes at a time.
const GRAIN: usize = 4096;

pub(super) fn gamma(cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
    let stream = stream_of(&cx.inputs[0]);
    let HostBuffer::F32(out) = out else { return Err(Error::dtype("random_gamma", "gives float32")) };
    cx.threads.for_each_piece(out, GRAIN, |start, piece| {
        for_each_num(&mut cx.inputs[1].evaluator::<f32>(), start..start + piece.len(), |at, chunk| {
            for (i, &alpha) in chunk.iter().enumerate() {
                piece[at - start + i] = sample(stream, (at + i) as u32, alpha);
            }
        });
    });
    Ok(())
}

/// A word as a number in (0, 1], in steps of 2⁻²⁴.
fn unit(word: u32) -> f32 {
    ((word >> 8) + 1) as f32 * (1.0 / 16_777_216.0)
}

fn sample(stream: Stream, element: u32, alpha: f32) -> f32 {
    if alpha.is_nan() || alpha <= 0.0 {
        return f32::NAN;
    }
    let is_small = alpha < 1.0;
    let d = (if is_small { alpha + 1.0 } else { alpha }) - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    let mut result = d;
    for attempt in 0..N_TRIES {
        let words = philox([element, attempt, stream.stream[0], stream.stream[1]], stream.key);
        let turn = (words[1] >> 8) as f32 * (1.0 / 16_777_216.0);
        let normal = (-2.0 * Real::log(unit(words[0]))).sqrt() * Real::cos(TAU * turn);
        let base = 1.0 + c * normal;
        let cube = base * base * base;
        let limit = 0.5 * normal * normal + d - d * cube;
        if base > 0.0 && Real::log(unit(words[2])) < limit + d * Real::log(cube) {
            result = d * cube;
            if is_small {
                result *= Real::exp(Real::log(unit(words[3])) / alpha);
            }
            break;
        }
    }
    result
}
