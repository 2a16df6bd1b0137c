//! What every machine must get right about convolutions.

use super::{Conv, Window};
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

fn window(stride: &[usize], padding: &[usize], dilation: &[usize]) -> Window {
    Window { stride: stride.to_vec(), padding: padding.to_vec(), dilation: dilation.to_vec() }
}

pub(super) fn cases() -> Vec<Case> {
    let plain = |name, x: &[usize], weight: &[usize], window: Window, groups| {
        Case::new(name, Conv::new(window, groups))
            .input(DType::F32, x, Fill::Spread)
            .input(DType::F32, weight, Fill::Spread)
            .tolerance(1e-5)
    };
    let none = || window(&[], &[], &[]);
    vec![
        plain("size one everywhere", &[1, 1, 1, 1], &[1, 1, 1, 1], none(), 1),
        plain("one axis, size one", &[1, 1, 1], &[1, 1, 1], none(), 1),
        plain("one axis", &[2, 3, 19], &[5, 3, 4], none(), 1),
        plain("one axis, everything", &[2, 4, 23], &[6, 2, 3], window(&[3], &[1, 4], &[2]), 2),
        plain("three by three", &[2, 3, 7, 9], &[5, 3, 3, 3], window(&[], &[1], &[]), 1),
        plain("fours and whole blocks", &[1, 4, 10, 12], &[12, 4, 3, 3], window(&[], &[1], &[]), 1),
        plain("one by one", &[2, 8, 5, 5], &[16, 8, 1, 1], none(), 1),
        plain("one by one with stride", &[1, 8, 6, 7], &[9, 8, 1, 1], window(&[2], &[], &[]), 1),
        plain("stride two leaves a rest", &[1, 3, 8, 10], &[6, 3, 3, 3], window(&[2], &[], &[]), 1),
        plain(
            "uneven strides, padding and dilation",
            &[2, 2, 9, 11],
            &[5, 2, 2, 3],
            window(&[2, 3], &[2, 1, 0, 3], &[3, 2]),
            1,
        ),
        plain("groups", &[2, 6, 6, 5], &[8, 3, 3, 2], window(&[], &[1, 0], &[]), 2),
        plain("groups of blocks", &[2, 8, 6, 6], &[24, 4, 3, 3], window(&[2], &[1], &[]), 2),
        plain("each channel by itself", &[2, 5, 9, 8], &[5, 1, 3, 3], window(&[], &[1], &[]), 5),
        plain("each channel twice, with stride", &[1, 3, 9, 8], &[6, 1, 3, 3], window(&[2], &[1], &[]), 3),
        plain("padding larger than the kernel", &[1, 2, 3, 3], &[4, 2, 2, 2], window(&[2], &[5], &[]), 1),
        plain("kernel as large as the image", &[3, 4, 5, 6], &[8, 4, 5, 6], none(), 1),
        plain("deep: parts", &[1, 70, 5, 4], &[9, 70, 3, 3], window(&[], &[1], &[]), 1)
            .tolerance(3e-5)
            .without_gradient(),
        plain("several tiles", &[2, 8, 13, 17], &[70, 8, 3, 3], window(&[], &[1], &[]), 1).without_gradient(),
        plain("many rows and few columns", &[1, 20, 3, 3], &[140, 20, 3, 3], window(&[], &[1], &[]), 1)
            .without_gradient(),
        plain("long rows", &[1, 3, 1200], &[7, 3, 5], window(&[], &[2], &[]), 1).without_gradient(),
        plain("long rows of two", &[1, 2, 3, 530], &[5, 2, 3, 3], window(&[], &[1], &[]), 1).without_gradient(),
        plain(
            "stride and dilation larger than anything",
            &[1, 1, 2, 3],
            &[3, 1, 2, 1],
            window(&[9000, 50_000], &[20_000, 0], &[30_000, 1]),
            1,
        ),
        plain("empty batch", &[0, 3, 5, 5], &[4, 3, 3, 3], none(), 1),
        plain("no input channels", &[2, 0, 5, 5], &[4, 0, 3, 3], none(), 1),
        plain("no output channels", &[2, 3, 5, 5], &[0, 3, 3, 3], none(), 1),
        plain("nothing but padding", &[1, 2, 0, 3], &[4, 2, 2, 2], window(&[], &[1], &[]), 1),
        Case::new("channels last, every second column backwards", Conv::new(window(&[], &[1], &[]), 1))
            .input(DType::F32, &[2, 6, 14, 3], Fill::Spread)
            .permuted(&[0, 3, 1, 2])
            .sliced(3, 13, -2, 7)
            .input(DType::F32, &[3, 3, 8, 3], Fill::Spread)
            .permuted(&[2, 3, 0, 1])
            .tolerance(1e-5),
        Case::new("NaN and infinities", Conv::new(window(&[], &[1], &[]), 1))
            .input(DType::F32, &[1, 2, 6, 6], Fill::Special)
            .input(DType::F32, &[8, 2, 3, 3], Fill::Positive)
            .without_gradient(),
        Case::new("double precision", Conv::new(window(&[2], &[1], &[]), 2))
            .input(DType::F64, &[2, 6, 9, 9], Fill::Spread)
            .input(DType::F64, &[8, 3, 3, 3], Fill::Spread)
            .tolerance(1e-13)
            .without_gradient(),
    ]
}
