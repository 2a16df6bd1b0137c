//! The meaning of a scan: one loop per row, in `f64`.

use super::{Direction, Reach, Scan};
use crate::op::Meta;
use crate::ops::reduce::two;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn scan(op: &Scan, x: &HostView<'_>, out: &Meta) -> HostBuffer {
    let (n_outer, n_cols, n_inner) = op.split(x.shape());
    let scalar = x.data.scalar();
    let neutral = Value::from_f64(op.combine.identity(scalar), scalar);
    let mut results = vec![neutral; out.shape.n_elements()];
    for outer in 0..n_outer {
        for inner in 0..n_inner {
            let mut sum = neutral;
            for step in 0..n_cols {
                let col = if op.direction == Direction::Forward { step } else { n_cols - 1 - step };
                let at = (outer * n_cols + col) * n_inner + inner;
                let after = two(op.combine, sum, x.value(at));
                results[at] = if op.reach == Reach::Inclusive { after } else { sum };
                sum = after;
            }
        }
    }
    HostBuffer::from_values(out.dtype, results)
}
