//! The index of a page: JSON in a chunk of its own.
//!
//! The index of the first page speaks of all pages, tensors and files of a model; that of another page of its own pixels and the
//! tensors on it. Places in files are counted from the first IDAT chunk, so an index does not depend on its own length.

use serde_json::{Map, Value, json};
use tilework::Result;

use super::bands::{Band, Form, Span};
use super::parts::FileKind;
use super::tile::{Rect, Tile};
use super::{Encoding, VERSION, damaged};

/// What the chunk says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Index {
    pub(super) model_id: u64,
    /// Number of the page that the index is on, from 0.
    pub(super) page: usize,
    pub(super) n_pages: usize,
    pub(super) encoding: Encoding,
    /// The pages it speaks of, with their numbers.
    pub(super) pages: Vec<PageEntry>,
    pub(super) tiles: Vec<Tile>,
    pub(super) files: Vec<FileEntry>,
    pub(super) blobs: Vec<BlobEntry>,
    /// Name, architecture and whatever else describes the model.
    pub(super) metadata: Map<String, Value>,
}

/// Size of a page and where its pixels are.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PageEntry {
    pub(super) number: usize,
    pub(super) width: u32,
    pub(super) height: u32,
    /// Bytes of all IDAT chunks.
    pub(super) data_bytes: u64,
    pub(super) bands: Vec<Band>,
}

/// A file that went into the picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FileEntry {
    pub(super) name: String,
    pub(super) kind: FileKind,
    pub(super) size_bytes: u64,
    pub(super) parts: Vec<Part>,
}

/// What a file is made of, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A tensor, by its place in the list.
    Tensor(usize),
    /// A compressed piece, by its place in the list.
    Blob(usize),
    /// So many zeros.
    Zeros(u64),
}

/// A compressed piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlobEntry {
    pub(super) size_bytes: u64,
    pub(super) checksum: u64,
}

/// First words of every index.
const FORMAT: &str = "tilework-pixels";

impl Index {
    pub(super) fn to_json(&self) -> Value {
        json!({
            "format": FORMAT,
            "version": VERSION,
            "model": hex(self.model_id),
            "page": self.page,
            "n_pages": self.n_pages,
            "encoding": self.encoding.name(),
            "pages": self.pages.iter().map(page_json).collect::<Vec<_>>(),
            "tensors": self.tiles.iter().map(tile_json).collect::<Vec<_>>(),
            "files": self.files.iter().map(file_json).collect::<Vec<_>>(),
            "blobs": self.blobs.iter().map(|blob| json!({
                "size": blob.size_bytes, "xxh64": hex(blob.checksum),
            })).collect::<Vec<_>>(),
            "metadata": self.metadata,
        })
    }

    /// Reads an index; whether it makes sense is checked after (`check`).
    pub(super) fn from_json(json: &[u8]) -> Result<Index> {
        let value: Value =
            serde_json::from_slice(json).map_err(|error| damaged(format!("its index is no JSON: {error}")))?;
        if value.get("format").and_then(Value::as_str) != Some(FORMAT) {
            return Err(damaged("its index is not one of a model"));
        }
        match value.get("version").and_then(Value::as_u64) {
            Some(VERSION) => {}
            Some(other) if other > VERSION => {
                return Err(damaged(format!("it is of version {other} of the format; this program reads {VERSION}")));
            }
            _ => return Err(damaged("its index has no version")),
        }
        Index::parse(&value).ok_or_else(|| damaged("its index lacks something or has something of another type"))
    }

    fn parse(value: &Value) -> Option<Index> {
        Some(Index {
            model_id: unhex(value.get("model")?)?,
            page: count(value.get("page")?)?,
            n_pages: count(value.get("n_pages")?)?,
            encoding: [Encoding::Stored, Encoding::Deflate]
                .into_iter()
                .find(|encoding| Some(encoding.name()) == value.get("encoding").and_then(Value::as_str))?,
            pages: list(value, "pages", page)?,
            tiles: list(value, "tensors", tile)?,
            files: list(value, "files", file)?,
            blobs: list(value, "blobs", |blob| {
                Some(BlobEntry { size_bytes: blob.get("size")?.as_u64()?, checksum: unhex(blob.get("xxh64")?)? })
            })?,
            metadata: value.get("metadata")?.as_object()?.clone(),
        })
    }
}

fn list<T>(value: &Value, key: &str, parse: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    value.get(key)?.as_array()?.iter().map(parse).collect()
}

fn numbers<const N: usize>(value: &Value) -> Option<[u64; N]> {
    let numbers: Vec<u64> = value.as_array()?.iter().map(Value::as_u64).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

fn count(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

fn pixels(value: u64) -> Option<u32> {
    u32::try_from(value).ok().filter(|&value| value <= super::MAX_SIDE_PX)
}

pub(super) fn hex(value: u64) -> String {
    format!("{value:016x}")
}

fn unhex(value: &Value) -> Option<u64> {
    value.as_str().filter(|text| text.len() == 16).and_then(|text| u64::from_str_radix(text, 16).ok())
}

fn page_json(page: &PageEntry) -> Value {
    let bands: Vec<Value> = page.bands.iter().map(band_json).collect();
    json!({ "number": page.number, "width": page.width, "height": page.height, "data": page.data_bytes, "bands": bands })
}

fn page(value: &Value) -> Option<PageEntry> {
    Some(PageEntry {
        number: count(value.get("number")?)?,
        width: pixels(value.get("width")?.as_u64()?)?,
        height: pixels(value.get("height")?.as_u64()?)?,
        data_bytes: value.get("data")?.as_u64()?,
        bands: list(value, "bands", band)?,
    })
}

fn band_json(band: &Band) -> Value {
    match band.form {
        Form::Deflated { n_bytes } => json!({ "y": band.y, "rows": band.n_rows, "at": band.at, "bytes": n_bytes }),
        Form::Stored { step } => {
            let spans: Vec<Value> = band.spans.iter().map(|span| json!([span.x, span.width, span.offset])).collect();
            json!({ "y": band.y, "rows": band.n_rows, "at": band.at, "step": step, "spans": spans })
        }
    }
}

fn band(value: &Value) -> Option<Band> {
    let span = |value: &Value| {
        let [x, width, offset] = numbers(value)?;
        Some(Span { x: pixels(x)?, width: pixels(width)?, offset })
    };
    let (form, spans) = match value.get("bytes") {
        Some(n_bytes) => (Form::Deflated { n_bytes: n_bytes.as_u64()? }, Vec::new()),
        None => (Form::Stored { step: value.get("step")?.as_u64()? }, list(value, "spans", span)?),
    };
    Some(Band {
        y: pixels(value.get("y")?.as_u64()?)?,
        n_rows: pixels(value.get("rows")?.as_u64()?)?,
        spans,
        at: value.get("at")?.as_u64()?,
        form,
    })
}

fn tile_json(tile: &Tile) -> Value {
    let rects: Vec<Value> =
        tile.rects.iter().map(|rect| json!([rect.page, rect.x, rect.y, rect.width, rect.height])).collect();
    json!({
        "name": tile.name, "dtype": tile.dtype, "shape": tile.shape, "size": tile.size_bytes, "row": tile.row_bytes,
        "rects": rects, "xxh64": hex(tile.checksum),
    })
}

fn tile(value: &Value) -> Option<Tile> {
    let rect = |value: &Value| {
        let [page, x, y, width, height] = numbers(value)?;
        let page = usize::try_from(page).ok()?;
        Some(Rect { page, x: pixels(x)?, y: pixels(y)?, width: pixels(width)?, height: pixels(height)? })
    };
    Some(Tile {
        name: value.get("name")?.as_str()?.to_owned(),
        shape: list(value, "shape", Value::as_u64)?,
        dtype: value.get("dtype")?.as_str()?.to_owned(),
        size_bytes: value.get("size")?.as_u64()?,
        row_bytes: value.get("row")?.as_u64()?,
        rects: list(value, "rects", rect)?,
        checksum: unhex(value.get("xxh64")?)?,
    })
}

fn file_json(file: &FileEntry) -> Value {
    let part = |part: &Part| match part {
        Part::Tensor(index) => json!({ "tensor": index }),
        Part::Blob(index) => json!({ "blob": index }),
        Part::Zeros(n) => json!({ "zeros": n }),
    };
    let parts: Vec<Value> = file.parts.iter().map(part).collect();
    json!({ "name": file.name, "kind": file.kind.name(), "size": file.size_bytes, "parts": parts })
}

fn file(value: &Value) -> Option<FileEntry> {
    let part = |value: &Value| match (value.get("tensor"), value.get("blob"), value.get("zeros")) {
        (Some(index), None, None) => Some(Part::Tensor(count(index)?)),
        (None, Some(index), None) => Some(Part::Blob(count(index)?)),
        (None, None, Some(n)) => Some(Part::Zeros(n.as_u64()?)),
        _ => None,
    };
    Some(FileEntry {
        name: value.get("name")?.as_str()?.to_owned(),
        kind: FileKind::from_name(value.get("kind")?.as_str()?)?,
        size_bytes: value.get("size")?.as_u64()?,
        parts: list(value, "parts", part)?,
    })
}
