//! The meaning of a scatter-add: one addition per element, in `f64`.

use super::{ScatterAdd, resolve};
use crate::op::Meta;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn scatter_add(op: &ScatterAdd, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
    let (x, indices) = (&inputs[0], &inputs[1]);
    let (n_outer, n_indices, n_inner) = op.split(x.shape(), indices.shape().rank());
    let mut sums = vec![0.0; out.shape.n_elements()];
    for outer in 0..n_outer {
        for j in 0..n_indices {
            let place = resolve(indices.f64_at(j) as i32, op.n_axis);
            for inner in 0..n_inner {
                sums[(outer * op.n_axis + place) * n_inner + inner] +=
                    x.f64_at((outer * n_indices + j) * n_inner + inner);
            }
        }
    }
    HostBuffer::from_values(out.dtype, sums.into_iter().map(Value::num))
}
