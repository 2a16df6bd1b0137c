//! Pictures for people: weights as colors.
//!
//! The exact picture of a model looks like noise, since a pixel is the four bytes of a number. These are derived from it: blue is
//! negative, red positive, white zero, and each tensor has a scale of its own, because magnitudes differ between them by orders.

use tilework::{Error, Result};

use super::BYTES;
use super::file::PixelFile;
use super::tile::{Tile, block_of};
use super::values::values;

/// A picture of 8-bit colors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels from left to right.
    pub width: usize,
    /// Pixels from top to bottom.
    pub height: usize,
    /// Red, green and blue of each pixel, row after row.
    pub rgb: Vec<u8>,
}

/// Which rows or columns of a matrix belong to a head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeadAxis {
    /// Heads are groups of rows, as in query, key and value projections.
    #[default]
    Rows,
    /// Heads are groups of columns, as in output projections.
    Columns,
}

/// Colors of −1, −½, 0, ½ and 1: ColorBrewer's RdBu, which people who see few colors can read, too.
const STOPS: [[f32; 3]; 5] =
    [[5.0, 48.0, 97.0], [67.0, 147.0, 195.0], [247.0, 247.0, 247.0], [214.0, 96.0, 77.0], [103.0, 0.0, 31.0]];
/// What is no number.
const NOT_A_NUMBER: [u8; 3] = [255, 0, 255];
/// What is no weight.
const PAPER: [u8; 3] = [40, 40, 44];
/// Weights beyond so many times their root mean square have the last color.
const N_SIGMAS: f64 = 3.0;
/// Pixels between heads.
const GUTTER_PX: usize = 2;
/// Bytes of a tensor that are read at a time.
const CHUNK_BYTES: u64 = 1 << 20;
/// Pixels of a picture, at most.
const MAX_PIXELS: usize = 1 << 26;

/// The color of a number from −1 to 1; beyond, that of the end.
pub fn color(value: f32) -> [u8; 3] {
    if value.is_nan() {
        return NOT_A_NUMBER;
    }
    let at = (value.clamp(-1.0, 1.0) + 1.0) * 2.0;
    let stop = (at as usize).min(3);
    let part = at - stop as f32;
    std::array::from_fn(|i| (STOPS[stop][i] + part * (STOPS[stop + 1][i] - STOPS[stop][i])).round() as u8)
}

/// A matrix `[n_rows, n_cols]` as colors, no wider or higher than `max_px`. Without a scale, three times the root mean square.
pub fn heat(values: &[f32], n_cols: usize, scale: Option<f32>, max_px: usize) -> Result<Picture> {
    let n_rows = values.len().checked_div(n_cols).unwrap_or(0);
    if n_rows * n_cols != values.len() || values.is_empty() || max_px == 0 {
        let message = format!("{} numbers are no rows of {n_cols} to show", values.len());
        return Err(Error::argument("pixels", message));
    }
    let mut cells = Cells::new(n_cols.min(max_px), n_rows.min(max_px));
    let columns: Vec<usize> = (0..n_cols).map(|column| column * cells.width / n_cols).collect();
    for (row, values) in values.chunks_exact(n_cols).enumerate() {
        cells.add_row(row * cells.height / n_rows, &columns, values);
    }
    let mut picture = Picture::paper(cells.width, cells.height);
    cells.paint(scale, &mut picture, (0, 0));
    Ok(picture)
}

/// The heads of a matrix as tiles side by side, all to one scale.
pub fn heads(values: &[f32], n_cols: usize, n_heads: usize, axis: HeadAxis, max_px: usize) -> Result<Picture> {
    let n_rows = values.len().checked_div(n_cols).unwrap_or(0);
    let size = if axis == HeadAxis::Rows { n_rows } else { n_cols };
    if n_heads == 0 || !size.is_multiple_of(n_heads) || n_rows * n_cols != values.len() || values.is_empty() {
        let message = format!("{size} rows or columns are not made of {n_heads} heads");
        return Err(Error::argument("pixels", message));
    }
    let n = size / n_heads;
    let scale = spread(values);
    let head = |head: usize| -> Vec<f32> {
        match axis {
            HeadAxis::Rows => values[head * n * n_cols..(head + 1) * n * n_cols].to_vec(),
            HeadAxis::Columns => {
                values.chunks_exact(n_cols).flat_map(|row| row[head * n..(head + 1) * n].to_vec()).collect()
            }
        }
    };
    let head_cols = if axis == HeadAxis::Rows { n_cols } else { n };
    let per_row = grid(n_heads, head_cols, values.len() / n_heads / head_cols);
    let each_px = (max_px / per_row.max(n_heads.div_ceil(per_row))).saturating_sub(GUTTER_PX).max(1);
    let tiles: Vec<Picture> =
        (0..n_heads).map(|h| heat(&head(h), head_cols, Some(scale), each_px)).collect::<Result<_>>()?;
    let (width, height) = (tiles[0].width + GUTTER_PX, tiles[0].height + GUTTER_PX);
    let mut picture = Picture::paper(width * per_row - GUTTER_PX, height * n_heads.div_ceil(per_row) - GUTTER_PX);
    for (h, tile) in tiles.iter().enumerate() {
        picture.put(tile, h % per_row * width, h / per_row * height);
    }
    Ok(picture)
}

/// Tiles in a row so that the whole is about square.
fn grid(n: usize, width: usize, height: usize) -> usize {
    let wanted = ((n * height) as f64 / width.max(1) as f64).sqrt().round() as usize;
    wanted.clamp(1, n)
}

/// A page as people can read it: every tensor where it lies, to a scale of its own, no wider or higher than `max_px`.
pub fn overview(file: &PixelFile, page: usize, max_px: usize) -> Result<Picture> {
    let geometry = file.pages().get(page).copied();
    let geometry = geometry.ok_or_else(|| Error::argument("pixels", format!("there is no page {}", page + 1)))?;
    let (width, height) = (geometry.width as usize, geometry.height as usize);
    let shrink = Shrink { from: width.max(height), to: max_px.clamp(1, width.max(height)) };
    if shrink.ceil(width) * shrink.ceil(height) > MAX_PIXELS {
        return Err(Error::argument("pixels", format!("{max_px} pixels are too many for a picture")));
    }
    let mut picture = Picture::paper(shrink.ceil(width), shrink.ceil(height));
    for (index, tile) in file.tensors().iter().enumerate() {
        let mut cells = TileCells::new(tile, page, shrink);
        if cells.is_empty() {
            continue;
        }
        each_row(file, index, &mut |row, values| {
            cells.add(row, values);
            Ok(())
        })?;
        cells.paint(&mut picture);
    }
    Ok(picture)
}

/// Lengths on a page as lengths in a smaller picture.
#[derive(Clone, Copy)]
pub(super) struct Shrink {
    from: usize,
    to: usize,
}

impl Shrink {
    fn floor(self, px: usize) -> usize {
        px * self.to / self.from
    }

    fn ceil(self, px: usize) -> usize {
        (px * self.to).div_ceil(self.from).max(1)
    }
}

/// Calls `each` with the numbers of every pixel row of a tensor.
pub(super) fn each_row(file: &PixelFile, index: usize, each: &mut dyn FnMut(u64, &[f32]) -> Result<()>) -> Result<()> {
    let tile = file.tile(index)?;
    let Some((block_len, block_bytes)) = block_of(&tile.dtype) else { return Ok(()) };
    if tile.row_bytes == 0 || !tile.row_bytes.is_multiple_of(block_bytes) {
        return Ok(());
    }
    let per_chunk = (CHUNK_BYTES / tile.row_bytes).max(1);
    let n_values = (tile.row_bytes / block_bytes * block_len) as usize;
    let mut bytes = Vec::new();
    for row in (0..tile.n_rows()).step_by(per_chunk as usize) {
        let start = row * tile.row_bytes;
        bytes.resize((per_chunk * tile.row_bytes).min(tile.size_bytes - start) as usize, 0);
        file.read_range(index, start, &mut bytes)?;
        let mut numbers = values(&tile.dtype, &bytes)?;
        if tile.dtype == BYTES {
            // Bytes have no sign: their middle is white.
            numbers.iter_mut().for_each(|value| *value -= 127.5);
        }
        for (k, values) in numbers.chunks(n_values).enumerate() {
            each(row + k as u64, values)?;
        }
    }
    Ok(())
}

/// The cells of a tensor on a page: one grid for each of its rectangles.
pub(super) struct TileCells {
    grids: Vec<Grid>,
    columns: Vec<usize>,
}

struct Grid {
    first_row: u64,
    n_rows: u64,
    at: (usize, usize),
    cells: Cells,
}

impl TileCells {
    pub(super) fn new(tile: &Tile, page: usize, shrink: Shrink) -> TileCells {
        let mut first_row = 0;
        let mut grids = Vec::new();
        for rect in &tile.rects {
            if rect.page == page {
                let (width, height) = (shrink.ceil(rect.width as usize), shrink.ceil(rect.height as usize));
                let at = (shrink.floor(rect.x as usize), shrink.floor(rect.y as usize));
                let cells = Cells::new(width, height);
                grids.push(Grid { first_row, n_rows: rect.height.into(), at, cells });
            }
            first_row += u64::from(rect.height);
        }
        TileCells { grids, columns: Vec::new() }
    }

    fn is_empty(&self) -> bool {
        self.grids.is_empty()
    }

    pub(super) fn add(&mut self, row: u64, values: &[f32]) {
        let after = self.grids.partition_point(|grid| grid.first_row <= row);
        let Some(grid) = after.checked_sub(1).and_then(|at| self.grids.get_mut(at)) else { return };
        if row >= grid.first_row + grid.n_rows {
            return;
        }
        if self.columns.len() < values.len() {
            let n = values.len();
            self.columns = (0..n).map(|column| column * grid.cells.width / n).collect();
        }
        let y = (row - grid.first_row) as usize * grid.cells.height / grid.n_rows as usize;
        grid.cells.add_row(y, &self.columns, values);
    }

    pub(super) fn paint(&self, picture: &mut Picture) {
        let all = self.grids.iter().fold(Spread::default(), |all, grid| all.with(&grid.cells.spread));
        for grid in &self.grids {
            grid.cells.paint(Some(all.scale()), picture, grid.at);
        }
    }
}

/// What the size of numbers is judged by.
#[derive(Clone, Copy, Default)]
struct Spread {
    n: f64,
    squares: f64,
    most: f32,
}

impl Spread {
    fn add(&mut self, values: &[f32]) {
        let mut squares = 0.0;
        for &value in values.iter().filter(|value| value.is_finite()) {
            squares += f64::from(value * value);
            self.most = self.most.max(value.abs());
        }
        self.squares += squares;
        self.n += values.len() as f64;
    }

    fn with(self, other: &Spread) -> Spread {
        Spread { n: self.n + other.n, squares: self.squares + other.squares, most: self.most.max(other.most) }
    }

    fn scale(&self) -> f32 {
        let scale = (N_SIGMAS * (self.squares / self.n.max(1.0)).sqrt()) as f32;
        if scale.is_finite() && scale > 0.0 { scale.min(self.most) } else { self.most.max(f32::MIN_POSITIVE) }
    }
}

fn spread(values: &[f32]) -> f32 {
    let mut spread = Spread::default();
    spread.add(values);
    spread.scale()
}

/// Numbers gathered into fewer pixels. A pixel is as strong as the root mean square of its numbers and has the sign of their sum: the
/// mean of many weights is zero and would show nothing.
struct Cells {
    width: usize,
    height: usize,
    /// Sum, sum of squares and number.
    cells: Vec<(f32, f32, u32)>,
    spread: Spread,
}

impl Cells {
    fn new(width: usize, height: usize) -> Cells {
        Cells { width, height, cells: vec![(0.0, 0.0, 0); width * height], spread: Spread::default() }
    }

    /// Adds a row of numbers to row `y`, each to the column that `columns` says.
    fn add_row(&mut self, y: usize, columns: &[usize], values: &[f32]) {
        self.spread.add(values);
        let row = &mut self.cells[y * self.width..(y + 1) * self.width];
        for (&column, &value) in columns.iter().zip(values) {
            let cell = &mut row[column];
            *cell = (cell.0 + value, cell.1 + value * value, cell.2 + 1);
        }
    }

    fn paint(&self, scale: Option<f32>, picture: &mut Picture, at: (usize, usize)) {
        let scale = scale.unwrap_or_else(|| self.spread.scale());
        for (y, row) in self.cells.chunks_exact(self.width).enumerate() {
            for (x, &(sum, squares, n)) in row.iter().enumerate().filter(|(_, cell)| cell.2 > 0) {
                let strength = (squares / n as f32).sqrt().copysign(sum);
                picture.set(at.0 + x, at.1 + y, color(strength / scale));
            }
        }
    }
}

impl Picture {
    /// A picture of nothing.
    fn paper(width: usize, height: usize) -> Picture {
        Picture { width, height, rgb: PAPER.repeat(width * height) }
    }

    fn set(&mut self, x: usize, y: usize, color: [u8; 3]) {
        let at = 3 * (y * self.width + x);
        if let Some(pixel) = self.rgb.get_mut(at..at + 3).filter(|_| x < self.width) {
            pixel.copy_from_slice(&color);
        }
    }

    fn put(&mut self, other: &Picture, x: usize, y: usize) {
        for (row, pixels) in other.rgb.chunks_exact(3 * other.width).enumerate() {
            let at = 3 * ((y + row) * self.width + x);
            if let Some(to) = self.rgb.get_mut(at..at + pixels.len()) {
                to.copy_from_slice(pixels);
            }
        }
    }
}

pub(super) fn page_picture(width: u32, height: u32, max_px: usize) -> (Picture, Shrink) {
    let (width, height) = (width as usize, height as usize);
    let shrink = Shrink { from: width.max(height).max(1), to: max_px.clamp(1, width.max(height).max(1)) };
    (Picture::paper(shrink.ceil(width), shrink.ceil(height)), shrink)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_diverge_from_white() {
        assert_eq!(
            [color(0.0), color(-1.0), color(2.0), color(f32::NAN)],
            [[247; 3], [5, 48, 97], [103, 0, 31], [255, 0, 255]]
        );
        let [r, _, b] = color(0.3);
        assert!(r > b && color(-0.3)[2] > color(-0.3)[0]);
    }

    #[test]
    fn a_matrix_is_shown_row_by_row() {
        let picture = heat(&[1.0, -1.0, 0.0, 0.0, 1.0, 1.0], 3, Some(1.0), 100).unwrap();
        assert_eq!((picture.width, picture.height), (3, 2));
        assert_eq!(picture.rgb[..9], [[103, 0, 31], [5, 48, 97], [247, 247, 247]].concat());
        let small = heat(&vec![0.5; 64 * 32], 32, None, 16).unwrap();
        assert_eq!((small.width, small.height), (16, 16));
        assert!(heat(&[1.0; 5], 2, None, 10).is_err() && heat(&[], 0, None, 10).is_err());
    }

    #[test]
    fn heads_lie_side_by_side() {
        // Four heads of 2 rows by 4 columns; the third is all ones.
        let mut values = vec![-1.0; 32];
        values[16..24].fill(1.0);
        let picture = heads(&values, 4, 4, HeadAxis::Rows, 100).unwrap();
        let per_row = (picture.width + GUTTER_PX) / (4 + GUTTER_PX);
        let (x, y) = (2 % per_row * 6, 2 / per_row * 4);
        let at = 3 * (y * picture.width + x);
        assert_eq!(picture.rgb[at..at + 3], [103, 0, 31]);
        assert!(heads(&values, 4, 3, HeadAxis::Rows, 100).is_err());
        let columns = heads(&values, 4, 2, HeadAxis::Columns, 100).unwrap();
        assert!(columns.width * columns.height >= 32);
    }
}
