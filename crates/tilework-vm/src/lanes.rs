//! The inner loops of hand-written CPU kernels.

#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(target_arch = "x86_64")]
use crate::level;
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
                if let Some(folded) = <$type as x86::Simd>::fold(level(), combine, slice, identity) {
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
                if let Some(sum) = <$type as x86::Simd>::sum_of_products(level(), a, b) {
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
        if let Some(folded) = <i32 as x86::Simd>::fold(level(), combine, slice, identity) {
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

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::Level;

    /// Numbers whose sums round, of both signs.
    fn values(n: usize) -> Vec<f64> {
        (0..n).map(|i| ((i * 7919 + 3) % 1009) as f64 / 64.3 - 7.0).collect()
    }

    fn levels() -> impl Iterator<Item = Level> {
        [Level::Avx2, Level::Avx512].into_iter().filter(|&wanted| wanted <= level())
    }

    macro_rules! same_tree {
        ($($type:ident)*) => {$({
            const LANES: usize = LANE_BYTES / size_of::<$type>();
            for n in [0, 1, 7, 15, 16, 17, 63, 64, 65, 100, 127, 128, 200, 1000, 1023] {
                let x: Vec<$type> = values(n).into_iter().map(|x| x as $type).collect();
                for level in levels() {
                    let plain = fold_lanes::<$type, LANES>(&x, 0 as $type, |a, b| a.add(b));
                    if let Some(folded) = <$type as x86::Simd>::fold(level, Combine::Sum, &x, 0 as $type) {
                        assert_eq!(folded.result.to_le_bytes(), plain.to_le_bytes(), "{level:?} {n}");
                    }
                    let plain = sum_lanes::<$type, LANES>(&x, &x, |a, b| a.mul(b));
                    if let Some(sum) = <$type as x86::Simd>::sum_of_products(level, &x, &x) {
                        assert_eq!(sum.to_le_bytes(), plain.to_le_bytes(), "{level:?} {n}");
                    }
                    for (combine, start) in [(Combine::Min, $type::MAX), (Combine::Max, $type::MIN)] {
                        let plain = x.iter().fold(start, |a, &b| if (b < a) == (combine == Combine::Min) { b } else { a });
                        if let Some(folded) = <$type as x86::Simd>::fold(level, combine, &x, start) {
                            assert_eq!(folded.result, plain, "{level:?} {n}");
                        }
                    }
                }
            }
        })*};
    }

    #[test]
    fn every_level_combines_by_the_same_tree() {
        same_tree!(f32 f64 i32 u32 i64 u64);
    }

    #[test]
    fn extremes_keep_nan_wherever_it_is_and_infinities_alone_do_not_make_one() {
        for at in [0, 5, 63, 64, 120, 129] {
            let mut x: Vec<f32> = values(130).into_iter().map(|x| x as f32).collect();
            x[at] = f32::INFINITY;
            assert_eq!(<f32 as Fold>::fold(Combine::Max, &x, f32::NEG_INFINITY), f32::INFINITY);
            assert_eq!(
                <f32 as Fold>::fold(Combine::Min, &x, f32::INFINITY),
                x.iter().copied().fold(f32::INFINITY, f32::min)
            );
            x[at] = f32::NAN;
            assert!(<f32 as Fold>::fold(Combine::Max, &x, f32::NEG_INFINITY).is_nan());
            assert!(<f32 as Fold>::fold(Combine::Min, &x, f32::INFINITY).is_nan());
        }
    }
}
