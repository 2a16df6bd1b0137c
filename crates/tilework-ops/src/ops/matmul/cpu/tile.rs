//! Register tiles: the innermost loop of a product.

use tilework_vm::Float;
#[cfg(any(test, target_arch = "wasm32"))]
use tilework_vm::panels;
pub(crate) use tilework_vm::panels::{Fate, Strips, interleave_lines, pack};

/// The product of a panel of `ROWS` rows and one of `COLS` columns, kept in registers until it is done.
pub(crate) trait Tile<F, const ROWS: usize, const COLS: usize>: Copy + Send + Sync {
    /// `a` holds `ROWS` elements for each depth, `b` holds `COLS`; the rows of `out` are `row_stride` apart.
    fn run(self, a: &[F], b: &[F], out: &mut [F], row_stride: usize, fate: Fate);

    /// Packs `n_lines` rows of the left operand into panels of `ROWS`.
    fn pack_rows(self, rows: &Strips<'_, F>, n_lines: usize, depth: usize, panels: &mut [F])
    where
        F: Float,
    {
        pack::<F, ROWS>(rows, n_lines, depth, panels, interleave_lines);
    }

    /// Packs `n_lines` columns of the right operand into panels of `COLS`.
    fn pack_columns(self, columns: &Strips<'_, F>, n_lines: usize, depth: usize, panels: &mut [F])
    where
        F: Float,
    {
        pack::<F, COLS>(columns, n_lines, depth, panels, interleave_lines);
    }
}

/// The tile for every machine, used in WASM.
#[cfg(any(test, target_arch = "wasm32"))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

#[cfg(any(test, target_arch = "wasm32"))]
impl Tile<f32, 4, 8> for Portable {
    fn run(self, a: &[f32], b: &[f32], out: &mut [f32], row_stride: usize, fate: Fate) {
        panels::tile_4x8(a, b, out, row_stride, fate);
    }

    fn pack_rows(self, rows: &Strips<'_, f32>, n_lines: usize, depth: usize, panels: &mut [f32]) {
        panels::pack_4(rows, n_lines, depth, panels);
    }

    fn pack_columns(self, columns: &Strips<'_, f32>, n_lines: usize, depth: usize, panels: &mut [f32]) {
        panels::pack_8(columns, n_lines, depth, panels);
    }
}
