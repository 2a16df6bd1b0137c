//! What every machine must get right about transposed convolutions.

use super::ConvTranspose;
use crate::case::{Case, Fill};
use crate::ops::conv::Window;
use tilework_core::dtype::DType;

fn op(stride: &[usize], padding: &[usize], dilation: &[usize], extra: &[usize], n_groups: usize) -> ConvTranspose {
    let window = Window { stride: stride.to_vec(), padding: padding.to_vec(), dilation: dilation.to_vec() };
    ConvTranspose::new(window, extra.to_vec(), n_groups)
}

pub(super) fn cases() -> Vec<Case> {
    let plain = |name, op: ConvTranspose, x: &[usize], weight: &[usize]| {
        Case::new(name, op).input(DType::F32, x, Fill::Spread).input(DType::F32, weight, Fill::Spread).tolerance(1e-5)
    };
    vec![
        plain("size one everywhere", op(&[], &[], &[], &[], 1), &[1, 1, 1, 1], &[1, 1, 1, 1]),
        plain("one axis", op(&[], &[], &[], &[], 1), &[2, 3, 7], &[3, 4, 3]),
        plain("one axis, everything", op(&[3], &[1, 2], &[2], &[2], 2), &[2, 4, 6], &[4, 3, 4]),
        plain("three by three", op(&[], &[1], &[], &[], 1), &[2, 5, 6, 7], &[5, 9, 3, 3]),
        plain("stride two", op(&[2], &[1], &[], &[1], 1), &[1, 4, 5, 6], &[4, 8, 3, 3]),
        plain("stride two and two taps: no overlap", op(&[2], &[], &[], &[], 1), &[1, 3, 4, 5], &[3, 4, 2, 2]),
        plain("stride beyond the kernel leaves zeros", op(&[4, 3], &[], &[], &[2, 0], 1), &[1, 3, 3, 4], &[3, 4, 2, 1]),
        plain(
            "stride and dilation with a common divisor",
            op(&[4, 2], &[1], &[2, 2], &[3, 1], 1),
            &[1, 2, 4, 5],
            &[2, 5, 3, 3],
        ),
        plain(
            "stride and dilation without",
            op(&[2, 3], &[2, 0, 1, 3], &[3, 2], &[0, 1], 1),
            &[2, 2, 5, 6],
            &[2, 4, 3, 3],
        ),
        plain("groups", op(&[2], &[1], &[], &[], 2), &[2, 6, 4, 4], &[6, 5, 3, 3]),
        plain("each channel by itself", op(&[2], &[1], &[], &[1], 5), &[2, 5, 4, 3], &[5, 1, 3, 3]),
        plain("padding larger than the kernel", op(&[2], &[4], &[], &[1], 1), &[1, 2, 8, 9], &[2, 4, 2, 2]),
        plain("more remainders than passes", op(&[5], &[1], &[], &[4], 1), &[1, 3, 3, 2], &[3, 4, 7, 3]),
        plain("hundreds of remainders", op(&[20], &[], &[3], &[19, 3], 2), &[1, 2, 2, 2], &[2, 3, 3, 2]),
        plain("several tiles", op(&[2], &[1], &[], &[1], 1), &[1, 12, 9, 10], &[12, 70, 3, 3]).without_gradient(),
        plain("empty batch", op(&[2], &[1], &[], &[], 1), &[0, 3, 5, 5], &[3, 4, 3, 3]),
        plain("no input channels", op(&[2], &[1], &[], &[], 1), &[2, 0, 3, 3], &[0, 4, 3, 3]),
        plain("nothing left between the padding", op(&[], &[1], &[], &[], 1), &[1, 2, 1, 4], &[2, 4, 2, 3]),
        Case::new("channels last, every second column backwards", op(&[2], &[1], &[], &[], 1))
            .input(DType::F32, &[1, 4, 10, 3], Fill::Spread)
            .permuted(&[0, 3, 1, 2])
            .sliced(3, 9, -2, 5)
            .input(DType::F32, &[3, 3, 3, 8], Fill::Spread)
            .permuted(&[2, 3, 0, 1])
            .tolerance(1e-5),
        Case::new("NaN and infinities", op(&[2], &[1], &[], &[], 1))
            .input(DType::F32, &[1, 2, 5, 6], Fill::Special)
            .input(DType::F32, &[2, 8, 3, 3], Fill::Positive)
            .without_gradient(),
        Case::new("double precision", op(&[2], &[1], &[], &[1], 1))
            .input(DType::F64, &[2, 3, 5, 5], Fill::Spread)
            .input(DType::F64, &[3, 5, 3, 3], Fill::Spread)
            .tolerance(1e-13)
            .without_gradient(),
    ]
}
