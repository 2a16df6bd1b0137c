//! The inner loops of hand-written CPU kernels.

#[cfg(target_arch = "x86_64")]
mod x86;

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

/// Bytes of the running results of a fold: four of the longest vectors, which covers the latency of an addition.
const LANE_BYTES: usize = if cfg!(target_arch = "wasm32") { 64 } else { 256 };

/// An element type whose slices can be combined into one.
pub trait Fold: Number {
    /// Combines a slice by a fixed tree: running results of [`LANE_BYTES`], then those by halves.
    fn fold(combine: Combine, slice: &[Self], identity: Self) -> Self;

    /// The sum of the products of two slices of one length, by the same tree.
    fn sum_of_products(a: &[Self], b: &[Self]) -> Self;
}

macro_rules! fold {
    ($($type:ident)*) => {
        $(impl Fold for $type {
            #[inline(never)]
            fn fold(combine: Combine, slice: &[Self], identity: Self) -> Self {
                #[cfg(target_arch = "x86_64")]
                if let Some(folded) = <$type as x86::Simd>::fold(combine, slice, identity) {
                    let is_nan = |x: &$type| x.partial_cmp(x).is_none();
                    // A mark tells of infinities, too, which are as rare.
                    return if is_nan(&folded.mark) && slice.iter().any(is_nan) { folded.mark } else { folded.result };
                }
                const LANES: usize = LANE_BYTES / size_of::<$type>();
                vectorized(
                    #[inline(always)]
                    || match combine {
                        Combine::Sum => fold_lanes::<$type, LANES>(slice, identity, |a, b| a.add(b)),
                        Combine::Prod => fold_lanes::<$type, LANES>(slice, identity, |a, b| a.mul(b)),
                        Combine::Min => fold_lanes::<$type, LANES>(slice, identity, Number::min),
                        Combine::Max => fold_lanes::<$type, LANES>(slice, identity, Number::max),
                    },
                )
            }

            #[inline(never)]
            fn sum_of_products(a: &[Self], b: &[Self]) -> Self {
                #[cfg(target_arch = "x86_64")]
                if let Some(sum) = <$type as x86::Simd>::sum_of_products(a, b) {
                    return sum;
                }
                vectorized(
                    #[inline(always)]
                    || sum_lanes::<$type, { LANE_BYTES / size_of::<$type>() }>(a, b, |a, b| a.mul(b)),
                )
            }
        })*
    };
}
fold!(f32 f64 u32 i64 u64);

impl Fold for i32 {
    fn fold(combine: Combine, slice: &[Self], identity: Self) -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(folded) = <i32 as x86::Simd>::fold(combine, slice, identity) {
            return folded.result;
        }
        match combine {
            // Wrapping sums and products have the same bits without a sign, and the same loops.
            Combine::Sum | Combine::Prod => u32::fold(combine, bytemuck::cast_slice(slice), identity as u32) as i32,
            Combine::Min => fold_lanes::<i32, 16>(slice, identity, Number::min),
            Combine::Max => fold_lanes::<i32, 16>(slice, identity, Number::max),
        }
    }

    fn sum_of_products(a: &[Self], b: &[Self]) -> Self {
        u32::sum_of_products(bytemuck::cast_slice(a), bytemuck::cast_slice(b)) as i32
    }
}

#[inline(always)]
fn fold_lanes<T: Number, const LANES: usize>(slice: &[T], identity: T, two: impl Fn(T, T) -> T) -> T {
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
            fold_lanes::<T, 16>(
                slice,
                lowest,
                #[inline(always)]
                |a, b| if a < b { b } else { a },
            )
        },
    )
}

/// Combines running results by halves. Not inlined: next to the loop that makes them, their last two decide that they are all
/// computed two at a time.
#[inline(never)]
fn join_lanes<T: Copy, const LANES: usize>(lanes: &[T; LANES], two: impl Fn(T, T) -> T) -> T {
    let mut lanes = *lanes;
    let mut half = LANES / 2;
    while half > 0 {
        for k in 0..half {
            lanes[k] = two(lanes[k], lanes[k + half]);
        }
        half /= 2;
    }
    lanes[0]
}

/// The sum of `term` over two slices of one length, by the same tree as [`Fold::fold`].
#[inline(always)]
pub(crate) fn sum_lanes<T: Number + Default, const LANES: usize>(a: &[T], b: &[T], term: impl Fn(T, T) -> T) -> T {
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
