//! The meaning of a scatter: one assignment per element, in order.

use super::Scatter;
use crate::op::Meta;
use crate::ops::gather::{Gather, resolve};
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn scatter(op: &Scatter, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
    let (x, indices, rows) = (&inputs[0], &inputs[1], &inputs[2]);
    let (n_outer, n_axis, n_inner) = Gather::split(op.axis, x.shape());
    let n_indices = indices.shape().n_elements();
    let mut values: Vec<_> = (0..out.shape.n_elements()).map(|i| x.value(i)).collect();
    for outer in 0..n_outer {
        for j in 0..n_indices {
            let place = resolve(indices.f64_at(j) as i32, n_axis);
            for inner in 0..n_inner {
                values[(outer * n_axis + place) * n_inner + inner] =
                    rows.value((outer * n_indices + j) * n_inner + inner);
            }
        }
    }
    HostBuffer::from_values(out.dtype, values)
}
