//! Products with packed weights for WASM with 128-bit vectors.
//!
//! The one instruction that adds products of integers is `i32x4_dot_i16x8`, so codes and activations meet as 16-bit numbers. A
//! group is four vectors: the weights at even and at odd places of its first half, then of its second. In that order 16-bit lanes
//! of the planes are shifted and masked, and no byte has to move ([`codes`]).
//!
//! One vector meets codes as they are unpacked. For several, a few rows are unpacked into memory first ([`Panel`]), and each of them
//! meets four vectors at a time. Sums of the products of a group are integers, whichever way: the same for both, and the same that
//! other machines find.

mod codes;
mod rounded;
mod scales;
#[cfg(test)]
mod tests;

use super::GROUPS;
use codes::{Tools, codes_of, for_codes, is_by_16};
use core::arch::wasm32::*;
pub(super) use rounded::Rounded;
use rounded::place;
use scales::RowScales;
use tilework_core::quant::packed::{GROUP, Packing};

pub(super) fn dots(packing: &Packing, rows: &[u32], x: &Rounded, out: &mut [f32]) {
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
    // SAFETY: the sizes were just checked.
    unsafe {
        if x.n_vectors == 1 {
            for_codes!(packing, |LOW, HIGH, CODES| one_vector::<LOW, HIGH, CODES>(&rows, x, out));
        } else if is_by_16(packing.low_bits, packing.high_bits) {
            several_vectors::<true>(&rows, x, out);
        } else {
            several_vectors::<false>(&rows, x, out);
        }
    }
}

pub(super) fn decode_rows(packing: &Packing, rows: &[u32], n_cols: usize, out: &mut [f32]) {
    let n_groups = n_cols / GROUP;
    let n_rows = out.len() / n_cols.max(1);
    let row_words = rows.len() / n_rows.max(1);
    if n_groups == 0 || row_words == 0 {
        return;
    }
    assert!(row_words >= packing.row_words(n_groups), "rows hold all groups");
    let rows = Rows { packing: *packing, words: rows, row_words, n_groups };
    let mut panel = Panel::new(&rows, 1);
    for (index, out) in out.chunks_exact_mut(n_cols).enumerate() {
        panel.fill(&rows, index..index + 1);
        let scales = &panel.scales[0];
        for (group, (out, codes)) in out.as_chunks_mut::<GROUP>().0.iter_mut().zip(&panel.codes).enumerate() {
            for i in 0..GROUP {
                let [scale, least] = scales.of(group, i / 16);
                out[i] = scale * f32::from(codes[place(0, i)]) + least;
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

/// A packed row with what is needed to read it.
#[derive(Clone, Copy)]
struct Row<'a> {
    packing: Packing,
    words: &'a [u32],
    n_groups: usize,
}

impl<'a> Rows<'a> {
    fn row(&self, index: usize) -> Row<'a> {
        let words = &self.words[index * self.row_words..][..self.row_words];
        Row { packing: self.packing, words, n_groups: self.n_groups }
    }
}

/// The products of all rows with the only vector.
///
/// # Safety
/// Rows must hold all groups, and the vector whole eights of them.
#[inline(never)]
unsafe fn one_vector<const LOW: u32, const HIGH: u32, const CODES: u32>(rows: &Rows<'_>, x: &Rounded, out: &mut [f32]) {
    let tools = Tools::new::<LOW, HIGH, CODES>(&rows.packing);
    let mut scales = RowScales::new(&rows.packing, rows.n_groups);
    for (index, out) in out.iter_mut().enumerate() {
        let row = rows.row(index);
        scales.read(&row, &x.scales);
        let [low, high] = scales.scales();
        // SAFETY: the caller's promise, for codes, scales and sums.
        unsafe {
            let mut sum = scales.times_leasts(x.sums.as_ptr());
            for group in 0..rows.n_groups {
                let codes = codes_of::<LOW, HIGH, CODES>(&row, group, &tools);
                let halves = multiply(codes, x.codes.as_ptr().add(group * GROUP));
                let scales = [v128_load32_splat(low.add(group).cast()), v128_load32_splat(high.add(group).cast())];
                sum = add_scaled(is_by_16(LOW, HIGH), sum, halves, scales);
            }
            *out = horizontal(sum);
        }
    }
}

/// Rows of a panel: as many as share what the second-level cache sends of the vectors.
const PANEL_ROWS: usize = 8;
/// Vectors that meet a row of a panel together.
const VECTORS: usize = 4;

/// A few rows whose codes are 16-bit numbers.
struct Panel {
    /// `[rows, n_groups]`.
    codes: Vec<[i16; GROUP]>,
    /// Of each row.
    scales: Vec<RowScales>,
    ones: Vec<f32>,
}

impl Panel {
    fn new(rows: &Rows<'_>, n_rows: usize) -> Panel {
        Panel {
            codes: vec![[0; GROUP]; n_rows * rows.n_groups],
            scales: (0..n_rows).map(|_| RowScales::new(&rows.packing, rows.n_groups)).collect(),
            ones: vec![1.0; rows.n_groups.next_multiple_of(GROUPS)],
        }
    }

    /// Replaces the first rows of the panel by `range` of `rows`.
    fn fill(&mut self, rows: &Rows<'_>, range: std::ops::Range<usize>) {
        let lines = self.codes.chunks_exact_mut(rows.n_groups);
        for (index, (codes, scales)) in range.zip(lines.zip(&mut self.scales)) {
            let row = rows.row(index);
            scales.read(&row, &self.ones);
            for_codes!(row.packing, |LOW, HIGH, CODES| unpack::<LOW, HIGH, CODES>(&row, codes));
        }
    }
}

#[inline(never)]
fn unpack<const LOW: u32, const HIGH: u32, const CODES: u32>(row: &Row<'_>, out: &mut [[i16; GROUP]]) {
    let tools = Tools::new::<LOW, HIGH, CODES>(&row.packing);
    for (group, out) in out.iter_mut().enumerate().take(row.n_groups) {
        let to: *mut v128 = out.as_mut_ptr().cast();
        // SAFETY: the group is one of the row's, and its codes fill four vectors.
        unsafe {
            let [a, b, c, d] = codes_of::<LOW, HIGH, CODES>(row, group, &tools);
            v128_store(to, a);
            v128_store(to.add(1), b);
            v128_store(to.add(2), c);
            v128_store(to.add(3), d);
        }
    }
}

/// The products of all rows with all vectors.
///
/// # Safety
/// Rows must hold all groups, and vectors whole eights of them.
#[inline(never)]
unsafe fn several_vectors<const BY_16: bool>(rows: &Rows<'_>, x: &Rounded, out: &mut [f32]) {
    let n_rows = out.len() / x.n_vectors;
    let mut panel = Panel::new(rows, PANEL_ROWS.min(n_rows));
    for start in (0..n_rows).step_by(PANEL_ROWS) {
        let n = PANEL_ROWS.min(n_rows - start);
        panel.fill(rows, start..start + n);
        let out = &mut out[start * x.n_vectors..][..n * x.n_vectors];
        for first in (0..x.n_vectors).step_by(VECTORS) {
            // Where there are fewer, the last one takes the places of those that are missing.
            let vectors = [0, 1, 2, 3].map(|v| (first + v).min(x.n_vectors - 1));
            for (row, out) in out.chunks_exact_mut(x.n_vectors).enumerate() {
                let codes = &panel.codes[row * rows.n_groups..][..rows.n_groups];
                // SAFETY: the caller's promise.
                let found = unsafe { four_dots::<BY_16>(codes, &panel.scales[row], x, vectors) };
                vectors.iter().zip(found).for_each(|(&vector, found)| out[vector] = found);
            }
        }
    }
}

/// The products of a row with four vectors.
///
/// # Safety
/// The vectors must be there, with as many groups as the row.
#[inline(always)]
unsafe fn four_dots<const BY_16: bool>(
    codes: &[[i16; GROUP]],
    scales: &RowScales,
    x: &Rounded,
    vectors: [usize; VECTORS],
) -> [f32; VECTORS] {
    let [low, high] = scales.scales();
    // SAFETY: the caller's promise, for codes, scales and sums.
    unsafe {
        let [a, b, c, d] = vectors.map(|v| {
            let sums = scales.times_leasts(x.sums.as_ptr().add(2 * v * x.n_padded));
            (sums, x.codes.as_ptr().add(v * x.n_padded * GROUP), x.scales.as_ptr().add(v * x.n_padded))
        });
        let [mut sum_a, mut sum_b, mut sum_c, mut sum_d] = [a.0, b.0, c.0, d.0];
        for (group, codes) in codes.iter().enumerate() {
            let from: *const v128 = codes.as_ptr().cast();
            let codes = [v128_load(from), v128_load(from.add(1)), v128_load(from.add(2)), v128_load(from.add(3))];
            let own = [v128_load32_splat(low.add(group).cast()), v128_load32_splat(high.add(group).cast())];
            sum_a = add_dots::<BY_16>(sum_a, (codes, own), a.1.add(group * GROUP), a.2.add(group));
            sum_b = add_dots::<BY_16>(sum_b, (codes, own), b.1.add(group * GROUP), b.2.add(group));
            sum_c = add_dots::<BY_16>(sum_c, (codes, own), c.1.add(group * GROUP), c.2.add(group));
            sum_d = add_dots::<BY_16>(sum_d, (codes, own), d.1.add(group * GROUP), d.2.add(group));
        }
        [horizontal(sum_a), horizontal(sum_b), horizontal(sum_c), horizontal(sum_d)]
    }
}

/// Adds the products of a group, given as codes and scales, with that of a vector.
///
/// # Safety
/// There must be the codes and the scale of a group.
#[inline(always)]
unsafe fn add_dots<const BY_16: bool>(
    sum: v128,
    (codes, scales): ([v128; 4], [v128; 2]),
    x_codes: *const i16,
    x_scale: *const f32,
) -> v128 {
    // SAFETY: the caller's promise.
    let (halves, x_scale) = unsafe { (multiply(codes, x_codes), v128_load32_splat(x_scale.cast())) };
    add_scaled(BY_16, sum, halves, [f32x4_mul(scales[0], x_scale), f32x4_mul(scales[1], x_scale)])
}

/// Four sums of four products each for both halves of a group.
///
/// # Safety
/// There must be the codes of a group at `x`.
#[inline(always)]
unsafe fn multiply(codes: [v128; 4], x: *const i16) -> [v128; 2] {
    let x: *const v128 = x.cast();
    // SAFETY: the caller's promise.
    let x = unsafe { [v128_load(x), v128_load(x.add(1)), v128_load(x.add(2)), v128_load(x.add(3))] };
    [
        i32x4_add(i32x4_dot_i16x8(codes[0], x[0]), i32x4_dot_i16x8(codes[1], x[1])),
        i32x4_add(i32x4_dot_i16x8(codes[2], x[2]), i32x4_dot_i16x8(codes[3], x[3])),
    ]
}

/// Adds both halves, each times its scale, or their sum times the first of them.
#[inline(always)]
fn add_scaled(by_16: bool, sum: v128, [low, high]: [v128; 2], scales: [v128; 2]) -> v128 {
    if by_16 {
        let sum = f32x4_add(sum, f32x4_mul(f32x4_convert_i32x4(low), scales[0]));
        f32x4_add(sum, f32x4_mul(f32x4_convert_i32x4(high), scales[1]))
    } else {
        f32x4_add(sum, f32x4_mul(f32x4_convert_i32x4(i32x4_add(low, high)), scales[0]))
    }
}

#[inline(always)]
fn horizontal(v: v128) -> f32 {
    let two = f32x4_add(v, i32x4_shuffle::<2, 3, 2, 3>(v, v));
    f32x4_extract_lane::<0>(two) + f32x4_extract_lane::<1>(two)
}
