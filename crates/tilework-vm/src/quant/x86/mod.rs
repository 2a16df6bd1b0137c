//! Weights in few bits for x86-64 with AVX2 or AVX-512: unpacked sixteen at a time, and multiplied with a vector while they are in registers.
//!
//! A group of 32 codes is a register of bytes ([`codes`]), of which each half becomes sixteen floats ([`Sixteen`]). With AVX-512 codes of
//! four bits are never unpacked: what each of them stands for in its group is a register, and one instruction looks sixteen of them up.
//! Scales are read for eight groups at once ([`scales`]).

mod codes;
mod scales;

use super::GROUPS;
use crate::sixteen::{Avx2, Avx512, Sixteen, sum};
use crate::{Level, level};
use codes::{codes_of, values_of};
use scales::scales_of;
use std::arch::x86_64::*;
use tilework_core::quant::packed::{Codes, GROUP, Packing, Scales};

/// A proof that this machine has the instructions of a level, and conversions of 16-bit floats.
#[derive(Clone, Copy, Debug)]
pub(super) enum Machine {
    Avx2,
    Avx512,
}

impl Machine {
    pub(super) fn detect() -> Option<Machine> {
        if !std::arch::is_x86_feature_detected!("f16c") {
            return None;
        }
        match level() {
            Level::Baseline => None,
            Level::Avx2 => Some(Machine::Avx2),
            Level::Avx512 => Some(Machine::Avx512),
        }
    }

    /// The products of all rows with one vector, in the order of [`super::dot::dot`].
    pub(super) fn dots(self, packing: &Packing, rows: &[u32], x: &[f32], out: &mut [f32]) {
        let Some(rows) = Rows::new(packing, rows, x.len(), out.len()) else { return out.fill(0.0) };
        // SAFETY: a machine is what was detected; rows hold all groups, and so does the vector.
        unsafe {
            match self {
                Machine::Avx2 => dots_avx2(&rows, x, out),
                Machine::Avx512 => dots_avx512(&rows, x, out),
            }
        }
    }

    /// The product of two vectors, in the order of [`super::dot::dot`].
    pub(super) fn dot(self, a: &[f32], b: &[f32]) -> f32 {
        // SAFETY: a machine is what was detected.
        unsafe {
            match self {
                Machine::Avx2 => dot_avx2(a, b),
                Machine::Avx512 => dot_avx512(a, b),
            }
        }
    }

    pub(super) fn decode_rows(self, packing: &Packing, rows: &[u32], n_cols: usize, out: &mut [f32]) {
        let Some(rows) = Rows::new(packing, rows, n_cols, out.len() / n_cols.max(1)) else { return };
        // SAFETY: as above.
        unsafe {
            match self {
                Machine::Avx2 => decode_avx2(&rows, out),
                Machine::Avx512 => decode_avx512(&rows, out),
            }
        }
    }
}

/// Packed rows of one length.
struct Rows<'a> {
    packing: Packing,
    words: &'a [u32],
    row_words: usize,
    n_groups: usize,
}

impl<'a> Rows<'a> {
    /// `None` if there is nothing in them.
    fn new(packing: &Packing, words: &'a [u32], n_cols: usize, n_rows: usize) -> Option<Rows<'a>> {
        let row_words = words.len() / n_rows.max(1);
        let n_groups = n_cols / GROUP;
        if n_rows == 0 || row_words == 0 || n_groups == 0 {
            return None;
        }
        assert!(row_words >= packing.row_words(n_groups) && n_cols.is_multiple_of(GROUP), "rows hold all groups");
        Some(Rows { packing: *packing, words, row_words, n_groups })
    }

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

/// Whether the two halves of a group have scales of their own.
const fn is_by_16(scales: u32) -> bool {
    scales == BYTES_16 || scales == NIBBLES_16
}

/// One function for each level, so that everything it calls is compiled for that.
macro_rules! entries {
    ($Floats:ty, $features:literal, $dots:ident $decode:ident $dot:ident) => {
        /// # Safety
        /// The machine must have the instructions, rows hold all groups, and `x` as many.
        #[target_feature(enable = $features)]
        unsafe fn $dots(rows: &Rows<'_>, x: &[f32], out: &mut [f32]) {
            // SAFETY: the caller's promise.
            for_packing!(rows.packing, |LOW, HIGH, CODES, SCALES| unsafe {
                all_dots::<$Floats, LOW, HIGH, CODES, SCALES>(rows, x, out)
            })
        }

        /// # Safety
        /// The machine must have the instructions, and rows hold all groups.
        #[target_feature(enable = $features)]
        unsafe fn $decode(rows: &Rows<'_>, out: &mut [f32]) {
            // SAFETY: the caller's promise.
            for_packing!(rows.packing, |LOW, HIGH, CODES, SCALES| unsafe {
                decode::<$Floats, LOW, HIGH, CODES, SCALES>(rows, out)
            })
        }

        /// # Safety
        /// The machine must have the instructions.
        #[target_feature(enable = $features)]
        unsafe fn $dot(a: &[f32], b: &[f32]) -> f32 {
            // SAFETY: the caller's promise.
            unsafe { dot::<$Floats>(a, b) }
        }
    };
}
entries!(Avx2, "avx2,fma,f16c", dots_avx2 decode_avx2 dot_avx2);
entries!(Avx512, "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c", dots_avx512 decode_avx512 dot_avx512);

/// # Safety
/// As for the entries.
#[inline(always)]
unsafe fn all_dots<S: Sixteen, const LOW: u32, const HIGH: u32, const CODES: u32, const SCALES: u32>(
    rows: &Rows<'_>,
    x: &[f32],
    out: &mut [f32],
) {
    let mut first = RowScales::new::<SCALES>(rows.n_groups);
    let mut second = RowScales::new::<SCALES>(rows.n_groups);
    let (pairs, rest) = out.as_chunks_mut::<2>();
    for (index, out) in pairs.iter_mut().enumerate() {
        let both = [rows.row(2 * index), rows.row(2 * index + 1)];
        // SAFETY: the caller's promise.
        unsafe {
            first.read::<SCALES>(&both[0]);
            second.read::<SCALES>(&both[1]);
            *out = row_dots::<S, 2, LOW, HIGH, CODES, SCALES>(&both, [&first, &second], x.as_ptr());
        }
    }
    if let [out] = rest {
        let row = rows.row(2 * pairs.len());
        // SAFETY: the same.
        unsafe {
            first.read::<SCALES>(&row);
            [*out] = row_dots::<S, 1, LOW, HIGH, CODES, SCALES>(&[row], [&first], x.as_ptr());
        }
    }
}

/// The products of rows of one length with a vector: 64 sums each, of which element `i` belongs to sum `i mod 64`.
///
/// # Safety
/// As for the entries.
#[inline(always)]
unsafe fn row_dots<S: Sixteen, const N: usize, const LOW: u32, const HIGH: u32, const CODES: u32, const SCALES: u32>(
    rows: &[Row<'_>; N],
    scales: [&RowScales; N],
    x: *const f32,
) -> [f32; N] {
    // SAFETY: the caller's promise.
    unsafe {
        let mut sums = [[S::zero(); 4]; N];
        let n_groups = rows[0].n_groups;
        for group in (0..n_groups).step_by(2) {
            let at = x.add(group * GROUP);
            for i in 0..N {
                ask_for::<LOW, HIGH>(&rows[i], group);
                let [first, second] = weights_of::<S, LOW, HIGH, CODES, SCALES>(&rows[i], scales[i], group);
                sums[i][0] = first.mul_add(S::load(at), sums[i][0]);
                sums[i][1] = second.mul_add(S::load(at.add(16)), sums[i][1]);
            }
            if group + 1 == n_groups {
                break;
            }
            for i in 0..N {
                let [first, second] = weights_of::<S, LOW, HIGH, CODES, SCALES>(&rows[i], scales[i], group + 1);
                sums[i][2] = first.mul_add(S::load(at.add(32)), sums[i][2]);
                sums[i][3] = second.mul_add(S::load(at.add(48)), sums[i][3]);
            }
        }
        let mut found = [0.0; N];
        for i in 0..N {
            found[i] = total(sums[i]);
        }
        found
    }
}

/// Halves of 64 sums are added to each other until one is left.
///
/// # Safety
/// The machine must have the instructions.
#[inline(always)]
unsafe fn total<S: Sixteen>([a, b, c, d]: [S; 4]) -> f32 {
    // SAFETY: the caller's promise.
    unsafe { sum(a.add(c).add(b.add(d))) }
}

/// # Safety
/// The machine must have the instructions.
#[inline(always)]
unsafe fn dot<S: Sixteen>(a: &[f32], b: &[f32]) -> f32 {
    // SAFETY: the caller's promise, and chunks are what they say.
    unsafe {
        let mut sums = [S::zero(); 4];
        let (a_chunks, a_rest) = a.as_chunks::<64>();
        let (b_chunks, b_rest) = b.as_chunks::<64>();
        for (a, b) in a_chunks.iter().zip(b_chunks) {
            add_products(&mut sums, a, b);
        }
        if !a_rest.is_empty() {
            let (mut last_a, mut last_b) = ([0.0; 64], [0.0; 64]);
            last_a[..a_rest.len()].copy_from_slice(a_rest);
            last_b[..b_rest.len()].copy_from_slice(b_rest);
            add_products(&mut sums, &last_a, &last_b);
        }
        total(sums)
    }
}

/// # Safety
/// The machine must have the instructions.
#[inline(always)]
unsafe fn add_products<S: Sixteen>(sums: &mut [S; 4], a: &[f32; 64], b: &[f32; 64]) {
    for part in 0..4 {
        // SAFETY: the caller's promise, and four times sixteen are 64.
        unsafe {
            let (a, b) = (S::load(a.as_ptr().add(16 * part)), S::load(b.as_ptr().add(16 * part)));
            sums[part] = a.mul_add(b, sums[part]);
        }
    }
}

/// How far ahead of what is computed with weights are asked for: memory takes as long to answer as it takes to get there.
const AHEAD_BYTES: usize = 12 << 10;

/// Asks memory for what two groups will take up so far ahead.
#[inline(always)]
fn ask_for<const LOW: u32, const HIGH: u32>(row: &Row<'_>, group: usize) {
    let group_bytes = size_of_val(row.words) / row.n_groups;
    let at = row.words.as_ptr().cast::<i8>().wrapping_add(group * group_bytes + AHEAD_BYTES);
    // SAFETY: asking for any address is harmless.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(at) }
    if LOW + HIGH > 6 {
        // Both do not fit into one line.
        // SAFETY: the same.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.wrapping_add(group_bytes)) }
    }
}

/// # Safety
/// As for the entries.
#[inline(always)]
unsafe fn decode<S: Sixteen, const LOW: u32, const HIGH: u32, const CODES: u32, const SCALES: u32>(
    rows: &Rows<'_>,
    out: &mut [f32],
) {
    let mut scales = RowScales::new::<SCALES>(rows.n_groups);
    for (index, out) in out.chunks_exact_mut(rows.n_groups * GROUP).enumerate() {
        let row = rows.row(index);
        // SAFETY: the caller's promise, and `out` holds the groups of a row.
        unsafe {
            scales.read::<SCALES>(&row);
            for group in 0..rows.n_groups {
                let [first, second] = weights_of::<S, LOW, HIGH, CODES, SCALES>(&row, &scales, group);
                let out = out.as_mut_ptr().add(group * GROUP);
                first.store(out);
                second.store(out.add(16));
            }
        }
    }
}

/// The scales and leasts of a row as floats in memory: from there one of them becomes a register of copies without any shuffle, of which
/// there are enough.
struct RowScales {
    /// Scales of the first halves of all groups, filled up to eights, then of the second halves if they have their own; then leasts.
    numbers: Vec<f32>,
    n_padded: usize,
}

impl RowScales {
    fn new<const SCALES: u32>(n_groups: usize) -> RowScales {
        let n_padded = n_groups.next_multiple_of(GROUPS);
        RowScales { numbers: vec![0.0; 2 * n_padded * Self::n_parts::<SCALES>()], n_padded }
    }

    const fn n_parts<const SCALES: u32>() -> usize {
        if is_by_16(SCALES) { 2 } else { 1 }
    }

    /// # Safety
    /// The row must have as many groups as this was made for.
    #[inline(always)]
    unsafe fn read<const SCALES: u32>(&mut self, row: &Row<'_>) {
        for start in (0..row.n_groups).step_by(GROUPS) {
            // SAFETY: the caller's promise; there are whole eights.
            unsafe {
                let (scales, leasts) = scales_of::<SCALES>(row, start, GROUPS.min(row.n_groups - start));
                for part in 0..Self::n_parts::<SCALES>() {
                    let to = self.numbers.as_mut_ptr().add(part * self.n_padded + start);
                    _mm256_storeu_ps(to, scales[part]);
                    _mm256_storeu_ps(to.add(Self::n_parts::<SCALES>() * self.n_padded), leasts[part]);
                }
            }
        }
    }

    /// Where scale and least of a half of a group are.
    ///
    /// # Safety
    /// There must be such a group.
    #[inline(always)]
    unsafe fn of<const SCALES: u32>(&self, group: usize, half: usize) -> [*const f32; 2] {
        let part = half % Self::n_parts::<SCALES>();
        // SAFETY: the caller's promise.
        unsafe {
            let scale = self.numbers.as_ptr().add(part * self.n_padded + group);
            [scale, scale.add(Self::n_parts::<SCALES>() * self.n_padded)]
        }
    }
}

/// The weights of a group.
///
/// # Safety
/// The group must be one of the row's, and so must be the scales.
#[inline(always)]
unsafe fn weights_of<S: Sixteen, const LOW: u32, const HIGH: u32, const CODES: u32, const SCALES: u32>(
    row: &Row<'_>,
    scales: &RowScales,
    group: usize,
) -> [S; 2] {
    // SAFETY: the caller's promise.
    unsafe {
        let [scale, least] = scales.of::<SCALES>(group, 0);
        let (scale, least) = (S::splat(scale), S::splat(least));
        if S::HAS_TABLES && LOW == 4 && HIGH == 0 && !is_by_16(SCALES) {
            let meanings = S::load(meanings(CODES).as_ptr()).mul_add(scale, least);
            return meanings.looked_up(row.words.as_ptr().add(group * LOW as usize));
        }
        // Unsigned codes are below 128, so all are the same as signed bytes.
        let codes = codes_of::<LOW, HIGH, CODES>(row, group);
        let first = S::of_bytes(_mm256_castsi256_si128(codes)).mul_add(scale, least);
        let [scale, least] = scales.of::<SCALES>(group, 1);
        [first, S::of_bytes(_mm256_extracti128_si256::<1>(codes)).mul_add(S::splat(scale), S::splat(least))]
    }
}

/// What codes of four bits stand for, as floats.
const fn meanings(codes: u32) -> &'static [f32; 16] {
    const fn floats(codes: u32) -> [f32; 16] {
        let mut floats = [0.0; 16];
        let mut code = 0;
        while code < floats.len() {
            floats[code] = match values_of(codes) {
                Some(values) => values[code] as f32,
                None => code as f32,
            };
            code += 1;
        }
        floats
    }
    static NUMBERS: [f32; 16] = floats(Codes::Unsigned as u32);
    static IQ4: [f32; 16] = floats(Codes::Iq4 as u32);
    static MXFP4: [f32; 16] = floats(Codes::Mxfp4 as u32);
    match codes {
        x if x == Codes::Iq4 as u32 => &IQ4,
        x if x == Codes::Mxfp4 as u32 => &MXFP4,
        _ => &NUMBERS,
    }
}
