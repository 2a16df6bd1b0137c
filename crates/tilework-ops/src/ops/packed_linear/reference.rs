//! The meaning of a product with packed weights, in `f64`.

use super::{Gate, PackedLinear, Sizes};
use crate::op::Meta;
use std::f64::consts::PI;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn packed_linear(op: &PackedLinear, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
    let (x, weights) = (&inputs[0], &inputs[1]);
    let sizes = Sizes::of(x.shape(), weights.shape(), op.rows_per_result());
    let words: Vec<u32> = (0..weights.shape().n_elements()).map(|i| weights.f64_at(i) as u32).collect();
    let mut results = Vec::with_capacity(sizes.m * sizes.n);
    for vector in 0..sizes.m {
        let mut x: Vec<f64> = (0..sizes.k).map(|c| x.f64_at(vector * sizes.k + c)).collect();
        if let Some(norm) = inputs.get(2) {
            let mean_square = x.iter().map(|x| x * x).sum::<f64>() / sizes.k as f64;
            let inverse = 1.0 / (mean_square + op.epsilon).sqrt();
            x.iter_mut().enumerate().for_each(|(c, x)| *x *= inverse * norm.f64_at(c));
        }
        let product = |row: usize| -> f64 {
            let words = &words[row * sizes.row_words..][..sizes.row_words];
            (0..sizes.k).map(|c| x[c] * f64::from(op.format.packed_weight(words, sizes.k, c))).sum()
        };
        for r in 0..sizes.n {
            results.push(match op.gate {
                Gate::None => product(r),
                gate => activation(gate, product(2 * r)) * product(2 * r + 1),
            });
        }
    }
    HostBuffer::from_values(out.dtype, results.into_iter().map(Value::num))
}

fn activation(gate: Gate, x: f64) -> f64 {
    match gate {
        Gate::None => x,
        Gate::Silu => x / (1.0 + (-x).exp()),
        Gate::Gelu => 0.5 * x * (1.0 + ((2.0 / PI).sqrt() * (x + 0.044715 * x * x * x)).tanh()),
    }
}
