//! What every machine must get right about the way back from a maximum.

use super::MaxUnpool;
use crate::case::{Case, Fill};
use crate::ops::conv::Window;
use crate::ops::pool::PoolWindow;
use tilework_core::dtype::DType;

fn op(sizes: &[usize], kernel: &[usize], stride: &[usize], padding: &[usize], dilation: &[usize]) -> MaxUnpool {
    let window = Window { stride: stride.to_vec(), padding: padding.to_vec(), dilation: dilation.to_vec() };
    MaxUnpool::new(PoolWindow { kernel: kernel.to_vec(), window }, sizes.to_vec())
}

pub(super) fn cases() -> Vec<Case> {
    // Places anywhere in the plane: those outside of their windows receive nothing, as the gradient check cannot know.
    let plain = |name, op: MaxUnpool, x: &[usize], n_places: u32| {
        Case::new(name, op)
            .input(DType::F32, x, Fill::Spread)
            .input(DType::I32, x, Fill::Below(n_places))
            .without_gradient()
    };
    vec![
        Case::new("size one", op(&[1, 1], &[1], &[], &[], &[])).input(DType::F32, &[1, 1, 1, 1], Fill::Spread).input(
            DType::I32,
            &[1, 1, 1, 1],
            Fill::All(0.0),
        ),
        Case::new("all to one place", op(&[3, 3], &[2], &[1], &[], &[]))
            .input(DType::F32, &[2, 2, 2, 2], Fill::Spread)
            .input(DType::I32, &[2, 2, 2, 2], Fill::All(4.0)),
        Case::new("no place", op(&[4], &[2], &[], &[], &[])).input(DType::F32, &[1, 2, 2], Fill::Spread).input(
            DType::I32,
            &[1, 2, 2],
            Fill::All(-1.0),
        ),
        plain("one axis", op(&[11], &[3], &[2], &[1], &[]), &[2, 3, 6], 11),
        plain("overlapping", op(&[8, 10], &[5], &[2], &[2], &[]), &[2, 3, 4, 5], 80),
        plain("uneven everything", op(&[7, 9], &[2, 5], &[1, 2], &[1, 0, 2, 3], &[2, 1]), &[2, 40, 6, 5], 63),
        plain("whole planes", op(&[6, 5], &[6, 5], &[], &[], &[]), &[3, 100, 1, 1], 30),
        plain("empty batch", op(&[4, 4], &[2], &[], &[], &[]), &[0, 3, 2, 2], 16),
        Case::new("a view backwards", op(&[6], &[3], &[1], &[1], &[]))
            .input(DType::F32, &[1, 2, 12], Fill::Spread)
            .sliced(2, 11, -2, 6)
            .input(DType::I32, &[1, 2, 6], Fill::Below(6))
            .without_gradient(),
        Case::new("double precision", op(&[6], &[3], &[1], &[1], &[]))
            .input(DType::F64, &[1, 2, 6], Fill::Spread)
            .input(DType::I32, &[1, 2, 6], Fill::Below(6))
            .tolerance(1e-15)
            .without_gradient(),
    ]
}
