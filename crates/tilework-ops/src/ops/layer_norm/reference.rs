//! The meaning of layer normalisation, in `f64`.

use super::LayerNorm;
use crate::op::Meta;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn normalize(op: &LayerNorm, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
    let sizes = inputs[0].shape();
    let (n_cols, n) = (sizes[op.axis], sizes[op.axis] as f64);
    let n_outer: usize = sizes[..op.axis].iter().product();
    let n_inner: usize = sizes[op.axis + 1..].iter().product();
    let mut y = vec![0.0; out.shape.n_elements()];
    for outer in 0..n_outer {
        for inner in 0..n_inner {
            let at = |col: usize| (outer * n_cols + col) * n_inner + inner;
            let x: Vec<f64> = (0..n_cols).map(|col| inputs[0].f64_at(at(col))).collect();
            let mean = x.iter().sum::<f64>() / n;
            let variance = x.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
            for col in 0..n_cols {
                let weight = inputs.get(1).map_or(1.0, |weight| weight.f64_at(col));
                let bias = inputs.get(2).map_or(0.0, |bias| bias.f64_at(col));
                y[at(col)] = (x[col] - mean) / (variance + op.epsilon).sqrt() * weight + bias;
            }
        }
    }
    HostBuffer::from_values(out.dtype, y.into_iter().map(Value::num))
}
