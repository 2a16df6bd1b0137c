//! The 32 values of a group, as bytes in their order.

use super::Row;
use std::arch::x86_64::*;
use tilework_core::quant::packed::{Codes, IQ4_VALUES, MXFP4_VALUES};

/// # Safety
/// The group must be one of the row's.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn codes_of<const LOW: u32, const HIGH: u32, const CODES: u32>(
    row: &Row<'_>,
    group: usize,
) -> __m256i {
    // SAFETY: planes hold the bits of all groups, one after the other.
    let mut codes = unsafe { plane::<LOW>(row.words.as_ptr().add(group * LOW as usize)) };
    if HIGH > 0 {
        let at = row.n_groups * LOW as usize + group * HIGH as usize;
        // SAFETY: the same.
        let high = unsafe { plane::<HIGH>(row.words.as_ptr().add(at)) };
        // Bytes are small: shifting words carries nothing into a neighbour.
        let high = if LOW == 4 { _mm256_slli_epi32::<4>(high) } else { _mm256_slli_epi32::<2>(high) };
        codes = _mm256_or_si256(codes, high);
    }
    match values_of(CODES) {
        Some(values) => {
            // SAFETY: the table holds 16 bytes.
            let table = unsafe { _mm_loadu_si128(values.as_ptr().cast()) };
            _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), codes)
        }
        None => codes,
    }
}

/// What 4-bit codes stand for, where they are not numbers themselves.
pub(super) const fn values_of(codes: u32) -> Option<&'static [i8; 16]> {
    match codes {
        x if x == Codes::Iq4 as u32 => Some(&IQ4_VALUES),
        x if x == Codes::Mxfp4 as u32 => Some(&MXFP4_VALUES),
        _ => None,
    }
}

/// The bits of 32 weights, spread over bytes.
///
/// # Safety
/// `words` must point to as many words as a weight has bits.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn plane<const BITS: u32>(words: *const u32) -> __m256i {
    // SAFETY: the caller's promise; loads need no alignment.
    unsafe {
        match BITS {
            8 => _mm256_loadu_si256(words.cast()),
            4 => {
                let bytes = _mm_loadu_si128(words.cast());
                let both = _mm256_set_m128i(_mm_srli_epi16::<4>(bytes), bytes);
                _mm256_and_si256(both, _mm256_set1_epi8(15))
            }
            2 => {
                let eight = _mm256_set1_epi64x(words.cast::<i64>().read_unaligned());
                let shifted = _mm256_srlv_epi64(eight, _mm256_set_epi64x(6, 4, 2, 0));
                _mm256_and_si256(shifted, _mm256_set1_epi8(3))
            }
            _ => {
                let shifts = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
                let shifted = _mm256_srlv_epi32(_mm256_set1_epi32(words.read().cast_signed()), shifts);
                _mm256_and_si256(shifted, _mm256_set1_epi8(1))
            }
        }
    }
}
