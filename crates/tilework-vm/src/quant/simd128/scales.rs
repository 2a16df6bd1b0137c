//! Scales of a row as floats.

use super::super::GROUPS;
use super::Row;
use super::codes::is_by_16;
use core::arch::wasm32::*;
use tilework_core::quant::packed::{Packing, Scales};

/// Scales and leasts of a row, filled up to eights of groups.
pub(super) struct RowScales {
    n_padded: usize,
    /// `[half, scale or least, n_padded]`; only the first halves where groups have one scale.
    values: Vec<f32>,
    by_16: bool,
}

/// Eight floats.
type Eight = [v128; 2];

impl RowScales {
    pub(super) fn new(packing: &Packing, n_groups: usize) -> RowScales {
        let n_padded = n_groups.next_multiple_of(GROUPS);
        let by_16 = is_by_16(packing.low_bits, packing.high_bits);
        RowScales { n_padded, values: vec![0.0; if by_16 { 4 } else { 2 } * n_padded], by_16 }
    }

    /// Scale and least of a half of a group.
    pub(super) fn of(&self, group: usize, half: usize) -> [f32; 2] {
        let at = if self.by_16 { 2 * half * self.n_padded } else { 0 } + group;
        [self.values[at], self.values[at + self.n_padded]]
    }

    /// Where the scales of the first and of the second halves begin.
    #[inline(always)]
    pub(super) fn scales(&self) -> [*const f32; 2] {
        let second = if self.by_16 { 2 * self.n_padded } else { 0 };
        [&raw const self.values[0], &raw const self.values[second]]
    }

    /// Reads the scales of `row`, each times the number in `by` of its group.
    #[inline(never)]
    pub(super) fn read(&mut self, row: &Row<'_>, by: &[f32]) {
        let words = &row.words[row.packing.scales_at(row.n_groups)..];
        let zero = [f32x4_splat(0.0); 2];
        match row.packing.scales {
            Scales::Half { offset } => self.fill(
                by,
                #[inline(always)]
                |eight| [halves(words, eight, -offset as f32); 2],
            ),
            Scales::HalfPair => self.fill(
                by,
                #[inline(always)]
                |eight| [half_pairs(words, eight); 2],
            ),
            Scales::Float => self.fill(
                by,
                #[inline(always)]
                |eight| [[load(&words_at(words, 8 * eight)), zero]; 2],
            ),
            Scales::Bytes32Pair => self.fill(
                by,
                #[inline(always)]
                |block| [bytes_32_pair(words, block); 2],
            ),
            Scales::Bytes32 => self.fill(
                by,
                #[inline(always)]
                |block| [[bytes_32(words, block), zero]; 2],
            ),
            Scales::Bytes16 { offset } => self.fill(
                by,
                #[inline(always)]
                |block| bytes_16(words, block, -offset as f32),
            ),
            Scales::Nibbles16 => self.fill(
                by,
                #[inline(always)]
                |block| nibbles_16(words, block),
            ),
        }
    }

    /// Stores what `eight` says of each eight groups: `[half, scale or least]`.
    #[inline(always)]
    fn fill(&mut self, by: &[f32], eight: impl Fn(usize) -> [[Eight; 2]; 2]) {
        let n = self.n_padded;
        for (index, by) in by[..n].as_chunks::<GROUPS>().0.iter().enumerate() {
            let [[scales, leasts], second] = eight(index);
            // SAFETY: the array holds 32 bytes.
            let by = unsafe { [v128_load(by.as_ptr().cast()), v128_load(by.as_ptr().add(4).cast())] };
            let at = index * GROUPS;
            store(&mut self.values[at..], product(scales, by));
            store(&mut self.values[at + n..], leasts);
            if self.by_16 {
                store(&mut self.values[at + 2 * n..], product(second[0], by));
                store(&mut self.values[at + 3 * n..], second[1]);
            }
        }
    }

    /// The products of the leasts and the sums of a vector, in four parts.
    ///
    /// # Safety
    /// There must be sums of `n_padded` first and as many second halves.
    #[inline(always)]
    pub(super) unsafe fn times_leasts(&self, sums: *const f32) -> v128 {
        let mut total = f32x4_splat(0.0);
        // SAFETY: the caller's promise, and that of the layout of the values.
        unsafe {
            let (low, high): (*const v128, *const v128) = (sums.cast(), sums.add(self.n_padded).cast());
            let leasts: *const v128 = self.values.as_ptr().add(self.n_padded).cast();
            let second: *const v128 = self.values.as_ptr().add(if self.by_16 { 3 * self.n_padded } else { 0 }).cast();
            for at in 0..self.n_padded / 4 {
                let (low, high) = (v128_load(low.add(at)), v128_load(high.add(at)));
                let terms = if self.by_16 {
                    f32x4_add(f32x4_mul(v128_load(leasts.add(at)), low), f32x4_mul(v128_load(second.add(at)), high))
                } else {
                    f32x4_mul(v128_load(leasts.add(at)), f32x4_add(low, high))
                };
                total = f32x4_add(total, terms);
            }
        }
        total
    }
}

/// A half for each of eight groups.
#[inline(always)]
fn halves(words: &[u32], eight: usize, minus_offset: f32) -> [Eight; 2] {
    let words: [u32; 4] = words_at(words, 4 * eight);
    // SAFETY: the array holds 16 bytes.
    let halves = unsafe { v128_load(words.as_ptr().cast()) };
    let d = [widen(u32x4_extend_low_u16x8(halves)), widen(u32x4_extend_high_u16x8(halves))];
    [d, times(d, minus_offset)]
}

/// Two halves for each of eight groups.
#[inline(always)]
fn half_pairs(words: &[u32], eight: usize) -> [Eight; 2] {
    let [a, b] = load(&words_at(words, 8 * eight));
    let mask = u32x4_splat(0xffff);
    [[widen(v128_and(a, mask)), widen(v128_and(b, mask))], [widen(u32x4_shr(a, 16)), widen(u32x4_shr(b, 16))]]
}

#[inline(always)]
fn bytes_32_pair(words: &[u32], block: usize) -> [Eight; 2] {
    let [both, a, b, c, d] = words_at(words, 5 * block);
    let s = floats(u16x8_extend_low_u8x16(u32x4(a, b, 0, 0)));
    let t = floats(u16x8_extend_low_u8x16(u32x4(c, d, 0, 0)));
    [times(s, half(both)), times(t, -half(both >> 16))]
}

#[inline(always)]
fn bytes_32(words: &[u32], block: usize) -> Eight {
    let [d, a, b] = words_at(words, 3 * block);
    times(floats(i16x8_extend_low_i8x16(u32x4(a, b, 0, 0))), half(d))
}

#[inline(always)]
fn bytes_16(words: &[u32], block: usize, minus_offset: f32) -> [[Eight; 2]; 2] {
    let [d, a, b, c, e] = words_at(words, 5 * block);
    let bytes = u32x4(a, b, c, e);
    let first = times(floats(i16x8_shr(i16x8_shl(bytes, 8), 8)), half(d));
    let second = times(floats(i16x8_shr(bytes, 8)), half(d));
    [[first, times(first, minus_offset)], [second, times(second, minus_offset)]]
}

#[inline(always)]
fn nibbles_16(words: &[u32], block: usize) -> [[Eight; 2]; 2] {
    let [both, a, b, c, e] = words_at(words, 5 * block);
    let (d, minus_m) = (half(both), -half(both >> 16));
    let (bytes, mask) = (u32x4(a, b, c, e), u16x8_splat(15));
    [
        [times(floats(v128_and(bytes, mask)), d), times(floats(v128_and(u16x8_shr(bytes, 4), mask)), minus_m)],
        [times(floats(v128_and(u16x8_shr(bytes, 8), mask)), d), times(floats(u16x8_shr(bytes, 12)), minus_m)],
    ]
}

/// `N` words from `at` on; zeros past the end.
#[inline(always)]
fn words_at<const N: usize>(words: &[u32], at: usize) -> [u32; N] {
    if let Some(found) = words[at..].first_chunk::<N>() {
        return *found;
    }
    let mut found = [0; N];
    found.iter_mut().zip(&words[at..]).for_each(|(found, &word)| *found = word);
    found
}

#[inline(always)]
fn load(words: &[u32; GROUPS]) -> Eight {
    // SAFETY: the array holds 32 bytes.
    unsafe { [v128_load(words.as_ptr().cast()), v128_load(words.as_ptr().add(4).cast())] }
}

#[inline(always)]
fn store(to: &mut [f32], [a, b]: Eight) {
    let to = to[..GROUPS].as_mut_ptr();
    // SAFETY: there are eight floats.
    unsafe {
        v128_store(to.cast(), a);
        v128_store(to.add(4).cast(), b);
    }
}

/// Eight 16-bit numbers with a sign as floats.
#[inline(always)]
fn floats(eight: v128) -> Eight {
    [f32x4_convert_i32x4(i32x4_extend_low_i16x8(eight)), f32x4_convert_i32x4(i32x4_extend_high_i16x8(eight))]
}

#[inline(always)]
fn product(a: Eight, b: Eight) -> Eight {
    [f32x4_mul(a[0], b[0]), f32x4_mul(a[1], b[1])]
}

#[inline(always)]
fn times(eight: Eight, factor: f32) -> Eight {
    product(eight, [f32x4_splat(factor); 2])
}

/// The half in the low bits of a word.
#[inline(always)]
fn half(word: u32) -> f32 {
    tilework_core::half::widen(word as u16)
}

/// Four halves, as [`tilework_core::half::widen`] does it.
#[inline(always)]
fn widen(bits: v128) -> v128 {
    let magnitude = v128_and(bits, u32x4_splat(0x7fff));
    let scaled = f32x4_mul(u32x4_shl(magnitude, 13), u32x4_splat(0x7780_0000));
    let special = v128_and(i32x4_gt(magnitude, i32x4_splat(0x7bff)), u32x4_splat(0x7f80_0000));
    v128_or(v128_or(scaled, special), u32x4_shl(v128_xor(bits, magnitude), 16))
}
