//! The f32 tile for x86-64 with AVX-512: 12 × 32 sums in 24 of the 32 vector registers.
//!
//! Per depth it issues two loads, twelve broadcasts and 24 multiply-adds: twice the arithmetic of the AVX2 tile for each load, on
//! vectors twice as wide. Sums are made in the same order as there, so both give the same bits.

use super::tile::{Fate, Strips, Tile, pack};
use std::arch::x86_64::*;
use tilework_vm::{Level, level};

pub(crate) const ROWS: usize = 12;
pub(crate) const COLS: usize = 32;
const LANES: usize = 16;
/// Lines whose elements of one depth are stored together.
const GROUP: usize = 4;

/// A proof that this machine has AVX-512, and is to use it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// The tile, where the machine has the instructions and does not slow down for them.
    pub(crate) fn detect() -> Option<Avx512> {
        (level() >= Level::Avx512).then_some(Avx512(()))
    }
}

impl Tile<f32, ROWS, COLS> for Avx512 {
    #[inline]
    fn run(self, a: &[f32], b: &[f32], out: &mut [f32], row_stride: usize, fate: Fate) {
        assert!(
            a.len() / ROWS == b.len() / COLS && out.len() >= (ROWS - 1) * row_stride + COLS,
            "a tile's panels have one depth and its result lies inside the buffer"
        );
        // SAFETY: `Avx512` is only made where the features are there, and the assertion keeps every access inside the slices.
        unsafe { tile(a, b, out.as_mut_ptr(), row_stride, fate) }
    }

    #[inline]
    fn pack_rows(self, rows: &Strips<'_, f32>, n_lines: usize, depth: usize, panels: &mut [f32]) {
        // SAFETY: `Avx512` is only made where the features are there.
        pack::<f32, ROWS>(rows, n_lines, depth, panels, |rows, panel| unsafe { interleave(rows, panel) });
    }

    #[inline]
    fn pack_columns(self, columns: &Strips<'_, f32>, n_lines: usize, depth: usize, panels: &mut [f32]) {
        // SAFETY: `Avx512` is only made where the features are there.
        pack::<f32, COLS>(columns, n_lines, depth, panels, |columns, panel| unsafe { interleave(columns, panel) });
    }
}

/// Turns sixteen depths of four lines at a time.
#[target_feature(enable = "avx512f")]
fn interleave<const LINES: usize>(lines: [&[f32]; LINES], panel: &mut [f32]) {
    let (blocks, rest) = panel.split_at_mut(panel.len() / (LANES * LINES) * LANES * LINES);
    let done = blocks.len() / LINES;
    for (step, out) in blocks.chunks_exact_mut(LANES * LINES).enumerate() {
        for group in 0..LINES / GROUP {
            let four: [__m512; GROUP] = std::array::from_fn(|line| {
                // SAFETY: the slice holds sixteen elements.
                unsafe { _mm512_loadu_ps(lines[group * GROUP + line][step * LANES..][..LANES].as_ptr()) }
            });
            store_turned(four, &mut out[group * GROUP..], LINES);
        }
    }
    for (depth, out) in rest.chunks_exact_mut(LINES).enumerate() {
        for line in 0..LINES {
            out[line] = lines[line][done + depth];
        }
    }
}

/// Stores four lines of sixteen depths as sixteen times four lines, `stride` apart.
#[inline]
#[target_feature(enable = "avx512f")]
fn store_turned([a, b, c, d]: [__m512; GROUP], out: &mut [f32], stride: usize) {
    let pairs =
        [_mm512_unpacklo_ps(a, b), _mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(a, b), _mm512_unpackhi_ps(c, d)];
    let [low_ab, low_cd, high_ab, high_cd] = pairs.map(
        #[inline]
        |pair| _mm512_castps_pd(pair),
    );
    // Quarter `q` of the vector at `i` has depth `4·q + i`.
    let turned = [
        _mm512_unpacklo_pd(low_ab, low_cd),
        _mm512_unpackhi_pd(low_ab, low_cd),
        _mm512_unpacklo_pd(high_ab, high_cd),
        _mm512_unpackhi_pd(high_ab, high_cd),
    ];
    for (i, quarters) in turned.into_iter().enumerate() {
        let quarters = _mm512_castpd_ps(quarters);
        let parts = [
            _mm512_castps512_ps128(quarters),
            _mm512_extractf32x4_ps::<1>(quarters),
            _mm512_extractf32x4_ps::<2>(quarters),
            _mm512_extractf32x4_ps::<3>(quarters),
        ];
        for (q, part) in parts.into_iter().enumerate() {
            // SAFETY: the slice holds four elements.
            unsafe { _mm_storeu_ps(out[(4 * q + i) * stride..][..GROUP].as_mut_ptr(), part) }
        }
    }
}

/// # Safety
/// `out` must point to `ROWS` rows of `COLS` writable elements, `row_stride` apart, and `b` be as deep as `a`.
#[target_feature(enable = "avx512f")]
unsafe fn tile(a: &[f32], b: &[f32], out: *mut f32, row_stride: usize, fate: Fate) {
    let mut sums = [[_mm512_setzero_ps(); 2]; ROWS];
    for row in 0..ROWS {
        // The result is met once per pass and is rarely in the cache by itself. A tile may straddle three lines.
        // SAFETY: a prefetch of any address is harmless, and these lie inside the rows.
        unsafe {
            let at = out.add(row * row_stride);
            _mm_prefetch::<_MM_HINT_T0>(at.cast());
            _mm_prefetch::<_MM_HINT_T0>(at.add(LANES).cast());
            _mm_prefetch::<_MM_HINT_T0>(at.add(COLS - 1).cast());
        }
    }
    // Four depths at a time keep the loop's own arithmetic out of the way.
    let (a_fours, a_rest) = a.as_chunks::<{ 4 * ROWS }>();
    let (b_fours, b_rest) = b.as_chunks::<{ 4 * COLS }>();
    for (a, b) in a_fours.iter().zip(b_fours) {
        for depth in 0..4 {
            step(&mut sums, &a[depth * ROWS..], &b[depth * COLS..]);
        }
    }
    for (a, b) in a_rest.chunks_exact(ROWS).zip(b_rest.chunks_exact(COLS)) {
        step(&mut sums, a, b);
    }
    for (row, sums) in sums.iter().enumerate() {
        for (half, &sum) in sums.iter().enumerate() {
            // SAFETY: the caller's promise about `out`.
            unsafe {
                let at = out.add(row * row_stride + half * LANES);
                let sum = if fate == Fate::Add { _mm512_add_ps(sum, _mm512_loadu_ps(at)) } else { sum };
                _mm512_storeu_ps(at, sum);
            }
        }
    }
}

/// Adds the products of one depth.
#[inline]
#[target_feature(enable = "avx512f")]
fn step(sums: &mut [[__m512; 2]; ROWS], a: &[f32], b: &[f32]) {
    let (low, high) = b[..COLS].split_at(LANES);
    // SAFETY: both halves hold sixteen elements.
    let (low, high) = unsafe { (_mm512_loadu_ps(low.as_ptr()), _mm512_loadu_ps(high.as_ptr())) };
    for (sums, &a) in sums.iter_mut().zip(&a[..ROWS]) {
        let a = _mm512_set1_ps(a);
        sums[0] = _mm512_fmadd_ps(a, low, sums[0]);
        sums[1] = _mm512_fmadd_ps(a, high, sums[1]);
    }
}
