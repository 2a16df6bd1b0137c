//! Tensors as tiles: how their bytes become rows of pixels.
//!
//! A tensor's bytes are cut into rows of `row_bytes`; a row is padded with zeros to whole pixels, and the rows are pixel rows of
//! one or several rectangles of equal width, in order. For a matrix a row is its last axis. Axes are joined where rows would be
//! narrower than [`MIN_WIDTH_PX`] (a 3 × 3 filter is 9 pixels of a wider row), since a gutter beside every few pixels would cost
//! more than it shows, and cut where they would be wider than a page.

use tilework::layers::core::quant::Format;

/// Rows are at least so wide, if there is enough to fill them.
const MIN_WIDTH_PX: u64 = 64;
/// A vector longer than this is folded.
const MAX_VECTOR_PX: u64 = 2048;
/// Width of what is folded, at most.
const MAX_FOLD_PX: u64 = 1024;
/// No page is wider or higher: every GPU has textures of this size.
pub const MAX_SIDE_PX: u32 = 8192;

/// A part of a page, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rect {
    /// Which page, from 0.
    pub page: usize,
    /// First column.
    pub x: u32,
    /// First row.
    pub y: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// A tensor of a picture: what it is and where its pixels are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Its name in the file it came from.
    pub name: String,
    /// Sizes, outermost first.
    pub shape: Vec<u64>,
    /// Type of its elements, spelled as safetensors or GGUF spell it: `F32`, `BF16`, `I8`, `Q4_K` ...; `BYTES` for a file that is
    /// nothing but bytes.
    pub dtype: String,
    /// Its bytes.
    pub size_bytes: u64,
    /// Bytes of a pixel row, before padding to whole pixels. The last row may have fewer.
    pub row_bytes: u64,
    /// The rectangles with its rows, from the first row to the last; all are `⌈row_bytes / 4⌉` wide.
    pub rects: Vec<Rect>,
    /// XXH64 of its bytes.
    pub checksum: u64,
}

impl Tile {
    /// Pixel rows.
    pub fn n_rows(&self) -> u64 {
        if self.row_bytes == 0 { 0 } else { self.size_bytes.div_ceil(self.row_bytes) }
    }

    /// Pixels of a row.
    pub fn width_px(&self) -> u64 {
        self.row_bytes.div_ceil(4)
    }

    /// Elements, by the shape.
    pub fn n_elements(&self) -> u64 {
        self.shape.iter().fold(1, |n, &size| n.saturating_mul(size))
    }

    /// Elements of the last axis, 1 if there is none.
    pub fn n_cols(&self) -> u64 {
        self.shape.last().copied().unwrap_or(1)
    }

    /// Whether pixel rows are rows of the tensor seen as a matrix: of all axes but the last by the last.
    pub fn is_matrix(&self) -> bool {
        block_of(&self.dtype).is_some_and(|(len, bytes)| self.n_cols() / len * bytes == self.row_bytes)
    }
}

/// Type of the one tensor of a file that is nothing but bytes.
pub const BYTES: &str = "BYTES";

/// Elements and bytes of a block of this type; plain numbers are blocks of one.
pub(crate) fn block_of(dtype: &str) -> Option<(u64, u64)> {
    match dtype {
        BYTES | "BOOL" | "U8" | "I8" | "F8_E4M3" | "F8_E5M2" => Some((1, 1)),
        "I16" | "U16" => Some((1, 2)),
        "I32" | "U32" => Some((1, 4)),
        "F64" | "I64" | "U64" => Some((1, 8)),
        _ => Format::from_name(dtype).map(|format| (format.block_len() as u64, format.block_bytes() as u64)),
    }
}

/// Whether tiles of this type start at columns that are multiples of four, for loads of 16 bytes.
pub(super) fn is_aligned(dtype: &str) -> bool {
    matches!(dtype, "F32" | "F16" | "BF16" | "I32" | "U32" | "F64" | "I64" | "U64")
}

/// Bytes of a pixel row of a tensor.
pub(super) fn row_bytes(dtype: &str, shape: &[u64], size_bytes: u64) -> u64 {
    let Some((block_len, block_bytes)) = block_of(dtype).filter(|_| size_bytes > 0) else { return folded(size_bytes) };
    let n_cols = shape.last().copied().unwrap_or(1);
    let row = (n_cols / block_len).saturating_mul(block_bytes);
    if row == 0 || shape.len() < 2 || dtype == BYTES {
        return folded(size_bytes);
    }
    let mut row = row;
    for &axis in shape.iter().rev().skip(1) {
        if row.div_ceil(4) >= MIN_WIDTH_PX {
            break;
        }
        // A whole axis if it fits, else the fewest of its steps that are wide enough and leave no remainder.
        let fits = |&n: &u64| axis.is_multiple_of(n) && row.saturating_mul(n).div_ceil(4) <= MAX_FOLD_PX;
        let joined = [axis]
            .into_iter()
            .find(fits)
            .or_else(|| (2..=MIN_WIDTH_PX * 4).filter(fits).find(|n| (row * n).div_ceil(4) >= MIN_WIDTH_PX));
        match joined {
            Some(n) => row *= n,
            None => return folded(size_bytes),
        }
    }
    narrowed(row, block_bytes).unwrap_or_else(|| folded(size_bytes))
}

/// A row that fits a page: itself, or the largest part of it that is made of whole pixels and blocks.
fn narrowed(row: u64, block_bytes: u64) -> Option<u64> {
    let fits = |&n: &u64| {
        let part = row / n;
        part.div_ceil(4) <= u64::from(MAX_SIDE_PX)
            && (n == 1 || (row.is_multiple_of(n) && part.is_multiple_of(4) && part.is_multiple_of(block_bytes)))
    };
    (1..=256).find(fits).map(|n| row / n)
}

/// Bytes of a row of a vector: all of it, or a power of two that makes its rectangle about square.
fn folded(size_bytes: u64) -> u64 {
    let n_px = size_bytes.div_ceil(4);
    if n_px <= MAX_VECTOR_PX {
        return size_bytes;
    }
    4 * n_px.isqrt().next_power_of_two().clamp(MIN_WIDTH_PX, MAX_FOLD_PX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_those_of_matrices_where_they_can_be() {
        assert_eq!(row_bytes("F32", &[128, 784], 128 * 784 * 4), 784 * 4);
        assert_eq!(row_bytes("F16", &[30_522, 384], 30_522 * 384 * 2), 768);
        assert_eq!(row_bytes("Q4_1", &[576, 576], 576 * 360), 360);
        assert_eq!(row_bytes("F32", &[128], 512), 512);
        assert_eq!(row_bytes("F32", &[], 4), 4);
        // Filters of a convolution: an output channel is a row.
        assert_eq!(row_bytes("F32", &[32, 16, 3, 3], 32 * 16 * 9 * 4), 16 * 9 * 4);
        // Rows of 8 numbers are joined, eight at a time.
        assert_eq!(row_bytes("F32", &[50_000, 8], 50_000 * 32), 64 * 4);
        // A row of 11 008 numbers does not fit a page: two pixel rows each.
        assert_eq!(row_bytes("F32", &[4096, 11_008], 4096 * 11_008 * 4), 11_008 * 2);
    }

    #[test]
    fn long_vectors_and_bytes_are_folded() {
        assert_eq!(row_bytes("F32", &[2048], 8192), 8192);
        assert_eq!(row_bytes("F32", &[2049], 8196), 4 * 64);
        assert_eq!(row_bytes(BYTES, &[100_000_000], 100_000_000), 4096);
        assert_eq!(row_bytes("NEW_TYPE", &[10, 10], 25_601), 4 * 128);
    }
}
