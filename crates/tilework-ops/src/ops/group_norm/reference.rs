//! The meaning of group normalisation, in `f64`.

use super::GroupNorm;
use crate::op::Meta;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn normalize(op: &GroupNorm, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
    let sizes = inputs[0].shape();
    let (n_channels, n_spatial) = (sizes[1], sizes[2..].iter().product::<usize>());
    let n = n_channels / op.n_groups * n_spatial;
    let mut y = vec![0.0; out.shape.n_elements()];
    for group in 0..sizes[0] * op.n_groups {
        let x: Vec<f64> = (0..n).map(|i| inputs[0].f64_at(group * n + i)).collect();
        let mean = x.iter().sum::<f64>() / n as f64;
        let variance = x.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n as f64;
        for i in 0..n {
            let channel = (group * n + i) / n_spatial % n_channels;
            let weight = inputs.get(1).map_or(1.0, |weight| weight.f64_at(channel));
            let bias = inputs.get(2).map_or(0.0, |bias| bias.f64_at(channel));
            y[group * n + i] = (x[i] - mean) / (variance + op.epsilon).sqrt() * weight + bias;
        }
    }
    HostBuffer::from_values(out.dtype, y.into_iter().map(Value::num))
}
