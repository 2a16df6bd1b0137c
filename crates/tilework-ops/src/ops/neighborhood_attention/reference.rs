//! The meaning of neighborhood attention, in `f64`.

use super::{NeighborhoodAttention, Sizes};
use crate::op::Meta;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn attention(op: &NeighborhoodAttention, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
    let (q, k, v) = (&inputs[0], &inputs[1], &inputs[2]);
    let Ok(sizes) = Sizes::of(q.shape(), k.shape(), v.shape()) else {
        return HostBuffer::zeros(out.dtype, out.shape.n_elements());
    };
    let Sizes { n_images, height, width, d, dv } = sizes;
    let mut y = Vec::with_capacity(out.shape.n_elements());
    for place in 0..n_images * height * width {
        let (image, row, col) = (place / (height * width), place / width % height, place % width);
        let mut keys = Vec::new();
        for down in 0..op.window {
            for right in 0..op.window {
                let at = (op.neighbor(row, height, down), op.neighbor(col, width, right));
                keys.push((image * height + at.0) * width + at.1);
            }
        }
        let product = |key: usize| (0..d).map(|c| q.f64_at(place * d + c) * k.f64_at(key * d + c)).sum::<f64>();
        let scores: Vec<f64> = keys.iter().map(|&key| product(key) * op.scale_for(d)).collect();
        let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = scores.iter().map(|s| (s - highest).exp()).sum();
        y.extend((0..dv).map(|c| {
            let terms = keys.iter().zip(&scores).map(|(&key, s)| (s - highest).exp() * v.f64_at(key * dv + c));
            terms.sum::<f64>() / total
        }));
    }
    HostBuffer::from_values(out.dtype, y.into_iter().map(Value::num))
}
