//! Products with packed weights for x86-64 with AVX2.
//!
//! A group of 32 codes is one register of bytes; `maddubs` multiplies unsigned by signed bytes and adds pairs. Unsigned codes are
//! used as they are: what is to be subtracted from them is a multiple of the sum of the activations. Signed codes give their sign to
//! the activations. Scales of eight groups are computed together.

use super::{Activations, GROUPS};
use std::arch::x86_64::*;
use tilework_core::quant::packed::{Codes, GROUP, IQ4_VALUES, MXFP4_VALUES, Packing, Scales};

/// A proof that this machine has AVX2, fused multiply-add and conversions of 16-bit floats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Machine(());

impl Machine {
    pub(super) fn detect() -> Option<Machine> {
        let has = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("fma")
            && std::arch::is_x86_feature_detected!("f16c");
        has.then_some(Machine(()))
    }

    pub(super) fn dots(self, packing: &Packing, rows: &[u32], x: &Activations, out: &mut [f32]) {
        let n_rows = out.len() / x.n_vectors.max(1);
        let row_words = rows.len() / n_rows.max(1);
        if n_rows == 0 || row_words == 0 {
            return out.fill(0.0);
        }
        let at_once = if x.n_vectors % 4 == 0 {
            4
        } else if x.n_vectors % 2 == 0 {
            2
        } else {
            1
        };
        for (row, out) in rows.chunks_exact(row_words).zip(out.chunks_exact_mut(x.n_vectors)) {
            let row = Row { packing: *packing, words: row, n_groups: x.n_groups };
            for (k, out) in out.chunks_exact_mut(at_once).enumerate() {
                // SAFETY: `Machine` is only made where the features are there.
                unsafe {
                    match out {
                        [_, _, _, _] => row_dots::<4>(&row, x, k * at_once, out),
                        [_, _] => row_dots::<2>(&row, x, k * at_once, out),
                        _ => row_dots::<1>(&row, x, k * at_once, out),
                    }
                }
            }
        }
    }

    pub(super) fn decode_rows(self, packing: &Packing, rows: &[u32], n_cols: usize, out: &mut [f32]) {
        let n_rows = out.len() / n_cols.max(1);
        let row_words = rows.len() / n_rows.max(1);
        if n_rows == 0 || row_words == 0 {
            return;
        }
        for (row, out) in rows.chunks_exact(row_words).zip(out.chunks_exact_mut(n_cols)) {
            let row = Row { packing: *packing, words: row, n_groups: n_cols / GROUP };
            // SAFETY: `Machine` is only made where the features are there.
            unsafe { decode_row(&row, out) }
        }
    }
}

/// A packed row with what is needed to read it.
#[derive(Clone, Copy)]
struct Row<'a> {
    packing: Packing,
    words: &'a [u32],
    n_groups: usize,
}

/// Calls `$body` with the packing as constants, once for every format there is: loops are then compiled for each of them.
macro_rules! for_packing {
    ($packing:expr, |$low:ident, $high:ident, $codes:ident, $scales:ident| $body:expr) => {
        for_packing!(@ $packing, |$low, $high, $codes, $scales| $body,
            (4, 0, Unsigned, HALF) (4, 0, Unsigned, HALF_PAIR) (4, 1, Unsigned, HALF) (4, 1, Unsigned, HALF_PAIR)
            (8, 0, Signed, HALF) (2, 0, Unsigned, NIBBLES_16) (2, 1, Unsigned, BYTES_16)
            (4, 0, Unsigned, BYTES_32_PAIR) (4, 1, Unsigned, BYTES_32_PAIR) (4, 2, Unsigned, BYTES_16)
            (4, 0, Iq4, HALF) (4, 0, Iq4, BYTES_32) (4, 0, Mxfp4, FLOAT))
    };
    (@ $packing:expr, |$low:ident, $high:ident, $codes:ident, $scales:ident| $body:expr,
        $(($l:literal, $h:literal, $c:ident, $s:ident))*) => {
        match ($packing.low_bits, $packing.high_bits, $packing.codes, scales_kind($packing.scales)) {
            $(($l, $h, Codes::$c, $s) => {
                const $low: u32 = $l;
                const $high: u32 = $h;
                const $codes: u32 = Codes::$c as u32;
                const $scales: u32 = $s;
                $body
            })*
            _ => unreachable!("every packing is in the list"),
        }
    };
}

const HALF: u32 = 0;
const HALF_PAIR: u32 = 1;
const FLOAT: u32 = 2;
const BYTES_32_PAIR: u32 = 3;
const BYTES_32: u32 = 4;
const BYTES_16: u32 = 5;
const NIBBLES_16: u32 = 6;

fn scales_kind(scales: Scales) -> u32 {
    match scales {
        Scales::Half { .. } => HALF,
        Scales::HalfPair => HALF_PAIR,
        Scales::Float => FLOAT,
        Scales::Bytes32Pair => BYTES_32_PAIR,
        Scales::Bytes32 => BYTES_32,
        Scales::Bytes16 { .. } => BYTES_16,
        Scales::Nibbles16 => NIBBLES_16,
    }
}

#[target_feature(enable = "avx2,fma,f16c")]
fn row_dots<const N: usize>(row: &Row<'_>, x: &Activations, first: usize, out: &mut [f32]) {
    for_packing!(row.packing, |LOW, HIGH, CODES, SCALES| row_dots_of::<N, LOW, HIGH, CODES, SCALES>(row, x, first, out))
}

#[target_feature(enable = "avx2,fma,f16c")]
fn decode_row(row: &Row<'_>, out: &mut [f32]) {
    for_packing!(row.packing, |LOW, HIGH, CODES, SCALES| decode_row_of::<LOW, HIGH, CODES, SCALES>(row, out))
}

/// The products of a row with vectors `first .. first + N`.
#[target_feature(enable = "avx2,fma,f16c")]
fn row_dots_of<const N: usize, const LOW: u32, const HIGH: u32, const CODES: u32, const SCALES: u32>(
    row: &Row<'_>,
    x: &Activations,
    first: usize,
    out: &mut [f32],
) {
    let mut sums = [_mm256_setzero_ps(); N];
    for start in (0..row.n_groups).step_by(GROUPS) {
        let (scales, leasts) = scales_of::<SCALES>(row, start);
        let mut own = [[_mm256_setzero_ps(); 2]; N];
        for v in 0..N {
            let at = (first + v) * x.n_padded + start;
            let x_scales = load_floats(&x.scales, at);
            own[v] = [_mm256_mul_ps(scales[0], x_scales), _mm256_mul_ps(scales[1], x_scales)];
            if has_least(SCALES, CODES) {
                let at = 2 * (first + v) * x.n_padded + start;
                sums[v] = _mm256_fmadd_ps(leasts[0], load_floats(&x.sums, at), sums[v]);
                sums[v] = _mm256_fmadd_ps(leasts[1], load_floats(&x.sums, at + x.n_padded), sums[v]);
            }
        }
        for k in 0..GROUPS.min(row.n_groups - start) {
            let codes = codes_of::<LOW, HIGH, CODES>(row, start + k);
            let lane = _mm256_set1_epi32(k as i32);
            for v in 0..N {
                let at = ((first + v) * x.n_padded + start + k) * GROUP;
                let products = multiply::<CODES>(codes, load_bytes(&x.codes, at));
                let mut scale = _mm256_permutevar8x32_ps(own[v][0], lane);
                if is_by_16(SCALES) {
                    scale = _mm256_blend_ps::<0xf0>(scale, _mm256_permutevar8x32_ps(own[v][1], lane));
                }
                sums[v] = _mm256_fmadd_ps(scale, _mm256_cvtepi32_ps(products), sums[v]);
            }
        }
    }
    for (sum, out) in sums.into_iter().zip(out) {
        *out = horizontal(sum);
    }
}

#[target_feature(enable = "avx2,fma,f16c")]
fn decode_row_of<const LOW: u32, const HIGH: u32, const CODES: u32, const SCALES: u32>(row: &Row<'_>, out: &mut [f32]) {
    for start in (0..row.n_groups).step_by(GROUPS) {
        let (scales, leasts) = scales_of::<SCALES>(row, start);
        for k in 0..GROUPS.min(row.n_groups - start) {
            let codes = codes_of::<LOW, HIGH, CODES>(row, start + k);
            let lane = _mm256_set1_epi32(k as i32);
            let Some(out) = out[(start + k) * GROUP..].first_chunk_mut::<GROUP>() else { return };
            for part in 0..2 {
                let scale = _mm256_permutevar8x32_ps(scales[part], lane);
                let least = _mm256_permutevar8x32_ps(leasts[part], lane);
                let sixteen =
                    if part == 0 { _mm256_castsi256_si128(codes) } else { _mm256_extracti128_si256::<1>(codes) };
                for (eighth, bytes) in [sixteen, _mm_srli_si128::<8>(sixteen)].into_iter().enumerate() {
                    // Unsigned codes are below 128, so all are the same as signed bytes.
                    let values = _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes));
                    let weights = _mm256_fmadd_ps(values, scale, least);
                    let at = 16 * part + 8 * eighth;
                    // SAFETY: eight floats from `at` on are inside the group.
                    unsafe { _mm256_storeu_ps(out[at..at + 8].as_mut_ptr(), weights) }
                }
            }
        }
    }
}

const fn is_by_16(scales: u32) -> bool {
    scales == BYTES_16 || scales == NIBBLES_16
}

/// Whether weights are more than a multiple of their values.
const fn has_least(scales: u32, codes: u32) -> bool {
    codes == Codes::Unsigned as u32 && scales != FLOAT && scales != BYTES_32
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_floats(data: &[f32], at: usize) -> __m256 {
    // SAFETY: the slice holds eight floats.
    unsafe { _mm256_loadu_ps(data[at..at + 8].as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_bytes(data: &[i8], at: usize) -> __m256i {
    // SAFETY: the slice holds 32 bytes.
    unsafe { _mm256_loadu_si256(data[at..at + 32].as_ptr().cast()) }
}

/// The 32 values of a group, as bytes in their order.
#[inline]
#[target_feature(enable = "avx2")]
fn codes_of<const LOW: u32, const HIGH: u32, const CODES: u32>(row: &Row<'_>, group: usize) -> __m256i {
    let low = plane::<LOW>(&row.words[group * LOW as usize..][..LOW as usize]);
    let mut codes = low;
    if HIGH > 0 {
        let at = row.n_groups * LOW as usize + group * HIGH as usize;
        let high = plane::<HIGH>(&row.words[at..at + HIGH as usize]);
        // Bytes are small: shifting words carries nothing into a neighbour.
        let high = if LOW == 4 { _mm256_slli_epi32::<4>(high) } else { _mm256_slli_epi32::<2>(high) };
        codes = _mm256_or_si256(codes, high);
    }
    let table = |values: &[i8; 16]| {
        // SAFETY: the table holds 16 bytes.
        let table = unsafe { _mm_loadu_si128(values.as_ptr().cast()) };
        _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), codes)
    };
    match CODES {
        x if x == Codes::Iq4 as u32 => table(&IQ4_VALUES),
        x if x == Codes::Mxfp4 as u32 => table(&MXFP4_VALUES),
        _ => codes,
    }
}

/// The bits of 32 weights, spread over bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn plane<const BITS: u32>(words: &[u32]) -> __m256i {
    match BITS {
        // SAFETY: the plane of a group holds 32 bytes.
        8 => unsafe { _mm256_loadu_si256(words[..8].as_ptr().cast()) },
        4 => {
            // SAFETY: the plane of a group holds 16 bytes.
            let bytes = unsafe { _mm_loadu_si128(words[..4].as_ptr().cast()) };
            let both = _mm256_set_m128i(_mm_srli_epi16::<4>(bytes), bytes);
            _mm256_and_si256(both, _mm256_set1_epi8(15))
        }
        2 => {
            let eight = u64::from(words[0]) | u64::from(words[1]) << 32;
            let shifted = _mm256_srlv_epi64(_mm256_set1_epi64x(eight as i64), _mm256_set_epi64x(6, 4, 2, 0));
            _mm256_and_si256(shifted, _mm256_set1_epi8(3))
        }
        _ => {
            let shifts = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
            let shifted = _mm256_srlv_epi32(_mm256_set1_epi32(words[0] as i32), shifts);
            _mm256_and_si256(shifted, _mm256_set1_epi8(1))
        }
    }
}

/// Eight sums of four products each, the first four of the first 16.
#[inline]
#[target_feature(enable = "avx2")]
fn multiply<const CODES: u32>(codes: __m256i, x: __m256i) -> __m256i {
    let pairs = if CODES == Codes::Unsigned as u32 {
        _mm256_maddubs_epi16(codes, x)
    } else {
        _mm256_maddubs_epi16(_mm256_abs_epi8(codes), _mm256_sign_epi8(x, codes))
    };
    _mm256_madd_epi16(pairs, _mm256_set1_epi16(1))
}

/// Scales and leasts of eight groups, of their first and of their second halves. Those past the end of the row mean nothing.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn scales_of<const SCALES: u32>(row: &Row<'_>, start: usize) -> ([__m256; 2], [__m256; 2]) {
    let words = &row.words[row.packing.scales_at(row.n_groups)..];
    let zero = _mm256_setzero_ps();
    match SCALES {
        HALF => {
            let Scales::Half { offset } = row.packing.scales else { return ([zero; 2], [zero; 2]) };
            let four: [u32; 4] = words_at(words, start / 2);
            // SAFETY: the array holds 16 bytes.
            let d = _mm256_cvtph_ps(unsafe { _mm_loadu_si128(four.as_ptr().cast()) });
            ([d; 2], [_mm256_mul_ps(d, _mm256_set1_ps(-offset as f32)); 2])
        }
        HALF_PAIR => {
            let eight: [u32; 8] = words_at(words, start);
            // SAFETY: the array holds 32 bytes.
            let pairs = unsafe { _mm256_loadu_si256(eight.as_ptr().cast()) };
            let low = _mm256_and_si256(pairs, _mm256_set1_epi32(0xffff));
            let packed = _mm256_packus_epi32(low, _mm256_srli_epi32::<16>(pairs));
            let sorted = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
            let d = _mm256_cvtph_ps(_mm256_castsi256_si128(sorted));
            let m = _mm256_cvtph_ps(_mm256_extracti128_si256::<1>(sorted));
            ([d; 2], [m; 2])
        }
        FLOAT => {
            let eight: [u32; 8] = words_at(words, start);
            // SAFETY: the array holds 32 bytes.
            ([unsafe { _mm256_loadu_ps(eight.as_ptr().cast()) }; 2], [zero; 2])
        }
        _ => super_scales::<SCALES>(row, words, start / GROUPS),
    }
}

/// Scales of a block of 256.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn super_scales<const SCALES: u32>(row: &Row<'_>, words: &[u32], block: usize) -> ([__m256; 2], [__m256; 2]) {
    let zero = _mm256_setzero_ps();
    let n_words = if SCALES == BYTES_32 { 3 } else { 5 };
    let words = &words[block * n_words..][..n_words];
    let both = _mm_cvtph_ps(_mm_cvtsi32_si128(words[0] as i32));
    let d = _mm256_broadcastss_ps(both);
    let minus_m = _mm256_sub_ps(zero, _mm256_broadcastss_ps(_mm_movehdup_ps(both)));
    let eight = |at: usize| _mm_set_epi64x(0, (u64::from(words[at]) | u64::from(words[at + 1]) << 32) as i64);
    match SCALES {
        BYTES_32_PAIR => {
            let s = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(eight(1)));
            let t = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(eight(3)));
            ([_mm256_mul_ps(d, s); 2], [_mm256_mul_ps(minus_m, t); 2])
        }
        BYTES_32 => ([_mm256_mul_ps(d, _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(eight(1)))); 2], [zero; 2]),
        _ => {
            // SAFETY: four words from the second on hold 16 bytes.
            let bytes = _mm256_cvtepi16_epi32(unsafe { _mm_loadu_si128(words[1..5].as_ptr().cast()) });
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

/// `N` words from `at` on; zeros past the end.
#[inline]
fn words_at<const N: usize>(words: &[u32], at: usize) -> [u32; N] {
    if let Some(found) = words[at..].first_chunk::<N>() {
        return *found;
    }
    let mut found = [0; N];
    let rest = &words[at..];
    found[..rest.len()].copy_from_slice(rest);
    found
}

#[inline]
#[target_feature(enable = "avx2")]
fn horizontal(v: __m256) -> f32 {
    let four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps::<1>(v));
    let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
}
