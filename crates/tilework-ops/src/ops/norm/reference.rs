//! The meaning of a normalisation of rows, in `f64`.

use super::{Center, RowNorm};
use crate::op::Meta;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(crate) fn reference(norm: &RowNorm, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
    let n = norm.n_cols as f64;
    let mut y = vec![0.0; out.shape.n_elements()];
    for row in 0..norm.n_outer * norm.n_inner {
        let x: Vec<f64> = (0..norm.n_cols).map(|col| inputs[0].f64_at(norm.element(row, col))).collect();
        let mean = if norm.center == Center::Mean { x.iter().sum::<f64>() / n } else { 0.0 };
        let variance = x.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
        let deviation = (variance + norm.epsilon).sqrt();
        for col in 0..norm.n_cols {
            let weight = inputs.get(1).map_or(1.0, |weight| weight.f64_at(norm.weight(row, col)));
            let bias = inputs.get(2).map_or(0.0, |bias| bias.f64_at(norm.weight(row, col)));
            y[norm.element(row, col)] = (x[col] - mean) / deviation * weight + bias;
        }
    }
    HostBuffer::from_values(out.dtype, y.into_iter().map(Value::num))
}
