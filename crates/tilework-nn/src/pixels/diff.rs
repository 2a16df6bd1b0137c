//! Two models next to each other: which tensors differ, where and by how much.

use std::collections::HashSet;

use tilework::{Error, Result};

use super::BYTES;
use super::file::PixelFile;
use super::heat::{Picture, TileCells, page_picture};
use super::tile::{Tile, block_of};
use super::values::values;

/// How two models are compared.
#[derive(Clone, Copy, Debug)]
pub struct DiffOptions {
    /// The page of the first model that is drawn, from 0.
    pub page: usize,
    /// The picture is no wider or higher.
    pub max_px: usize,
}

impl Default for DiffOptions {
    fn default() -> DiffOptions {
        DiffOptions { page: 0, max_px: 1024 }
    }
}

/// What two models differ in.
#[derive(Clone, Debug, PartialEq)]
pub struct Diff {
    /// Every tensor of the first model, in order, then those that only the second has.
    pub tensors: Vec<TensorDiff>,
    /// Counts of |difference| by powers of two: bin `k` from 2^(k − 32) to 2^(k − 31), the first and last without ends. Equal numbers are
    /// counted nowhere.
    pub magnitudes: Vec<u64>,
    /// Numbers that were compared.
    pub n_compared: u64,
    /// Numbers that differ.
    pub n_different: u64,
}

/// What became of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TensorState {
    /// The same bytes.
    Equal,
    /// Other bytes.
    Different,
    /// Another shape or type in the second model: not compared.
    OtherForm,
    /// Only the first model has it.
    OnlyFirst,
    /// Only the second model has it.
    OnlySecond,
}

/// A tensor in both models.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorDiff {
    /// Its name.
    pub name: String,
    /// How it compares.
    pub state: TensorState,
    /// Numbers that differ.
    pub n_different: u64,
    /// Numbers in all.
    pub n: u64,
    /// The largest difference.
    pub max: f32,
    /// Root mean square of the differences.
    pub rms: f64,
    /// Root mean square of the first model's numbers, to judge them by.
    pub rms_first: f64,
}

/// Bins of [`Diff::magnitudes`].
const N_MAGNITUDES: usize = 48;
/// Exponent of the first bin's end.
const FIRST_EXPONENT: i32 = -31;
/// Bytes of a tensor that are read at a time.
const CHUNK_BYTES: u64 = 1 << 20;

/// Compares two models, tensor by tensor.
pub fn diff(first: &PixelFile, second: &PixelFile) -> Result<Diff> {
    compare(first, second, &mut |_, _| None, &mut |_, _| {})
}

/// The same, and a picture of the first model's page with the differences: red where the second is larger, blue where it is smaller, to
/// one scale for each tensor.
pub fn diff_picture(first: &PixelFile, second: &PixelFile, options: DiffOptions) -> Result<(Diff, Picture)> {
    let page = first.pages().get(options.page).copied();
    let page = page.ok_or_else(|| Error::argument("pixels", format!("there is no page {}", options.page + 1)))?;
    let (mut picture, shrink) = page_picture(page.width, page.height, options.max_px);
    let mut begin = |tile: &Tile, _: usize| Some(TileCells::new(tile, options.page, shrink));
    let found = compare(first, second, &mut begin, &mut |_, cells| cells.paint(&mut picture))?;
    Ok((found, picture))
}

fn compare(
    first: &PixelFile,
    second: &PixelFile,
    begin: &mut dyn FnMut(&Tile, usize) -> Option<TileCells>,
    end: &mut dyn FnMut(usize, &TileCells),
) -> Result<Diff> {
    let mut found = Diff { tensors: Vec::new(), magnitudes: vec![0; N_MAGNITUDES], n_compared: 0, n_different: 0 };
    let mut names = HashSet::new();
    for (index, tile) in first.tensors().iter().enumerate() {
        names.insert(tile.name.as_str());
        let other = second.find(&tile.name).ok();
        let state = match other.map(|other| &second.tensors()[other]) {
            None => TensorState::OnlyFirst,
            Some(other) if other.shape != tile.shape || other.dtype != tile.dtype => TensorState::OtherForm,
            Some(_) => TensorState::Equal,
        };
        let mut row = TensorDiff::new(&tile.name, state, tile.n_elements());
        if let (TensorState::Equal, Some(other)) = (state, other) {
            let mut cells = begin(tile, index);
            let pair = Pair { first, second, indices: (index, other) };
            pair.compare(&mut row, &mut cells, &mut found.magnitudes)?;
            found.n_compared += row.n;
            found.n_different += row.n_different;
            if let Some(cells) = &cells {
                end(index, cells);
            }
        }
        found.tensors.push(row);
    }
    let others = second.tensors().iter().filter(|tile| !names.contains(tile.name.as_str()));
    found.tensors.extend(others.map(|tile| TensorDiff::new(&tile.name, TensorState::OnlySecond, tile.n_elements())));
    Ok(found)
}

impl TensorDiff {
    fn new(name: &str, state: TensorState, n: u64) -> TensorDiff {
        TensorDiff { name: name.to_owned(), state, n_different: 0, n, max: 0.0, rms: 0.0, rms_first: 0.0 }
    }
}

/// The same tensor in two models.
struct Pair<'a> {
    first: &'a PixelFile,
    second: &'a PixelFile,
    indices: (usize, usize),
}

impl Pair<'_> {
    fn compare(&self, row: &mut TensorDiff, cells: &mut Option<TileCells>, magnitudes: &mut [u64]) -> Result<()> {
        let tile = self.first.tile(self.indices.0)?;
        let Some((block_len, block_bytes)) = block_of(&tile.dtype) else { return self.compare_bytes(row, tile) };
        if tile.row_bytes == 0 || !tile.row_bytes.is_multiple_of(block_bytes) {
            return self.compare_bytes(row, tile);
        }
        let n_values = (tile.row_bytes / block_bytes * block_len) as usize;
        let per_chunk = (CHUNK_BYTES / tile.row_bytes).max(1);
        let (mut a, mut b) = (Vec::new(), Vec::new());
        let (mut squares, mut squares_first) = (0.0, 0.0);
        let is_bytes = tile.dtype == BYTES;
        for start_row in (0..tile.n_rows()).step_by(per_chunk as usize) {
            self.read(tile, start_row * tile.row_bytes, per_chunk * tile.row_bytes, (&mut a, &mut b))?;
            let is_equal = a == b;
            let x = values(&tile.dtype, &a)?;
            squares_first += x.iter().map(|&x| f64::from(x * x)).filter(|x| x.is_finite()).sum::<f64>();
            let mut delta = vec![0.0; x.len()];
            if !is_equal {
                let y = values(&tile.dtype, &b)?;
                delta.iter_mut().zip(x.iter().zip(&y)).for_each(|(delta, (x, y))| *delta = y - x);
                row.state = TensorState::Different;
                squares += count(&delta, (&x, &y), row, magnitudes);
            }
            if let Some(cells) = cells {
                for (k, delta) in delta.chunks(n_values).enumerate().filter(|_| !is_bytes || !is_equal) {
                    cells.add(start_row + k as u64, delta);
                }
            }
        }
        row.rms = (squares / row.n.max(1) as f64).sqrt();
        row.rms_first = (squares_first / row.n.max(1) as f64).sqrt();
        Ok(())
    }

    fn read(&self, tile: &Tile, start: u64, n: u64, (a, b): (&mut Vec<u8>, &mut Vec<u8>)) -> Result<()> {
        let n = n.min(tile.size_bytes - start) as usize;
        a.resize(n, 0);
        b.resize(n, 0);
        self.first.read_range(self.indices.0, start, a)?;
        self.second.read_range(self.indices.1, start, b)
    }

    /// Of a type that has no numbers, only whether it is the same.
    fn compare_bytes(&self, row: &mut TensorDiff, tile: &Tile) -> Result<()> {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        let mut start = 0;
        while start < tile.size_bytes {
            self.read(tile, start, CHUNK_BYTES, (&mut a, &mut b))?;
            row.n_different += a.iter().zip(&b).filter(|(a, b)| a != b).count() as u64;
            start += a.len() as u64;
        }
        if row.n_different > 0 {
            row.state = TensorState::Different;
        }
        Ok(())
    }
}

/// Counts differences; their sum of squares.
fn count(delta: &[f32], (x, y): (&[f32], &[f32]), row: &mut TensorDiff, magnitudes: &mut [u64]) -> f64 {
    let mut squares = 0.0;
    for (&delta, (x, y)) in delta.iter().zip(x.iter().zip(y)) {
        if x.to_bits() == y.to_bits() {
            continue;
        }
        row.n_different += 1;
        let size = delta.abs();
        if size.is_finite() {
            row.max = row.max.max(size);
            squares += f64::from(size) * f64::from(size);
        }
        // The exponent of a float is its power of two.
        let exponent = ((size.to_bits() >> 23) & 0xff) as i32 - 127;
        let bin = (exponent - FIRST_EXPONENT + 1).clamp(0, N_MAGNITUDES as i32 - 1);
        magnitudes[bin as usize] += 1;
    }
    squares
}
