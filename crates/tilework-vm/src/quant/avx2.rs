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
        assert!(
            row_words >= packing.row_words(x.n_groups)
                && x.codes.len() >= x.n_vectors * x.n_padded * GROUP
                && x.scales.len() >= x.n_vectors * x.n_padded
                && x.sums.len() >= 2 * x.n_vectors * x.n_padded
                && x.n_padded >= x.n_groups.next_multiple_of(GROUPS),
            "rows hold all groups, and vectors whole eights of them"
        );
        let rows = Rows { packing: *packing, words: rows, row_words, n_groups: x.n_groups };
        for start in (0..x.n_vectors).step_by(MAX_VECTORS) {
            // SAFETY: `Machine` is only made where the features are there, and the sizes were just checked.
            unsafe {
                match x.n_vectors - start {
                    1 => all_dots::<4, 1>(&rows, x, start, out),
                    2 => all_dots::<2, 2>(&rows, x, start, out),
                    3 => all_dots::<2, 3>(&rows, x, start, out),
                    _ => all_dots::<2, MAX_VECTORS>(&rows, x, start, out),
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
        let n_groups = n_cols / GROUP;
        assert!(row_words >= packing.row_words(n_groups), "rows hold all groups");
        let rows = Rows { packing: *packing, words: rows, row_words, n_groups };
        for (index, out) in out.chunks_exact_mut(n_cols).enumerate() {
            // SAFETY: `Machine` is only made where the features are there, and the sizes were just checked.
            unsafe { decode_row(&rows.row(index), out) }
        }
    }
}

/// Vectors that meet a row together.
const MAX_VECTORS: usize = 4;

/// Packed rows of one length.
struct Rows<'a> {
    packing: Packing,
    words: &'a [u32],
    row_words: usize,
    n_groups: usize,
}

impl<'a> Rows<'a> {
    fn row(&self, index: usize) -> Row<'a> {
        let words = &self.words[index * self.row_words..][..self.row_words];
        Row { packing: self.packing, words, n_groups: self.n_groups }
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

/// The products of all rows, `R` at a time, with vectors `first .. first + N`.
///
/// # Safety
/// Rows must hold all groups, and vectors whole eights of them.
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn all_dots<const R: usize, const N: usize>(rows: &Rows<'_>, x: &Activations, first: usize, out: &mut [f32]) {
    for_packing!(rows.packing, |LOW, HIGH, CODES, SCALES| {
        let n_rows = out.len() / x.n_vectors;
        let n_even = n_rows / R * R;
        for start in (0..n_even).step_by(R) {
            let some: [Row<'_>; R] = std::array::from_fn(|r| rows.row(start + r));
            prefetch(&rows.words[start * rows.row_words..], R * rows.row_words);
            // SAFETY: the caller's promise.
            let found = unsafe { some_dots::<R, N, LOW, HIGH, CODES, SCALES>(&some, x, first) };
            for (r, found) in found.iter().enumerate() {
                out[(start + r) * x.n_vectors + first..][..N].copy_from_slice(found);
            }
        }
        for row in n_even..n_rows {
            // SAFETY: the caller's promise.
            let found = unsafe { some_dots::<1, N, LOW, HIGH, CODES, SCALES>(&[rows.row(row)], x, first) };
            out[row * x.n_vectors + first..][..N].copy_from_slice(&found[0]);
        }
    })
}

/// Bytes between what is computed and what is asked for: about as much as arrives while a few rows are computed.
const AHEAD_BYTES: usize = 4096;

/// Asks for as many words as are about to be used, further on. Rows are short and read in two places, which hides from the machine
/// that all of it is read in order.
#[inline]
#[target_feature(enable = "avx2")]
fn prefetch(words: &[u32], n_words: usize) {
    let start: *const i8 = words.as_ptr().cast();
    for line in (0..4 * n_words).step_by(64) {
        // Addresses past the end are never looked at: a prefetch of any address is harmless.
        _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(AHEAD_BYTES + line));
    }
}

#[target_feature(enable = "avx2,fma,f16c")]
fn decode_row(row: &Row<'_>, out: &mut [f32]) {
    for_packing!(row.packing, |LOW, HIGH, CODES, SCALES| decode_row_of::<LOW, HIGH, CODES, SCALES>(row, out))
}

/// The products of `R` rows with vectors `first .. first + N`. Activations are loaded once for all rows, codes once for all vectors.
///
/// # Safety
/// Rows must hold all groups, and vectors whole eights of them.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn some_dots<
    const R: usize,
    const N: usize,
    const LOW: u32,
    const HIGH: u32,
    const CODES: u32,
    const SCALES: u32,
>(
    rows: &[Row<'_>; R],
    x: &Activations,
    first: usize,
) -> [[f32; N]; R] {
    let mut sums = [[_mm256_setzero_ps(); N]; R];
    // Scales in memory: a load that fills a register with one of them is cheaper than moving lanes.
    let mut scales = [[[[0.0_f32; GROUPS]; 2]; N]; R];
    for start in (0..rows[0].n_groups).step_by(GROUPS) {
        for (r, row) in rows.iter().enumerate() {
            let (own, leasts) = scales_of::<SCALES>(row, start);
            for v in 0..N {
                let at = (first + v) * x.n_padded + start;
                // SAFETY: vectors hold whole eights of groups, and each array of scales eight floats.
                unsafe {
                    let x_scales = _mm256_loadu_ps(x.scales.as_ptr().add(at));
                    _mm256_storeu_ps(scales[r][v][0].as_mut_ptr(), _mm256_mul_ps(own[0], x_scales));
                    if is_by_16(SCALES) {
                        _mm256_storeu_ps(scales[r][v][1].as_mut_ptr(), _mm256_mul_ps(own[1], x_scales));
                    }
                    if has_least(SCALES, CODES) {
                        let low = x.sums.as_ptr().add(2 * (first + v) * x.n_padded + start);
                        let high = low.add(x.n_padded);
                        sums[r][v] = _mm256_fmadd_ps(leasts[0], _mm256_loadu_ps(low), sums[r][v]);
                        sums[r][v] = _mm256_fmadd_ps(leasts[1], _mm256_loadu_ps(high), sums[r][v]);
                    }
                }
            }
        }
        for k in 0..GROUPS.min(rows[0].n_groups - start) {
            // SAFETY: group `start + k` is one of the rows and of the vectors.
            let x_codes: [__m256i; N] = std::array::from_fn(|v| unsafe {
                let at = ((first + v) * x.n_padded + start + k) * GROUP;
                _mm256_loadu_si256(x.codes.as_ptr().add(at).cast())
            });
            for r in 0..R {
                // SAFETY: the same.
                let codes = unsafe { codes_of::<LOW, HIGH, CODES>(&rows[r], start + k) };
                for v in 0..N {
                    let products = _mm256_cvtepi32_ps(multiply::<CODES>(codes, x_codes[v]));
                    let mut scale = _mm256_broadcast_ss(&scales[r][v][0][k]);
                    if is_by_16(SCALES) {
                        scale = _mm256_blend_ps::<0xf0>(scale, _mm256_broadcast_ss(&scales[r][v][1][k]));
                    }
                    sums[r][v] = _mm256_fmadd_ps(scale, products, sums[r][v]);
                }
            }
        }
    }
    let mut found = [[0.0; N]; R];
    for r in 0..R {
        for v in 0..N {
            found[r][v] = horizontal(sums[r][v]);
        }
    }
    found
}

#[target_feature(enable = "avx2,fma,f16c")]
fn decode_row_of<const LOW: u32, const HIGH: u32, const CODES: u32, const SCALES: u32>(row: &Row<'_>, out: &mut [f32]) {
    for start in (0..row.n_groups).step_by(GROUPS) {
        let (scales, leasts) = scales_of::<SCALES>(row, start);
        for k in 0..GROUPS.min(row.n_groups - start) {
            // SAFETY: the group is one of the row's.
            let codes = unsafe { codes_of::<LOW, HIGH, CODES>(row, start + k) };
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

/// The 32 values of a group, as bytes in their order.
///
/// # Safety
/// The group must be one of the row's.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn codes_of<const LOW: u32, const HIGH: u32, const CODES: u32>(row: &Row<'_>, group: usize) -> __m256i {
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
