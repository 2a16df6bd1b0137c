//! The inner loops of hand-written CPU kernels.

use crate::vectorized;
use tilework_core::expr::Number;

/// How elements are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// Added.
    Sum,
    /// Multiplied.
    Prod,
    /// The smaller of two; NaN wins.
    Min,
    /// The larger of two; NaN wins.
    Max,
}

/// Running results of a fold: four vectors, which covers the latency of an addition.
const LANES: usize = if cfg!(target_arch = "wasm32") { 16 } else { 32 };

/// An element type whose slices can be combined into one.
pub trait Fold: Number {
    /// Combines a slice by a fixed tree: [`LANES`] running results, then those pairwise.
    fn fold(combine: Combine, slice: &[Self], identity: Self) -> Self;

    /// The sum of the products of two slices of one length, by the same tree.
    fn sum_of_products(a: &[Self], b: &[Self]) -> Self;
}

/// The extremes of floats; a module for browsers is to stay small.
macro_rules! least {
    ($float:ident $x:expr, $identity:expr) => {
        if cfg!(target_arch = "wasm32") {
            fold_lanes($x, $identity, Number::min)
        } else {
            extreme_lanes($x, $identity, |a: $float, b| if b < a { b } else { a })
        }
    };
}
macro_rules! most {
    ($float:ident $x:expr, $identity:expr) => {
        if cfg!(target_arch = "wasm32") {
            fold_lanes($x, $identity, Number::max)
        } else {
            extreme_lanes($x, $identity, |a: $float, b| if b > a { b } else { a })
        }
    };
}

macro_rules! fold {
    ($($type:ident $min:expr, $max:expr;)*) => {
        $(impl Fold for $type {
            #[inline(never)]
            fn fold(combine: Combine, slice: &[Self], identity: Self) -> Self {
                vectorized(
                    #[inline(always)]
                    || match combine {
                        Combine::Sum => fold_lanes(slice, identity, |a, b| a.add(b)),
                        Combine::Prod => fold_lanes(slice, identity, |a, b| a.mul(b)),
                        Combine::Min => $min(slice, identity),
                        Combine::Max => $max(slice, identity),
                    },
                )
            }

            #[inline(never)]
            fn sum_of_products(a: &[Self], b: &[Self]) -> Self {
                vectorized(
                    #[inline(always)]
                    || sum_lanes(a, b, |a, b| a.mul(b)),
                )
            }
        })*
    };
}
fold! {
    f32 |x, i| least!(f32 x, i), |x, i| most!(f32 x, i);
    f64 |x, i| least!(f64 x, i), |x, i| most!(f64 x, i);
    u32 |x, i| fold_lanes(x, i, Number::min), |x, i| fold_lanes(x, i, Number::max);
    i64 |x, i| fold_lanes(x, i, Number::min), |x, i| fold_lanes(x, i, Number::max);
    u64 |x, i| fold_lanes(x, i, Number::min), |x, i| fold_lanes(x, i, Number::max);
}

/// The extreme of floats, NaN if there is one. An extreme that keeps NaN takes several instructions; one that ignores it, and a sum that
/// finds it (of zeros, or of NaN), take two.
#[inline(always)]
fn extreme_lanes<T: Number + Default>(slice: &[T], identity: T, better: impl Fn(T, T) -> T) -> T {
    let (mut lanes, mut marks) = ([identity; LANES], [T::default(); LANES]);
    let (groups, tail) = slice.as_chunks::<LANES>();
    for group in groups {
        for k in 0..LANES {
            lanes[k] = better(lanes[k], group[k]);
            // Infinities are marked, too: they are looked at again, which is rare.
            marks[k] = marks[k].add(zero_or_nan(group[k]));
        }
    }
    for ((lane, mark), &x) in lanes.iter_mut().zip(&mut marks).zip(tail) {
        *lane = better(*lane, x);
        *mark = mark.add(zero_or_nan(x));
    }
    let (results, sums) = (lanes, marks);
    let sum = join_lanes(
        &sums,
        #[inline(always)]
        |a, b| a.add(b),
    );
    let is_nan = |x: &T| x.partial_cmp(x).is_none();
    if is_nan(&sum) && slice.iter().any(is_nan) {
        return sum;
    }
    join_lanes(&results, better)
}

/// What a finite number less itself is, and what others are.
#[inline(always)]
fn zero_or_nan<T: Number>(x: T) -> T {
    x.sub(x)
}

impl Fold for i32 {
    fn fold(combine: Combine, slice: &[Self], identity: Self) -> Self {
        match combine {
            // Wrapping sums and products have the same bits without a sign, and the same loops.
            Combine::Sum | Combine::Prod => u32::fold(combine, bytemuck::cast_slice(slice), identity as u32) as i32,
            // A module for browsers is to stay small.
            Combine::Min if cfg!(target_arch = "wasm32") => fold_lanes(slice, identity, Number::min),
            Combine::Max if cfg!(target_arch = "wasm32") => fold_lanes(slice, identity, Number::max),
            Combine::Min => int_extreme(
                slice,
                identity,
                #[inline(always)]
                |a, b| if b < a { b } else { a },
            ),
            Combine::Max => int_extreme(
                slice,
                identity,
                #[inline(always)]
                |a, b| if b > a { b } else { a },
            ),
        }
    }

    fn sum_of_products(a: &[Self], b: &[Self]) -> Self {
        u32::sum_of_products(bytemuck::cast_slice(a), bytemuck::cast_slice(b)) as i32
    }
}

#[inline(never)]
fn int_extreme(slice: &[i32], identity: i32, two: impl Fn(i32, i32) -> i32 + Copy) -> i32 {
    vectorized(
        #[inline(always)]
        || fold_lanes(slice, identity, two),
    )
}

#[inline(always)]
fn fold_lanes<T: Number>(slice: &[T], identity: T, two: impl Fn(T, T) -> T) -> T {
    let mut lanes = [identity; LANES];
    let groups = slice.chunks_exact(LANES);
    let tail = groups.remainder();
    for group in groups {
        for k in 0..LANES {
            lanes[k] = two(lanes[k], group[k]);
        }
    }
    for (lane, &x) in lanes.iter_mut().zip(tail) {
        *lane = two(*lane, x);
    }
    // A copy is what has an address, so that the results themselves can stay in registers.
    let results = lanes;
    join_lanes(&results, two)
}

/// The largest of `slice` and `lowest`, apart from NaN: one instruction a vector, where a maximum that keeps NaN takes four.
#[inline(always)]
pub(crate) fn highest<T: Number + PartialOrd>(slice: &[T], lowest: T) -> T {
    vectorized(
        #[inline(always)]
        || {
            fold_lanes(
                slice,
                lowest,
                #[inline(always)]
                |a, b| if a < b { b } else { a },
            )
        },
    )
}

/// Combines running results pairwise. Not inlined: next to the loop that makes them, their last two decide that they are all
/// computed two at a time.
#[inline(never)]
fn join_lanes<T: Copy>(lanes: &[T; LANES], two: impl Fn(T, T) -> T) -> T {
    let mut lanes = *lanes;
    // Every width is written out, because a loop over widths is not unrolled.
    if LANES == 32 {
        halve::<T, 16>(&mut lanes, &two);
    }
    halve::<T, 8>(&mut lanes, &two);
    halve::<T, 4>(&mut lanes, &two);
    halve::<T, 2>(&mut lanes, &two);
    two(lanes[0], lanes[1])
}

#[inline(always)]
fn halve<T: Copy, const WIDTH: usize>(lanes: &mut [T; LANES], two: &impl Fn(T, T) -> T) {
    for k in 0..WIDTH {
        lanes[k] = two(lanes[k], lanes[k + WIDTH]);
    }
}

/// The sum of `term` over two slices of one length, by the same tree as [`Fold::fold`].
#[inline(always)]
pub(crate) fn sum_lanes<T: Number + Default>(a: &[T], b: &[T], term: impl Fn(T, T) -> T) -> T {
    let mut lanes = [T::default(); LANES];
    let ((a_groups, a_tail), (b_groups, b_tail)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    for (a, b) in a_groups.iter().zip(b_groups) {
        for k in 0..LANES {
            lanes[k] = lanes[k].add(term(a[k], b[k]));
        }
    }
    for ((lane, &a), &b) in lanes.iter_mut().zip(a_tail).zip(b_tail) {
        *lane = lane.add(term(a, b));
    }
    // A copy is what has an address, so that the sums themselves can stay in registers.
    let sums = lanes;
    join_lanes(
        &sums,
        #[inline(always)]
        |a, b| a.add(b),
    )
}

#[inline(always)]
pub(crate) fn update<T: Copy>(slice: &mut [T], change: impl Fn(T) -> T) {
    vectorized(
        #[inline(always)]
        || slice.iter_mut().for_each(|x| *x = change(*x)),
    );
}

#[inline(always)]
pub(crate) fn convert<T: Copy>(y: &mut [T], x: &[T], change: impl Fn(T) -> T) {
    vectorized(
        #[inline(always)]
        || y.iter_mut().zip(x).for_each(|(y, &x)| *y = change(x)),
    );
}
