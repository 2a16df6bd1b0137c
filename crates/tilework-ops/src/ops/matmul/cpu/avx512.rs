//! The f32 tiles for x86-64 with AVX-512: 12 × 32 or 8 × 48 sums in 24 of the 32 vector registers.
//!
//! Per depth they issue two or three loads, twelve or eight broadcasts and 24 multiply-adds: twice the arithmetic of the AVX2 tile for
//! each load, on vectors twice as wide. Sums are made in the same order as there, so all give the same bits, and whichever leaves less
//! of itself outside of a result is taken.

use super::tile::{Fate, Strips, Tile, pack};
use std::arch::x86_64::*;
use tilework_vm::{Level, level};

const LANES: usize = 16;
/// Lines whose elements of one depth are stored together.
const GROUP: usize = 4;

/// A proof that this machine has AVX-512, and is to use it, for tiles of `ROWS` by so many vectors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512<const ROWS: usize, const VECTORS: usize>(());

/// The tile to prefer.
type Square = Avx512<12, 2>;
/// The tile for results with few rows, or with 8 · n of them.
type Flat = Avx512<8, 3>;

/// One of the tiles.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    Square(Square),
    Flat(Flat),
}

impl Shape {
    /// The tile for a result of this size, where the machine has the instructions and does not slow down for them.
    pub(crate) fn detect(n_rows: usize, n_cols: usize) -> Option<Shape> {
        let covered = |rows: usize, cols: usize| n_rows.next_multiple_of(rows) * n_cols.next_multiple_of(cols);
        (level() >= Level::Avx512)
            .then(|| if covered(8, 48) < covered(12, 32) { Shape::Flat(Avx512(())) } else { Shape::Square(Avx512(())) })
    }
}

/// Both tiles.
#[cfg(test)]
pub(crate) fn all() -> Option<(Square, Flat)> {
    Shape::detect(1, 1).map(|_| (Avx512(()), Avx512(())))
}

macro_rules! tiles {
    ($($rows:literal by $cols:literal: $name:ident);*) => {
        $(impl Tile<f32, $rows, $cols> for $name {
            #[inline]
            fn run(self, a: &[f32], b: &[f32], out: &mut [f32], row_stride: usize, fate: Fate) {
                assert!(
                    a.len() / $rows == b.len() / $cols && out.len() >= ($rows - 1) * row_stride + $cols,
                    "a tile's panels have one depth and its result lies inside the buffer"
                );
                // SAFETY: the type is only made where the features are there, and the assertion keeps every access inside the slices.
                unsafe { tile::<$rows, { $cols / LANES }>(a, b, out.as_mut_ptr(), row_stride, fate) }
            }

            #[inline]
            fn pack_rows(self, rows: &Strips<'_, f32>, n_lines: usize, depth: usize, panels: &mut [f32]) {
                // SAFETY: the type is only made where the features are there.
                pack::<f32, $rows>(rows, n_lines, depth, panels, |rows, panel| unsafe { interleave(rows, panel) });
            }

            #[inline]
            fn pack_columns(self, columns: &Strips<'_, f32>, n_lines: usize, depth: usize, panels: &mut [f32]) {
                // SAFETY: as above.
                pack::<f32, $cols>(columns, n_lines, depth, panels, |columns, panel| unsafe { interleave(columns, panel) });
            }
        })*
    };
}
tiles!(12 by 32: Square; 8 by 48: Flat);

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
/// `out` must point to `ROWS` rows of `VECTORS` writable vectors, `row_stride` apart, and `b` be as deep as `a`.
#[target_feature(enable = "avx512f")]
unsafe fn tile<const ROWS: usize, const VECTORS: usize>(
    a: &[f32],
    b: &[f32],
    out: *mut f32,
    row_stride: usize,
    fate: Fate,
) {
    let mut sums = [[_mm512_setzero_ps(); VECTORS]; ROWS];
    for row in 0..ROWS {
        // The result is met once per pass and is rarely in the cache by itself. A tile may straddle one line more.
        // SAFETY: a prefetch of any address is harmless, and these lie inside the rows.
        unsafe {
            let at = out.add(row * row_stride);
            for vector in 0..VECTORS {
                _mm_prefetch::<_MM_HINT_T0>(at.add(vector * LANES).cast());
            }
            _mm_prefetch::<_MM_HINT_T0>(at.add(VECTORS * LANES - 1).cast());
        }
    }
    // Four depths at a time keep the loop's own arithmetic out of the way.
    let (a_fours, b_fours) = (a.chunks_exact(4 * ROWS), b.chunks_exact(4 * VECTORS * LANES));
    let (a_rest, b_rest) = (a_fours.remainder(), b_fours.remainder());
    for (a, b) in a_fours.zip(b_fours) {
        for depth in 0..4 {
            step(&mut sums, &a[depth * ROWS..], &b[depth * VECTORS * LANES..]);
        }
    }
    for (a, b) in a_rest.chunks_exact(ROWS).zip(b_rest.chunks_exact(VECTORS * LANES)) {
        step(&mut sums, a, b);
    }
    for (row, sums) in sums.iter().enumerate() {
        for (vector, &sum) in sums.iter().enumerate() {
            // SAFETY: the caller's promise about `out`.
            unsafe {
                let at = out.add(row * row_stride + vector * LANES);
                let sum = if fate == Fate::Add { _mm512_add_ps(sum, _mm512_loadu_ps(at)) } else { sum };
                _mm512_storeu_ps(at, sum);
            }
        }
    }
}

/// Adds the products of one depth.
#[inline]
#[target_feature(enable = "avx512f")]
fn step<const ROWS: usize, const VECTORS: usize>(sums: &mut [[__m512; VECTORS]; ROWS], a: &[f32], b: &[f32]) {
    let b = &b[..VECTORS * LANES];
    // SAFETY: the slice holds so many vectors.
    let b: [__m512; VECTORS] = std::array::from_fn(|vector| unsafe { _mm512_loadu_ps(b[vector * LANES..].as_ptr()) });
    for (sums, &a) in sums.iter_mut().zip(&a[..ROWS]) {
        let a = _mm512_set1_ps(a);
        for (sum, &b) in sums.iter_mut().zip(&b) {
            *sum = _mm512_fmadd_ps(a, b, *sum);
        }
    }
}
