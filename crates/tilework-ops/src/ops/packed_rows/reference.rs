//! The meaning of picking rows of packed weights.

use super::PackedRows;
use crate::op::Meta;
use crate::ops::gather::resolve;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn packed_rows(op: &PackedRows, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
    let (weights, indices) = (&inputs[0], &inputs[1]);
    let (n_rows, row_words) = (weights.shape()[0], weights.shape()[1]);
    let mut values = Vec::new();
    for j in 0..indices.shape().n_elements() {
        let row = resolve(indices.f64_at(j) as i32, n_rows);
        let words: Vec<u32> = (0..row_words).map(|i| weights.f64_at(row * row_words + i) as u32).collect();
        let weight = |c| Value::num(f64::from(op.format.packed_weight(&words, op.n_cols, c)));
        values.extend((0..op.n_cols).map(weight));
    }
    HostBuffer::from_values(out.dtype, values)
}
