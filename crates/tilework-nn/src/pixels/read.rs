//! Reading pixels: bytes of a tensor, rectangles, pages.

use std::sync::{Arc, PoisonError};

use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};
use tilework::{Error, ErrorKind, Result};

use super::bands::{Band, Form};
use super::damaged;
use super::decode;
use super::file::{KeptBand, PixelFile};
use super::stream::Image;
use super::tile::{Rect, Tile};

/// Stored rows are read together with what lies between them if that is at most so many times as much.
const MAX_SURPLUS: u64 = 4;
/// Bytes that are read at a time then.
const CHUNK_BYTES: u64 = 1 << 20;

impl PixelFile {
    /// All bytes of the tensor called `name`. Nothing else is read or decoded.
    pub fn read(&self, name: &str) -> Result<Vec<u8>> {
        let index = self.find(name)?;
        self.read_tensor(index)
    }

    /// All bytes of a tensor by its place among [`PixelFile::tensors`].
    pub fn read_tensor(&self, index: usize) -> Result<Vec<u8>> {
        let tile = self.tile(index)?;
        let mut bytes = memory_for(tile.size_bytes)?;
        self.read_range(index, 0, &mut bytes)?;
        Ok(bytes)
    }

    /// Pixel rows `rows` of the tensor called `name`; of a matrix ([`Tile::is_matrix`]) these are its rows.
    pub fn read_rows(&self, name: &str, rows: std::ops::Range<u64>) -> Result<Vec<u8>> {
        let index = self.find(name)?;
        let tile = self.tile(index)?;
        if rows.start > rows.end || rows.end > tile.n_rows() {
            return Err(Error::argument("pixels", format!("`{name}` has {} rows, not {rows:?}", tile.n_rows())));
        }
        let start = rows.start.saturating_mul(tile.row_bytes).min(tile.size_bytes);
        let end = rows.end.saturating_mul(tile.row_bytes).min(tile.size_bytes);
        let mut bytes = memory_for(end - start)?;
        self.read_range(index, start, &mut bytes)?;
        Ok(bytes)
    }

    /// Fills `out` with bytes of a tensor, from byte `start` of it on.
    pub fn read_range(&self, index: usize, start: u64, out: &mut [u8]) -> Result<()> {
        let tile = self.tile(index)?;
        let end = start.checked_add(out.len() as u64).filter(|&end| end <= tile.size_bytes);
        if end.is_none() {
            let message = format!("tensor `{}` has no {} bytes at {start}", tile.name, out.len());
            return Err(Error::argument("pixels", message));
        }
        let mut rest = &mut out[..];
        let mut at = start;
        let mut first_row = 0u64;
        for rect in &tile.rects {
            let end_row = first_row + u64::from(rect.height);
            while !rest.is_empty() && at < end_row * tile.row_bytes {
                let row = at / tile.row_bytes;
                let inside = at % tile.row_bytes;
                // Whole rows are read together, a part of one by itself.
                let n = if inside > 0 || (rest.len() as u64) < tile.row_bytes {
                    (tile.row_bytes - inside).min(rest.len() as u64)
                } else {
                    (end_row - row).min(rest.len() as u64 / tile.row_bytes) * tile.row_bytes
                };
                let (now, later) = rest.split_at_mut(n as usize);
                let y = rect.y + (row - first_row) as u32;
                self.rows_into(rect, y, inside, tile.row_bytes.min(n) as usize, now)?;
                rest = later;
                at += n;
            }
            first_row = end_row;
        }
        self.edits.apply(index, tile, start, out);
        Ok(())
    }

    /// The words of a rectangle of a page, row after row. Blank pixels are 0.
    pub fn read_rect(&self, rect: Rect) -> Result<Vec<u32>> {
        let page = self.index.pages.get(rect.page);
        let page = page.ok_or_else(|| Error::argument("pixels", format!("there is no page {}", rect.page)))?;
        let fits = |start: u32, n: u32, most: u32| start.checked_add(n).is_some_and(|end| end <= most);
        if !fits(rect.x, rect.width, page.width) || !fits(rect.y, rect.height, page.height) {
            let message = format!("{rect:?} is not inside a page of {} × {}", page.width, page.height);
            return Err(Error::argument("pixels", message));
        }
        let row_bytes = rect.width as usize * 4;
        let mut bytes = memory_for(u64::from(rect.width) * u64::from(rect.height) * 4)?;
        for (y, row) in (rect.y..).zip(bytes.chunks_exact_mut(row_bytes.max(1))) {
            self.row_into(rect.page, rect.x, y, row)?;
        }
        let mut words: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
        self.edit_words(&rect, &mut words)?;
        Ok(words)
    }

    /// A whole page as words, row after row, with its width and height.
    pub fn page(&self, page: usize) -> Result<(Vec<u32>, u32, u32)> {
        let (width, height) = self.index.pages.get(page).map_or((0, 0), |page| (page.width, page.height));
        let words = self.read_rect(Rect { page, x: 0, y: 0, width, height })?;
        Ok((words, width, height))
    }

    pub(super) fn tile(&self, index: usize) -> Result<&Tile> {
        self.index.tiles.get(index).ok_or_else(|| Error::argument("pixels", format!("there is no tensor {index}")))
    }

    /// Changed tensors over the words of a rectangle.
    fn edit_words(&self, rect: &Rect, words: &mut [u32]) -> Result<()> {
        if self.edits.is_empty() {
            return Ok(());
        }
        for (index, tile) in self.index.tiles.iter().enumerate() {
            let mut row = 0u64;
            for own in &tile.rects {
                for y in own.y..own.y + own.height {
                    let start = row * tile.row_bytes;
                    row += 1;
                    let (x0, x1) = (own.x.max(rect.x), (own.x + own.width).min(rect.x + rect.width));
                    let is_here = own.page == rect.page && (rect.y..rect.y + rect.height).contains(&y) && x0 < x1;
                    if !is_here {
                        continue;
                    }
                    let at = ((y - rect.y) * rect.width + x0 - rect.x) as usize;
                    let words = &mut words[at..at + (x1 - x0) as usize];
                    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                    let from = u64::from(x0 - own.x) * 4;
                    let n = (tile.size_bytes - start).min(tile.row_bytes).saturating_sub(from).min(bytes.len() as u64);
                    self.edits.apply(index, tile, start + from, &mut bytes[..n as usize]);
                    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<4>().0) {
                        *word = u32::from_le_bytes(*bytes);
                    }
                }
            }
        }
        Ok(())
    }

    /// Rows of a rectangle from row `y` of the page on, `row_bytes` of each from byte `inside` on, one after the other.
    fn rows_into(&self, rect: &Rect, y: u32, inside: u64, row_bytes: usize, out: &mut [u8]) -> Result<()> {
        let page = rect.page;
        let x_bytes = u64::from(rect.x) * 4 + inside;
        let n_rows = (out.len() / row_bytes.max(1)) as u32;
        if self.is_rewritten(page) {
            let image = self.image(page)?;
            return copy_rows(
                &image.bytes,
                (y as usize * image.row_bytes()) + x_bytes as usize,
                image.row_bytes(),
                row_bytes,
                out,
            );
        }
        let bands = &self.index.pages[page].bands;
        let mut rest = out;
        let (mut y, end) = (y, y + n_rows);
        while y < end {
            let number = bands.partition_point(|band| band.end() <= y);
            let band = bands.get(number).filter(|band| band.y <= y);
            let band = band.ok_or_else(|| damaged(format!("row {y} of page {} has no band", page + 1)))?;
            let n = band.end().min(end) - y;
            let (now, later) = rest.split_at_mut(n as usize * row_bytes);
            match band.form {
                Form::Deflated { .. } => {
                    let raw = self.band(page, number)?;
                    let step = self.index.pages[page].width as usize * 4 + 1;
                    let start = (y - band.y) as usize * step + 1 + x_bytes as usize;
                    copy_rows(&raw, start, step, row_bytes, now)?;
                }
                Form::Stored { step } => {
                    let in_row = band
                        .offset_of(rect.x, rect.width)
                        .ok_or_else(|| damaged(format!("its index has no place for row {y} of page {}", page + 1)))?;
                    let start = band.at + u64::from(y - band.y) * step + in_row + inside;
                    self.stored_into(page, start, step, row_bytes, now)?;
                }
            }
            rest = later;
            y += n;
        }
        Ok(())
    }

    /// Stored rows, `step` bytes apart.
    fn stored_into(&self, page: usize, start: u64, step: u64, row_bytes: usize, out: &mut [u8]) -> Result<()> {
        let page = &self.pages[page];
        let start = page.data_start + start;
        if step > MAX_SURPLUS * row_bytes as u64 || out.len() == row_bytes {
            for (row, out) in (0u64..).zip(out.chunks_exact_mut(row_bytes.max(1))) {
                page.source.read_at(start + row * step, out)?;
            }
            return Ok(());
        }
        let per_chunk = (CHUNK_BYTES / step.max(1)).max(1);
        let mut scratch = Vec::new();
        for (chunk, out) in (0u64..).zip(out.chunks_mut(per_chunk as usize * row_bytes)) {
            let n_rows = out.len() / row_bytes;
            scratch.resize((n_rows - 1) * step as usize + row_bytes, 0);
            page.source.read_at(start + chunk * per_chunk * step, &mut scratch)?;
            for (row, out) in out.chunks_exact_mut(row_bytes).enumerate() {
                let at = row * step as usize;
                out.copy_from_slice(&scratch[at..at + row_bytes]);
            }
        }
        Ok(())
    }

    /// A row of any columns, blank ones included.
    fn row_into(&self, page: usize, x: u32, y: u32, out: &mut [u8]) -> Result<()> {
        let width = (out.len() / 4) as u32;
        if self.is_rewritten(page) {
            out.copy_from_slice(self.image(page)?.pixels(x, y, width));
            return Ok(());
        }
        let bands = &self.index.pages[page].bands;
        let number = bands.partition_point(|band| band.end() <= y);
        let Some(band) = bands.get(number).filter(|band| band.y <= y) else {
            out.fill(0);
            return Ok(());
        };
        if let Form::Deflated { .. } = band.form {
            return self.rows_into(&Rect { page, x, y, width, height: 1 }, y, 0, out.len(), out);
        }
        for span in &band.spans {
            let (from, to) = (span.x.max(x), (span.x + span.width).min(x + width));
            if from < to {
                let rect = Rect { page, x: from, y, width: to - from, height: 1 };
                let out = &mut out[(from - x) as usize * 4..(to - x) as usize * 4];
                let n = out.len();
                self.rows_into(&rect, y, 0, n, out)?;
            }
        }
        Ok(())
    }

    pub(super) fn is_rewritten(&self, page: usize) -> bool {
        self.pages.get(page).is_some_and(|page| page.is_rewritten)
    }

    /// A compressed band, decoded: a filter byte and pixels for each row.
    fn band(&self, page: usize, number: usize) -> Result<Arc<Vec<u8>>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(band) = kept.bands.iter().find(|band| (band.page, band.number) == (page, number)) {
            return Ok(band.raw.clone());
        }
        let raw = Arc::new(self.inflate_band(page, &self.index.pages[page].bands[number])?);
        kept.keep_band(KeptBand { page, number, raw: raw.clone() });
        Ok(raw)
    }

    fn inflate_band(&self, page: usize, band: &Band) -> Result<Vec<u8>> {
        let Form::Deflated { n_bytes } = band.form else { return Err(damaged("a stored band is not compressed")) };
        let open = &self.pages[page];
        let mut compressed = memory_for(n_bytes)?;
        open.source.read_at(open.data_start + band.at, &mut compressed)?;
        let row_bytes = u64::from(self.index.pages[page].width) * 4 + 1;
        let mut raw = memory_for(row_bytes * u64::from(band.n_rows))?;
        let mut inflater = Box::new(DecompressorOxide::new());
        let flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF | inflate_flags::TINFL_FLAG_HAS_MORE_INPUT;
        let (_, _, n) = decompress(&mut inflater, &compressed, &mut raw, 0, flags);
        if n != raw.len() || raw.iter().step_by(row_bytes as usize).any(|&filter| filter != 0) {
            let message = format!("rows {} to {} of page {} cannot be decoded", band.y, band.end(), page + 1);
            return Err(damaged(message));
        }
        Ok(raw)
    }

    /// The pixels of a page that another program wrote.
    pub(super) fn image(&self, page: usize) -> Result<Arc<Image>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, image)) = kept.image.as_ref().filter(|(number, _)| *number == page) {
            return Ok(image.clone());
        }
        let open = &self.pages[page];
        let image = Arc::new(decode::decode(&*open.source, &open.header)?);
        kept.image = Some((page, image.clone()));
        Ok(image)
    }
}

/// Rows of `row_bytes` that begin `step` bytes apart in memory, one after the other.
fn copy_rows(bytes: &[u8], start: usize, step: usize, row_bytes: usize, out: &mut [u8]) -> Result<()> {
    for (row, out) in out.chunks_exact_mut(row_bytes.max(1)).enumerate() {
        let at = start + row * step;
        out.copy_from_slice(bytes.get(at..at + out.len()).ok_or_else(|| damaged("a row is missing"))?);
    }
    Ok(())
}

/// Zeros, or an error if there is no memory for them.
pub(super) fn memory_for(size_bytes: u64) -> Result<Vec<u8>> {
    let none = || Error::new(ErrorKind::OutOfMemory, "pixels", format!("there is no memory for {size_bytes} bytes"));
    let n = usize::try_from(size_bytes).map_err(|_| none())?;
    // Memory that comes as zeros need not be filled with them, so this asks first whether there is any.
    Vec::<u8>::new().try_reserve_exact(n).map_err(|_| none())?;
    Ok(vec![0; n])
}
