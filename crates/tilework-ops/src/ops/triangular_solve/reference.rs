//! The meaning of a triangular solve: row by row, what is left of the right hand side divided by the diagonal, in double precision.

use super::{Diagonal, Form, TriangularSolve};
use crate::op::Meta;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn solve(op: &TriangularSolve, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
    let [n_batch, n, n_rhs] = TriangularSolve::sizes(&out.shape);
    let mut x = vec![0.0f64; out.shape.n_elements()];
    for batch in 0..n_batch {
        let t = |row: usize, col: usize| {
            let (row, col) = if op.form == Form::Transposed { (col, row) } else { (row, col) };
            inputs[0].f64_at((batch * n + row) * n + col)
        };
        for rhs in 0..n_rhs {
            let at = |row: usize| (batch * n + row) * n_rhs + rhs;
            for step in 0..n {
                let row = if op.is_backward() { n - 1 - step } else { step };
                let known = if op.is_backward() { row + 1..n } else { 0..row };
                let sum: f64 = known.map(|col| t(row, col) * x[at(col)]).sum();
                let diagonal = if op.diagonal == Diagonal::Unit { 1.0 } else { t(row, row) };
                x[at(row)] = (inputs[1].f64_at(at(row)) - sum) / diagonal;
            }
        }
    }
    HostBuffer::from_values(out.dtype, x.into_iter().map(Value::num))
}
