//! Whether an index makes sense, before anything it says is believed.

use std::collections::HashSet;

use tilework::layers::core::order;
use tilework::{Error, Result};

use super::bands::{Band, Form};
use super::index::{Index, PageEntry, Part};
use super::pack::MAX_ZEROS_BYTES;
use super::parts::MAX_BLOB_BYTES;
use super::tile::{Rect, Tile, block_of};
use super::{Encoding, MAX_PAGE_BYTES, MAX_SIDE_PX, damaged};

/// More pages than any model has.
const MAX_PAGES: usize = 65_536;
/// More axes than any tensor has.
const MAX_AXES: usize = 16;
/// Deflate makes at most so many bytes of one.
pub(super) const MAX_INFLATION: u64 = 1032;

/// Checks the index of the page it was found on.
pub(super) fn page(index: &Index) -> Result<&PageEntry> {
    if index.n_pages == 0 || index.n_pages > MAX_PAGES || index.page >= index.n_pages {
        return Err(damaged(format!("it calls itself page {} of {}", index.page.saturating_add(1), index.n_pages)));
    }
    let own = index.pages.iter().find(|page| page.number == index.page);
    let own = own.ok_or_else(|| damaged("its index says nothing of its own page"))?;
    geometry(own, index.encoding)?;
    Ok(own)
}

/// Checks the index of the first page, which speaks of everything.
pub(super) fn model(index: &Index) -> Result<()> {
    let is_complete = index.pages.len() == index.n_pages;
    if !is_complete || !index.pages.iter().enumerate().all(|(number, page)| page.number == number) {
        return Err(damaged("its index does not list its pages in order"));
    }
    for page in &index.pages {
        geometry(page, index.encoding)?;
    }
    tiles(index)?;
    apart(&index.tiles)?;
    files(index)
}

fn geometry(page: &PageEntry, encoding: Encoding) -> Result<()> {
    let (width, height) = (page.width, page.height);
    let is_too_large = u64::from(width) * u64::from(height) * 4 > MAX_PAGE_BYTES || width.max(height) > MAX_SIDE_PX;
    if width == 0 || height == 0 || is_too_large {
        let limit = MAX_PAGE_BYTES >> 20;
        return Err(damaged(format!("a page of {width} × {height} pixels is refused; {limit} MiB are allowed")));
    }
    let mut next_row = 0;
    for band in &page.bands {
        if band.n_rows == 0 || band.y < next_row || band.end() > height || !fits(band, page, encoding) {
            return Err(damaged(format!("its index has a band at row {} that lies outside its data", band.y)));
        }
        next_row = band.end();
    }
    Ok(())
}

fn fits(band: &Band, page: &PageEntry, encoding: Encoding) -> bool {
    let n_bytes = match (band.form, encoding) {
        (Form::Stored { step }, Encoding::Stored) => step.checked_mul(band.n_rows.into()),
        (Form::Deflated { n_bytes }, Encoding::Deflate) => {
            // What could not have been compressed so far is not worth the memory.
            let n_raw = u64::from(band.n_rows) * (u64::from(page.width) * 4 + 1);
            n_bytes.checked_mul(MAX_INFLATION).filter(|&most| most >= n_raw).map(|_| n_bytes)
        }
        _ => None,
    };
    let is_inside = n_bytes.and_then(|n| band.at.checked_add(n)).is_some_and(|end| end <= page.data_bytes);
    let Form::Stored { step } = band.form else { return is_inside };
    let mut next_px = 0;
    is_inside
        && band.spans.iter().all(|span| {
            let end = u64::from(span.x) + u64::from(span.width);
            let is_next = span.x >= next_px && end <= u64::from(page.width) && span.width > 0;
            next_px = end as u32;
            is_next && span.offset.checked_add(u64::from(span.width) * 4).is_some_and(|end| end <= step)
        })
}

fn tiles(index: &Index) -> Result<()> {
    let mut names = HashSet::new();
    for tile in &index.tiles {
        let wrong = |what: &str| damaged(format!("its index is wrong about tensor `{}`: {what}", tile.name));
        if !names.insert(tile.name.as_str()) {
            return Err(wrong("it is there twice"));
        }
        if !shape_fits(tile) {
            return Err(wrong(&format!("{:?} of {} is not {} bytes", tile.shape, tile.dtype, tile.size_bytes)));
        }
        let width = tile.width_px();
        let n_rows: u64 = tile.rects.iter().map(|rect| u64::from(rect.height)).sum();
        if n_rows != tile.n_rows() || (tile.row_bytes == 0 && tile.size_bytes > 0) {
            return Err(wrong(&format!("its rectangles have {n_rows} rows instead of {}", tile.n_rows())));
        }
        for rect in &tile.rects {
            let page = index.pages.get(rect.page).ok_or_else(|| wrong("it lies on a page that there is not"))?;
            let is_inside = u64::from(rect.x) + u64::from(rect.width) <= page.width.into()
                && u64::from(rect.y) + u64::from(rect.height) <= page.height.into();
            if !is_inside || u64::from(rect.width) != width || rect.height == 0 {
                return Err(wrong(&format!("a rectangle of {} × {} is not on its page", rect.width, rect.height)));
            }
        }
    }
    Ok(())
}

/// Whether a tensor of this shape and type has so many bytes. Of a type that is not known, no more than eight elements a byte.
fn shape_fits(tile: &Tile) -> bool {
    let n = tile.shape.iter().try_fold(1u64, |n, &size| n.checked_mul(size));
    let Some(n) = n.filter(|_| tile.shape.len() <= MAX_AXES) else { return false };
    match block_of(&tile.dtype) {
        Some((len, bytes)) => n.is_multiple_of(len) && (n / len).checked_mul(bytes) == Some(tile.size_bytes),
        None => n / 8 <= tile.size_bytes,
    }
}

/// Rectangles must not overlap: a small file could otherwise pretend to hold any amount of data.
fn apart(tiles: &[Tile]) -> Result<()> {
    let mut rects: Vec<(&Rect, &str)> =
        tiles.iter().flat_map(|tile| tile.rects.iter().map(|rect| (rect, tile.name.as_str()))).collect();
    order::sort_by_key(&mut rects, |(rect, _)| (rect.page, rect.y, rect.x));
    // Rectangles that a row goes through, by their first column.
    let mut active: std::collections::BTreeMap<u32, (&Rect, &str)> = std::collections::BTreeMap::new();
    let mut ends: std::collections::BTreeSet<(u32, u32)> = std::collections::BTreeSet::new();
    let mut page = 0;
    for (rect, name) in rects {
        if rect.page != page {
            page = rect.page;
            active.clear();
            ends.clear();
        }
        while let Some(&(end, x)) = ends.first().filter(|(end, _)| *end <= rect.y) {
            ends.remove(&(end, x));
            active.remove(&x);
        }
        let left = active.range(..=rect.x).next_back().filter(|(_, other)| other.0.x + other.0.width > rect.x);
        let right = active.range(rect.x..).next().filter(|(_, other)| other.0.x < rect.x + rect.width);
        if let Some((_, (_, other))) = left.or(right) {
            return Err(damaged(format!("its index is wrong: the tensors `{name}` and `{other}` overlap")));
        }
        active.insert(rect.x, (rect, name));
        ends.insert((rect.y + rect.height, rect.x));
    }
    Ok(())
}

fn files(index: &Index) -> Result<()> {
    let mut names = HashSet::new();
    let (mut tensors, mut blobs) = (HashSet::new(), HashSet::new());
    for file in &index.files {
        file_name(&file.name)?;
        let wrong = || damaged(format!("its index is wrong about the file {}", file.name));
        if !names.insert(file.name.as_str()) {
            return Err(wrong());
        }
        let mut size_bytes = 0u64;
        for part in &file.parts {
            let part_bytes = match *part {
                // Each at most once, or a small file could pretend to be any amount of data.
                Part::Tensor(tensor) => {
                    index.tiles.get(tensor).filter(|_| tensors.insert(tensor)).map(|tile| tile.size_bytes)
                }
                Part::Blob(blob) => {
                    let entry = index.blobs.get(blob).filter(|entry| entry.size_bytes <= MAX_BLOB_BYTES);
                    entry.filter(|_| blobs.insert(blob)).map(|blob| blob.size_bytes)
                }
                Part::Zeros(n) => Some(n).filter(|&n| n <= MAX_ZEROS_BYTES),
            };
            size_bytes = part_bytes.and_then(|n| size_bytes.checked_add(n)).ok_or_else(wrong)?;
        }
        if size_bytes != file.size_bytes {
            return Err(wrong());
        }
    }
    Ok(())
}

/// A name that is safe to create in a folder: relative, and no way out of it.
pub(super) fn file_name(name: &str) -> Result<()> {
    let is_bad_part = |part: &str| part.is_empty() || part == "." || part == "..";
    let is_bad_char = |c: char| c.is_control() || matches!(c, '\\' | ':');
    if name.len() > 1024 || name.split('/').any(is_bad_part) || name.contains(is_bad_char) {
        let shown: String = name.chars().take(80).map(|c| if c.is_control() { '?' } else { c }).collect();
        return Err(Error::argument("pixels", format!("`{shown}` is no name for a file inside a folder")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_out_of_a_folder_are_refused() {
        for good in ["model.safetensors", "1_Pooling/config.json", "..name", "a b/ü"] {
            assert!(file_name(good).is_ok(), "{good}");
        }
        for bad in ["", "/etc/passwd", "a/../b", "..", "a//b", "C:x", "a\\b", "a\nb", "a/"] {
            assert!(file_name(bad).is_err(), "{bad}");
        }
    }
}
