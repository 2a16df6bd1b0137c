//! From files to pages.

use miniz_oxide::deflate::compress_to_vec_zlib;
use serde_json::Value;
use tilework::Result;

use super::bands;
use super::checksum::Xxh64;
use super::chunk;
use super::index::{BlobEntry, Index, PageEntry};
use super::mark;
use super::parts::{FileKind, ModelFile};
use super::plan::{Place, Plan, Planned};
use super::stream::{self, Image};
use super::tile::{Rect, Tile};
use super::{Encoding, MARK_PX, MAX_PAGE_BYTES};

/// How a picture is made.
#[derive(Clone, Debug)]
pub struct PackOptions {
    /// How pixels are written.
    pub encoding: Encoding,
    /// Name of the model; that of its file if empty.
    pub title: String,
    /// What files are understood as; `Some(FileKind::Bytes)` looks into none of them.
    pub kind: Option<FileKind>,
    /// Bytes of the pixels of a page, at most; no more than [`MAX_PAGE_BYTES`].
    pub max_page_bytes: u64,
}

impl Default for PackOptions {
    fn default() -> PackOptions {
        PackOptions { encoding: Encoding::Stored, title: String::new(), kind: None, max_page_bytes: MAX_PAGE_BYTES }
    }
}

/// What became of the files.
#[derive(Clone, Debug, PartialEq)]
pub struct PackSummary {
    /// Width and height of every page.
    pub pages: Vec<(u32, u32)>,
    /// Bytes of every page's file.
    pub page_bytes: Vec<u64>,
    /// Bytes of the files that were packed.
    pub file_bytes: u64,
    /// Bytes of their tensors.
    pub tensor_bytes: u64,
    /// Tensors.
    pub n_tensors: usize,
}

/// Gaps of so few zeros between tensors are told by their length.
pub(super) const MAX_ZEROS_BYTES: u64 = 4096;
/// Bytes of a tensor that are read at a time.
const CHUNK_BYTES: u64 = 1 << 20;

/// Packs files into one or several pages.
///
/// `out` gets the bytes of pages by number, from 0, each in order; the first page comes last, because its index speaks of all.
/// Pages are made in memory, one at a time and besides the first, so no more than twice 2 · [`MAX_PAGE_BYTES`] are needed.
/// An error of `out`, which may be a wish to stop, ends the work.
pub fn pack(
    files: &[ModelFile<'_>],
    options: &PackOptions,
    out: &mut dyn FnMut(usize, &[u8]) -> Result<()>,
) -> Result<PackSummary> {
    let plan = Plan::new(files, options)?;
    let mut packer = Packer { tiles: plan.tiles(), pages: Vec::new(), blobs: Vec::new(), plan };
    packer.compress_blobs()?;
    let n_pages = packer.plan.layout.pages.len();
    let mut page_bytes = vec![0; n_pages];
    let mut first = Vec::new();
    for number in 0..n_pages {
        let data = packer.page(number, options.encoding)?;
        if number == 0 {
            first = data;
            continue;
        }
        let head = packer.head(number, options);
        page_bytes[number] = write(&head, &data, &mut |bytes| out(number, bytes))?;
    }
    let head = packer.head(0, options);
    page_bytes[0] = write(&head, &first, &mut |bytes| out(0, bytes))?;
    Ok(PackSummary {
        pages: packer.plan.layout.pages.clone(),
        page_bytes,
        file_bytes: files.iter().map(|file| file.source.len()).sum(),
        tensor_bytes: packer.tiles.iter().map(|tile| tile.size_bytes).sum(),
        n_tensors: packer.tiles.len(),
    })
}

/// The same in memory: the files of all pages.
pub fn pack_to_vec(files: &[ModelFile<'_>], options: &PackOptions) -> Result<Vec<Vec<u8>>> {
    let mut pages: Vec<Vec<u8>> = Vec::new();
    pack(files, options, &mut |number, bytes| {
        if pages.len() <= number {
            pages.resize(number + 1, Vec::new());
        }
        pages[number].extend_from_slice(bytes);
        Ok(())
    })?;
    Ok(pages)
}

fn write(head: &[u8], data: &[u8], out: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<u64> {
    out(head)?;
    for piece in data.chunks(CHUNK_BYTES as usize) {
        out(piece)?;
    }
    out(&chunk::END)?;
    Ok((head.len() + data.len() + chunk::END.len()) as u64)
}

struct Packer<'a> {
    plan: Plan<'a>,
    tiles: Vec<Tile>,
    pages: Vec<PageEntry>,
    /// Compressed, with what they are uncompressed.
    blobs: Vec<(BlobEntry, Vec<u8>)>,
}

impl Packer<'_> {
    fn compress_blobs(&mut self) -> Result<()> {
        for place in &self.plan.blobs {
            let bytes = place.read()?;
            // A vocabulary is worth less than a tenth of a second.
            let level = if bytes.len() > 1 << 20 { 3 } else { 6 };
            let entry = BlobEntry { size_bytes: place.size_bytes, checksum: Xxh64::of(&bytes) };
            self.blobs.push((entry, compress_to_vec_zlib(&bytes, level)));
        }
        Ok(())
    }

    /// The IDAT chunks of a page. Reads the tensors on it.
    fn page(&mut self, number: usize, encoding: Encoding) -> Result<Vec<u8>> {
        let (width, height) = self.plan.layout.pages[number];
        let mut image = Image::blank(width, height)?;
        mark::put(&mut image, self.plan.model_id);
        let mut rects = vec![Rect { page: number, x: 0, y: 0, width: MARK_PX, height: 1 }];
        for (tile, planned) in self.tiles.iter_mut().zip(&self.plan.tensors) {
            let here = tile.rects.iter().filter(|rect| rect.page == number);
            rects.extend(here);
            draw(tile, planned, number, &mut image)?;
        }
        let (data, bands) = stream::write(&image, bands::bands(&rects), encoding)?;
        self.pages.push(PageEntry { number, width, height, data_bytes: data.len() as u64, bands });
        Ok(data)
    }

    /// Everything before the first IDAT chunk.
    fn head(&self, number: usize, options: &PackOptions) -> Vec<u8> {
        let is_here = |tile: &&Tile| number == 0 || tile.rects.iter().any(|rect| rect.page == number);
        let index = Index {
            model_id: self.plan.model_id,
            page: number,
            n_pages: self.plan.layout.pages.len(),
            encoding: options.encoding,
            pages: self.pages.iter().filter(|page| number == 0 || page.number == number).cloned().collect(),
            tiles: self.tiles.iter().filter(is_here).cloned().collect(),
            files: if number == 0 { self.plan.files.clone() } else { Vec::new() },
            blobs: if number == 0 { self.blobs.iter().map(|blob| blob.0).collect() } else { Vec::new() },
            metadata: self.plan.metadata.clone(),
        };
        let mut out = chunk::SIGNATURE.to_vec();
        let (width, height) = self.plan.layout.pages[number];
        let mut header = width.to_be_bytes().to_vec();
        header.extend(height.to_be_bytes());
        // 8 bits, red green blue alpha, deflate, filters by row, not interlaced.
        header.extend([8, 6, 0, 0, 0]);
        chunk::append(&mut out, chunk::IHDR, &header);
        for (key, text) in self.texts(number) {
            chunk::append(&mut out, chunk::TEXT, &[key.as_bytes(), b"\0", &latin1(&text)].concat());
        }
        let json = index.to_json().to_string();
        chunk::append(&mut out, chunk::INDEX, &compress_to_vec_zlib(json.as_bytes(), 6));
        for (_, compressed) in self.blobs.iter().filter(|_| number == 0) {
            chunk::append(&mut out, chunk::BLOB, compressed);
        }
        out
    }

    /// What other programs show.
    fn texts(&self, number: usize) -> [(&'static str, String); 3] {
        let text = |key: &str| self.plan.metadata.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let n_pages = self.plan.layout.pages.len();
        let what = format!(
            "A model of {} tensors as pixels, page {} of {n_pages}: every pixel is four bytes of its weights. \
             Do not edit, scale or convert; `tilework pixels unpack` gives the files back.",
            self.tiles.len(),
            number + 1,
        );
        [("Title", text("title")), ("Software", text("software")), ("Description", what)]
    }
}

/// Text chunks know 256 characters; others become question marks.
fn latin1(text: &str) -> Vec<u8> {
    let byte = |c: char| u8::try_from(u32::from(c)).ok().filter(|&byte| byte >= 32).unwrap_or(b'?');
    text.chars().take(1024).map(byte).collect()
}

/// Reads the rows of a tensor that lie on a page into its pixels. The checksum is that of the whole tensor and known from its first
/// page on.
fn draw(tile: &mut Tile, planned: &Planned<'_>, page: usize, image: &mut Image) -> Result<()> {
    let first_page = tile.rects.first().map_or(0, |rect| rect.page);
    let is_whole = tile.rects.iter().all(|rect| rect.page == page);
    let mut sum = Xxh64::new();
    let mut row = 0u64;
    let per_chunk = (CHUNK_BYTES / tile.row_bytes.max(1)).max(1);
    let mut bytes = Vec::new();
    for rect in &tile.rects {
        let rows = row..row + u64::from(rect.height);
        row = rows.end;
        if rect.page != page {
            continue;
        }
        for start in rows.clone().step_by(per_chunk as usize) {
            let end = (start + per_chunk).min(rows.end);
            let from = start * tile.row_bytes;
            let to = (end * tile.row_bytes).min(tile.size_bytes);
            bytes.resize((to - from) as usize, 0);
            planned.place.source.read_at(planned.place.start + from, &mut bytes)?;
            if is_whole {
                sum.add(&bytes);
            }
            for (k, bytes) in bytes.chunks(tile.row_bytes as usize).enumerate() {
                let y = rect.y + (start - rows.start) as u32 + k as u32;
                image.pixels_mut(rect.x, y, rect.width)[..bytes.len()].copy_from_slice(bytes);
            }
        }
    }
    if is_whole {
        tile.checksum = sum.value();
    } else if page == first_page {
        tile.checksum = checksum(planned)?;
    }
    Ok(())
}

/// Of a tensor that lies on several pages, whose rows were not all read at once.
fn checksum(planned: &Planned<'_>) -> Result<u64> {
    let mut sum = Xxh64::new();
    let mut at = 0;
    while at < planned.place.size_bytes {
        let start = planned.place.start + at;
        let piece = Place { start, size_bytes: CHUNK_BYTES.min(planned.place.size_bytes - at), ..planned.place };
        sum.add(&piece.read()?);
        at += piece.size_bytes;
    }
    Ok(sum.value())
}
