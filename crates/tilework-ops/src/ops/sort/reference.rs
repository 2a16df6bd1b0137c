//! The meaning of a sort: the standard library's stable sort by the order as it is stated.

use super::{Output, Sort};
use crate::op::Meta;
use std::cmp::Ordering;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};
use tilework_vm::radix::Order;

pub(crate) fn sort(op: &Sort, x: &HostView<'_>, out: &Meta) -> HostBuffer {
    let (n_outer, n_cols, n_inner) = op.split(x.shape());
    let n_kept = op.n_kept(n_cols);
    let mut results = vec![Value::num(0.0); out.shape.n_elements()];
    for outer in 0..n_outer {
        for inner in 0..n_inner {
            let at = |col: usize| (outer * n_cols + col) * n_inner + inner;
            let mut cols: Vec<usize> = (0..n_cols).collect();
            cols.sort_by(|&a, &b| compare(op.order, x.f64_at(at(a)), x.f64_at(at(b))));
            for (position, &col) in cols.iter().take(n_kept).enumerate() {
                results[(outer * n_kept + position) * n_inner + inner] = match op.output {
                    Output::Values => x.value(at(col)),
                    Output::Indices => Value::Int(col as i32),
                };
            }
        }
    }
    HostBuffer::from_values(out.dtype, results)
}

/// NaN after everything else, in either order; 0 and −0 are equal.
fn compare(order: Order, a: f64, b: f64) -> Ordering {
    match a.partial_cmp(&b) {
        Some(ordering) if order == Order::Ascending => ordering,
        Some(ordering) => ordering.reverse(),
        None => a.is_nan().cmp(&b.is_nan()),
    }
}
