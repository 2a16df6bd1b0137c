//! The meaning of the way back from a maximum: one addition per window.

use super::{MaxUnpool, is_in_window};
use crate::op::Meta;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn max_unpool(op: &MaxUnpool, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
    let (x, places) = (&inputs[0], &inputs[1]);
    let Ok((_, sizes)) = op.check(x.shape()) else { return HostBuffer::zeros(out.dtype, 0) };
    let (area, [to_y, to_x]) = (sizes.from[0] * sizes.from[1], sizes.to);
    let mut sums = vec![0.0; out.shape.n_elements()];
    for i in 0..x.shape().n_elements() {
        let place = places.f64_at(i) as i32;
        if is_in_window(&sizes, place, [i / to_x % to_y, i % to_x]) {
            sums[i / (to_y * to_x) * area + place as usize] += x.f64_at(i);
        }
    }
    HostBuffer::from_values(out.dtype, sums.into_iter().map(Value::num))
}
