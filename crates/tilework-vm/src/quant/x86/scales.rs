//! Scales of eight groups as floats.

use super::super::GROUPS;
use super::{BYTES_16, BYTES_32, BYTES_32_PAIR, FLOAT, HALF, HALF_PAIR, Row};
use std::arch::x86_64::*;
use tilework_core::quant::packed::Scales;

/// Scales and leasts of groups `start .. start + n`, at most eight, of their first and of their second halves. Those past the end mean
/// nothing.
///
/// # Safety
/// Those groups must be the row's, and `start` a multiple of eight.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
pub(super) unsafe fn scales_of<const SCALES: u32>(row: &Row<'_>, start: usize, n: usize) -> ([__m256; 2], [__m256; 2]) {
    let zero = _mm256_setzero_ps();
    // SAFETY: the row has the scales of all groups.
    unsafe {
        let words = row.words.as_ptr().add(row.packing.scales_at(row.n_groups));
        match SCALES {
            HALF => {
                let Scales::Half { offset } = row.packing.scales else { return ([zero; 2], [zero; 2]) };
                let d = _mm256_cvtph_ps(four_words(words.add(start / 2), n.div_ceil(2)));
                ([d; 2], [_mm256_mul_ps(d, _mm256_set1_ps(-offset as f32)); 2])
            }
            HALF_PAIR => {
                let pairs = eight_words(words.add(start), n);
                let low = _mm256_and_si256(pairs, _mm256_set1_epi32(0xffff));
                let packed = _mm256_packus_epi32(low, _mm256_srli_epi32::<16>(pairs));
                let sorted = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
                let d = _mm256_cvtph_ps(_mm256_castsi256_si128(sorted));
                let m = _mm256_cvtph_ps(_mm256_extracti128_si256::<1>(sorted));
                ([d; 2], [m; 2])
            }
            FLOAT => ([_mm256_castsi256_ps(eight_words(words.add(start), n)); 2], [zero; 2]),
            _ => super_scales::<SCALES>(row, words, start / GROUPS),
        }
    }
}

/// Scales of a block of 256.
///
/// # Safety
/// `words` must point to the scales of more than `block` blocks.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn super_scales<const SCALES: u32>(
    row: &Row<'_>,
    words: *const u32,
    block: usize,
) -> ([__m256; 2], [__m256; 2]) {
    let zero = _mm256_setzero_ps();
    // SAFETY: a block has three words where its scales are bytes of groups, and otherwise five.
    let (words, both) = unsafe {
        let words = words.add(block * if SCALES == BYTES_32 { 3 } else { 5 });
        (words, _mm_cvtph_ps(_mm_cvtsi32_si128(words.read().cast_signed())))
    };
    let d = _mm256_broadcastss_ps(both);
    let minus_m = _mm256_sub_ps(zero, _mm256_broadcastss_ps(_mm_movehdup_ps(both)));
    // SAFETY: two words from there on are the block's.
    let eight = |at: usize| unsafe { _mm_loadl_epi64(words.add(at).cast()) };
    match SCALES {
        BYTES_32_PAIR => {
            let s = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(eight(1)));
            let t = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(eight(3)));
            ([_mm256_mul_ps(d, s); 2], [_mm256_mul_ps(minus_m, t); 2])
        }
        BYTES_32 => ([_mm256_mul_ps(d, _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(eight(1)))); 2], [zero; 2]),
        _ => {
            // SAFETY: four words from the second on hold 16 bytes.
            let bytes = _mm256_cvtepi16_epi32(unsafe { _mm_loadu_si128(words.add(1).cast()) });
            if let (BYTES_16, Scales::Bytes16 { offset }) = (SCALES, row.packing.scales) {
                let low = _mm256_srai_epi32::<24>(_mm256_slli_epi32::<24>(bytes));
                let scales = [low, _mm256_srai_epi32::<8>(bytes)].map(
                    #[inline]
                    |s| _mm256_mul_ps(d, _mm256_cvtepi32_ps(s)),
                );
                let factor = _mm256_set1_ps(-offset as f32);
                return (scales, [_mm256_mul_ps(scales[0], factor), _mm256_mul_ps(scales[1], factor)]);
            }
            let four = |shifted: __m256i| _mm256_cvtepi32_ps(_mm256_and_si256(shifted, _mm256_set1_epi32(15)));
            let scales = [four(bytes), four(_mm256_srli_epi32::<8>(bytes))];
            let leasts = [four(_mm256_srli_epi32::<4>(bytes)), four(_mm256_srli_epi32::<12>(bytes))];
            (
                [_mm256_mul_ps(d, scales[0]), _mm256_mul_ps(d, scales[1])],
                [_mm256_mul_ps(minus_m, leasts[0]), _mm256_mul_ps(minus_m, leasts[1])],
            )
        }
    }
}

/// Eight words, of which `n` are there; zeros for the others.
///
/// # Safety
/// There must be `n` words.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn eight_words(words: *const u32, n: usize) -> __m256i {
    let is_there = _mm256_cmpgt_epi32(_mm256_set1_epi32(n as i32), _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
    // SAFETY: the caller's promise; what is masked is not read.
    unsafe { if n >= 8 { _mm256_loadu_si256(words.cast()) } else { _mm256_maskload_epi32(words.cast(), is_there) } }
}

/// Four words, of which `n` are there; zeros for the others.
///
/// # Safety
/// There must be `n` words.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn four_words(words: *const u32, n: usize) -> __m128i {
    let is_there = _mm_cmpgt_epi32(_mm_set1_epi32(n as i32), _mm_set_epi32(3, 2, 1, 0));
    // SAFETY: the caller's promise; what is masked is not read.
    unsafe { if n >= 4 { _mm_loadu_si128(words.cast()) } else { _mm_maskload_epi32(words.cast(), is_there) } }
}
