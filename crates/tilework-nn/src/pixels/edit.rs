//! Changes of a picture that are kept in memory: rectangles set to zero, and bytes replaced.
//!
//! Whatever reads pixels sees them, so a model opened after a change is the changed model, and packing its files again saves it.

use std::collections::BTreeMap;

use tilework::{Error, Result};

use super::file::PixelFile;
use super::tile::{Rect, Tile};

/// Changes by tensor, in the order they were made.
#[derive(Debug, Default)]
pub(super) struct Edits(BTreeMap<usize, Vec<Edit>>);

#[derive(Debug)]
enum Edit {
    /// Bytes `from .. to` of some pixel rows are zero.
    Zero { rows: std::ops::Range<u64>, from: u64, to: u64 },
    /// These bytes, from `start` of the tensor on.
    Bytes { start: u64, bytes: Vec<u8> },
}

impl Edits {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Makes the changes to bytes of a tensor that were read from `start` on.
    pub(super) fn apply(&self, index: usize, tile: &Tile, start: u64, out: &mut [u8]) {
        for edit in self.0.get(&index).into_iter().flatten() {
            match edit {
                Edit::Bytes { start: at, bytes } => {
                    overlap(start, out.len() as u64, *at, bytes.len() as u64).into_iter().for_each(|(to, from, n)| {
                        out[to..to + n].copy_from_slice(&bytes[from..from + n]);
                    });
                }
                Edit::Zero { rows, from, to } => {
                    let end = start + out.len() as u64;
                    let first = (start / tile.row_bytes.max(1)).max(rows.start);
                    for row in first..rows.end.min(end.div_ceil(tile.row_bytes.max(1))) {
                        let at = row * tile.row_bytes + from;
                        if let Some((at, _, n)) = overlap(start, out.len() as u64, at, to - from) {
                            out[at..at + n].fill(0);
                        }
                    }
                }
            }
        }
    }
}

/// The common part of two ranges: where it begins in either, and its length.
fn overlap(a: u64, a_len: u64, b: u64, b_len: u64) -> Option<(usize, usize, usize)> {
    let start = a.max(b);
    let end = (a + a_len).min(b + b_len);
    (start < end).then(|| ((start - a) as usize, (start - b) as usize, (end - start) as usize))
}

impl PixelFile {
    /// Sets a rectangle of a page to zero, in memory. Says how many bytes of tensors it had.
    pub fn mask(&mut self, rect: Rect) -> u64 {
        let mut n_bytes = 0;
        for index in 0..self.index.tiles.len() {
            let mut first_row = 0;
            let tile = &self.index.tiles[index];
            let mut found = Vec::new();
            for own in &tile.rects {
                let rows = common(own.y, own.height, rect.y, rect.height);
                let columns = common(own.x, own.width, rect.x, rect.width);
                if let (true, Some((y0, y1)), Some((x0, x1))) = (own.page == rect.page, rows, columns) {
                    let rows = first_row + u64::from(y0 - own.y)..first_row + u64::from(y1 - own.y);
                    let from = u64::from(x0 - own.x) * 4;
                    let to = (u64::from(x1 - own.x) * 4).min(tile.row_bytes);
                    n_bytes += (rows.end - rows.start) * to.saturating_sub(from);
                    found.push(Edit::Zero { rows, from: from.min(to), to });
                }
                first_row += u64::from(own.height);
            }
            if !found.is_empty() {
                self.edits.0.entry(index).or_default().extend(found);
            }
        }
        n_bytes
    }

    /// Sets bytes `from .. to` of pixel rows of a tensor to zero, in memory.
    pub fn mask_rows(&mut self, tensor: usize, rows: std::ops::Range<u64>, from: u64, to: u64) -> Result<()> {
        let tile = self.index.tiles.get(tensor);
        let is_inside = |tile: &&Tile| rows.end <= tile.n_rows() && from <= to && to <= tile.row_bytes;
        tile.filter(is_inside).ok_or_else(|| {
            Error::argument("pixels", format!("tensor {tensor} has no rows {rows:?} with bytes {from} to {to}"))
        })?;
        self.edits.0.entry(tensor).or_default().push(Edit::Zero { rows, from, to });
        Ok(())
    }

    /// Replaces bytes of a tensor from `start` on, in memory.
    pub fn replace(&mut self, tensor: usize, start: u64, bytes: Vec<u8>) -> Result<()> {
        let end = start.checked_add(bytes.len() as u64);
        let is_inside = |tile: &&Tile| end.is_some_and(|end| end <= tile.size_bytes);
        self.index.tiles.get(tensor).filter(is_inside).ok_or_else(|| {
            Error::argument("pixels", format!("tensor {tensor} has no {} bytes at {start}", bytes.len()))
        })?;
        self.edits.0.entry(tensor).or_default().push(Edit::Bytes { start, bytes });
        Ok(())
    }

    /// Forgets all changes.
    pub fn restore(&mut self) {
        self.edits.0.clear();
    }
}

fn common(a: u32, a_len: u32, b: u32, b_len: u32) -> Option<(u32, u32)> {
    let (start, end) = (a.max(b), a.saturating_add(a_len).min(b.saturating_add(b_len)));
    (start < end).then_some((start, end))
}
