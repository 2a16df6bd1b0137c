//! Register tiles: the innermost loop of a product.

use tilework_vm::Float;

/// What happens to the sums of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// They are the result.
    Store,
    /// They are added to what is there.
    Add,
}

impl Fate {
    /// Does it to one row.
    #[inline(always)]
    pub(super) fn apply<F: Float>(self, sums: &[F], out: &mut [F]) {
        for (out, &sum) in out.iter_mut().zip(sums) {
            *out = if self == Fate::Add { out.add(sum) } else { sum };
        }
    }
}

/// The product of a panel of `ROWS` rows and one of `COLS` columns, kept in registers until it is done.
pub(super) trait Tile<F, const ROWS: usize, const COLS: usize>: Copy + Send + Sync {
    /// `a` holds `ROWS` elements for each depth, `b` holds `COLS`; the rows of `out` are `row_stride` apart.
    fn run(self, a: &[F], b: &[F], out: &mut [F], row_stride: usize, fate: Fate);

    /// Packs the rows of a panel, all equally long, so that the elements of one depth lie together.
    #[inline(always)]
    fn interleave(self, rows: [&[F]; ROWS], panel: &mut [F])
    where
        F: Copy,
    {
        interleave_lines(rows, panel);
    }
}

/// Depths that are interleaved together: each line is then read in whole vectors.
const STEP: usize = 8;

/// Packs lines, all equally long, so that the elements of one depth lie together.
pub(super) fn interleave_lines<F: Copy, const LINES: usize>(lines: [&[F]; LINES], panel: &mut [F]) {
    for (step, out) in panel.chunks_mut(STEP * LINES).enumerate() {
        let lines: [&[F]; LINES] = std::array::from_fn(|line| &lines[line][step * STEP..][..out.len() / LINES]);
        for (at_depth, out) in out.chunks_exact_mut(LINES).enumerate() {
            for line in 0..LINES {
                out[line] = lines[line][at_depth];
            }
        }
    }
}

/// The tile for every machine, used in WASM.
#[cfg(any(test, target_arch = "wasm32"))]
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

#[cfg(any(test, target_arch = "wasm32"))]
impl Tile<f32, 4, 8> for Portable {
    fn run(self, a: &[f32], b: &[f32], out: &mut [f32], row_stride: usize, fate: Fate) {
        for (row, sums) in tilework_vm::lanes::tile_4x8(a, b).iter().enumerate() {
            fate.apply(sums, &mut out[row * row_stride..][..8]);
        }
    }
}
