//! The meaning of a transposed convolution: every element of the input is spread over the results its taps reach.

use super::{ConvTranspose, Sizes};
use crate::op::Meta;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn conv_transpose(op: &ConvTranspose, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
    let (x, weight) = (&inputs[0], &inputs[1]);
    let Ok(Sizes { axes: [axis_y, axis_x], from: [from_y, from_x], to: [to_y, to_x], .. }) =
        op.check(x.shape(), weight.shape())
    else {
        return HostBuffer::zeros(out.dtype, 0);
    };
    let (c_in, n_rows) = (x.shape()[1], weight.shape()[1]);
    let mut sums = vec![0.0; out.shape.n_elements()];
    for i in 0..x.shape().n_elements() {
        let (image, channel, y, xx) =
            (i / (c_in * from_y * from_x), i / (from_y * from_x) % c_in, i / from_x % from_y, i % from_x);
        let group = channel / (c_in / op.n_groups);
        for row in 0..n_rows {
            for tap in 0..axis_y.kernel * axis_x.kernel {
                let (tap_y, tap_x) = (tap / axis_x.kernel, tap % axis_x.kernel);
                let padded_y = y * axis_y.stride + tap_y * axis_y.dilation;
                let padded_x = xx * axis_x.stride + tap_x * axis_x.dilation;
                let is_inside = (axis_y.low..axis_y.low + to_y).contains(&padded_y)
                    && (axis_x.low..axis_x.low + to_x).contains(&padded_x);
                if is_inside {
                    let plane = (image * op.n_groups + group) * n_rows + row;
                    let at = (plane * to_y + padded_y - axis_y.low) * to_x + padded_x - axis_x.low;
                    sums[at] +=
                        x.f64_at(i) * weight.f64_at((channel * n_rows + row) * axis_y.kernel * axis_x.kernel + tap);
                }
            }
        }
    }
    HostBuffer::from_values(out.dtype, sums.into_iter().map(Value::num))
}
