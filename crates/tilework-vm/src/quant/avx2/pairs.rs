//! Codes of two neighbouring groups, and their products with two groups of a vector.
//!
//! The first register holds the first halves of both groups, the second their second halves; so do vectors ([`super::super::bytes`]).

use super::Row;
use std::arch::x86_64::*;
use tilework_core::quant::packed::{Codes, IQ4_VALUES, MXFP4_VALUES};

/// First and second halves of two groups.
pub(super) type Pair = [__m256i; 2];

/// The values of groups `group` and `group + 1`, as far as they are among the next `n`; zeros for others.
///
/// # Safety
/// `n` groups from `group` on must be the row's.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn pair_of<const LOW: u32, const HIGH: u32, const CODES: u32>(
    row: &Row<'_>,
    group: usize,
    n: usize,
) -> Pair {
    if n == 0 {
        return [_mm256_setzero_si256(); 2];
    }
    let words = row.words.as_ptr();
    // SAFETY: planes hold the bits of all groups, one after the other.
    let mut pair = unsafe { plane::<LOW>(words.add(group * LOW as usize), n > 1) };
    if HIGH > 0 {
        let at = row.n_groups * LOW as usize + group * HIGH as usize;
        // SAFETY: the same.
        let high = unsafe { plane::<HIGH>(words.add(at), n > 1) };
        for (low, high) in pair.iter_mut().zip(high) {
            // Bytes are small: shifting words carries nothing into a neighbour.
            let high = if LOW == 4 { _mm256_slli_epi32::<4>(high) } else { _mm256_slli_epi32::<2>(high) };
            *low = _mm256_or_si256(*low, high);
        }
    }
    match CODES {
        x if x == Codes::Iq4 as u32 => looked_up(&IQ4_VALUES, pair),
        x if x == Codes::Mxfp4 as u32 => looked_up(&MXFP4_VALUES, pair),
        _ => pair,
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn looked_up(values: &[i8; 16], [first, second]: Pair) -> Pair {
    // SAFETY: the table holds 16 bytes.
    let table = _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(values.as_ptr().cast()) });
    [_mm256_shuffle_epi8(table, first), _mm256_shuffle_epi8(table, second)]
}

/// The bits of twice 32 weights, spread over bytes; of 32 where there is no second group.
///
/// # Safety
/// `words` must point to as many words a group as a weight has bits.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn plane<const BITS: u32>(words: *const u32, has_second: bool) -> Pair {
    // SAFETY: the caller's promise; loads need no alignment.
    unsafe {
        let sixteen = |at: usize| _mm_loadu_si128(words.add(at).cast());
        match BITS {
            8 if has_second => [_mm256_set_m128i(sixteen(8), sixteen(0)), _mm256_set_m128i(sixteen(12), sixteen(4))],
            8 => [_mm256_zextsi128_si256(sixteen(0)), _mm256_zextsi128_si256(sixteen(4))],
            4 => {
                let both =
                    if has_second { _mm256_loadu_si256(words.cast()) } else { _mm256_zextsi128_si256(sixteen(0)) };
                let mask = _mm256_set1_epi8(15);
                [_mm256_and_si256(both, mask), _mm256_and_si256(_mm256_srli_epi16::<4>(both), mask)]
            }
            2 => {
                let both = if has_second { sixteen(0) } else { _mm_loadl_epi64(words.cast()) };
                let both = _mm256_permute4x64_epi64::<0b01_01_00_00>(_mm256_castsi128_si256(both));
                let first = _mm256_srlv_epi64(both, _mm256_set_epi64x(2, 0, 2, 0));
                let mask = _mm256_set1_epi8(3);
                [_mm256_and_si256(first, mask), _mm256_and_si256(_mm256_srli_epi64::<4>(first), mask)]
            }
            _ => {
                let second = if has_second { words.add(1).read() } else { 0 };
                let both =
                    _mm256_set_m128i(_mm_set1_epi32(second.cast_signed()), _mm_set1_epi32(words.read().cast_signed()));
                let first = _mm256_srlv_epi32(both, _mm256_set_epi32(3, 2, 1, 0, 3, 2, 1, 0));
                let mask = _mm256_set1_epi8(1);
                [_mm256_and_si256(first, mask), _mm256_and_si256(_mm256_srli_epi32::<4>(first), mask)]
            }
        }
    }
}

/// Four sums of products for each of two groups, the first four of the first: of all their products, or `by_16` of their first and
/// of their second halves.
///
/// # Safety
/// There must be two groups at `x`.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn products<const CODES: u32>(by_16: bool, [first, second]: Pair, x: *const i8) -> [__m256i; 2] {
    // SAFETY: the caller's promise.
    let x = unsafe { [_mm256_loadu_si256(x.cast()), _mm256_loadu_si256(x.add(32).cast())] };
    let (first, second) = (multiply::<CODES>(first, x[0]), multiply::<CODES>(second, x[1]));
    let ones = _mm256_set1_epi16(1);
    if !by_16 && CODES == Codes::Unsigned as u32 {
        // Codes of 6 bits at most: four products are below 4 · 63 · 127 < 2¹⁵.
        return [_mm256_madd_epi16(_mm256_add_epi16(first, second), ones); 2];
    }
    let sums = [_mm256_madd_epi16(first, ones), _mm256_madd_epi16(second, ones)];
    if by_16 { sums } else { [_mm256_add_epi32(sums[0], sums[1]); 2] }
}

/// Sums of two products each, in 16 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn multiply<const CODES: u32>(codes: __m256i, x: __m256i) -> __m256i {
    if CODES == Codes::Unsigned as u32 {
        _mm256_maddubs_epi16(codes, x)
    } else {
        _mm256_maddubs_epi16(_mm256_abs_epi8(codes), _mm256_sign_epi8(x, codes))
    }
}
