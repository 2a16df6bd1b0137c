//! The inner loops of convolutions: columns of a product gathered from a window of an image, and the products themselves.

use crate::panels::Fate;
use crate::{Float, vectorized};

/// Neighbouring columns whose elements follow each other in the window, whatever the tap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The first of them.
    pub column: usize,
    /// How many.
    pub len: usize,
    /// Where the first is in the window, for a tap at 0.
    pub start: usize,
}

/// A float type with the loops of a convolution.
pub trait Runs: Float {
    /// Gathers a panel of `WIDTH` columns: for each of `taps`, the elements of `runs` in the window, moved by the
    /// tap. `panel` and `window` have room for one more row of the panel at the end: whole rows are copied, and what is
    /// beyond the end of a run is overwritten by the next run or row.
    fn pack_runs<const WIDTH: usize>(window: &[Self], taps: &[usize], runs: &[Run], panel: &mut [Self]);

    /// Adds to the columns of every run their elements in the window times `factors`, one for each of `taps`.
    fn add_taps(window: &[Self], taps: &[usize], factors: &[Self], runs: &[Run], sums: &mut [Self]);

    /// The product of a packed panel of 4 rows and one of 8 columns; the rows of `out` are `row_stride` apart.
    fn plain_tile(a: &[Self], b: &[Self], out: &mut [Self], row_stride: usize, fate: Fate);
}

macro_rules! runs {
    ($($float:ident)*) => {
        $(impl Runs for $float {
            #[inline(never)]
            fn pack_runs<const WIDTH: usize>(window: &[Self], taps: &[usize], runs: &[Run], panel: &mut [Self]) {
                vectorized(
                    #[inline(always)]
                    || pack_by::<Self, WIDTH>(window, taps, runs, panel),
                )
            }

            #[inline(never)]
            fn add_taps(window: &[Self], taps: &[usize], factors: &[Self], runs: &[Run], sums: &mut [Self]) {
                vectorized(
                    #[inline(always)]
                    || {
                        for run in runs {
                            add_run(&window[run.start..], taps, factors, &mut sums[run.column..][..run.len]);
                        }
                    },
                )
            }

            #[inline(never)]
            fn plain_tile(a: &[Self], b: &[Self], out: &mut [Self], row_stride: usize, fate: Fate) {
                vectorized(
                    #[inline(always)]
                    || tile(a, b, out, row_stride, fate),
                )
            }
        })*
    };
}
runs!(f32 f64);

#[inline(always)]
fn pack_by<F: Copy, const WIDTH: usize>(window: &[F], taps: &[usize], runs: &[Run], panel: &mut [F]) {
    for (row, &tap) in taps.iter().enumerate() {
        for run in runs {
            let from = &window[run.start + tap..][..WIDTH];
            panel[row * WIDTH + run.column..][..WIDTH].copy_from_slice(from);
        }
    }
}

/// In vectors of 16, then of 8, then one by one, so that a sum stays in its register for all taps.
#[inline(always)]
fn add_run<F: Float>(window: &[F], taps: &[usize], factors: &[F], sums: &mut [F]) {
    let (sixteens, rest) = sums.as_chunks_mut::<16>();
    for (k, sums) in sixteens.iter_mut().enumerate() {
        add_lanes(&window[16 * k..], taps, factors, sums);
    }
    let window = &window[16 * sixteens.len()..];
    let (eights, rest) = rest.as_chunks_mut::<8>();
    for (k, sums) in eights.iter_mut().enumerate() {
        add_lanes(&window[8 * k..], taps, factors, sums);
    }
    let window = &window[8 * eights.len()..];
    for (k, sum) in rest.iter_mut().enumerate() {
        add_lanes(&window[k..], taps, factors, std::array::from_mut(sum));
    }
}

#[inline(always)]
fn add_lanes<F: Float, const LANES: usize>(window: &[F], taps: &[usize], factors: &[F], sums: &mut [F; LANES]) {
    let mut lanes = *sums;
    for (&tap, &factor) in taps.iter().zip(factors) {
        let elements = &window[tap..][..LANES];
        for (lane, &element) in lanes.iter_mut().zip(elements) {
            *lane = lane.add(factor.mul(element));
        }
    }
    *sums = lanes;
}

#[inline(always)]
fn tile<F: Float>(a: &[F], b: &[F], out: &mut [F], row_stride: usize, fate: Fate) {
    let mut sums = [[F::default(); 8]; 4];
    for (a, b) in a.as_chunks::<4>().0.iter().zip(b.as_chunks::<8>().0) {
        for (sums, &a) in sums.iter_mut().zip(a) {
            for (sum, &b) in sums.iter_mut().zip(b) {
                *sum = sum.add(a.mul(b));
            }
        }
    }
    for (row, sums) in sums.iter().enumerate() {
        fate.apply(sums, &mut out[row * row_stride..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_gathered_into_rows() {
        let window: Vec<f32> = (0..40).map(|i| i as f32).collect();
        let runs = [Run { column: 0, len: 3, start: 0 }, Run { column: 3, len: 1, start: 10 }];
        let mut panel = vec![f32::NAN; 12];
        f32::pack_runs::<4>(&window, &[0, 5], &runs, &mut panel);
        assert_eq!(panel[..8], [0.0, 1.0, 2.0, 10.0, 5.0, 6.0, 7.0, 15.0]);
    }

    #[test]
    fn taps_are_added_whatever_the_length_of_a_run() {
        let window: Vec<f64> = (0..64).map(f64::from).collect();
        for len in [1, 7, 8, 15, 16, 27] {
            let mut sums = vec![1.0; len + 2];
            f64::add_taps(&window, &[0, 30], &[2.0, 3.0], &[Run { column: 1, len, start: 4 }], &mut sums);
            let want = |i: usize| if i == 0 || i > len { 1.0 } else { 1.0 + 5.0 * (i + 3) as f64 + 90.0 };
            assert!(sums.iter().enumerate().all(|(i, &sum)| sum == want(i)), "{len}: {sums:?}");
        }
    }

    #[test]
    fn the_plain_tile_is_a_product() {
        let a: Vec<f64> = (0..12).map(f64::from).collect();
        let b: Vec<f64> = (0..24).map(|i| f64::from(i) - 7.0).collect();
        let mut out = vec![1.0; 4 * 8];
        f64::plain_tile(&a, &b, &mut out, 8, Fate::Add);
        for (i, &got) in out.iter().enumerate() {
            let want: f64 = (0..3).map(|k| a[k * 4 + i / 8] * b[k * 8 + i % 8]).sum();
            assert_eq!(got, want + 1.0);
        }
    }
}
