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
}

macro_rules! fold {
    ($($type:ident)*) => {
        $(impl Fold for $type {
            #[inline(never)]
            fn fold(combine: Combine, slice: &[Self], identity: Self) -> Self {
                vectorized(
                    #[inline(always)]
                    || match combine {
                        Combine::Sum => fold_lanes(slice, identity, |a, b| a.add(b)),
                        Combine::Prod => fold_lanes(slice, identity, |a, b| a.mul(b)),
                        Combine::Min => fold_lanes(slice, identity, Number::min),
                        Combine::Max => fold_lanes(slice, identity, Number::max),
                    },
                )
            }
        })*
    };
}
fold!(f32 f64 u32);

impl Fold for i32 {
    fn fold(combine: Combine, slice: &[Self], identity: Self) -> Self {
        match combine {
            // Wrapping sums and products have the same bits without a sign, and the same loops.
            Combine::Sum | Combine::Prod => u32::fold(combine, bytemuck::cast_slice(slice), identity as u32) as i32,
            Combine::Min => fold_lanes(slice, identity, Number::min),
            Combine::Max => fold_lanes(slice, identity, Number::max),
        }
    }
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
    join_lanes(&lanes, two)
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

/// The product of a packed panel of 4 rows and one of 8 columns, `a` with 4 elements for each depth and `b` with 8. The sums
/// stay in registers until it is done.
#[inline(never)]
pub fn tile_4x8(a: &[f32], b: &[f32]) -> [[f32; 8]; 4] {
    let mut sums = [[Quad::zero(); 2]; 4];
    for (a, b) in a.as_chunks::<4>().0.iter().zip(b.as_chunks::<8>().0) {
        let b = [Quad::of(&b[..4]), Quad::of(&b[4..])];
        sums[0] = [sums[0][0].plus(a[0], b[0]), sums[0][1].plus(a[0], b[1])];
        sums[1] = [sums[1][0].plus(a[1], b[0]), sums[1][1].plus(a[1], b[1])];
        sums[2] = [sums[2][0].plus(a[2], b[0]), sums[2][1].plus(a[2], b[1])];
        sums[3] = [sums[3][0].plus(a[3], b[0]), sums[3][1].plus(a[3], b[1])];
    }
    sums.map(|[low, high]| {
        let ([a, b, c, d], [e, f, g, h]) = (low.to_array(), high.to_array());
        [a, b, c, d, e, f, g, h]
    })
}

/// Four floats in a register of WASM. Left to itself, the compiler keeps the sums of a tile in memory.
#[cfg(target_arch = "wasm32")]
#[derive(Clone, Copy)]
struct Quad(std::arch::wasm32::v128);

#[cfg(target_arch = "wasm32")]
impl Quad {
    #[inline(always)]
    fn zero() -> Quad {
        Quad(std::arch::wasm32::f32x4_splat(0.0))
    }

    #[inline(always)]
    fn of(values: &[f32]) -> Quad {
        Quad(std::arch::wasm32::f32x4(values[0], values[1], values[2], values[3]))
    }

    /// This plus `factor` times `other`.
    #[inline(always)]
    fn plus(self, factor: f32, other: Quad) -> Quad {
        use std::arch::wasm32::{f32x4_add, f32x4_mul, f32x4_splat};
        Quad(f32x4_add(self.0, f32x4_mul(f32x4_splat(factor), other.0)))
    }

    fn to_array(self) -> [f32; 4] {
        use std::arch::wasm32::f32x4_extract_lane as lane;
        [lane::<0>(self.0), lane::<1>(self.0), lane::<2>(self.0), lane::<3>(self.0)]
    }
}

/// The same anywhere else, for tests.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy)]
struct Quad([f32; 4]);

#[cfg(not(target_arch = "wasm32"))]
impl Quad {
    fn zero() -> Quad {
        Quad([0.0; 4])
    }

    fn of(values: &[f32]) -> Quad {
        Quad([values[0], values[1], values[2], values[3]])
    }

    fn plus(self, factor: f32, other: Quad) -> Quad {
        Quad(std::array::from_fn(|lane| self.0[lane] + factor * other.0[lane]))
    }

    fn to_array(self) -> [f32; 4] {
        self.0
    }
}
