//! The meaning of a search: look at every element in order.

use super::ArgReduce;
use crate::ops::reduce::rows_of;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn arg_reduce(op: &ArgReduce, x: &HostView<'_>) -> HostBuffer {
    let (order, rows) = rows_of(x.shape(), &op.axes(x.shape().rank()));
    let x = HostView { data: x.data, layout: x.layout.permuted(&order) };
    let positions = (0..rows.n_rows).map(|row| {
        let mut best = 0;
        for col in 1..rows.n_cols {
            if op.beats(x.f64_at(row * rows.n_cols + col), x.f64_at(row * rows.n_cols + best)) {
                best = col;
            }
        }
        best as i32
    });
    HostBuffer::I32(positions.collect())
}
