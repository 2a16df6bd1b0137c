//! The meaning of a search: how many elements come before the query, counted one by one.

use super::{SearchSorted, Side};
use crate::op::Meta;
use std::cmp::Ordering;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn searchsorted(op: &SearchSorted, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
    let (sorted, queries) = (&inputs[0], &inputs[1]);
    let count = |query: f64| {
        let is_before = |k: &usize| match compare(sorted.f64_at(*k), query) {
            Ordering::Less => true,
            Ordering::Equal => op.side == Side::Right,
            Ordering::Greater => false,
        };
        (0..sorted.shape().n_elements()).take_while(is_before).count()
    };
    let positions = (0..queries.shape().n_elements()).map(|i| Value::Int(count(queries.f64_at(i)) as i32));
    HostBuffer::from_values(out.dtype, positions)
}

/// NaN after everything else.
fn compare(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}
