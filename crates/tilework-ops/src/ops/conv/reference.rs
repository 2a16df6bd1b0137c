//! The meaning of a convolution: a loop over every axis, sums in `f64`.

use super::Conv;
use super::window::{Axis, lifted};
use crate::op::Meta;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn conv(op: &Conv, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
    let (x, weight) = (&inputs[0], &inputs[1]);
    let Ok((axes, _)) = op.check(x.shape(), weight.shape()) else {
        return HostBuffer::zeros(out.dtype, 0);
    };
    let [axis_y, axis_x] = lifted(&axes, Axis::ABSENT);
    let [size_y, size_x] = lifted(&x.shape()[2..], 1);
    let [n_y, n_x] = lifted(&out.shape[2..], 1);
    let (c_in, c_out, c_group) = (x.shape()[1], weight.shape()[0], weight.shape()[1]);
    let mut results = Vec::with_capacity(out.shape.n_elements());
    for i in 0..out.shape.n_elements() {
        let (image, channel_out, y, xx) = (i / (c_out * n_y * n_x), i / (n_y * n_x) % c_out, i / n_x % n_y, i % n_x);
        let first_channel = channel_out / (c_out / op.n_groups) * c_group;
        let mut sum = 0.0;
        for channel in 0..c_group {
            for tap_y in 0..axis_y.kernel {
                for tap_x in 0..axis_x.kernel {
                    let at_y = y * axis_y.stride + tap_y * axis_y.dilation;
                    let at_x = xx * axis_x.stride + tap_x * axis_x.dilation;
                    let is_inside = (axis_y.low..axis_y.low + size_y).contains(&at_y)
                        && (axis_x.low..axis_x.low + size_x).contains(&at_x);
                    if is_inside {
                        let plane = image * c_in + first_channel + channel;
                        let at = (plane * size_y + at_y - axis_y.low) * size_x + at_x - axis_x.low;
                        let tap = ((channel_out * c_group + channel) * axis_y.kernel + tap_y) * axis_x.kernel + tap_x;
                        sum += x.f64_at(at) * weight.f64_at(tap);
                    }
                }
            }
        }
        results.push(Value::num(sum));
    }
    HostBuffer::from_values(out.dtype, results)
}
