//! Folds by instructions of x86-64 chosen by hand.
//!
//! The compiler turns the plain loops into vectors for some types and operations and not for others, and every change of one may
//! decide about its neighbours. A fold is the whole of a reduction, so it is worth knowing. The tree is that of the plain loops: element
//! `i` belongs to lane `i mod LANES`, and lanes are joined by halves.

use super::{Combine, LANE_BYTES};
use crate::Level;
use std::arch::x86_64::*;
use tilework_core::expr::Number;

/// Elements of the longest vector of the shortest elements.
const MAX_LANES: usize = 16;

/// A type whose folds are here.
pub(super) trait Simd: Number + Default {
    /// The fold of [`super::Fold::fold`], if a machine of this level, which it must be, has instructions for it. Extremes of floats are those of what is no NaN,
    /// with [a mark](Folded::mark).
    fn fold(level: Level, combine: Combine, slice: &[Self], identity: Self) -> Option<Folded<Self>>;

    /// The sum of products, likewise.
    fn sum_of_products(level: Level, a: &[Self], b: &[Self]) -> Option<Self>;
}

/// What a fold found.
pub(super) struct Folded<T> {
    pub(super) result: T,
    /// For an extreme: 0 if every element is finite, else NaN.
    pub(super) mark: T,
}

/// A vector register and what it can do.
trait Vector: Copy {
    type Element: Number + Default;
    const N: usize;
    unsafe fn splat(x: Self::Element) -> Self;
    unsafe fn load(from: *const Self::Element) -> Self;
    unsafe fn store(self, to: *mut Self::Element);
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn mul(self, other: Self) -> Self;
    /// The smaller; of two where one is NaN, `other`.
    unsafe fn min(self, other: Self) -> Self;
    /// The larger; of two where one is NaN, `other`.
    unsafe fn max(self, other: Self) -> Self;
    /// 0 where it is a finite number, NaN elsewhere; 0 for integers.
    unsafe fn zero_or_nan(self) -> Self;
}

macro_rules! vectors {
    ($($Name:ident($Register:ident) $element:ident: $load:ident $store:ident $splat:ident $add:ident $mul:ident $min:ident $max:ident $sub:ident;)*) => {
        $(#[derive(Clone, Copy)]
        struct $Name($Register);

        impl Vector for $Name {
            type Element = $element;
            const N: usize = size_of::<$Register>() / size_of::<$element>();
            #[inline(always)]
            unsafe fn splat(x: $element) -> Self {
                // SAFETY: who calls has made sure that the machine has the instruction; so below.
                unsafe { $Name($splat(x as _)) }
            }
            #[inline(always)]
            unsafe fn load(from: *const $element) -> Self {
                // SAFETY: and that there are as many elements.
                unsafe { $Name($load(from.cast())) }
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $element) {
                // SAFETY: and that there are as many elements.
                unsafe { $store(to.cast(), self.0) }
            }
            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                // SAFETY: as above.
                unsafe { $Name($add(self.0, other.0)) }
            }
            #[inline(always)]
            unsafe fn mul(self, other: Self) -> Self {
                // SAFETY: as above.
                unsafe { $Name($mul(self.0, other.0)) }
            }
            #[inline(always)]
            unsafe fn min(self, other: Self) -> Self {
                // SAFETY: as above.
                unsafe { $Name($min(self.0, other.0)) }
            }
            #[inline(always)]
            unsafe fn max(self, other: Self) -> Self {
                // SAFETY: as above.
                unsafe { $Name($max(self.0, other.0)) }
            }
            #[inline(always)]
            unsafe fn zero_or_nan(self) -> Self {
                // SAFETY: as above.
                unsafe { $Name($sub(self.0, self.0)) }
            }
        })*
    };
}
vectors! {
    F32x16(__m512) f32: _mm512_loadu_ps _mm512_storeu_ps _mm512_set1_ps _mm512_add_ps _mm512_mul_ps _mm512_min_ps _mm512_max_ps _mm512_sub_ps;
    F64x8(__m512d) f64: _mm512_loadu_pd _mm512_storeu_pd _mm512_set1_pd _mm512_add_pd _mm512_mul_pd _mm512_min_pd _mm512_max_pd _mm512_sub_pd;
    I32x16(__m512i) i32: _mm512_loadu_si512 _mm512_storeu_si512 _mm512_set1_epi32 _mm512_add_epi32 _mm512_mullo_epi32 _mm512_min_epi32 _mm512_max_epi32 _mm512_sub_epi32;
    U32x16(__m512i) u32: _mm512_loadu_si512 _mm512_storeu_si512 _mm512_set1_epi32 _mm512_add_epi32 _mm512_mullo_epi32 _mm512_min_epu32 _mm512_max_epu32 _mm512_sub_epi32;
    I64x8(__m512i) i64: _mm512_loadu_si512 _mm512_storeu_si512 _mm512_set1_epi64 _mm512_add_epi64 _mm512_mullo_epi64 _mm512_min_epi64 _mm512_max_epi64 _mm512_sub_epi64;
    U64x8(__m512i) u64: _mm512_loadu_si512 _mm512_storeu_si512 _mm512_set1_epi64 _mm512_add_epi64 _mm512_mullo_epi64 _mm512_min_epu64 _mm512_max_epu64 _mm512_sub_epi64;
    F32x8(__m256) f32: _mm256_loadu_ps _mm256_storeu_ps _mm256_set1_ps _mm256_add_ps _mm256_mul_ps _mm256_min_ps _mm256_max_ps _mm256_sub_ps;
    F64x4(__m256d) f64: _mm256_loadu_pd _mm256_storeu_pd _mm256_set1_pd _mm256_add_pd _mm256_mul_pd _mm256_min_pd _mm256_max_pd _mm256_sub_pd;
    I32x8(__m256i) i32: _mm256_loadu_si256 _mm256_storeu_si256 _mm256_set1_epi32 _mm256_add_epi32 _mm256_mullo_epi32 _mm256_min_epi32 _mm256_max_epi32 _mm256_sub_epi32;
    U32x8(__m256i) u32: _mm256_loadu_si256 _mm256_storeu_si256 _mm256_set1_epi32 _mm256_add_epi32 _mm256_mullo_epi32 _mm256_min_epu32 _mm256_max_epu32 _mm256_sub_epi32;
}

/// Entry points: one function for each type and level, so that everything it calls is compiled for the level.
macro_rules! entries {
    ($($element:ident: $Avx512:ident $(, $Avx2:ident)?;)*) => {
        $(impl Simd for $element {
            fn fold(level: Level, combine: Combine, slice: &[Self], identity: Self) -> Option<Folded<Self>> {
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
                fn avx512(combine: Combine, slice: &[$element], identity: $element) -> Folded<$element> {
                    // SAFETY: this function is called on machines that have the instructions.
                    unsafe { fold::<$Avx512, { LANE_BYTES / size_of::<__m512i>() }>(combine, slice, identity) }
                }
                $(#[target_feature(enable = "avx2")]
                fn avx2(combine: Combine, slice: &[$element], identity: $element) -> Folded<$element> {
                    // SAFETY: likewise.
                    unsafe { fold::<$Avx2, { LANE_BYTES / size_of::<__m256i>() }>(combine, slice, identity) }
                })?
                match level {
                    // SAFETY: the level says that the machine has them.
                    Level::Avx512 => Some(unsafe { avx512(combine, slice, identity) }),
                    $(Level::Avx2 => {
                        _ = size_of::<$Avx2>();
                        // SAFETY: likewise.
                        Some(unsafe { avx2(combine, slice, identity) })
                    })?
                    _ => None,
                }
            }

            fn sum_of_products(level: Level, a: &[Self], b: &[Self]) -> Option<Self> {
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
                fn avx512(a: &[$element], b: &[$element]) -> $element {
                    // SAFETY: this function is called on machines that have the instructions.
                    unsafe { dot::<$Avx512, { LANE_BYTES / size_of::<__m512i>() }>(a, b) }
                }
                $(#[target_feature(enable = "avx2")]
                fn avx2(a: &[$element], b: &[$element]) -> $element {
                    // SAFETY: likewise.
                    unsafe { dot::<$Avx2, { LANE_BYTES / size_of::<__m256i>() }>(a, b) }
                })?
                match level {
                    // SAFETY: the level says that the machine has them.
                    Level::Avx512 => Some(unsafe { avx512(a, b) }),
                    $(Level::Avx2 => {
                        _ = size_of::<$Avx2>();
                        // SAFETY: likewise.
                        Some(unsafe { avx2(a, b) })
                    })?
                    _ => None,
                }
            }
        })*
    };
}
entries! {
    f32: F32x16, F32x8;
    f64: F64x8, F64x4;
    i32: I32x16, I32x8;
    u32: U32x16, U32x8;
    i64: I64x8;
    u64: U64x8;
}

#[inline(always)]
unsafe fn fold<V: Vector, const ROWS: usize>(
    combine: Combine,
    slice: &[V::Element],
    identity: V::Element,
) -> Folded<V::Element> {
    // SAFETY: as for the caller.
    unsafe {
        match combine {
            Combine::Sum => plain::<V, ROWS>(slice, identity, |a, b| a.add(b), |a, b| a.add(b)),
            Combine::Prod => plain::<V, ROWS>(slice, identity, |a, b| a.mul(b), |a, b| a.mul(b)),
            Combine::Min => extreme::<V, ROWS>(slice, identity, |a, b| a.min(b), |a, b| if a < b { a } else { b }),
            Combine::Max => extreme::<V, ROWS>(slice, identity, |a, b| a.max(b), |a, b| if a > b { a } else { b }),
        }
    }
}

#[inline(always)]
unsafe fn plain<V: Vector, const ROWS: usize>(
    slice: &[V::Element],
    identity: V::Element,
    two: impl Fn(V, V) -> V,
    two_numbers: impl Fn(V::Element, V::Element) -> V::Element,
) -> Folded<V::Element> {
    // SAFETY: every load is of elements that are there.
    unsafe {
        let mut rows = [V::splat(identity); ROWS];
        let blocks = slice.chunks_exact(ROWS * V::N);
        let rest = blocks.remainder();
        for block in blocks {
            for r in 0..ROWS {
                rows[r] = two(V::load(block.as_ptr().add(r * V::N)), rows[r]);
            }
        }
        for r in 0..ROWS {
            if rest.len() >= (r + 1) * V::N {
                rows[r] = two(V::load(rest.as_ptr().add(r * V::N)), rows[r]);
            }
        }
        let tail = &rest[rest.len() / V::N * V::N..];
        let row = &mut rows[rest.len() / V::N % ROWS];
        *row = with_tail(*row, tail, &two_numbers);
        Folded { result: joined(rows, &two, &two_numbers), mark: V::Element::default() }
    }
}

#[inline(always)]
unsafe fn extreme<V: Vector, const ROWS: usize>(
    slice: &[V::Element],
    identity: V::Element,
    better: impl Fn(V, V) -> V,
    better_number: impl Fn(V::Element, V::Element) -> V::Element,
) -> Folded<V::Element> {
    // SAFETY: every load is of elements that are there.
    unsafe {
        let mut rows = [V::splat(identity); ROWS];
        let mut marks = [V::splat(V::Element::default()); ROWS];
        let blocks = slice.chunks_exact(ROWS * V::N);
        let rest = blocks.remainder();
        for block in blocks {
            for r in 0..ROWS {
                let x = V::load(block.as_ptr().add(r * V::N));
                rows[r] = better(x, rows[r]);
                marks[r] = marks[r].add(x.zero_or_nan());
            }
        }
        for r in 0..ROWS {
            if rest.len() >= (r + 1) * V::N {
                let x = V::load(rest.as_ptr().add(r * V::N));
                rows[r] = better(x, rows[r]);
                marks[r] = marks[r].add(x.zero_or_nan());
            }
        }
        let (add, add_numbers) = (|a: V, b: V| a.add(b), |a: V::Element, b: V::Element| a.add(b));
        let mut mark = joined(marks, &add, &add_numbers);
        let mut result = joined(rows, &better, &better_number);
        for &x in &rest[rest.len() / V::N * V::N..] {
            result = better_number(x, result);
            mark = mark.add(x.sub(x));
        }
        Folded { result, mark }
    }
}

#[inline(always)]
unsafe fn dot<V: Vector, const ROWS: usize>(a: &[V::Element], b: &[V::Element]) -> V::Element {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    // SAFETY: every load is of elements that are there.
    unsafe {
        let mut rows = [V::splat(V::Element::default()); ROWS];
        let (a_blocks, b_blocks) = (a.chunks_exact(ROWS * V::N), b.chunks_exact(ROWS * V::N));
        let (a_rest, b_rest) = (a_blocks.remainder(), b_blocks.remainder());
        for (a, b) in a_blocks.zip(b_blocks) {
            for r in 0..ROWS {
                let product = V::load(a.as_ptr().add(r * V::N)).mul(V::load(b.as_ptr().add(r * V::N)));
                rows[r] = product.add(rows[r]);
            }
        }
        for r in 0..ROWS {
            if a_rest.len() >= (r + 1) * V::N {
                let product = V::load(a_rest.as_ptr().add(r * V::N)).mul(V::load(b_rest.as_ptr().add(r * V::N)));
                rows[r] = product.add(rows[r]);
            }
        }
        let (add, add_numbers) = (|a: V, b: V| a.add(b), |a: V::Element, b: V::Element| a.add(b));
        let begin = a_rest.len() / V::N * V::N;
        let mut products = [V::Element::default(); MAX_LANES];
        for (k, (&a, &b)) in a_rest[begin..].iter().zip(&b_rest[begin..]).enumerate() {
            products[k] = a.mul(b);
        }
        let row = &mut rows[begin / V::N % ROWS];
        *row = with_tail(*row, &products[..n - (n / V::N) * V::N], &add_numbers);
        joined(rows, &add, &add_numbers)
    }
}

/// A row whose first elements are combined with those of `tail`, which is shorter than it.
#[inline(always)]
unsafe fn with_tail<V: Vector>(
    row: V,
    tail: &[V::Element],
    two_numbers: &impl Fn(V::Element, V::Element) -> V::Element,
) -> V {
    if tail.is_empty() {
        return row;
    }
    let mut elements = [V::Element::default(); MAX_LANES];
    // SAFETY: the array is as long as the longest vector of the shortest elements.
    unsafe {
        row.store(elements.as_mut_ptr());
        for (element, &x) in elements.iter_mut().zip(tail) {
            *element = two_numbers(x, *element);
        }
        V::load(elements.as_ptr())
    }
}

/// All lanes in one, by halves.
#[inline(always)]
unsafe fn joined<V: Vector, const ROWS: usize>(
    mut rows: [V; ROWS],
    two: &impl Fn(V, V) -> V,
    two_numbers: &impl Fn(V::Element, V::Element) -> V::Element,
) -> V::Element {
    let mut half = ROWS / 2;
    while half > 0 {
        for r in 0..half {
            rows[r] = two(rows[r], rows[r + half]);
        }
        half /= 2;
    }
    let mut lanes = [V::Element::default(); MAX_LANES];
    // SAFETY: the array is as long as the longest vector of the shortest elements.
    unsafe { rows[0].store(lanes.as_mut_ptr()) };
    let mut half = V::N / 2;
    while half > 0 {
        for k in 0..half {
            lanes[k] = two_numbers(lanes[k], lanes[k + half]);
        }
        half /= 2;
    }
    lanes[0]
}
