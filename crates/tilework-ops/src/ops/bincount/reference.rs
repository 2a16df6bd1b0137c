//! The meaning of a count: one addition per element.

use super::BinCount;
use crate::op::Meta;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn bincount(op: &BinCount, x: &HostView<'_>, out: &Meta) -> HostBuffer {
    let mut counts = vec![0i32; op.n_bins];
    for value in (0..x.shape().n_elements()).map(|i| x.f64_at(i)) {
        if value >= 0.0 && value < op.n_bins as f64 {
            counts[value as usize] += 1;
        }
    }
    HostBuffer::from_values(out.dtype, counts.into_iter().map(Value::Int))
}
