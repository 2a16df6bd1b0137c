//! Running results along a slice: the inner loops of scans.

use crate::lanes::Combine;
use crate::rows::Lines;
use crate::{CHUNK, vectorized};
use tilework_core::expr::Number;

/// Whether a result includes the element at its own place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Everything up to and with the element.
    Inclusive,
    /// Everything before the element.
    Exclusive,
}

/// An element type with running results.
pub trait Scan: Number {
    /// What results are carried in from chunk to chunk: double precision for floats, so that long sums stay accurate.
    type Wide: Number + Send + Sync;

    /// The value that changes nothing.
    fn neutral(combine: Combine) -> Self::Wide;

    /// To the carried type.
    fn widen(self) -> Self::Wide;

    /// From the carried type, rounding.
    fn narrow(wide: Self::Wide) -> Self;

    /// Two carried results into one.
    fn join(combine: Combine, a: Self::Wide, b: Self::Wide) -> Self::Wide;

    /// Running results of at most [`CHUNK`] elements after `before`; returns what comes before the next chunk.
    fn scan(combine: Combine, reach: Reach, x: &[Self], before: Self::Wide, out: &mut [Self]) -> Self::Wide;

    /// Combines `before` with each element.
    fn offset(combine: Combine, slice: &mut [Self], before: Self::Wide);

    /// Combines each element of `before` with the one at the same place of `row`.
    fn add_row(combine: Combine, row: &mut [Self], before: &[Self]);

    /// The same with several rows, one after the other.
    fn add_rows(combine: Combine, row: &mut [Self], before: Lines<'_, Self>, n_rows: usize);

    /// The same where `wide` carries results.
    fn widen_row(combine: Combine, wide: &mut [Self::Wide], row: &[Self]);

    /// The same with carried results on both sides.
    fn join_row(combine: Combine, wide: &mut [Self::Wide], other: &[Self::Wide]);
}

/// Elements whose running results are formed at once, in as many steps as there are doublings.
const WIDTH: usize = 8;

/// How two become one, as a type, so that each loop is compiled for it.
trait Two {
    fn two<T: Number>(a: T, b: T) -> T;
}

macro_rules! two {
    ($($Name:ident $function:ident)*) => {
        $(struct $Name;
        impl Two for $Name {
            #[inline(always)]
            fn two<T: Number>(a: T, b: T) -> T {
                Number::$function(a, b)
            }
        })*
    };
}
two!(Sum add Prod mul Min min Max max);

/// Calls `$function` for the way to combine that was chosen.
macro_rules! chosen {
    ($combine:expr, $function:ident($($argument:expr),*)) => {
        match $combine {
            Combine::Sum => $function::<_, Sum>($($argument),*),
            Combine::Prod => $function::<_, Prod>($($argument),*),
            Combine::Min => $function::<_, Min>($($argument),*),
            Combine::Max => $function::<_, Max>($($argument),*),
        }
    };
}

macro_rules! scan {
    ($($type:ident $wide:ident $lowest:expr, $highest:expr;)*) => {
        $(impl Scan for $type {
            type Wide = $wide;

            fn neutral(combine: Combine) -> $wide {
                match combine {
                    Combine::Sum => 0 as $wide,
                    Combine::Prod => 1 as $wide,
                    Combine::Min => $highest,
                    Combine::Max => $lowest,
                }
            }

            #[inline(always)]
            fn widen(self) -> $wide {
                self.into()
            }

            #[inline(always)]
            fn narrow(wide: $wide) -> $type {
                wide as $type
            }

            fn join(combine: Combine, a: $wide, b: $wide) -> $wide {
                chosen!(combine, join(a, b))
            }

            #[inline(never)]
            fn scan(combine: Combine, reach: Reach, x: &[$type], before: $wide, out: &mut [$type]) -> $wide {
                let neutral = Self::neutral(combine);
                vectorized(#[inline(always)] || chosen!(combine, scan_chunk(reach, x, before, neutral, out)))
            }

            #[inline(never)]
            fn offset(combine: Combine, slice: &mut [$type], before: $wide) {
                vectorized(#[inline(always)] || chosen!(combine, offset(slice, before)))
            }

            #[inline(never)]
            fn add_row(combine: Combine, row: &mut [$type], before: &[$type]) {
                vectorized(#[inline(always)] || chosen!(combine, add_row(row, before)))
            }

            #[inline(never)]
            fn add_rows(combine: Combine, row: &mut [$type], before: Lines<'_, $type>, n_rows: usize) {
                // Modules for browsers are to stay small.
                if cfg!(target_arch = "wasm32") {
                    return (0..n_rows).for_each(|k| Self::add_row(combine, row, before.line(k, row.len())));
                }
                vectorized(#[inline(always)] || chosen!(combine, add_rows(row, before, n_rows)))
            }

            #[inline(never)]
            fn widen_row(combine: Combine, wide: &mut [$wide], row: &[$type]) {
                vectorized(#[inline(always)] || chosen!(combine, widen_row(row, wide)))
            }

            #[inline(never)]
            fn join_row(combine: Combine, wide: &mut [$wide], other: &[$wide]) {
                vectorized(#[inline(always)] || chosen!(combine, join_row(wide, other)))
            }
        })*
    };
}
scan! {
    f32 f64 f64::NEG_INFINITY, f64::INFINITY;
    f64 f64 f64::NEG_INFINITY, f64::INFINITY;
    i32 i32 i32::MIN, i32::MAX;
    u32 u32 u32::MIN, u32::MAX;
    i64 i64 i64::MIN, i64::MAX;
    u64 u64 u64::MIN, u64::MAX;
}

#[inline(always)]
fn join<T: Number, C: Two>(a: T, b: T) -> T {
    C::two(a, b)
}

#[inline(always)]
fn scan_chunk<T: Scan, C: Two>(reach: Reach, x: &[T], before: T::Wide, neutral: T::Wide, out: &mut [T]) -> T::Wide {
    let mut local = [T::narrow(neutral); CHUNK];
    let local = &mut local[..x.len()];
    scan_groups::<T, C>(x, local);
    let n_shifted = usize::from(reach == Reach::Exclusive && !x.is_empty());
    let (first, rest) = out.split_at_mut(n_shifted);
    first.fill(T::narrow(before));
    for (y, &sum) in rest.iter_mut().zip(&local[..]) {
        *y = T::narrow(C::two(before, sum.widen()));
    }
    local.last().map_or(before, |&total| C::two(before, total.widen()))
}

/// Running results group by group: within a group each element takes over that 1, 2 and 4 places before it, so that only one
/// operation in [`WIDTH`] has to wait for the group before (Hillis and Steele, "Data parallel algorithms", 1986).
#[inline(always)]
fn scan_groups<T: Scan, C: Two>(x: &[T], sums: &mut [T]) {
    let (groups, tail) = x.as_chunks::<WIDTH>();
    let (sum_groups, sum_tail) = sums.as_chunks_mut::<WIDTH>();
    let mut carried: Option<T> = None;
    for (group, sums) in groups.iter().zip(sum_groups) {
        let g = *group;
        let g: [T; WIDTH] = std::array::from_fn(|k| if k < 1 { g[k] } else { C::two(g[k - 1], g[k]) });
        let g: [T; WIDTH] = std::array::from_fn(|k| if k < 2 { g[k] } else { C::two(g[k - 2], g[k]) });
        let g: [T; WIDTH] = std::array::from_fn(|k| if k < 4 { g[k] } else { C::two(g[k - 4], g[k]) });
        *sums = if let Some(carried) = carried { g.map(|sum| C::two(carried, sum)) } else { g };
        carried = Some(sums[WIDTH - 1]);
    }
    for (&x, sum) in tail.iter().zip(sum_tail) {
        *sum = carried.map_or(x, |carried| C::two(carried, x));
        carried = Some(*sum);
    }
}

#[inline(always)]
fn offset<T: Scan, C: Two>(slice: &mut [T], before: T::Wide) {
    slice.iter_mut().for_each(|x| *x = T::narrow(C::two(before, x.widen())));
}

#[inline(always)]
fn add_row<T: Scan, C: Two>(row: &mut [T], before: &[T]) {
    row.iter_mut().zip(before).for_each(|(x, &sum)| *x = C::two(sum, *x));
}

/// Rows that are combined while a result is in a register, which saves as many loads and stores of it.
const ROWS_AT_ONCE: usize = 8;

#[inline(always)]
fn add_rows<T: Scan, C: Two>(row: &mut [T], before: Lines<'_, T>, n_rows: usize) {
    let len = row.len();
    let n_together = n_rows / ROWS_AT_ONCE * ROWS_AT_ONCE;
    for first in (0..n_together).step_by(ROWS_AT_ONCE) {
        let lines: [&[T]; ROWS_AT_ONCE] = std::array::from_fn(|k| before.line(first + k, len));
        for i in 0..len {
            let mut sum = row[i];
            for line in lines {
                sum = C::two(line[i], sum);
            }
            row[i] = sum;
        }
    }
    (n_together..n_rows).for_each(|k| add_row::<T, C>(row, before.line(k, len)));
}

#[inline(always)]
fn join_row<T: Number, C: Two>(wide: &mut [T], other: &[T]) {
    wide.iter_mut().zip(other).for_each(|(sum, &x)| *sum = C::two(*sum, x));
}

#[inline(always)]
fn widen_row<T: Scan, C: Two>(row: &[T], wide: &mut [T::Wide]) {
    wide.iter_mut().zip(row).for_each(|(sum, &x)| *sum = C::two(*sum, x.widen()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_continue_each_other() {
        let x: Vec<u32> = (1..=100).collect();
        let mut out = vec![0; 100];
        let (left, right) = out.split_at_mut(37);
        let middle = u32::scan(Combine::Sum, Reach::Exclusive, &x[..37], 0, left);
        let end = u32::scan(Combine::Sum, Reach::Exclusive, &x[37..], middle, right);
        assert_eq!(end, 5050);
        assert!(out.iter().zip(0u32..).all(|(&sum, n)| sum == n * (n + 1) / 2));
    }

    #[test]
    fn rows_together_are_the_rows_one_by_one() {
        let x: Vec<f32> = (0..21 * 37).map(|i| (i as f32 * 0.37).sin()).collect();
        let before = Lines { data: &x, stride: 37 };
        for combine in [Combine::Sum, Combine::Prod, Combine::Min, Combine::Max] {
            let (mut one_by_one, mut together) = ([0.5f32; 35], [0.5f32; 35]);
            (0..21).for_each(|k| f32::add_row(combine, &mut one_by_one, &x[k * 37..][..35]));
            f32::add_rows(combine, &mut together, before, 21);
            assert_eq!(together, one_by_one, "{combine:?}");
        }
    }

    #[test]
    fn nothing_leaves_the_carried_result() {
        assert_eq!(f32::scan(Combine::Max, Reach::Exclusive, &[], 3.0, &mut []), 3.0);
    }
}
