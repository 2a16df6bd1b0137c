//! Opening pages.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use serde_json::{Map, Value};
use tilework::layers::core::order;
use tilework::{Error, ErrorKind, Result};

use super::bands::Form;
use super::check;
use super::chunk::{self, Chunk};
use super::decode::{self, Header};
use super::edit::Edits;
use super::index::{Index, PageEntry};
use super::parts::FileKind;
use super::stream::Image;
use super::tile::Tile;
use super::{Encoding, damaged};
use crate::gguf::Source;

/// Bytes of an index, at most: one of ten thousand tensors has two million.
const MAX_INDEX_BYTES: u64 = 1 << 24;
/// Chunks before the pixels, at most.
const MAX_CHUNKS: usize = 100_000;
/// Decoded bands that are kept.
const MAX_KEPT_BYTES: usize = 1 << 26;

/// A model in a picture, of one or several pages.
///
/// Opening reads heads and indexes; pixels are read when they are asked for. [`PixelFile::verify`] checks all of them.
pub struct PixelFile {
    pub(super) pages: Vec<OpenPage>,
    pub(super) index: Index,
    /// Where the compressed pieces are in the first page.
    pub(super) blobs: Vec<Chunk>,
    pub(super) kept: Mutex<Kept>,
    pub(super) edits: Edits,
    by_name: HashMap<String, usize>,
}

/// What a page is, for those who show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
    /// Whether another program wrote the picture anew. It may still be whole: [`PixelFile::verify`] tells.
    pub is_rewritten: bool,
}

/// A page's file.
pub(super) struct OpenPage {
    pub(super) source: Box<dyn Source>,
    /// The first IDAT chunk.
    pub(super) data_start: u64,
    pub(super) header: Header,
    pub(super) is_rewritten: bool,
}

/// What was decoded and may be asked for again.
#[derive(Default)]
pub(super) struct Kept {
    /// Bands of compressed pages, the latest last.
    pub(super) bands: Vec<KeptBand>,
    pub(super) image: Option<(usize, Arc<Image>)>,
    pub(super) blobs: HashMap<usize, Arc<Vec<u8>>>,
}

/// A decoded band, by the numbers of its page and of itself.
pub(super) struct KeptBand {
    pub(super) page: usize,
    pub(super) number: usize,
    pub(super) raw: Arc<Vec<u8>>,
}

impl Kept {
    pub(super) fn keep_band(&mut self, band: KeptBand) {
        self.bands.push(band);
        while self.bands.len() > 1 && self.bands.iter().map(|band| band.raw.len()).sum::<usize>() > MAX_KEPT_BYTES {
            self.bands.remove(0);
        }
    }
}

impl PixelFile {
    /// Opens all pages of a model, in any order.
    ///
    /// Fails with [`ErrorKind::Io`] if a file is no picture of a model, is cut off or damaged, or belongs to another model, or if a page
    /// is missing; the message says which and why. A picture that another program wrote anew is opened if its index is left.
    pub fn open(sources: Vec<Box<dyn Source>>) -> Result<PixelFile> {
        let mut opened = sources.into_iter().map(open_page).collect::<Result<Vec<_>>>()?;
        order::sort_by_key(&mut opened, |(index, _, _)| index.page);
        let Some((first, _, _)) = opened.first() else {
            return Err(Error::argument("pixels", "no page was given"));
        };
        let (model_id, n_pages) = (first.model_id, first.n_pages);
        for (number, (index, _, _)) in opened.iter().enumerate() {
            if index.model_id != model_id || index.n_pages != n_pages {
                return Err(damaged("the pages are of different models"));
            }
            if index.page != number {
                return Err(damaged(format!("page {} of {n_pages} is missing or there twice", number + 1)));
            }
        }
        if opened.len() != n_pages {
            return Err(damaged(format!("page {} of {n_pages} is missing", opened.len() + 1)));
        }
        let (mut pages, mut index, mut blobs) = (Vec::new(), None, Vec::new());
        for (own, page, own_blobs) in opened {
            pages.push(page);
            if index.is_none() {
                check::model(&own)?;
                index = Some(own);
                blobs = own_blobs;
            }
        }
        let index = index.ok_or_else(|| damaged("there is no page"))?;
        PixelFile::new(pages, index, blobs)
    }

    fn new(mut pages: Vec<OpenPage>, index: Index, blobs: Vec<Chunk>) -> Result<PixelFile> {
        for (number, (page, entry)) in pages.iter_mut().zip(&index.pages).enumerate() {
            if page.header.size() != (entry.width, entry.height) {
                let ((width, height), (w, h)) = (page.header.size(), (entry.width, entry.height));
                let message = format!("page {} was scaled or cut: it is {width} × {height}, not {w} × {h}", number + 1);
                return Err(damaged(message));
            }
            page.is_rewritten = !is_as_written(page, entry)?;
        }
        if blobs.len() != index.blobs.len() {
            let message = format!("{} of its {} pieces of files are there", blobs.len(), index.blobs.len());
            return Err(damaged(message));
        }
        for (chunk, entry) in blobs.iter().zip(&index.blobs) {
            if entry.size_bytes / check::MAX_INFLATION > chunk.n_bytes {
                return Err(damaged("its index is wrong about the size of a piece"));
            }
        }
        let names = index.tiles.iter().enumerate().map(|(at, tile)| (tile.name.clone(), at));
        let by_name = names.collect();
        Ok(PixelFile { pages, index, blobs, kept: Mutex::default(), edits: Edits::default(), by_name })
    }

    /// Opens pages that are in memory.
    pub fn from_bytes(pages: Vec<Vec<u8>>) -> Result<PixelFile> {
        PixelFile::open(pages.into_iter().map(|page| Box::new(page) as Box<dyn Source>).collect())
    }

    /// How many pages the model of this page has, and which of them it is, from 0. Reads no more than the page's head.
    pub fn page_number(source: &dyn Source) -> Result<(usize, usize)> {
        let (index, _, _) = read_head(source)?;
        check::page(&index)?;
        Ok((index.page, index.n_pages))
    }

    /// All tensors, in the order of their files.
    pub fn tensors(&self) -> &[Tile] {
        &self.index.tiles
    }

    /// The place of the tensor called `name` among [`PixelFile::tensors`]; the error says so if there is none.
    pub fn find(&self, name: &str) -> Result<usize> {
        self.by_name.get(name).copied().ok_or_else(|| {
            let tiles = &self.index.tiles;
            let close: Vec<&str> =
                tiles.iter().map(|tile| tile.name.as_str()).filter(|other| other.contains(name)).take(4).collect();
            let help = if close.is_empty() { String::new() } else { format!("; did you mean {}?", close.join(", ")) };
            damaged(format!("there is no tensor `{name}` among its {}{help}", tiles.len()))
        })
    }

    /// The tensor called `name`.
    pub fn tensor(&self, name: &str) -> Result<&Tile> {
        Ok(&self.index.tiles[self.find(name)?])
    }

    /// Names, kinds and sizes of the files it was made of.
    pub fn files(&self) -> impl Iterator<Item = (&str, FileKind, u64)> {
        self.index.files.iter().map(|file| (file.name.as_str(), file.kind, file.size_bytes))
    }

    /// Its pages.
    pub fn pages(&self) -> Vec<Page> {
        let page = |(open, entry): (&OpenPage, &PageEntry)| Page {
            width: entry.width,
            height: entry.height,
            is_rewritten: open.is_rewritten,
        };
        self.pages.iter().zip(&self.index.pages).map(page).collect()
    }

    /// How its pixels were written.
    pub fn encoding(&self) -> Encoding {
        self.index.encoding
    }

    /// A number that its pages share and other models do not have, unless by accident.
    pub fn model_id(&self) -> u64 {
        self.index.model_id
    }

    /// What is said about the model: `title`, `software`, for language models `architecture`.
    pub fn metadata(&self) -> &Map<String, Value> {
        &self.index.metadata
    }

    /// The name of the model.
    pub fn title(&self) -> &str {
        self.index.metadata.get("title").and_then(Value::as_str).unwrap_or_default()
    }

    /// Bytes of all pages' files.
    pub fn size_bytes(&self) -> u64 {
        self.pages.iter().map(|page| page.source.len()).sum()
    }
}

/// Reads the index of a page and finds its data.
fn open_page(source: Box<dyn Source>) -> Result<(Index, OpenPage, Vec<Chunk>)> {
    let (index, blobs, (header, data_start)) = read_head(&*source)?;
    check::page(&index)?;
    Ok((index, OpenPage { source, data_start, header, is_rewritten: false }, blobs))
}

type Head = (Index, Vec<Chunk>, (Header, u64));

fn read_head(source: &dyn Source) -> Result<Head> {
    let mut signature = [0; 8];
    if source.len() < 8 || source.read_at(0, &mut signature).is_err() || signature != chunk::SIGNATURE {
        return Err(damaged("this is no PNG file"));
    }
    let first = chunk::at(source, 8)?;
    if first.kind != chunk::IHDR {
        return Err(damaged("this is no PNG file: it does not begin with IHDR"));
    }
    let header = Header::parse(&first.read(source, 13)?)?;
    let mut at = first.end();
    let (mut index, mut blobs) = (None, Vec::new());
    for _ in 0..MAX_CHUNKS {
        let chunk = chunk::at(source, at)?;
        match chunk.kind {
            chunk::INDEX if index.is_none() => index = Some(read_index(source, &chunk)?),
            chunk::INDEX => return Err(damaged("it has two indexes")),
            chunk::BLOB => blobs.push(chunk),
            chunk::IDAT | chunk::IEND => {
                let index = index.ok_or_else(|| decode::without_index(source, &header, at))?;
                return Ok((index, blobs, (header, at)));
            }
            _ => {}
        }
        at = chunk.end();
    }
    Err(damaged(format!("there are more than {MAX_CHUNKS} chunks before its pixels")))
}

fn read_index(source: &dyn Source, chunk: &Chunk) -> Result<Index> {
    let compressed = chunk.read(source, MAX_INDEX_BYTES)?;
    let json = decompress_to_vec_zlib_with_limit(&compressed, MAX_INDEX_BYTES as usize).map_err(|error| {
        let is_large = error.status == miniz_oxide::inflate::TINFLStatus::HasMoreOutput;
        damaged(if is_large { "its index is too large" } else { "its index is damaged" })
    })?;
    Index::from_json(&json)
}

/// Whether the pixels lie where the index says. If not, another program wrote them anew; if the file just ends, that is an error.
fn is_as_written(page: &OpenPage, entry: &PageEntry) -> Result<bool> {
    let source = &*page.source;
    let first = chunk::at(source, page.data_start)?;
    // A chunk has a band, the last one also the end of the stream.
    let told = entry.bands.first().filter(|_| entry.bands.len() > 1).map_or(entry.data_bytes, |band| match band.form {
        Form::Stored { step } => band.at + step * u64::from(band.n_rows) + 4,
        Form::Deflated { n_bytes } => band.at + n_bytes + 4,
    });
    let is_first = page.header.is_as_written() && chunk::AROUND_BYTES + first.n_bytes == told;
    let end = page.data_start.checked_add(entry.data_bytes).ok_or_else(|| damaged("its index is wrong"))?;
    if is_first && end.checked_add(chunk::AROUND_BYTES).is_none_or(|end| end > source.len()) {
        let n_missing = end + chunk::AROUND_BYTES - source.len();
        return Err(damaged(format!("it is cut off: the last {n_missing} bytes of the file are missing")));
    }
    let mut last = [0; 12];
    if is_first && source.read_at(end, &mut last).is_ok() && last == chunk::END {
        return Ok(true);
    }
    // Written anew, or damaged so that chunks cannot be followed.
    let mut at = page.data_start;
    for _ in 0..MAX_CHUNKS {
        let chunk = chunk::at(source, at)?;
        if chunk.kind == chunk::IEND {
            return Ok(false);
        }
        at = chunk.end();
    }
    Err(Error::new(ErrorKind::Io, "pixels", format!("its pixels are in more than {MAX_CHUNKS} chunks")))
}
