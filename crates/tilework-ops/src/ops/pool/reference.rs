//! The meaning of pooling: all elements of a window, one after the other.

use super::{Pool, PoolKind};
use crate::op::Meta;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn pool(op: &Pool, x: &HostView<'_>, out: &Meta) -> HostBuffer {
    let Ok(sizes) = op.window.sizes("pool", x.shape()) else { return HostBuffer::zeros(out.dtype, 0) };
    let ([axis_y, axis_x], [from_y, from_x], [to_y, to_x]) = (sizes.axes, sizes.from, sizes.to);
    let result = |i: usize| {
        let (plane, y, xx) = (i / (to_y * to_x), i / to_x % to_y, i % to_x);
        let mut inside: Vec<(usize, f64)> = Vec::new();
        for tap in 0..axis_y.kernel * axis_x.kernel {
            let padded_y = y * axis_y.stride + tap / axis_x.kernel * axis_y.dilation;
            let padded_x = xx * axis_x.stride + tap % axis_x.kernel * axis_x.dilation;
            let (Some(at_y), Some(at_x)) = (padded_y.checked_sub(axis_y.low), padded_x.checked_sub(axis_x.low)) else {
                continue;
            };
            if at_y < from_y && at_x < from_x {
                let place = at_y * from_x + at_x;
                inside.push((place, x.f64_at(plane * from_y * from_x + place)));
            }
        }
        let largest = inside.iter().copied().reduce(|best, next| {
            let is_larger = next.1 > best.1 || (next.1.is_nan() && !best.1.is_nan());
            if is_larger { next } else { best }
        });
        let sum: f64 = inside.iter().map(|(_, element)| element).sum();
        match op.kind {
            PoolKind::Max => largest.map_or(f64::NEG_INFINITY, |(_, element)| element),
            PoolKind::Argmax => largest.map_or(-1.0, |(place, _)| place as f64),
            PoolKind::Mean => sum / inside.len().max(1) as f64,
            PoolKind::MeanWithPadding => sum / (axis_y.kernel * axis_x.kernel) as f64,
        }
    };
    HostBuffer::from_values(out.dtype, (0..out.shape.n_elements()).map(|i| Value::num(result(i))))
}
