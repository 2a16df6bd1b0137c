//! The weights of a picture as numbers, with what was painted over them.

use std::collections::BTreeMap;
use std::ops::Range;

use tilework::layers::core::half::narrow;
use tilework::{Error, Result};

use crate::pixels::{BYTES, PixelFile, Tile, block_of, values};

/// Weights that are looked at to find how large those of a tensor are.
const N_SAMPLED: u64 = 1 << 15;
/// Weights that are read at a time.
const CHUNK: u64 = 1 << 16;
/// A weight so many times as large as they usually are has its full color.
const FULL_COLOR: f64 = 3.0;

const MIDDLE_BYTE: f32 = 127.5;

/// A picture, and the tensors that were changed since it was opened.
pub(super) struct Painted {
    pub(super) file: PixelFile,
    /// All bytes of tensors that were changed, by their place.
    pub(super) edited: BTreeMap<usize, Vec<u8>>,
    /// The size of a weight with its full color, for each tensor.
    pub(super) scales: Vec<f32>,
    /// A bit for each weight of a tensor that was set by hand.
    touched: BTreeMap<usize, Vec<u64>>,
}

/// What is read: a picture as it is, or with what was painted.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) file: &'a PixelFile,
    edited: Option<&'a BTreeMap<usize, Vec<u8>>>,
}

/// How the weights of a tensor lie in its lines, which are rows of pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grain {
    /// Weights of a line.
    pub(super) per_line: u64,
    /// Weights of a pixel.
    pub(super) per_pixel: f64,
}

impl Grain {
    /// `None` if a type has no numbers that are known, or its blocks are cut by the ends of lines.
    pub(super) fn of(tile: &Tile) -> Option<Grain> {
        let (block_len, block_bytes) = block_of(&tile.dtype).filter(|block| tile.row_bytes.is_multiple_of(block.1))?;
        let per_line = tile.row_bytes / block_bytes * block_len;
        Some(Grain { per_line, per_pixel: 4.0 * block_len as f64 / block_bytes as f64 })
    }

    /// The weights that begin in pixel `pixel` of a line, or, if they are wider than pixels, the one it is a part of.
    pub(super) fn at(&self, pixel: u64) -> Range<u64> {
        if self.per_pixel < 1.0 {
            let first = (pixel as f64 * self.per_pixel) as u64;
            return first..first + 1;
        }
        let from = |pixel: u64| (pixel as f64 * self.per_pixel - 1e-9).ceil().max(0.0) as u64;
        from(pixel)..from(pixel + 1)
    }
}

/// Weights of a stretch of a line.
pub(super) struct Line {
    grain: Grain,
    /// Number of the line, and of the first weight in it.
    line: u64,
    first: u64,
    weights: Vec<f32>,
}

impl Line {
    /// The weights of a pixel of the line.
    pub(super) fn at(&self, pixel: u64) -> &[f32] {
        let Range { start, end } = self.grain.at(pixel);
        let inside = |at: u64| (at.saturating_sub(self.first) as usize).min(self.weights.len());
        &self.weights[inside(start)..inside(end)]
    }

    /// Bytes have no sign: their middle is shown as zero.
    pub(super) fn center(&mut self, dtype: &str) {
        if dtype == BYTES {
            self.weights.iter_mut().for_each(|weight| *weight -= MIDDLE_BYTE);
        }
    }

    /// Takes away the weights of a line that begins at the same one.
    pub(super) fn subtract(&mut self, other: &[f32]) {
        self.weights.iter_mut().zip(other).for_each(|(weight, other)| *weight -= other);
    }
}

impl Painted {
    pub(super) fn new(file: PixelFile) -> Result<Painted> {
        let mut painted = Painted { file, edited: BTreeMap::new(), scales: Vec::new(), touched: BTreeMap::new() };
        painted.measure()?;
        Ok(painted)
    }

    /// Finds the scale of every tensor.
    pub(super) fn measure(&mut self) -> Result<()> {
        let scales = (0..self.file.tensors().len()).map(|index| self.now().scale(index));
        self.scales = scales.collect::<Result<_>>()?;
        Ok(())
    }

    /// With what was painted.
    pub(super) fn now(&self) -> Side<'_> {
        Side { file: &self.file, edited: Some(&self.edited) }
    }

    /// As it was opened.
    pub(super) fn original(&self) -> Side<'_> {
        Side::of(&self.file)
    }

    /// Sets weights, given by the first and the number of each stretch.
    pub(super) fn set(&mut self, index: usize, spans: &[(u64, u64)], value: f64) -> Result<()> {
        let tile = self.tile(index)?;
        let n = tile.n_elements();
        let outside = |&&(start, count): &&(u64, u64)| start.checked_add(count).is_none_or(|end| end > n);
        if let Some((start, count)) = spans.iter().find(outside) {
            return Err(Error::argument("pixels", format!("`{}` has no {count} weights at {start}", tile.name)));
        }
        let element = encoded(&tile.dtype, value).ok_or_else(|| {
            let message = format!("weights of {} share blocks and cannot be set one by one", tile.dtype);
            Error::argument("pixels", message)
        })?;
        let bytes = match self.edited.remove(&index) {
            Some(bytes) => self.edited.entry(index).or_insert(bytes),
            None => self.edited.entry(index).or_insert(self.file.read_tensor(index)?),
        };
        for &(start, count) in spans {
            let range = start as usize * element.len()..(start + count) as usize * element.len();
            for place in bytes.get_mut(range).unwrap_or_default().chunks_exact_mut(element.len()) {
                place.copy_from_slice(&element);
            }
        }
        let touched = self.touched.entry(index).or_insert_with(|| vec![0; n.div_ceil(64) as usize]);
        for weight in spans.iter().flat_map(|&(start, count)| start..start + count) {
            if let Some(bits) = touched.get_mut((weight / 64) as usize) {
                *bits |= 1 << (weight % 64);
            }
        }
        Ok(())
    }

    /// Weights that were set by hand, each counted once.
    pub(super) fn n_touched(&self) -> u64 {
        self.touched.values().flatten().map(|bits| u64::from(bits.count_ones())).sum()
    }

    /// Takes the weights of all tensors from a picture that has the same ones.
    pub(super) fn take(&mut self, from: &PixelFile) -> Result<()> {
        let tiles = self.file.tensors();
        for (index, tile) in tiles.iter().enumerate() {
            let other = from.tensor(&tile.name)?;
            if (&other.shape, &other.dtype) != (&tile.shape, &tile.dtype) {
                let (a, b) = ((&other.shape, &other.dtype), (&tile.shape, &tile.dtype));
                return Err(Error::shape("pixels", format!("`{}` is {a:?}, should be {b:?}", tile.name)));
            }
            self.edited.insert(index, from.read(&tile.name)?);
        }
        self.touched.clear();
        self.measure()
    }

    /// As it was opened.
    pub(super) fn reset(&mut self) -> Result<()> {
        self.edited.clear();
        self.touched.clear();
        self.measure()
    }

    pub(super) fn tile(&self, index: usize) -> Result<&Tile> {
        self.now().tile(index)
    }
}

impl<'a> Side<'a> {
    /// A picture as it is.
    pub(super) fn of(file: &'a PixelFile) -> Side<'a> {
        Side { file, edited: None }
    }

    pub(super) fn tile(&self, index: usize) -> Result<&'a Tile> {
        let none = || Error::argument("pixels", format!("there is no tensor {index}"));
        self.file.tensors().get(index).ok_or_else(none)
    }

    fn bytes(&self, index: usize, start: u64, out: &mut [u8]) -> Result<()> {
        match self.edited.and_then(|edited| edited.get(&index)) {
            None => self.file.read_range(index, start, out),
            Some(bytes) => {
                let range = start as usize..(start as usize).saturating_add(out.len());
                let bytes = bytes.get(range).ok_or_else(|| Error::argument("pixels", "beyond a tensor's end"))?;
                out.copy_from_slice(bytes);
                Ok(())
            }
        }
    }

    /// Weights by their numbers; beyond the last one there are none.
    pub(super) fn weights(&self, index: usize, range: Range<u64>) -> Result<Vec<f32>> {
        let tile = self.tile(index)?;
        let unknown = || Error::argument("pixels", format!("the type {} has no numbers to show", tile.dtype));
        let (block_len, block_bytes) = block_of(&tile.dtype).ok_or_else(unknown)?;
        let end = range.end.min(tile.n_elements());
        if range.start >= end {
            return Ok(Vec::new());
        }
        let (first, last) = (range.start / block_len, end.div_ceil(block_len));
        let mut bytes = vec![0; ((last - first) * block_bytes) as usize];
        self.bytes(index, first * block_bytes, &mut bytes)?;
        let mut weights = values(&tile.dtype, &bytes)?;
        weights.truncate((end - first * block_len) as usize);
        weights.drain(..(range.start - first * block_len) as usize);
        Ok(weights)
    }

    /// All weights of a tensor, some at a time.
    pub(super) fn each(&self, index: usize, mut see: impl FnMut(u64, &[f32])) -> Result<()> {
        let n = self.tile(index)?.n_elements();
        let mut start = 0;
        while start < n {
            let end = (start + CHUNK).min(n);
            see(start, &self.weights(index, start..end)?);
            start = end;
        }
        Ok(())
    }

    /// Weights of some pixels of a line. Empty where there are none.
    pub(super) fn line(&self, index: usize, line: u64, pixels: Range<u64>) -> Result<Line> {
        let tile = self.tile(index)?;
        let Some(grain) = Grain::of(tile) else {
            let grain = Grain { per_line: 0, per_pixel: 1.0 };
            return Ok(Line { grain, line, first: 0, weights: Vec::new() });
        };
        let first = grain.at(pixels.start).start;
        let last = grain.at(pixels.end.saturating_sub(1)).end.min(grain.per_line);
        let start = line.saturating_mul(grain.per_line);
        let weights = self.weights(index, start.saturating_add(first)..start.saturating_add(last))?;
        Ok(Line { grain, line, first, weights })
    }

    /// The weights that `line` has of its tensor, of the same tensor here, which may lie in other lines.
    pub(super) fn line_like(&self, index: usize, line: &Line) -> Result<Vec<f32>> {
        let start = line.line * line.grain.per_line + line.first;
        self.weights(index, start..start + line.weights.len() as u64)
    }

    /// Some pixels of a line as they are; zeros beyond the end.
    pub(super) fn words(&self, index: usize, line: u64, pixels: Range<u64>) -> Result<Vec<[u8; 4]>> {
        let tile = self.tile(index)?;
        let mut words = vec![[0; 4]; (pixels.end - pixels.start) as usize];
        let line_start = line.saturating_mul(tile.row_bytes);
        let line_end = line_start.saturating_add(tile.row_bytes).min(tile.size_bytes);
        let start = line_start.saturating_add(pixels.start * 4).min(line_end);
        let n = (line_end - start).min(4 * words.len() as u64) as usize;
        self.bytes(index, start, &mut words.as_flattened_mut()[..n])?;
        Ok(words)
    }

    /// The size of a weight with its full color: some times the root mean square of weights all over the tensor.
    fn scale(&self, index: usize) -> Result<f32> {
        let tile = self.tile(index)?;
        if tile.dtype == BYTES {
            return Ok(MIDDLE_BYTE);
        }
        let (Some((block_len, _)), n) = (block_of(&tile.dtype), tile.n_elements()) else { return Ok(1.0) };
        let (mut squares, mut n_finite, mut largest) = (0.0, 0u64, 0.0f32);
        let n_parts = 64.min(n.div_ceil(block_len)).max(1);
        let part = (N_SAMPLED / n_parts).next_multiple_of(block_len);
        for i in 0..n_parts {
            let start = n / n_parts * i / block_len * block_len;
            for weight in self.weights(index, start..start + part)?.into_iter().filter(|weight| weight.is_finite()) {
                squares += f64::from(weight).powi(2);
                largest = largest.max(weight.abs());
                n_finite += 1;
            }
        }
        let usual = (squares / n_finite.max(1) as f64).sqrt() * FULL_COLOR;
        Ok(if largest == 0.0 { 1.0 } else { (usual as f32).min(largest) })
    }
}

/// The bytes of a value of a plain type, rounded; `None` for others.
fn encoded(dtype: &str, value: f64) -> Option<Vec<u8>> {
    let single = value as f32;
    Some(match dtype {
        "F64" => value.to_le_bytes().to_vec(),
        "F32" => single.to_le_bytes().to_vec(),
        "F16" => narrow(single).to_le_bytes().to_vec(),
        "BF16" => bf16(single).to_le_bytes().to_vec(),
        "I8" => (value.round() as i8).to_le_bytes().to_vec(),
        "U8" | "BYTES" => (value.round() as u8).to_le_bytes().to_vec(),
        "BOOL" => vec![u8::from(value != 0.0)],
        "I16" => (value.round() as i16).to_le_bytes().to_vec(),
        "U16" => (value.round() as u16).to_le_bytes().to_vec(),
        "I32" => (value.round() as i32).to_le_bytes().to_vec(),
        "U32" => (value.round() as u32).to_le_bytes().to_vec(),
        "I64" => (value.round() as i64).to_le_bytes().to_vec(),
        "U64" => (value.round() as u64).to_le_bytes().to_vec(),
        _ => return None,
    })
}

/// The upper half of the bits, rounded to nearest, ties to even; NaN stays NaN.
fn bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    if value.is_nan() { (bits >> 16) as u16 | 64 } else { ((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16 }
}

/// Whether single weights of a type can be set.
pub(super) fn is_editable(dtype: &str) -> bool {
    encoded(dtype, 0.0).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grain(dtype: &str, row_bytes: u64) -> Option<Grain> {
        let (name, dtype) = (String::new(), dtype.to_owned());
        Grain::of(&Tile { name, shape: vec![], dtype, size_bytes: 0, row_bytes, rects: vec![], checksum: 0 })
    }

    #[test]
    fn every_weight_begins_in_one_pixel() {
        for (dtype, row_bytes, n) in
            [("F32", 40, 10), ("F16", 40, 20), ("I8", 40, 40), ("Q4_0", 36, 64), ("Q6_K", 420, 512)]
        {
            let grain = grain(dtype, row_bytes).unwrap();
            assert_eq!(grain.per_line, n, "{dtype}");
            let weights: Vec<u64> = (0..row_bytes.div_ceil(4)).flat_map(|pixel| grain.at(pixel)).collect();
            assert_eq!(weights, (0..n).collect::<Vec<_>>(), "{dtype}");
        }
        // A double is two pixels, and both show it.
        let doubles = grain("F64", 40).unwrap();
        assert_eq!([doubles.at(0), doubles.at(1), doubles.at(2)], [0..1, 0..1, 1..2]);
    }

    #[test]
    fn lines_that_cut_blocks_have_no_weights_of_their_own() {
        assert_eq!(grain("Q8_0", 256), None);
        assert_eq!(grain("NEW_TYPE", 256), None);
    }

    #[test]
    fn values_are_rounded_to_the_type() {
        assert_eq!(encoded("I8", -3.6), Some(vec![252]));
        assert_eq!(encoded("U8", 900.0), Some(vec![255]));
        assert_eq!(encoded("BF16", 1.0), Some(vec![0x80, 0x3f]));
        assert_eq!(encoded("F16", -2.0), Some(vec![0, 0xc0]));
        assert!(!is_editable("Q4_0") && is_editable("F64"));
    }
}
