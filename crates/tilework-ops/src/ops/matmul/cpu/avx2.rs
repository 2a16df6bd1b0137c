//! The f32 tile for x86-64 with AVX2 and fused multiply-add: 6 × 16 sums in 12 of the 16 vector registers.
//!
//! Per depth it issues two loads, six broadcasts and twelve multiply-adds: the multiply-add units never wait for loads, and
//! twelve independent sums cover their latency.

use super::tile::{Fate, Strips, Tile, pack};
use std::arch::x86_64::*;
use tilework_vm::{Level, level};

pub(crate) const ROWS: usize = 6;
pub(crate) const COLS: usize = 16;
const LANES: usize = 8;

/// A proof that this machine has AVX2 and fused multiply-add.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// The tile, where the machine has the instructions.
    pub(crate) fn detect() -> Option<Avx2> {
        (level() >= Level::Avx2).then_some(Avx2(()))
    }
}

impl Tile<f32, ROWS, COLS> for Avx2 {
    #[inline]
    fn run(self, a: &[f32], b: &[f32], out: &mut [f32], row_stride: usize, fate: Fate) {
        assert!(
            a.len() / ROWS == b.len() / COLS && out.len() >= (ROWS - 1) * row_stride + COLS,
            "a tile's panels have one depth and its result lies inside the buffer"
        );
        // SAFETY: `Avx2` is only made where the features are there, and the assertion keeps every access inside the slices.
        unsafe { tile(a, b, out.as_mut_ptr(), row_stride, fate) }
    }

    #[inline]
    fn pack_rows(self, rows: &Strips<'_, f32>, n_lines: usize, depth: usize, panels: &mut [f32]) {
        // SAFETY: `Avx2` is only made where the features are there.
        pack::<f32, ROWS>(rows, n_lines, depth, panels, |rows, panel| unsafe { interleave(rows, panel) });
    }
}

/// Turns eight depths of six rows at a time, pair of rows by pair of rows.
#[target_feature(enable = "avx2,fma")]
fn interleave(rows: [&[f32]; ROWS], panel: &mut [f32]) {
    let (eights, rest) = panel.as_chunks_mut::<{ LANES * ROWS }>();
    let done = eights.len() * LANES;
    for (step, out) in eights.iter_mut().enumerate() {
        // SAFETY: each slice holds eight elements.
        let r: [__m256; ROWS] =
            std::array::from_fn(|row| unsafe { _mm256_loadu_ps(rows[row][step * LANES..][..LANES].as_ptr()) });
        // Pairs of depths 0 and 1 in the low half, 4 and 5 in the high half; then of depths 2 and 3, 6 and 7.
        let even = turn(_mm256_unpacklo_ps(r[0], r[1]), _mm256_unpacklo_ps(r[2], r[3]), _mm256_unpacklo_ps(r[4], r[5]));
        let odd = turn(_mm256_unpackhi_ps(r[0], r[1]), _mm256_unpackhi_ps(r[2], r[3]), _mm256_unpackhi_ps(r[4], r[5]));
        let [first, second, third, fourth] = out.as_chunks_mut::<{ 2 * ROWS }>().0 else { continue };
        store_halves(even, first, third);
        store_halves(odd, second, fourth);
    }
    for (depth, out) in rest.chunks_exact_mut(ROWS).enumerate() {
        for row in 0..ROWS {
            out[row] = rows[row][done + depth];
        }
    }
}

/// From the pairs of rows (0, 1), (2, 3) and (4, 5) at two depths to all six rows at the first depth, then at the second.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn turn(rows_01: __m256, rows_23: __m256, rows_45: __m256) -> [__m256; 3] {
    let (x, y, z) = (_mm256_castps_pd(rows_01), _mm256_castps_pd(rows_23), _mm256_castps_pd(rows_45));
    [_mm256_unpacklo_pd(x, y), _mm256_shuffle_pd::<0b1010>(z, x), _mm256_unpackhi_pd(y, z)].map(
        #[inline]
        |pairs| _mm256_castpd_ps(pairs),
    )
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn store_halves(parts: [__m256; 3], low: &mut [f32; 2 * ROWS], high: &mut [f32; 2 * ROWS]) {
    for (part, (low, high)) in
        parts.into_iter().zip(low.as_chunks_mut::<4>().0.iter_mut().zip(high.as_chunks_mut::<4>().0))
    {
        // SAFETY: both chunks hold four elements.
        unsafe {
            _mm_storeu_ps(low.as_mut_ptr(), _mm256_castps256_ps128(part));
            _mm_storeu_ps(high.as_mut_ptr(), _mm256_extractf128_ps::<1>(part));
        }
    }
}

/// # Safety
/// `out` must point to `ROWS` rows of `COLS` writable elements, `row_stride` apart, and `b` be as deep as `a`.
#[target_feature(enable = "avx2,fma")]
unsafe fn tile(a: &[f32], b: &[f32], out: *mut f32, row_stride: usize, fate: Fate) {
    let mut sums = [[_mm256_setzero_ps(); 2]; ROWS];
    for row in 0..ROWS {
        // The result is met once per pass and is rarely in the cache by itself. A tile may straddle two lines.
        // SAFETY: a prefetch of any address is harmless, and these lie inside the rows.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(out.add(row * row_stride).cast());
            _mm_prefetch::<_MM_HINT_T0>(out.add(row * row_stride + COLS - 1).cast());
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
                let sum = if fate == Fate::Add { _mm256_add_ps(sum, _mm256_loadu_ps(at)) } else { sum };
                _mm256_storeu_ps(at, sum);
            }
        }
    }
}

/// Adds the products of one depth.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn step(sums: &mut [[__m256; 2]; ROWS], a: &[f32], b: &[f32]) {
    let (low, high) = b[..COLS].split_at(LANES);
    // SAFETY: both halves hold eight elements.
    let (low, high) = unsafe { (_mm256_loadu_ps(low.as_ptr()), _mm256_loadu_ps(high.as_ptr())) };
    for (sums, a) in sums.iter_mut().zip(&a[..ROWS]) {
        let a = _mm256_broadcast_ss(a);
        sums[0] = _mm256_fmadd_ps(a, low, sums[0]);
        sums[1] = _mm256_fmadd_ps(a, high, sums[1]);
    }
}
