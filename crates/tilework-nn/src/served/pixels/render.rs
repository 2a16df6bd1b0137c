//! Pictures for a page: tiles of a pyramid, and parts of a tensor side by side.
//!
//! A tile of level L shows 256·2^L pixels of a page in each direction. All of them would be too many at high levels, so of every
//! square that becomes one pixel some are looked at, evenly spread: a tile costs the same at every level.

use std::ops::Range;

use tilework::{Error, Result};

use super::weights::{Line, Side};
use crate::pixels::{Rect, Tile, color};

/// Pixels of a tile in each direction.
pub(super) const TILE_PX: u64 = 256;
/// Pixels that are looked at in each direction of a square.
const SAMPLES: u64 = 4;
/// The same where squares are large, and weights in blocks have to be decoded for it.
const FAR_SAMPLES: u64 = 2;
const FAR_LEVEL: u32 = 3;
/// Pages have at most 8192 pixels on a side.
const MAX_LEVEL: u32 = 8;
/// Weights of a sheet, at most.
const MAX_SHEET_PX: u64 = 1 << 23;

/// What of a model becomes colors.
#[derive(Clone, Copy)]
pub(super) enum Colors<'a> {
    /// The bytes of pixels.
    Exact,
    /// Weights, by the scale of each tensor.
    Heat(&'a [f32]),
    /// Differences to another model, by the largest of each tensor, which is `None` where there is nothing to compare.
    Difference(Side<'a>, &'a [Option<f32>]),
}

/// An image with four bytes per pixel; blank ones are transparent.
#[derive(Debug, Default)]
pub(super) struct Image {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) rgba: Vec<u8>,
}

/// Which tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) page: usize,
    pub(super) level: u32,
    pub(super) column: u64,
    pub(super) row: u64,
}

/// What was gathered for each pixel of an image.
enum Canvas {
    /// Sums of red, green, blue, alpha and their number.
    Bytes(Vec<[u32; 5]>),
    /// Sums of strengths from −1 to 1, of their squares, and their number.
    Strengths(Vec<(f32, f32, u32)>),
}

impl Canvas {
    /// Colors of pixels. `n_all` is how many were looked at where nothing is blank.
    fn finish(self, n_all: u32) -> Vec<u8> {
        match self {
            Canvas::Bytes(sums) => {
                let mean = |[red, green, blue, alpha, n]: [u32; 5]| match n {
                    0 => [0; 4],
                    n => [red / n, green / n, blue / n, alpha / n.max(n_all)].map(|part| part as u8),
                };
                sums.into_iter().flat_map(mean).collect()
            }
            // As `heat` shows many weights in one pixel: their mean is zero and would show nothing.
            Canvas::Strengths(sums) => {
                let mean = |(sum, squares, n): (f32, f32, u32)| match n {
                    0 => [0; 4],
                    n => {
                        let [red, green, blue] = color((squares / n as f32).sqrt().copysign(sum));
                        [red, green, blue, (255 * n.min(n_all) / n_all.max(1)) as u8]
                    }
                };
                sums.into_iter().flat_map(mean).collect()
            }
        }
    }
}

/// Pixels of a square that are looked at, in each direction.
fn per_square(level: u32) -> u64 {
    (1 << level).min(if level >= FAR_LEVEL { FAR_SAMPLES } else { SAMPLES })
}

/// Places within `range` that are looked at along one axis of a tile that starts at `first`, and the squares they are in.
fn samples(range: Range<u64>, first: u64, level: u32) -> impl Iterator<Item = (usize, u64)> {
    let n = per_square(level);
    let step = (1 << level) / n;
    // In the middle of each part of a square.
    let place = move |i: u64| first + i * step + step / 2;
    let start = range.start.saturating_sub(first) / step;
    (start..)
        .map(move |i| ((i / n) as usize, place(i)))
        .skip_while(move |(_, at)| *at < range.start)
        .take_while(move |(_, at)| *at < range.end)
}

/// A tile of a page.
pub(super) fn tile(model: Side<'_>, place: Place, colors: Colors<'_>) -> Result<Image> {
    let Place { page, level, column, row } = place;
    let none = || Error::argument("pixels", format!("there is no tile {place:?}"));
    let size = model.file.pages().get(page).copied().filter(|_| level <= MAX_LEVEL).ok_or_else(none)?;
    let side = TILE_PX << level;
    let start = |index: u64, most: u32| index.checked_mul(side).filter(|&at| at < u64::from(most)).ok_or_else(none);
    let (x0, y0) = (start(column, size.width)?, start(row, size.height)?);
    let (x1, y1) = ((x0 + side).min(size.width.into()), (y0 + side).min(size.height.into()));
    let n_pixels = |from: u64, to: u64| ((to - from).div_ceil(1 << level)) as usize;
    let (width, height) = (n_pixels(x0, x1), n_pixels(y0, y1));
    let canvas = match colors {
        Colors::Exact => Canvas::Bytes(vec![[0; 5]; width * height]),
        _ => Canvas::Strengths(vec![(0.0, 0.0, 0); width * height]),
    };
    let mut drawing = Drawing { model, colors, page, level, x: x0..x1, y: y0..y1, width, canvas };
    for (index, tile) in model.file.tensors().iter().enumerate() {
        drawing.draw(index, tile)?;
    }
    let n = per_square(level) as u32;
    Ok(Image { width, height, rgba: drawing.canvas.finish(n * n) })
}

/// A tile that is being drawn.
struct Drawing<'a> {
    model: Side<'a>,
    colors: Colors<'a>,
    page: usize,
    level: u32,
    /// Columns and rows of the page that it shows.
    x: Range<u64>,
    y: Range<u64>,
    width: usize,
    canvas: Canvas,
}

impl Drawing<'_> {
    /// What of a tensor is on the tile.
    fn draw(&mut self, index: usize, tile: &Tile) -> Result<()> {
        let mut first_line = 0;
        for rect in &tile.rects {
            let x = common(&self.x, rect.x, rect.width);
            let y = common(&self.y, rect.y, rect.height);
            if rect.page == self.page && !x.is_empty() {
                for (row, at) in samples(y, self.y.start, self.level) {
                    self.draw_line(index, rect, (first_line + at - u64::from(rect.y), row), x.clone())?;
                }
            }
            first_line += u64::from(rect.height);
        }
        Ok(())
    }

    /// Columns `x` of a line of a tensor, into a row of the tile.
    fn draw_line(&mut self, index: usize, rect: &Rect, (line, row): (u64, usize), x: Range<u64>) -> Result<()> {
        let left = u64::from(rect.x);
        let pixels = x.start - left..x.end - left;
        let columns = samples(x.clone(), self.x.start, self.level);
        let strengths = match &mut self.canvas {
            Canvas::Strengths(strengths) => strengths,
            Canvas::Bytes(sums) => {
                let words = self.model.words(index, line, pixels)?;
                for (column, at) in columns {
                    let [red, green, blue, alpha] = words.get((at - x.start) as usize).copied().unwrap_or_default();
                    let parts = [red.into(), green.into(), blue.into(), alpha.into(), 1];
                    let sum = sums.get_mut(row * self.width + column);
                    sum.into_iter().flatten().zip(parts).for_each(|(sum, part): (&mut u32, u32)| *sum += part);
                }
                return Ok(());
            }
        };
        let Some((weights, scale)) = shown(self.model, self.colors, index, line, pixels)? else { return Ok(()) };
        for (column, at) in columns {
            let weights = weights.at(at - left);
            let Some(sum) = strengths.get_mut(row * self.width + column) else { continue };
            // Near by, all weights of a pixel count; from afar, one of them stands for it.
            for weight in weights.iter().take(if self.level == 0 { weights.len() } else { 1 }) {
                let strength = weight / scale;
                *sum = (sum.0 + strength, sum.1 + strength * strength, sum.2 + 1);
            }
        }
        Ok(())
    }
}

/// What is shown of a line, and the size of what has its full color; `None` if nothing is.
fn shown(
    model: Side<'_>,
    colors: Colors<'_>,
    index: usize,
    line: u64,
    pixels: Range<u64>,
) -> Result<Option<(Line, f32)>> {
    let mut weights = model.line(index, line, pixels)?;
    Ok(match colors {
        Colors::Exact => None,
        Colors::Heat(scales) => {
            weights.center(&model.tile(index)?.dtype);
            Some((weights, scales.get(index).copied().unwrap_or(1.0)))
        }
        Colors::Difference(other, scales) => match scales.get(index).copied().flatten() {
            None => None,
            Some(scale) => {
                let at = other.file.find(&model.tile(index)?.name)?;
                weights.subtract(&other.line_like(at, &weights)?);
                Some((weights, scale))
            }
        },
    })
}

/// What two ranges have in common.
fn common(a: &Range<u64>, start: u32, n: u32) -> Range<u64> {
    a.start.max(start.into())..a.end.min(u64::from(start) + u64::from(n))
}

/// Parts of a tensor side by side.
pub(super) struct Sheet {
    pub(super) image: Image,
    /// Parts in a row, and pixels of one.
    pub(super) n_across: usize,
    pub(super) part_width: usize,
    pub(super) part_height: usize,
}

/// `n_parts` groups of rows of a matrix side by side, one weight a pixel. A group of one row is folded into a picture about square.
pub(super) fn sheet(model: Side<'_>, index: usize, n_parts: u64, scale: f32) -> Result<Sheet> {
    let tile = model.tile(index)?;
    let (n_cols, n) = (tile.n_cols(), tile.n_elements());
    let n_rows = n.checked_div(n_cols).unwrap_or(0);
    if n_parts == 0 || n_rows == 0 || !n_rows.is_multiple_of(n_parts) {
        let message = format!("{n_rows} rows of `{}` do not fall into {n_parts} equal parts", tile.name);
        return Err(Error::argument("pixels", message));
    }
    if n > MAX_SHEET_PX {
        let message = format!("`{}` has {n} weights; side by side it may have {MAX_SHEET_PX}", tile.name);
        return Err(Error::argument("pixels", message));
    }
    let per_part = n / n_parts;
    let width = if n_rows == n_parts { folded_width(n_cols) } else { n_cols };
    let height = per_part.div_ceil(width);
    // About as wide as high, and not wider than the parts there are.
    let across = ((n_parts * (height + 1)) as f64 / (width + 1) as f64).sqrt().round() as u64;
    let across = across.clamp(1, n_parts);
    let (sheet_width, sheet_height) = (across * (width + 1) - 1, n_parts.div_ceil(across) * (height + 1) - 1);
    let mut rgba = vec![0; (sheet_width * sheet_height * 4) as usize];
    model.each(index, |start, weights| {
        for (i, &weight) in (start..).zip(weights) {
            let (part, inside) = (i / per_part, i % per_part);
            let x = part % across * (width + 1) + inside % width;
            let y = part / across * (height + 1) + inside / width;
            let at = ((y * sheet_width + x) * 4) as usize;
            let [red, green, blue] = color(weight / scale);
            rgba[at..at + 4].copy_from_slice(&[red, green, blue, 255]);
        }
    })?;
    let image = Image { width: sheet_width as usize, height: sheet_height as usize, rgba };
    Ok(Sheet { image, n_across: across as usize, part_width: width as usize, part_height: height as usize })
}

/// The width at which `n` pixels are a rectangle nearest to a square, without a rest if that is possible.
fn folded_width(n: u64) -> u64 {
    let root = n.isqrt().max(1);
    // Down to an eighth of a square; narrower strips are harder to read than a last row that is not full.
    (root / 3 + 1..=root).rev().find(|&side| n.is_multiple_of(side)).map_or(n.isqrt().max(1) + 1, |side| n / side)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_in_the_middle_of_their_squares() {
        let all: Vec<(usize, u64)> = samples(0..4, 0, 0).collect();
        assert_eq!(all, [(0, 0), (1, 1), (2, 2), (3, 3)]);
        let halved: Vec<(usize, u64)> = samples(3..6, 0, 1).collect();
        assert_eq!(halved, [(1, 3), (2, 4), (2, 5)]);
        // Squares of 8, two of each looked at: 2 and 6, 10 and 14.
        let far: Vec<(usize, u64)> = samples(3..15, 0, 3).collect();
        assert_eq!(far, [(0, 6), (1, 10), (1, 14)]);
        assert_eq!(samples(520..522, 512, 0).collect::<Vec<_>>(), [(8, 520), (9, 521)]);
    }

    #[test]
    fn rows_fold_into_squares() {
        assert_eq!(folded_width(784), 28);
        assert_eq!(folded_width(576), 24);
        assert_eq!(folded_width(128), 16);
        assert_eq!(folded_width(31), 6);
        assert_eq!(folded_width(1), 1);
    }

    #[test]
    fn partly_blank_squares_are_partly_transparent() {
        let exact = Canvas::Bytes(vec![[200, 100, 0, 255, 1], [0; 5]]);
        assert_eq!(exact.finish(4), [200, 100, 0, 63, 0, 0, 0, 0]);
        let heat = Canvas::Strengths(vec![(0.5, 1.25, 2), (0.0, 0.0, 0)]);
        let [red, green, blue] = color(0.625f32.sqrt());
        assert_eq!(heat.finish(4), [red, green, blue, 127, 0, 0, 0, 0]);
    }
}
