//! Cholesky on the CPU: small matrices side by side on all threads, large ones one after the other.

use super::Cholesky;
use crate::cpu::{CpuCx, Element, HAS_DOUBLE};
use crate::threads::Threads;
use tilework_core::host::HostBuffer;
use tilework_core::{Error, Result};
use tilework_dense::{By, Dense};

/// A matrix with this many elements or more gets all threads for itself.
pub(in crate::ops) const LARGE: usize = 256 * 256;

pub(super) fn cholesky(cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
    match out {
        HostBuffer::F32(out) => factorize(cx, out),
        HostBuffer::F64(out) if HAS_DOUBLE => factorize(cx, out),
        _ => return Err(Error::dtype("cholesky", "needs floats")),
    }
    Ok(())
}

fn factorize<T: Dense + Element>(cx: &CpuCx<'_>, out: &mut [T]) {
    let (_, n) = Cholesky::sizes(&cx.inputs[0].fused.grid);
    let each = |start: usize, matrix: &mut [T], threads: Threads| {
        T::read(&cx.inputs[0], start, matrix);
        T::cholesky(matrix, n, By::Fastest(threads.count()));
    };
    if n * n >= LARGE {
        let matrices = out.chunks_mut(n * n).enumerate();
        matrices.for_each(|(batch, matrix)| each(batch * n * n, matrix, cx.threads));
    } else if n > 0 {
        cx.threads.for_each_piece(out, n * n, |start, matrix| each(start, matrix, Threads::one()));
    }
}
