//! The inner loops of kernels that work on rows: normalisations and attention.

#[cfg(target_arch = "x86_64")]
mod x86;

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

/// What pairs are turned by: pair `p` by the angle of cosine `cosines[p]` and sine `sines[p]`.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a, F> {
    /// Cosines, one for each pair.
    pub cosines: &'a [F],
    /// Sines, one for each pair.
    pub sines: &'a [F],
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
    /// Turns the pairs `(p, p + n)` of a row of `2n` elements.
    fn turn_halves(row: &mut [Self], turn: Turn<'_, Self>);
    /// Turns the pairs `(2p, 2p + 1)` of a row of `2n` elements.
    fn turn_neighbors(row: &mut [Self], turn: Turn<'_, Self>);
    /// `out += factor·row`.
    fn add_scaled(out: &mut [Self], factor: Self, row: &[Self]);
    /// `out[k] = Σ a·row[k]`, for rows as long as `a`.
    fn dots(a: &[Self], rows: Lines<'_, Self>, out: &mut [Self]);
    /// `out += Σ factors[k]·row[k]`, for rows as long as `out`.
    fn add_all_scaled(out: &mut [Self], factors: &[Self], rows: Lines<'_, Self>);
}

/// Rows that lie evenly in memory.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a, F> {
    /// From the first element of the first row on.
    pub data: &'a [F],
    /// Elements between the beginnings of rows.
    pub stride: usize,
}

impl<'a, F> Lines<'a, F> {
    #[inline(always)]
    pub(crate) fn line(&self, index: usize, len: usize) -> &'a [F] {
        // Rows without elements may lie past the end of the data.
        if len == 0 { &[] } else { &self.data[index * self.stride..][..len] }
    }
}

/// There is nothing but the plain loop.
#[cfg(target_arch = "x86_64")]
fn no_instructions(_: &[f64], _: Lines<'_, f64>, _: &mut [f64]) -> bool {
    false
}

/// Sums that are kept apart, so that additions do not wait for each other.
const LANES: usize = 16;
/// Running sums of squares and products: four vectors, which covers the latency of an addition.
const SQUARE_LANES: usize = if cfg!(target_arch = "wasm32") { 16 } else { 32 };

/// Loops of each float type, with how many elements of a result stay in registers, and a way to [`Rows::dots`] that says whether it is one.
macro_rules! rows {
    ($($float:ident $kept:expr, $by_instructions:expr;)*) => {
        $(impl Rows for $float {
            #[inline(never)]
            fn sum_of_squares(row: &[Self], shift: Self) -> Self {
                vectorized(
                    #[inline(always)]
                    move || sum_lanes::<_, SQUARE_LANES>(row, row, #[inline(always)] move |x, _| (x - shift) * (x - shift)),
                )
            }
            #[inline(never)]
            fn dot(a: &[Self], b: &[Self]) -> Self {
                let n = a.len().min(b.len());
                vectorized(
                    #[inline(always)]
                    move || sum_lanes::<_, SQUARE_LANES>(&a[..n], &b[..n], #[inline(always)] |a, b| a * b),
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
            fn turn_halves(row: &mut [Self], turn: Turn<'_, Self>) {
                vectorized(
                    #[inline(always)]
                    || {
                        let (left, right) = row.split_at_mut(row.len() / 2);
                        let pairs = left.iter_mut().zip(right).zip(turn.cosines).zip(turn.sines);
                        for (((a, b), &cosine), &sine) in pairs {
                            (*a, *b) = (*a * cosine - *b * sine, *a * sine + *b * cosine);
                        }
                    },
                );
            }
            #[inline(never)]
            fn turn_neighbors(row: &mut [Self], turn: Turn<'_, Self>) {
                vectorized(
                    #[inline(always)]
                    || {
                        let pairs = row.as_chunks_mut::<2>().0.iter_mut().zip(turn.cosines).zip(turn.sines);
                        for (([a, b], &cosine), &sine) in pairs {
                            (*a, *b) = (*a * cosine - *b * sine, *a * sine + *b * cosine);
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
            #[inline(never)]
            fn dots(a: &[Self], rows: Lines<'_, Self>, out: &mut [Self]) {
                #[cfg(target_arch = "x86_64")]
                if $by_instructions(a, rows, out) {
                    return;
                }
                vectorized(
                    #[inline(always)]
                    || {
                        let (chunks, rest) = a.as_chunks::<LANES>();
                        for (k, out) in out.iter_mut().enumerate() {
                            let (row_chunks, row_rest) = rows.line(k, a.len()).as_chunks::<LANES>();
                            let mut sums = [0.0; LANES];
                            for (a, b) in chunks.iter().zip(row_chunks) {
                                (0..LANES).for_each(|lane| sums[lane] += a[lane] * b[lane]);
                            }
                            let mut width = LANES / 2;
                            while width > 0 {
                                (0..width).for_each(|lane| sums[lane] += sums[lane + width]);
                                width /= 2;
                            }
                            *out = sums[0] + rest.iter().zip(row_rest).map(|(a, b)| a * b).sum::<Self>();
                        }
                    },
                );
            }
            #[inline(never)]
            fn add_all_scaled(out: &mut [Self], factors: &[Self], rows: Lines<'_, Self>) {
                vectorized(
                    #[inline(always)]
                    || {
                        const KEPT: usize = $kept;
                        let len = out.len();
                        let (blocks, rest) = out.as_chunks_mut::<KEPT>();
                        for (block, out) in blocks.iter_mut().enumerate() {
                            let mut sums = *out;
                            for (k, &factor) in factors.iter().enumerate() {
                                let Some(row) = rows.line(k, len)[block * KEPT..].first_chunk::<KEPT>() else { return };
                                (0..KEPT).for_each(|i| sums[i] += factor * row[i]);
                            }
                            *out = sums;
                        }
                        let first = len - rest.len();
                        for (k, &factor) in factors.iter().enumerate().filter(|_| first < len) {
                            let row = &rows.line(k, len)[first..];
                            rest.iter_mut().zip(row).for_each(|(out, &x)| *out += factor * x);
                        }
                    },
                );
            }
        })*
    };
}
rows! {
    f32 if cfg!(target_arch = "wasm32") { 32 } else { 64 }, x86::dots;
    f64 64, no_instructions;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_with_many_rows_are_sums_of_sixteen_lanes() {
        for (len, n_rows) in [(64, 9), (80, 4), (33, 5), (7, 3), (128, 1), (0, 2)] {
            let number = |i: usize| (i as f32 * 0.37).sin();
            let a: Vec<f32> = (0..len).map(number).collect();
            let data: Vec<f32> = (0..n_rows * (len + 3)).map(|i| number(7 * i + 1)).collect();
            let rows = Lines { data: &data, stride: len + 3 };
            let mut out = vec![f32::NAN; n_rows];
            f32::dots(&a, rows, &mut out);
            for (k, &got) in out.iter().enumerate() {
                let row = rows.line(k, len);
                let n_even = len / LANES * LANES;
                let mut sums = [0.0_f32; LANES];
                (0..n_even).for_each(|i| sums[i % LANES] += a[i] * row[i]);
                for width in [8, 4, 2, 1] {
                    (0..width).for_each(|lane| sums[lane] += sums[lane + width]);
                }
                let rest: f32 = (n_even..len).map(|i| a[i] * row[i]).sum();
                assert_eq!(got, sums[0] + rest, "{len} {k}");
            }
        }
    }
}
