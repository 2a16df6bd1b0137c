//! Products with packed weights for x86-64 with AVX2.
//!
//! Two groups of 32 codes are two registers of bytes, their first and their second halves ([`pairs`]); `maddubs` multiplies unsigned
//! by signed bytes and adds neighbours. Unsigned codes are used as they are: what is to be subtracted from them is a multiple of the
//! sum of the activations. Signed codes give their sign to the activations.
//!
//! Eight groups are scaled together: their sums are added up until each is one lane, and meet a register of scales ([`scales`]).

mod decode;
mod pairs;
mod scales;

use super::{Activations, GROUPS};
use decode::decode_row_of;
use pairs::{pair_of, products};
use scales::scales_of;
use std::arch::x86_64::*;
use tilework_core::quant::packed::{Codes, GROUP, Packing, Scales};

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
                    1 => all_dots::<1>(&rows, x, start, out),
                    2 => all_dots::<2>(&rows, x, start, out),
                    3 => all_dots::<3>(&rows, x, start, out),
                    _ => all_dots::<MAX_VECTORS>(&rows, x, start, out),
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

/// The products of all rows with vectors `first .. first + N`.
///
/// # Safety
/// Rows must hold all groups, and vectors whole eights of them.
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn all_dots<const N: usize>(rows: &Rows<'_>, x: &Activations, first: usize, out: &mut [f32]) {
    for_packing!(rows.packing, |LOW, HIGH, CODES, SCALES| {
        for (row, out) in out.chunks_exact_mut(x.n_vectors).enumerate() {
            prefetch(&rows.words[row * rows.row_words..], rows.row_words);
            // SAFETY: the caller's promise.
            let found = unsafe { row_dots::<N, LOW, HIGH, CODES, SCALES>(&rows.row(row), x, first) };
            out[first..first + N].copy_from_slice(&found);
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

/// The products of a row with vectors `first .. first + N`.
///
/// # Safety
/// The row must hold all groups, and vectors whole eights of them.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn row_dots<const N: usize, const LOW: u32, const HIGH: u32, const CODES: u32, const SCALES: u32>(
    row: &Row<'_>,
    x: &Activations,
    first: usize,
) -> [f32; N] {
    let mut sums = [_mm256_setzero_ps(); N];
    let n_even = row.n_groups / GROUPS * GROUPS;
    for start in (0..n_even).step_by(GROUPS) {
        // SAFETY: the caller's promise.
        unsafe { add_eight::<N, LOW, HIGH, CODES, SCALES>(&mut sums, row, x, [first, start, GROUPS]) };
    }
    if n_even < row.n_groups {
        let n_rest = row.n_groups - n_even;
        // SAFETY: the same.
        unsafe { add_eight::<N, LOW, HIGH, CODES, SCALES>(&mut sums, row, x, [first, n_even, n_rest]) };
    }
    let mut found = [0.0; N];
    for v in 0..N {
        found[v] = horizontal(sums[v]);
    }
    found
}

/// Adds the products of groups `start .. start + n`, at most eight, with vectors `first .. first + N`. A part of [`row_dots`], and
/// compiled for the same machine: functions that name one themselves cannot be made a part of others in every case.
///
/// # Safety
/// Those groups must be the row's, vectors must hold eight from `start` on, and the caller be compiled for AVX2.
#[inline(always)]
unsafe fn add_eight<const N: usize, const LOW: u32, const HIGH: u32, const CODES: u32, const SCALES: u32>(
    sums: &mut [__m256; N],
    row: &Row<'_>,
    x: &Activations,
    [first, start, n]: [usize; 3],
) {
    // SAFETY: the caller's promise. Pairs are asked for only as far as there are groups; vectors hold all eight.
    unsafe {
        let (scales, leasts) = scales_of::<SCALES>(row, start, n);
        let mut lanes = [[[_mm256_setzero_si256(); 2]; 2]; N];
        for side in 0..2 {
            let at = start + 4 * side;
            let a = pair_of::<LOW, HIGH, CODES>(row, at, n.saturating_sub(4 * side));
            let b = pair_of::<LOW, HIGH, CODES>(row, at + 2, n.saturating_sub(4 * side + 2));
            for v in 0..N {
                let codes = x.codes.as_ptr().add(((first + v) * x.n_padded + at) * GROUP);
                let a = products::<CODES>(is_by_16(SCALES), a, codes);
                let b = products::<CODES>(is_by_16(SCALES), b, codes.add(2 * GROUP));
                lanes[v][side] = [_mm256_hadd_epi32(a[0], b[0]), _mm256_hadd_epi32(a[1], b[1])];
            }
        }
        for v in 0..N {
            let [left, right] = lanes[v];
            let x_scales = _mm256_loadu_ps(x.scales.as_ptr().add((first + v) * x.n_padded + start));
            let low = in_order(_mm256_hadd_epi32(left[0], right[0]));
            sums[v] = _mm256_fmadd_ps(low, _mm256_mul_ps(scales[0], x_scales), sums[v]);
            if is_by_16(SCALES) {
                let high = in_order(_mm256_hadd_epi32(left[1], right[1]));
                sums[v] = _mm256_fmadd_ps(high, _mm256_mul_ps(scales[1], x_scales), sums[v]);
            }
            if has_least(SCALES, CODES) {
                let low = x.sums.as_ptr().add(2 * (first + v) * x.n_padded + start);
                let (low, high) = (_mm256_loadu_ps(low), _mm256_loadu_ps(low.add(x.n_padded)));
                if is_by_16(SCALES) {
                    sums[v] = _mm256_fmadd_ps(leasts[0], low, sums[v]);
                    sums[v] = _mm256_fmadd_ps(leasts[1], high, sums[v]);
                } else {
                    sums[v] = _mm256_fmadd_ps(leasts[0], _mm256_add_ps(low, high), sums[v]);
                }
            }
        }
    }
}

/// Sums of groups 0, 2, 4, 6, 1, 3, 5, 7 as floats in their order.
#[inline]
#[target_feature(enable = "avx2")]
fn in_order(sums: __m256i) -> __m256 {
    _mm256_cvtepi32_ps(_mm256_permutevar8x32_epi32(sums, _mm256_set_epi32(7, 3, 6, 2, 5, 1, 4, 0)))
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
fn horizontal(v: __m256) -> f32 {
    let four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps::<1>(v));
    let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
}
