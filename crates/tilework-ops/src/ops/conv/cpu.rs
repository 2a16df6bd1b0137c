//! Correlations on the CPU: an implicit matrix product in pieces.
//!
//! The weights are packed once into panels of rows. The columns (positions of all images) are shared out in chunks: a thread
//! copies the part of the images its chunk can reach into a window of its own, with zeros around them, gathers panels of
//! columns from it and multiplies them with the tile of the matrix product. No thread waits for another, no more of the
//! gathered matrix exists at a time than a few panels, and the depth is cut in the same places whatever the number of threads.
//!
//! With very few rows (a convolution of each channel by itself) there is nothing to pack: multiples of the window are added.

use super::correlation::{Correlation, Walk};
use super::image_window::{ImageWindow, split_runs};
use crate::ops::matmul::cpu::scratch::{Scratch, sized, with_scratch};
use crate::ops::matmul::cpu::tile::{Fate, Strips, Tile};
use crate::threads::Threads;
use std::ops::Range;
use tilework_vm::runs::Runs;

/// Most of the depth in one pass: a panel of 16 columns then takes 24 KB.
const MAX_DEPTH: usize = 384;
/// Columns of a chunk: its panels take 384 KB at most, and its window little next to them.
const CHUNK_COLS: usize = 256;
/// The same without panels.
const THIN_CHUNK_COLS: usize = 4096;
/// Rows that are multiplied while the panels of a chunk are in the cache: more are split among threads if need be.
const MIN_BLOCK_ROWS: usize = 60;
/// A row of positions longer than this is never in a chunk with the next one: their window would be mostly unused.
const LONG_ROW: usize = 512;
/// Elements of a window at most.
const MAX_WINDOW: usize = 1 << 24;
/// With so few rows most of a tile would be empty.
const THIN_ROWS: usize = 2;

/// A float type that correlations can be computed in.
pub(crate) trait Correlate: Runs + Scratch {
    /// Computes `correlation`; `out` receives the results in row-major order.
    fn correlate(threads: Threads, correlation: &Correlation, x: &[Self], weight: &[Self], out: &mut [Self]);
}

impl Correlate for f32 {
    fn correlate(threads: Threads, correlation: &Correlation, x: &[f32], weight: &[f32], out: &mut [f32]) {
        let data = Data { correlation, x, weight };
        #[cfg(target_arch = "x86_64")]
        {
            use crate::ops::matmul::cpu::{avx2::Avx2, avx512::Shape};
            match Shape::detect(correlation.n_rows, correlation.n_columns()) {
                Some(Shape::Square(tile)) => return run(tile, threads, &data, out),
                Some(Shape::Flat(tile)) => return run(tile, threads, &data, out),
                None => {}
            }
            if let Some(tile) = Avx2::detect() {
                return run(tile, threads, &data, out);
            }
        }
        #[cfg(target_arch = "wasm32")]
        run(crate::ops::matmul::cpu::tile::Portable, threads, &data, out);
        #[cfg(not(target_arch = "wasm32"))]
        run(Plain, threads, &data, out);
    }
}

impl Correlate for f64 {
    fn correlate(threads: Threads, correlation: &Correlation, x: &[f64], weight: &[f64], out: &mut [f64]) {
        run(Plain, threads, &Data { correlation, x, weight }, out);
    }
}

/// A tile for any machine and both float types.
#[derive(Clone, Copy, Debug)]
struct Plain;

impl<F: Runs> Tile<F, 4, 8> for Plain {
    fn run(self, a: &[F], b: &[F], out: &mut [F], row_stride: usize, fate: Fate) {
        F::plain_tile(a, b, out, row_stride, fate);
    }
}

/// What is to be computed, and from what.
struct Data<'a, F> {
    correlation: &'a Correlation,
    x: &'a [F],
    weight: &'a [F],
}

impl<F: Runs> Data<'_, F> {
    /// One result, by definition.
    fn element(&self, group: usize, row: usize, column: usize) -> F {
        let correlation = self.correlation;
        let [walk_y, walk_x] = correlation.walks;
        let (image, position) = (column / correlation.n_positions(), column % correlation.n_positions());
        let place = |walk: &Walk, position: usize, tap: usize| {
            let at = walk.origin + position as isize * walk.per_position + tap as isize * walk.per_tap;
            usize::try_from(at).ok().filter(|&at| at < walk.size)
        };
        let mut sum = F::default();
        for depth in 0..correlation.depth() {
            let (channel, tap) = (depth / correlation.n_taps(), depth % correlation.n_taps());
            let (tap_y, tap_x) = (tap / walk_x.n_taps, tap % walk_x.n_taps);
            let y = place(&walk_y, position / walk_x.n_positions, tap_y);
            let x = place(&walk_x, position % walk_x.n_positions, tap_x);
            if let (Some(y), Some(x)) = (y, x) {
                let x = correlation.x.at([image, group * correlation.n_channels + channel, y, x]);
                let weight = correlation.weight.at([group, row, channel, tap_y, tap_x]);
                sum = sum.add(self.x[x as usize].mul(self.weight[weight as usize]));
            }
        }
        sum
    }
}

/// A block of rows of one group in a chunk of the columns.
struct Item<'a, F> {
    group: usize,
    rows: Range<usize>,
    columns: Range<usize>,
    pieces: Vec<Piece<'a, F>>,
}

/// Part of a row of the results: row and column inside the item, and where it goes.
struct Piece<'a, F> {
    row: usize,
    column: usize,
    out: &'a mut [F],
}

fn run<F: Runs + Scratch, T: Tile<F, ROWS, COLS>, const ROWS: usize, const COLS: usize>(
    tile: T,
    threads: Threads,
    data: &Data<'_, F>,
    out: &mut [F],
) {
    let correlation = data.correlation;
    if correlation.n_results() == 0 {
        return;
    }
    if correlation.depth() == 0 {
        out.fill(F::default());
        return;
    }
    let is_thin = correlation.n_rows <= THIN_ROWS;
    let items = Cut::new(correlation, threads.count(), ROWS, COLS).items(correlation, out);
    with_scratch(F::rows(), |memory| {
        let mut weights = Weights::new(correlation);
        if !is_thin {
            weights.panels = weights.pack(tile, threads, data, memory);
        }
        threads.for_each(items.len(), items.into_iter(), |item| {
            with_scratch(F::results(), |memory| {
                let mut work = Work::new(correlation, &item, memory, [ROWS, COLS]);
                let window_len = work.window.n_elements(&weights.depths[0]);
                if window_len.is_none_or(|len| len > MAX_WINDOW) {
                    work.add_elements(data, &item);
                } else if is_thin {
                    with_scratch(F::sources(), |elements| work.add_multiples(data, &item, &weights, elements));
                } else {
                    with_scratch(F::sources(), |elements| work.multiply(tile, data, &item, &weights, elements));
                }
                work.store(item);
            });
        });
    });
}

/// Ranges of the depth that are summed one after the other.
fn depth_blocks(correlation: &Correlation) -> Vec<Range<usize>> {
    let depth = correlation.depth();
    let n_taps = correlation.n_taps();
    // Whole channels where they fit, so that a window has no parts that are not used.
    let step = if n_taps <= MAX_DEPTH { MAX_DEPTH / n_taps * n_taps } else { MAX_DEPTH };
    let step = depth.div_ceil(depth.div_ceil(step)).next_multiple_of(if n_taps <= MAX_DEPTH { n_taps } else { 1 });
    (0..depth).step_by(step).map(|first| first..depth.min(first + step)).collect()
}

/// Where rows and columns are cut.
struct Cut {
    block_rows: usize,
    chunk_cols: usize,
    /// Columns that chunks do not cross.
    line: usize,
}

impl Cut {
    fn new(correlation: &Correlation, n_threads: usize, tile_rows: usize, tile_cols: usize) -> Cut {
        let n_columns = correlation.n_columns();
        let row = correlation.walks[1].n_positions;
        let line = if row >= LONG_ROW { row } else { n_columns };
        let n_rows = correlation.n_rows;
        if n_rows <= THIN_ROWS {
            return Cut { block_rows: n_rows, chunk_cols: THIN_CHUNK_COLS.min(line), line };
        }
        // Enough items for the threads to share evenly: smaller chunks first, then blocks of rows.
        let wanted = 4 * n_threads;
        let n_others = correlation.n_groups * (n_columns / line);
        let per_line = wanted.div_ceil(n_others);
        let most = CHUNK_COLS / tile_cols;
        let panels = line.div_ceil(per_line).div_ceil(tile_cols).clamp(1, most);
        // What the thread with most of them has to do, if there are so many panels in a chunk.
        let longest = |panels: usize| (n_others * line.div_ceil(panels * tile_cols)).div_ceil(n_threads) * panels;
        let even = (panels.div_ceil(2)..=panels).rev().min_by_key(|&panels| longest(panels)).unwrap_or(panels);
        let chunk_cols = even * tile_cols;
        let n_items = n_others * line.div_ceil(chunk_cols);
        let n_blocks =
            if n_threads == 1 { 1 } else { wanted.div_ceil(n_items).clamp(1, n_rows.div_ceil(MIN_BLOCK_ROWS)) };
        Cut { block_rows: n_rows.div_ceil(n_blocks).next_multiple_of(tile_rows), chunk_cols, line }
    }

    /// The work, with its share of the results.
    fn items<'a, F>(&self, correlation: &Correlation, out: &'a mut [F]) -> Vec<Item<'a, F>> {
        let n_rows = correlation.n_rows;
        let (n_columns, n_positions) = (correlation.n_columns(), correlation.n_positions());
        let per_line = self.line.div_ceil(self.chunk_cols);
        let n_chunks = n_columns / self.line * per_line;
        let n_blocks = n_rows.div_ceil(self.block_rows);
        let mut items = Vec::with_capacity(correlation.n_groups * n_blocks * n_chunks);
        for group in 0..correlation.n_groups {
            for first_row in (0..n_rows).step_by(self.block_rows) {
                for chunk in 0..n_chunks {
                    let line_start = chunk / per_line * self.line;
                    let first = line_start + chunk % per_line * self.chunk_cols;
                    let columns = first..(first + self.chunk_cols).min(line_start + self.line);
                    let rows = first_row..(first_row + self.block_rows).min(n_rows);
                    let pieces = Vec::with_capacity(rows.len());
                    items.push(Item { group, rows, columns, pieces });
                }
            }
        }
        for (index, mut rest) in out.chunks_exact_mut(n_positions).enumerate() {
            let (image, row) = (index / (correlation.n_groups * n_rows), index % n_rows);
            let block = index / n_rows % correlation.n_groups * n_blocks + row / self.block_rows;
            let mut column = image * n_positions;
            while !rest.is_empty() {
                let chunk = column / self.line * per_line + column % self.line / self.chunk_cols;
                let item = &mut items[block * n_chunks + chunk];
                let (piece, after) = rest.split_at_mut(rest.len().min(item.columns.end - column));
                rest = after;
                let start = column - item.columns.start;
                column += piece.len();
                item.pieces.push(Piece { row: row % self.block_rows, column: start, out: piece });
            }
        }
        items
    }
}

/// How the depth is cut, and the weights.
struct Weights<'m, F> {
    depths: Vec<Range<usize>>,
    /// Where the weight of each depth is, from the first one of its row.
    offsets: Vec<isize>,
    /// All groups as panels of rows, depth block by depth block; missing rows are zero.
    panels: &'m [F],
}

impl<'m, F: Runs + Scratch> Weights<'m, F> {
    fn new(correlation: &Correlation) -> Weights<'m, F> {
        let depths = depth_blocks(correlation);
        Weights { depths, offsets: weight_offsets(correlation), panels: &[] }
    }

    fn pack<T: Tile<F, ROWS, COLS>, const ROWS: usize, const COLS: usize>(
        &self,
        tile: T,
        threads: Threads,
        data: &Data<'_, F>,
        memory: &'m mut Vec<F>,
    ) -> &'m [F] {
        let correlation = data.correlation;
        let (n_rows, depth) = (correlation.n_rows, correlation.depth());
        let padded_rows = n_rows.next_multiple_of(ROWS);
        let blocks = (0..correlation.n_groups)
            .flat_map(|group| self.depths.iter().map(move |block| (group * depth + block.start) * padded_rows));
        let cuts: Vec<usize> = blocks.skip(1).collect();
        // Weights of a row that follow each other can be packed as those of a matrix are.
        let is_even = self.offsets.iter().enumerate().all(|(depth, &offset)| offset == depth as isize);
        let panels = sized(memory, correlation.n_groups * padded_rows * depth);
        threads.for_each_split(panels, &cuts, |start, panels| {
            let (group, first) = (start / (padded_rows * depth), start / padded_rows % depth);
            let n_depths = panels.len() / padded_rows;
            let row = |row: usize| correlation.weight.at([group, row, 0, 0, 0]);
            if is_even {
                let rows = Strips {
                    data: data.weight,
                    start: row(0) + first as isize,
                    line_stride: correlation.weight.strides[1],
                    depth_stride: 1,
                };
                return tile.pack_rows(&rows, n_rows, n_depths, panels);
            }
            panels.fill(F::default());
            for (panel, out) in panels.chunks_exact_mut(ROWS * n_depths).enumerate() {
                for line in 0..ROWS.min(n_rows - panel * ROWS) {
                    let at = row(panel * ROWS + line);
                    for (out, &offset) in out.iter_mut().skip(line).step_by(ROWS).zip(&self.offsets[first..]) {
                        *out = data.weight[(at + offset) as usize];
                    }
                }
            }
        });
        panels
    }

    /// The panels of an item's rows at the depths in `block`.
    fn block<const ROWS: usize>(&self, correlation: &Correlation, item: &Item<'_, F>, block: &Range<usize>) -> &[F] {
        let padded_rows = correlation.n_rows.next_multiple_of(ROWS);
        let first = (item.group * correlation.depth() + block.start) * padded_rows + item.rows.start * block.len();
        &self.panels[first..][..item.rows.len().next_multiple_of(ROWS) * block.len()]
    }
}

/// Where the weight of each depth is, from the first one of its row.
fn weight_offsets(correlation: &Correlation) -> Vec<isize> {
    let [_, _, per_channel, per_y, per_x] = correlation.weight.strides;
    let (n_taps, n_x) = (correlation.n_taps(), correlation.walks[1].n_taps);
    let offset = |depth: usize| {
        let (channel, tap) = (depth / n_taps, depth % n_taps);
        channel as isize * per_channel + (tap / n_x) as isize * per_y + (tap % n_x) as isize * per_x
    };
    (0..correlation.depth()).map(offset).collect()
}

/// What a thread needs for one item.
struct Work<'m, F> {
    window: ImageWindow,
    /// Results of the item, padded to whole tiles.
    sums: &'m mut [F],
    /// Elements between rows of `sums`.
    row_stride: usize,
}

impl<'m, F: Runs + Scratch> Work<'m, F> {
    fn new(correlation: &Correlation, item: &Item<'_, F>, memory: &'m mut Vec<F>, tile: [usize; 2]) -> Work<'m, F> {
        let row_stride = item.columns.len().next_multiple_of(tile[1]);
        Work {
            window: ImageWindow::new(correlation, item.columns.clone()),
            sums: sized(memory, item.rows.len().next_multiple_of(tile[0]) * row_stride),
            row_stride,
        }
    }

    fn multiply<T: Tile<F, ROWS, COLS>, const ROWS: usize, const COLS: usize>(
        &mut self,
        tile: T,
        data: &Data<'_, F>,
        item: &Item<'_, F>,
        weights: &Weights<'_, F>,
        elements: &mut Vec<F>,
    ) {
        let row_stride = self.row_stride;
        for block in &weights.depths {
            let depth = block.len();
            let view = self.window.fill(data.x, item.group, block.clone(), COLS, elements);
            let panel_runs = split_runs(&view.runs, COLS, row_stride / COLS);
            let a_panels = weights.block::<ROWS>(data.correlation, item, block);
            let fate = if block.start == 0 { Fate::Store } else { Fate::Add };
            with_scratch(F::columns(), |memory| {
                let panels = sized(memory, row_stride * depth + COLS);
                for (panel, runs) in panel_runs.iter().enumerate() {
                    F::pack_runs::<COLS>(elements, &view.taps, runs, &mut panels[panel * COLS * depth..]);
                }
                for (b, column) in panels.chunks_exact(COLS * depth).zip((0..row_stride).step_by(COLS)) {
                    for (a, row) in a_panels.chunks_exact(ROWS * depth).zip((0..).step_by(ROWS)) {
                        tile.run(a, b, &mut self.sums[row * row_stride + column..], row_stride, fate);
                    }
                }
            });
        }
    }

    fn add_multiples(
        &mut self,
        data: &Data<'_, F>,
        item: &Item<'_, F>,
        weights: &Weights<'_, F>,
        elements: &mut Vec<F>,
    ) {
        self.sums.fill(F::default());
        for block in &weights.depths {
            let view = self.window.fill(data.x, item.group, block.clone(), 0, elements);
            for (sums, row) in self.sums.chunks_exact_mut(self.row_stride).zip(item.rows.clone()) {
                let at = data.correlation.weight.at([item.group, row, 0, 0, 0]);
                let factor = |offset: &isize| data.weight[(at + offset) as usize];
                let factors: Vec<F> = weights.offsets[block.clone()].iter().map(factor).collect();
                F::add_taps(elements, &view.taps, &factors, &view.runs, sums);
            }
        }
    }

    /// Element by element, where strides or dilations are so large that a window would be mostly empty.
    fn add_elements(&mut self, data: &Data<'_, F>, item: &Item<'_, F>) {
        for (sums, row) in self.sums.chunks_exact_mut(self.row_stride).zip(item.rows.clone()) {
            for (sum, column) in sums.iter_mut().zip(item.columns.clone()) {
                *sum = data.element(item.group, row, column);
            }
        }
    }

    fn store(self, item: Item<'_, F>) {
        for Piece { row, column, out } in item.pieces {
            out.copy_from_slice(&self.sums[row * self.row_stride + column..][..out.len()]);
        }
    }
}
