//! The meaning of a matrix product: three loops, sums in `f64`.

use super::Sizes;
use crate::op::Meta;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn matmul(inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
    let Ok(sizes) = Sizes::of(inputs[0].shape(), inputs[1].shape()) else {
        return HostBuffer::zeros(out.dtype, 0);
    };
    let (a, b) = (sizes.operand(&inputs[0].layout), sizes.operand(&inputs[1].layout));
    let mut product = Vec::with_capacity(out.shape.n_elements());
    for batch in 0..sizes.batch.n_elements() {
        let (a_start, b_start) = (a.batch.element(batch) as isize, b.batch.element(batch) as isize);
        for row in 0..sizes.m as isize {
            for col in 0..sizes.n as isize {
                let sum: f64 = (0..sizes.k as isize)
                    .map(|k| {
                        let left = inputs[0].data.f64_at((a_start + row * a.row_stride + k * a.col_stride) as usize);
                        let right = inputs[1].data.f64_at((b_start + k * b.row_stride + col * b.col_stride) as usize);
                        left * right
                    })
                    .sum();
                product.push(Value::num(sum));
            }
        }
    }
    HostBuffer::from_values(out.dtype, product)
}
