//! The meaning of a reduction: one loop, in `f64`.

use super::{Combine, Reduce, rows_of};
use crate::op::Meta;
use tilework_core::expr::{Graph, Value};
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn reduce(op: &Reduce, x: &HostView<'_>, out: &Meta) -> HostBuffer {
    let (order, rows) = rows_of(x.shape(), &op.axes);
    let x = HostView { data: x.data, layout: x.layout.permuted(&order) };
    let scalar = x.data.scalar();
    let reduced = (0..rows.n_rows).map(|row| {
        (0..rows.n_cols).fold(Value::from_f64(op.combine.identity(scalar), scalar), |sum, col| {
            two(op.combine, sum, x.value(row * rows.n_cols + col))
        })
    });
    HostBuffer::from_values(out.dtype, reduced)
}

/// Combines two constants by the definition of the scalar operation.
pub(crate) fn two(combine: Combine, a: Value, b: Value) -> Value {
    let graph = Graph::new();
    let (a, b) = (graph.constant(a), graph.constant(b));
    graph.apply(combine.scalar_op(), &[a, b]).constant().unwrap_or(Value::num(f64::NAN))
}
