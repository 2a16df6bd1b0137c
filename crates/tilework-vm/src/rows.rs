//! The inner loops of kernels that work on rows: normalisations and attention.

use crate::lanes::sum_lanes;
use crate::vectorized;

/// How a row is moved and stretched: `(x − shift)·scale`.
#[derive(Clone, Copy, Debug)]
pub struct Stretch<F> {
    /// What is subtracted.
    pub shift: F,
    /// What the difference is multiplied with.
    pub scale: F,
}

/// Loops over rows of one float type.
pub trait Rows: Sized {
    /// `Σ (x − shift)²`, by a tree of a shape that depends on the length only.
    fn sum_of_squares(row: &[Self], shift: Self) -> Self;
    /// `Σ a·b` over the shorter of the two, by a tree of a shape that depends on the length only.
    fn dot(a: &[Self], b: &[Self]) -> Self;
    /// `out = (x − shift)·scale + offset`.
    fn stretch(row: &[Self], out: &mut [Self], stretch: Stretch<Self>, offset: Self);
    /// `out = (x − shift)·scale·weight + bias`; no bias is none.
    fn stretch_by(row: &[Self], out: &mut [Self], stretch: Stretch<Self>, weight: &[Self], bias: Option<&[Self]>);
    /// `out += factor·row`.
    fn add_scaled(out: &mut [Self], factor: Self, row: &[Self]);
}

macro_rules! rows {
    ($($float:ident)*) => {
        $(impl Rows for $float {
            #[inline(never)]
            fn sum_of_squares(row: &[Self], shift: Self) -> Self {
                vectorized(
                    #[inline(always)]
                    || sum_lanes(row, row, #[inline(always)] |x, _| (x - shift) * (x - shift)),
                )
            }
            #[inline(never)]
            fn dot(a: &[Self], b: &[Self]) -> Self {
                let n = a.len().min(b.len());
                vectorized(
                    #[inline(always)]
                    || sum_lanes(&a[..n], &b[..n], #[inline(always)] |a, b| a * b),
                )
            }
            #[inline(never)]
            fn stretch(row: &[Self], out: &mut [Self], Stretch { shift, scale }: Stretch<Self>, offset: Self) {
                vectorized(
                    #[inline(always)]
                    || out.iter_mut().zip(row).for_each(|(out, &x)| *out = (x - shift) * scale + offset),
                );
            }
            #[inline(never)]
            fn stretch_by(
                row: &[Self],
                out: &mut [Self],
                Stretch { shift, scale }: Stretch<Self>,
                weight: &[Self],
                bias: Option<&[Self]>,
            ) {
                vectorized(
                    #[inline(always)]
                    || {
                        let terms = out.iter_mut().zip(row).zip(weight);
                        match bias {
                            Some(bias) => terms.zip(bias).for_each(|(((out, &x), &w), &b)| {
                                *out = (x - shift) * scale * w + b;
                            }),
                            None => terms.for_each(|((out, &x), &w)| *out = (x - shift) * scale * w),
                        }
                    },
                );
            }
            #[inline(never)]
            fn add_scaled(out: &mut [Self], factor: Self, row: &[Self]) {
                vectorized(
                    #[inline(always)]
                    || out.iter_mut().zip(row).for_each(|(out, &x)| *out += factor * x),
                );
            }
        })*
    };
}
rows!(f32 f64);
