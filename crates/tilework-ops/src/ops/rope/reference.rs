//! The meaning of a rotary embedding, in `f64`.

use super::{Direction, Pairing, Rope};
use crate::op::Meta;
use std::f64::consts::TAU;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn rope(op: &Rope, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
    let (x, positions, table) = (&inputs[0], &inputs[1], &inputs[2]);
    let rank = x.shape().rank();
    let (n_seq, n_dims) = (x.shape()[rank - 2], x.shape()[rank - 1]);
    let n_pairs = table.shape()[1];
    let mut y: Vec<f64> = (0..x.shape().n_elements()).map(|i| x.f64_at(i)).collect();
    for (row, y) in y.chunks_mut(n_dims.max(1)).enumerate() {
        let place = row % n_seq.max(1);
        let position = match positions.shape().rank() {
            0 => positions.f64_at(0) + place as f64,
            _ => positions.f64_at(place),
        };
        for pair in 0..n_pairs {
            let turns = table.f64_at(pair) / 2f64.powi(32) + table.f64_at(n_pairs + pair) / 2f64.powi(64);
            let angle = (position * turns).rem_euclid(1.0) * TAU;
            let angle = if op.direction == Direction::Backward { -angle } else { angle };
            let (i, j) = match op.pairing {
                Pairing::Interleaved => (2 * pair, 2 * pair + 1),
                Pairing::Half => (pair, pair + n_pairs),
            };
            let (a, b) = (y[i], y[j]);
            y[i] = op.amplitude * (a * angle.cos() - b * angle.sin());
            y[j] = op.amplitude * (a * angle.sin() + b * angle.cos());
        }
    }
    HostBuffer::from_values(out.dtype, y.into_iter().map(Value::num))
}
