//! The meaning of a join: walk the outer axes, take every input's row in turn.

use super::Concat;
use crate::op::Meta;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn concat(op: &Concat, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
    let n_outer: usize = out.shape[..op.axis].iter().product();
    let mut joined = Vec::with_capacity(out.shape.n_elements());
    for outer in 0..n_outer {
        for input in inputs {
            let row = op.row_len(input.shape());
            joined.extend((0..row).map(|i| input.value(outer * row + i)));
        }
    }
    HostBuffer::from_values(out.dtype, joined)
}
