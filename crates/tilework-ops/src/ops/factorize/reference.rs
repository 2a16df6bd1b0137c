//! The meaning of a factorization: the textbook algorithm in double precision (`textbook.rs` and `schur.rs` of tilework-dense), with signs
//! and orders settled as the operation promises. Natively the fast kernels are a library's, so the two share nothing but that.

use super::{Factorize, cpu, sizes};
use crate::op::{Meta, Op};
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};
use tilework_dense::By;

pub(super) fn factorize(op: Factorize, a: &HostView<'_>, out: &Meta) -> HostBuffer {
    let (n_batch, matrix) = match sizes(op.signature().name, a.shape()) {
        Ok((batch, matrix)) => (batch.iter().product::<usize>(), matrix),
        Err(_) => (0, [0, 0]),
    };
    let area = matrix[0] * matrix[1];
    let mut packed = Vec::with_capacity(out.shape.n_elements());
    for batch in 0..n_batch {
        let elements: Vec<f64> = (batch * area..(batch + 1) * area).map(|i| a.f64_at(i)).collect();
        packed.extend(cpu::packed(op, &elements, matrix, By::Textbook));
    }
    HostBuffer::from_values(out.dtype, packed.into_iter().map(Value::num))
}
