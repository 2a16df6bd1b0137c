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
    let mut width = LANES / 2;
    while width > 0 {
        for k in 0..width {
            lanes[k] = two(lanes[k], lanes[k + width]);
        }
        width /= 2;
    }
    lanes[0]
}

#[inline(always)]
pub(crate) fn update<T: Copy>(slice: &mut [T], change: impl Fn(T) -> T) {
    vectorized(
        #[inline(always)]
        || slice.iter_mut().for_each(|x| *x = change(*x)),
    );
}
