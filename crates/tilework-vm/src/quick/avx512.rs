//! Partition and small sorts for x86-64 with AVX-512, which brings chosen lanes to the front of a vector by itself.
//!
//! Compressing straight into memory would take one instruction less, and a hundred cycles more on Zen 4.

use super::Gap;
use super::network_avx512::{LANES, lanes_below, sort_128, sort_256};
use std::arch::x86_64::*;

/// Words that the larger network sorts: they fill sixteen registers.
pub(super) const FEW: usize = 256;

/// A proof that this machine has AVX-512, and is to use it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernels(());

impl Kernels {
    pub(super) fn detect() -> Option<Kernels> {
        (crate::level() >= crate::Level::Avx512).then_some(Kernels(()))
    }

    /// Moves words to their sides of the gap, which has room for them.
    #[inline]
    pub(super) fn partition(self, from: &[u32], gap: &mut Gap<'_>, pivot: u32) {
        // SAFETY: `Kernels` is only made where the features are there.
        unsafe { partition(from, gap, pivot) }
    }

    /// Sorts the at most [`FEW`] words of `from`, or those that are there already, into `to`.
    #[inline]
    pub(super) fn sort_few(self, from: Option<&[u32]>, to: &mut [u32]) {
        let sort = if to.len() > FEW / 2 { sort_256 } else { sort_128 };
        // SAFETY: as above.
        unsafe { sort(from, to) }
    }
}

#[target_feature(enable = "avx512f,bmi2,popcnt")]
fn partition(from: &[u32], gap: &mut Gap<'_>, pivot: u32) {
    let (vectors, rest) = from.as_chunks::<LANES>();
    // Two stores of a whole vector need a gap of two.
    let n_safe = vectors.len().min((gap.len() / LANES).saturating_sub(1));
    put_vectors(&vectors[..n_safe], gap, pivot);
    vectors[n_safe..].iter().for_each(|vector| put_some(vector, gap, pivot));
    put_some(rest, gap, pivot);
}

/// Puts whole vectors to their sides. The gap must be at least one vector longer than they are.
#[inline]
#[target_feature(enable = "avx512f,bmi2,popcnt")]
fn put_vectors(vectors: &[[u32; LANES]], gap: &mut Gap<'_>, pivot: u32) {
    let (mut left, mut len) = (gap.left, gap.len());
    assert!(gap.right <= gap.words.len() && vectors.len() * LANES <= len, "words have room in the gap");
    let pivot = _mm512_set1_epi32(pivot as i32);
    let words = gap.words.as_mut_ptr();
    let mut put = |vector: __m512i| {
        let is_right = _mm512_cmpge_epu32_mask(vector, pivot);
        let n_left = is_right.count_zeros() as usize;
        let lefts = _mm512_maskz_compress_epi32(!is_right, vector);
        let rights = _mm512_maskz_compress_epi32(is_right, vector);
        let ordered = _mm512_mask_expand_epi32(lefts, !lanes_below(n_left), rights);
        len -= LANES;
        // SAFETY: the gap from `left` on loses as many words as it is given, and has at least those of the vectors to come.
        unsafe {
            _mm512_storeu_si512(words.add(left).cast(), ordered);
            _mm512_storeu_si512(words.add(left + len).cast(), ordered);
        }
        left += n_left;
    };
    let (fours, rest) = vectors.as_chunks::<4>();
    for [a, b, c, d] in fours {
        // All loads first: the compiler cannot move them before stores.
        let (a, b, c, d) = (load(a), load(b), load(c), load(d));
        put(a);
        put(b);
        put(c);
        put(d);
    }
    for vector in rest {
        put(load(vector));
    }
    (gap.left, gap.right) = (left, left + len);
}

/// Puts at most sixteen words to their sides of a gap that has room for them.
#[inline]
#[target_feature(enable = "avx512f,bmi2,popcnt")]
fn put_some(words: &[u32], gap: &mut Gap<'_>, pivot: u32) {
    assert!(gap.right <= gap.words.len() && words.len() <= gap.len().min(LANES), "words have room in the gap");
    let taken = lanes_below(words.len());
    // SAFETY: only lanes that are inside of the slice are read.
    let vector = unsafe { _mm512_maskz_loadu_epi32(taken, words.as_ptr().cast()) };
    let right = _mm512_mask_cmpge_epu32_mask(taken, vector, _mm512_set1_epi32(pivot as i32));
    let left = taken & !right;
    let (n_left, n_right) = (left.count_ones() as usize, right.count_ones() as usize);
    gap.right -= n_right;
    let at = gap.words.as_mut_ptr();
    // SAFETY: both sides together get as many words as there are, and the gap has room for all of them.
    unsafe {
        let lefts = _mm512_maskz_compress_epi32(left, vector);
        _mm512_mask_storeu_epi32(at.add(gap.left).cast(), lanes_below(n_left), lefts);
        let rights = _mm512_maskz_compress_epi32(right, vector);
        _mm512_mask_storeu_epi32(at.add(gap.right).cast(), lanes_below(n_right), rights);
    }
    gap.left += n_left;
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(words: &[u32; LANES]) -> __m512i {
    // SAFETY: the array has sixteen words.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}
