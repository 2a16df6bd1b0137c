//! Triangular solves on the CPU: small systems side by side on all threads, large ones one after the other.

use super::TriangularSolve;
use crate::cpu::{CpuCx, Element, HAS_DOUBLE};
use crate::ops::cholesky::cpu::LARGE;
use crate::threads::Threads;
use tilework_core::host::HostBuffer;
use tilework_core::{Error, Result};
use tilework_dense::{By, Dense};

pub(super) fn solve(op: &TriangularSolve, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
    match out {
        HostBuffer::F32(out) => solve_as(op, cx, out),
        HostBuffer::F64(out) if HAS_DOUBLE => solve_as(op, cx, out),
        _ => return Err(Error::dtype("triangular_solve", "needs floats")),
    }
    Ok(())
}

fn solve_as<T: Dense + Element>(op: &TriangularSolve, cx: &CpuCx<'_>, out: &mut [T]) {
    let [_, n, n_rhs] = TriangularSolve::sizes(&cx.inputs[1].fused.grid);
    if out.is_empty() {
        return;
    }
    let each = |start: usize, x: &mut [T], threads: Threads| {
        let mut matrix = vec![T::from_f64(0.0); n * n];
        T::read(&cx.inputs[0], start / n_rhs * n, &mut matrix);
        T::read(&cx.inputs[1], start, x);
        T::triangular_solve(op.triangle(n), &matrix, x, By::Fastest(threads.count()));
    };
    if n * n.max(n_rhs) >= LARGE {
        out.chunks_mut(n * n_rhs).enumerate().for_each(|(batch, x)| each(batch * n * n_rhs, x, cx.threads));
    } else {
        cx.threads.for_each_piece(out, n * n_rhs, |start, x| each(start, x, Threads::one()));
    }
}
