//! What every machine must get right about pooling.

use super::{Pool, PoolKind, PoolWindow};
use crate::case::{Case, Fill};
use crate::ops::conv::Window;
use tilework_core::dtype::DType;

fn windows(kernel: &[usize], stride: &[usize], padding: &[usize], dilation: &[usize]) -> PoolWindow {
    let window = Window { stride: stride.to_vec(), padding: padding.to_vec(), dilation: dilation.to_vec() };
    PoolWindow { kernel: kernel.to_vec(), window }
}

pub(super) fn cases() -> Vec<Case> {
    use PoolKind::{Argmax, Max, Mean, MeanWithPadding};
    let plain = |name, kind, window: PoolWindow, x: &[usize], fill| {
        Case::new(name, Pool::new(kind, window)).input(DType::F32, x, fill)
    };
    let mut cases = vec![
        plain("NaN wins, ties go to the first", Max, windows(&[2], &[1], &[1], &[]), &[1, 2, 5, 6], Fill::Special)
            .without_gradient(),
        plain("place of NaN", Argmax, windows(&[2], &[1], &[1], &[]), &[1, 2, 5, 6], Fill::Special).without_gradient(),
        plain("places among equals", Argmax, windows(&[3], &[2], &[1], &[]), &[1, 2, 5, 6], Fill::All(1.0))
            .without_gradient(),
        plain("mean of infinities", Mean, windows(&[2], &[], &[], &[]), &[1, 2, 4, 6], Fill::Special)
            .without_gradient(),
    ];
    for kind in [Max, Mean, MeanWithPadding, Argmax] {
        // Distinct elements leave no ties, where a maximum has no derivative.
        let fill = if kind == Max { Fill::Distinct } else { Fill::Spread };
        cases.extend([
            plain("size one", kind, windows(&[1], &[], &[], &[]), &[1, 1, 1, 1], fill),
            plain("one axis", kind, windows(&[3], &[2], &[1], &[]), &[2, 3, 11], fill),
            plain("two by two", kind, windows(&[2], &[], &[], &[]), &[2, 3, 6, 8], fill),
            plain("overlapping, a rest unreached", kind, windows(&[3], &[2], &[1], &[]), &[1, 3, 8, 10], fill),
            plain("uneven everything", kind, windows(&[2, 3], &[1, 2], &[1, 0, 2, 3], &[2, 1]), &[2, 2, 7, 9], fill),
            plain("padding larger than the kernel", kind, windows(&[2], &[1], &[3], &[]), &[1, 1, 2, 2], fill)
                .without_gradient(),
            plain("the whole plane", kind, windows(&[5, 7], &[], &[], &[]), &[2, 4, 5, 7], fill),
            plain("empty batch", kind, windows(&[2], &[], &[], &[]), &[0, 3, 4, 4], fill),
            plain("more planes than a workgroup", kind, windows(&[2], &[1], &[], &[]), &[3, 100, 3, 3], fill)
                .without_gradient(),
            Case::new("channels last, backwards", Pool::new(kind, windows(&[2], &[], &[], &[])))
                .input(DType::F32, &[1, 6, 6, 3], fill)
                .permuted(&[0, 3, 1, 2])
                .sliced(3, 5, -1, 5),
            Case::new("double precision", Pool::new(kind, windows(&[3], &[2], &[1], &[])))
                .input(DType::F64, &[1, 2, 7, 7], fill)
                .tolerance(1e-14)
                .without_gradient(),
        ]);
    }
    cases
}
