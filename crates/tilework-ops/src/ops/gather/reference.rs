//! The meaning of a gather: one look-up per element.

use super::{Gather, resolve};
use crate::op::Meta;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn gather(op: &Gather, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
    let (x, indices) = (&inputs[0], &inputs[1]);
    let (n_outer, n_axis, n_inner) = Gather::split(op.axis, x.shape());
    let mut picked = Vec::with_capacity(out.shape.n_elements());
    for outer in 0..n_outer {
        for j in 0..indices.shape().n_elements() {
            let at = resolve(indices.f64_at(j) as i32, n_axis);
            picked.extend((0..n_inner).map(|inner| x.value((outer * n_axis + at) * n_inner + inner)));
        }
    }
    HostBuffer::from_values(out.dtype, picked)
}
