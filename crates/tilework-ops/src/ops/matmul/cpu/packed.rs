//! The product in blocks that fit the caches, for any register tile.
//!
//! The scheme is that of Goto and van de Geijn ("Anatomy of High-Performance Matrix Multiplication", ACM TOMS 34, 2008): strips
//! of both operands are copied into panels that a tile reads in order, so that any strides cost the same and the inner loop
//! only meets nearby memory. A panel of `b` stays in the first-level cache while the block of `a` passes by from the second.
//!
//! The depth is cut in the same places whatever the number of threads, so results do not depend on it.

use super::Matrix;
use super::scratch::{Scratch, sized, with_scratch};
use super::tile::{Fate, Tile};
use crate::threads::Threads;
use tilework_vm::Float;

/// Most of the depth in one pass: a panel of 32 columns then takes 32 KB, one of 16 half of that.
const MAX_DEPTH: usize = 256;
/// Rows of `a` that a thread packs and multiplies at a time: 120 KB of the second-level cache.
const MAX_BLOCK_ROWS: usize = 120;
/// Columns of `b` packed at a time, which with the depth of a pass bounds the scratch memory to 4 MB.
const MAX_BLOCK_COLS: usize = 4096;
/// Panels packed together: enough of each row of `b` for the hardware to see what comes next.
const PANELS_AT_ONCE: usize = 4;

/// `out = a · b` for `[m, k, n]`, all non-zero; `out` is row-major.
///
/// Threads meet twice for each part of `b` that is packed at once: products that are not large pack all of it.
pub(super) fn gemm<F: Scratch, T: Tile<F, ROWS, COLS>, const ROWS: usize, const COLS: usize>(
    tile: T,
    threads: Threads,
    [m, k, n]: [usize; 3],
    a: &Matrix<'_, F>,
    b: &Matrix<'_, F>,
    out: &mut [F],
) {
    let out = &mut out[..m * n];
    let cuts = row_cuts::<ROWS>(m, n, threads.count());
    let depth_step = k.div_ceil(k.div_ceil(MAX_DEPTH));
    with_scratch(F::columns(), |memory| {
        for first_col in (0..n).step_by(MAX_BLOCK_COLS) {
            let n_cols = MAX_BLOCK_COLS.min(n - first_col);
            let n_passes = (MAX_BLOCK_COLS * MAX_DEPTH / (n_cols.next_multiple_of(COLS) * depth_step)).max(1);
            for first_depth in (0..k).step_by(n_passes * depth_step) {
                let depth = (n_passes * depth_step).min(k - first_depth);
                let part = Part { first_depth, depth, depth_step, first_col, n_cols };
                let b_panels = sized(memory, n_cols.next_multiple_of(COLS) * depth);
                part.pack(tile, threads, b, b_panels);
                threads.for_each_split(out, &cuts, |start, rows| {
                    part.multiply_rows(tile, (a, start / n), (b_panels, n), rows);
                });
            }
        }
    });
}

/// A part of `b` that is packed at once: some columns, and the depth of one pass or of several.
struct Part {
    first_depth: usize,
    depth: usize,
    /// The depth of a pass; the last may be less deep.
    depth_step: usize,
    first_col: usize,
    n_cols: usize,
}

impl Part {
    /// Where each pass begins, counted from the first, and how deep it is.
    fn passes(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.depth).step_by(self.depth_step).map(|start| (start, self.depth_step.min(self.depth - start)))
    }

    /// Packs all passes, one after the other, each into panels of `COLS` columns.
    fn pack<F: Scratch, T: Tile<F, ROWS, COLS>, const ROWS: usize, const COLS: usize>(
        &self,
        tile: T,
        threads: Threads,
        b: &Matrix<'_, F>,
        panels: &mut [F],
    ) {
        let n_panels = self.n_cols.div_ceil(COLS);
        let at_once = n_panels.div_ceil(threads.count()).clamp(1, PANELS_AT_ONCE);
        let starts = self.passes().flat_map(|(start, depth)| {
            (0..n_panels).step_by(at_once).map(move |panel| (n_panels * start + panel * depth) * COLS)
        });
        let cuts: Vec<usize> = starts.skip(1).collect();
        threads.for_each_split(panels, &cuts, |at, panels| {
            let start = at / (n_panels * COLS * self.depth_step) * self.depth_step;
            let depth = self.depth_step.min(self.depth - start);
            let first = (at - n_panels * COLS * start) / depth;
            let strips = b.strips_of_columns(self.first_depth + start, self.first_col + first);
            tile.pack_columns(&strips, (self.n_cols - first).min(panels.len() / depth), depth, panels);
        });
    }

    /// The part's share of a block of rows of the result: `a` with its first row, the packed part with the columns of a row.
    fn multiply_rows<F: Scratch, T: Tile<F, ROWS, COLS>, const ROWS: usize, const COLS: usize>(
        &self,
        tile: T,
        (a, first_row): (&Matrix<'_, F>, usize),
        (b_panels, row_stride): (&[F], usize),
        rows: &mut [F],
    ) {
        let (n_rows, n_padded) = (rows.len() / row_stride, self.n_cols.next_multiple_of(COLS));
        with_scratch(F::rows(), |memory| {
            for (start, depth) in self.passes() {
                let fate = if self.first_depth + start == 0 { Fate::Store } else { Fate::Add };
                let block = Block { n_rows, depth, n_cols: self.n_cols, row_stride, first_col: self.first_col, fate };
                let a_panels = sized(memory, n_rows.next_multiple_of(ROWS) * depth);
                tile.pack_rows(&a.strips_of_rows(first_row, self.first_depth + start), n_rows, depth, a_panels);
                multiply_block(tile, &block, a_panels, &b_panels[n_padded * start..][..n_padded * depth], rows);
            }
        });
    }
}

/// Where the rows of the result are cut, in elements: blocks of whole panels, as even as can be, in a multiple of the threads.
fn row_cuts<const ROWS: usize>(m: usize, n: usize, n_threads: usize) -> Vec<usize> {
    let n_panels = m.div_ceil(ROWS);
    let n_blocks = m.div_ceil(MAX_BLOCK_ROWS).next_multiple_of(n_threads).min(n_panels);
    (1..n_blocks).map(|block| block * n_panels / n_blocks * ROWS * n).collect()
}

/// A block of rows of the result and the columns of it that are being computed.
struct Block {
    n_rows: usize,
    depth: usize,
    n_cols: usize,
    row_stride: usize,
    first_col: usize,
    fate: Fate,
}

fn multiply_block<F: Float, T: Tile<F, ROWS, COLS>, const ROWS: usize, const COLS: usize>(
    tile: T,
    block: &Block,
    a_panels: &[F],
    b_panels: &[F],
    out: &mut [F],
) {
    let depth = block.depth;
    for (b_panel, col) in b_panels.chunks_exact(COLS * depth).zip((0..block.n_cols).step_by(COLS)) {
        let n_cols = COLS.min(block.n_cols - col);
        for (a_panel, row) in a_panels.chunks_exact(ROWS * depth).zip((0..block.n_rows).step_by(ROWS)) {
            let n_rows = ROWS.min(block.n_rows - row);
            let out = &mut out[row * block.row_stride + block.first_col + col..];
            if n_rows == ROWS && n_cols == COLS {
                tile.run(a_panel, b_panel, out, block.row_stride, block.fate);
            } else {
                let mut whole = [[F::from_f64(0.0); COLS]; ROWS];
                tile.run(a_panel, b_panel, whole.as_flattened_mut(), COLS, Fate::Store);
                for (row, whole) in whole[..n_rows].iter().enumerate() {
                    block.fate.apply(&whole[..n_cols], &mut out[row * block.row_stride..]);
                }
            }
        }
    }
}
