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

/// Most of the depth in one pass: a panel of 16 columns then takes 24 KB.
const MAX_DEPTH: usize = 384;
/// Rows of `a` that a thread packs and multiplies at a time: 90 KB of the second-level cache.
const MAX_BLOCK_ROWS: usize = 60;
/// Columns of `b` packed at a time, which bounds the scratch memory to 6 MB.
const MAX_BLOCK_COLS: usize = 4096;
/// Panels packed together: 256 bytes of each row of `b`, enough for the hardware to see what comes next.
const PANELS_AT_ONCE: usize = 4;

/// `out = a · b` for `[m, k, n]`, all non-zero; `out` is row-major.
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
    with_scratch(F::columns(), |b_panels| {
        for first_col in (0..n).step_by(MAX_BLOCK_COLS) {
            let n_cols = MAX_BLOCK_COLS.min(n - first_col);
            for first_depth in (0..k).step_by(depth_step) {
                let depth = depth_step.min(k - first_depth);
                let fate = if first_depth == 0 { Fate::Store } else { Fate::Add };
                let b_strips = b.strips_of_columns(first_depth, first_col);
                let b_panels = sized(b_panels, n_cols.next_multiple_of(COLS) * depth);
                threads.for_each_piece(b_panels, PANELS_AT_ONCE * COLS * depth, |start, panels| {
                    let first = start / depth;
                    let n_lines = (n_cols - first).min(panels.len() / depth);
                    tile.pack_columns(&b_strips.after(first), n_lines, depth, panels);
                });
                threads.for_each_split(out, &cuts, |start, rows| {
                    let strip = a.strips_of_rows(start / n, first_depth);
                    let block = Block { n_rows: rows.len() / n, depth, n_cols, row_stride: n, first_col, fate };
                    with_scratch(F::rows(), |a_panels| {
                        let a_panels = sized(a_panels, block.n_rows.next_multiple_of(ROWS) * depth);
                        tile.pack_rows(&strip, block.n_rows, depth, a_panels);
                        multiply_block(tile, &block, a_panels, b_panels, rows);
                    });
                });
            }
        }
    });
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
