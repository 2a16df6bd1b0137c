//! Factorizations on the CPU: small matrices side by side on all threads, large ones one after the other.

use super::{Factorize, QrMode, Vectors, sizes};
use crate::cpu::{CpuCx, Element, HAS_DOUBLE};
use crate::op::Op;
use crate::ops::cholesky::cpu::LARGE;
use crate::threads::Threads;
use tilework_core::host::HostBuffer;
use tilework_core::{Error, Result};
use tilework_dense::{By, Dense, Sides};

pub(super) fn factorize(op: Factorize, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
    match out {
        HostBuffer::F32(out) => factorize_as(op, cx, out),
        HostBuffer::F64(out) if HAS_DOUBLE => factorize_as(op, cx, out),
        _ => Err(Error::dtype(op.signature().name, "needs floats")),
    }
}

fn factorize_as<T: Dense + Element>(op: Factorize, cx: &CpuCx<'_>, out: &mut [T]) -> Result<()> {
    let (_, matrix) = sizes(op.signature().name, &cx.inputs[0].fused.grid)?;
    let (area, packed_len) = (matrix[0] * matrix[1], op.packed_len(matrix));
    if out.is_empty() {
        return Ok(());
    }
    let each = |start: usize, out: &mut [T], threads: Threads| {
        let mut a = vec![T::from_f64(0.0); area];
        T::read(&cx.inputs[0], start / packed_len * area, &mut a);
        out.copy_from_slice(&packed(op, &a, matrix, By::Fastest(threads.count())));
    };
    if area >= LARGE {
        out.chunks_mut(packed_len).enumerate().for_each(|(batch, out)| each(batch * packed_len, out, cx.threads));
    } else {
        cx.threads.for_each_piece(out, packed_len, |start, out| each(start, out, Threads::one()));
    }
    Ok(())
}

/// The parts of one matrix, one after the other.
pub(super) fn packed<T: Dense>(op: Factorize, a: &[T], matrix: [usize; 2], by: By) -> Vec<T> {
    if a.iter().any(|x| !x.to_f64().is_finite()) {
        return vec![T::from_f64(f64::NAN); op.packed_len(matrix)];
    }
    let [m, n] = matrix;
    let k = m.min(n);
    let n_vectors = |vectors: Vectors| if vectors == Vectors::None { 0 } else { n };
    match op {
        Factorize::Lu => {
            let (mut packed, rows) = T::lu(a, matrix, by);
            packed.extend(rows.into_iter().map(|row| T::from_f64(row as f64)));
            packed
        }
        Factorize::Qr(mode) => {
            let (q, r) = T::qr(a, matrix, if mode == QrMode::Complete { m } else { k }, by);
            [q, r].concat()
        }
        Factorize::Svd(vectors) => {
            let [n_left, n_right] = match vectors {
                Vectors::None => [0, 0],
                Vectors::Reduced => [k, k],
                Vectors::Full => [m, n],
            };
            let svd = T::svd(a, matrix, Sides { n_left, n_right }, by);
            [svd.u, svd.s, svd.vt].concat()
        }
        Factorize::Eigh(vectors) => {
            let (values, vectors) = T::eigh(a, n, n_vectors(vectors), by);
            [values, vectors].concat()
        }
        Factorize::Eig(vectors) => {
            let eigen = T::eig(a, n, n_vectors(vectors), by);
            [eigen.values, eigen.vectors].concat()
        }
    }
}
