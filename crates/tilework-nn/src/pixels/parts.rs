//! Files cut into tensors and the rest.
//!
//! A safetensors or GGUF file is a head, tensors and what lies between them. Tensors become pixels; heads and other small pieces are
//! kept compressed, beside the index. Put together again they are the same file, byte for byte. Any other file is one tensor of
//! bytes, or, if it is short and compresses well, one piece.

use serde_json::Value;
use tilework::Result;

use super::damaged;
use super::tile::{self, BYTES};
use crate::gguf::{Gguf, Source};
use tilework::layers::core::order;

/// A file that goes into a picture.
#[derive(Clone)]
pub struct ModelFile<'a> {
    /// Its name, perhaps with folders in front: `config.json`, `1_Pooling/config.json`.
    pub name: String,
    /// Its bytes.
    pub source: &'a dyn Source,
}

/// What a file is understood as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Tensors by name, as PyTorch's models have them.
    Safetensors,
    /// A language model of llama.cpp.
    Gguf,
    /// Anything else.
    Bytes,
}

impl FileKind {
    /// Its name in indexes.
    pub fn name(self) -> &'static str {
        match self {
            FileKind::Safetensors => "safetensors",
            FileKind::Gguf => "gguf",
            FileKind::Bytes => "bytes",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<FileKind> {
        [FileKind::Safetensors, FileKind::Gguf, FileKind::Bytes].into_iter().find(|kind| kind.name() == name)
    }
}

/// A range of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) start: u64,
    pub(super) size_bytes: u64,
    /// What it is, unless it is something between tensors.
    pub(super) tensor: Option<Tensor>,
}

/// Name, type and shape of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tensor {
    pub(super) name: String,
    pub(super) dtype: String,
    pub(super) shape: Vec<u64>,
}

/// Files and pieces of up to so many bytes may be kept compressed beside the index.
pub(super) const MAX_BLOB_BYTES: u64 = 1 << 26;
/// A file that is no model is looked at for how well it compresses if it has at most so many bytes.
const MAX_SMALL_FILE_BYTES: u64 = 1 << 24;
/// A header longer than this is no safetensors file: the format's own limit.
const MAX_HEADER_BYTES: u64 = 100_000_000;
/// How much of a file is compressed to see whether that is worth while.
const SAMPLE_BYTES: u64 = 1 << 16;

/// The pieces of a file, in order and without gaps, and what it was understood as.
pub(super) fn cut(file: &ModelFile<'_>) -> Result<(FileKind, Vec<Piece>)> {
    let len = file.source.len();
    let mut head = [0; 9];
    let n_head = len.min(9) as usize;
    file.source.read_at(0, &mut head[..n_head])?;
    if head.starts_with(b"GGUF") {
        let gguf = Gguf::read(file.source)?;
        return Ok((FileKind::Gguf, filled(gguf_tensors(&gguf), len, &file.name)?));
    }
    let (length, first) = head.split_at(8);
    let header_bytes = u64::from_le_bytes(length.try_into().unwrap_or_default());
    if first == b"{" && header_bytes <= MAX_HEADER_BYTES.min(len.saturating_sub(8)) {
        let tensors = safetensors(file, header_bytes);
        // A file that only begins like one is bytes; one that calls itself so and is damaged is an error.
        if tensors.is_ok() || file.name.ends_with(".safetensors") {
            return Ok((FileKind::Safetensors, filled(tensors?, len, &file.name)?));
        }
    }
    Ok((FileKind::Bytes, plain(file)?))
}

/// A file without meaning: one piece, which is a tensor unless it compresses well.
pub(super) fn plain(file: &ModelFile<'_>) -> Result<Vec<Piece>> {
    let size_bytes = file.source.len();
    if size_bytes == 0 {
        return Ok(Vec::new());
    }
    let tensor = (!is_small(file)?).then(|| bytes_of(&file.name, size_bytes));
    Ok(vec![Piece { start: 0, size_bytes, tensor }])
}

fn bytes_of(name: &str, size_bytes: u64) -> Tensor {
    Tensor { name: name.to_owned(), dtype: BYTES.to_owned(), shape: vec![size_bytes] }
}

fn is_small(file: &ModelFile<'_>) -> Result<bool> {
    let size_bytes = file.source.len();
    if size_bytes > MAX_SMALL_FILE_BYTES {
        return Ok(false);
    }
    let mut sample = vec![0; size_bytes.min(SAMPLE_BYTES) as usize];
    file.source.read_at((size_bytes - sample.len() as u64) / 2, &mut sample)?;
    let n_compressed = miniz_oxide::deflate::compress_to_vec(&sample, 1).len();
    Ok(n_compressed * 10 < sample.len() * 9 || size_bytes < 512)
}

fn gguf_tensors(gguf: &Gguf) -> Vec<Piece> {
    let piece = |tensor: &crate::gguf::TensorInfo| Piece {
        start: gguf.data_offset + tensor.offset,
        size_bytes: tensor.size_bytes,
        tensor: Some(Tensor {
            name: tensor.name.clone(),
            dtype: tensor.format.name().to_owned(),
            shape: tensor.shape.clone(),
        }),
    };
    gguf.tensors.iter().map(piece).collect()
}

fn safetensors(file: &ModelFile<'_>, header_bytes: u64) -> Result<Vec<Piece>> {
    let mut header = vec![0; header_bytes as usize];
    file.source.read_at(8, &mut header)?;
    let no_json = |error| damaged(format!("the header of {} is no JSON: {error}", file.name));
    let header: Value = serde_json::from_slice(&header).map_err(no_json)?;
    let header = header.as_object().ok_or_else(|| damaged(format!("the header of {} is no object", file.name)))?;
    let mut pieces = Vec::new();
    for (name, described) in header.iter().filter(|(name, _)| *name != "__metadata__") {
        let wrong = || damaged(format!("`{name}` of {} has no dtype, shape or data_offsets that fit", file.name));
        let list = |key: &str| described.get(key)?.as_array()?.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>();
        let dtype = described.get("dtype").and_then(Value::as_str).ok_or_else(wrong)?;
        let shape = list("shape").ok_or_else(wrong)?;
        let Some([start, end]) = list("data_offsets").and_then(|offsets| <[u64; 2]>::try_from(offsets).ok()) else {
            return Err(wrong());
        };
        let size_bytes = end.checked_sub(start).ok_or_else(wrong)?;
        let start = start.checked_add(8 + header_bytes).ok_or_else(wrong)?;
        let n_elements = shape.iter().try_fold(1u64, |n, &size| n.checked_mul(size)).ok_or_else(wrong)?;
        if tile::block_of(dtype).is_some_and(|(_, bytes)| n_elements.checked_mul(bytes) != Some(size_bytes)) {
            return Err(wrong());
        }
        let tensor = Tensor { name: name.clone(), dtype: dtype.to_owned(), shape };
        pieces.push(Piece { start, size_bytes, tensor: Some(tensor) });
    }
    Ok(pieces)
}

/// The same pieces in the order of the file, with what lies between them.
fn filled(mut tensors: Vec<Piece>, len: u64, file: &str) -> Result<Vec<Piece>> {
    order::sort_by_key(&mut tensors, |piece| (piece.start, piece.size_bytes));
    let mut pieces = Vec::new();
    let mut next = 0u64;
    for piece in tensors {
        let name = piece.tensor.as_ref().map_or("", |tensor| tensor.name.as_str());
        let end = piece.start.checked_add(piece.size_bytes).filter(|&end| end <= len);
        let end =
            end.ok_or_else(|| damaged(format!("`{name}` of {file} lies outside the file, which may be cut off")))?;
        if piece.start < next {
            return Err(damaged(format!("`{name}` of {file} overlaps the tensor before it")));
        }
        pieces.extend(between(file, next, piece.start));
        next = end;
        pieces.push(piece);
    }
    pieces.extend(between(file, next, len));
    Ok(pieces)
}

fn between(file: &str, start: u64, end: u64) -> Option<Piece> {
    let size_bytes = end - start;
    let tensor = (size_bytes > MAX_BLOB_BYTES).then(|| bytes_of(&format!("{file}@{start}"), size_bytes));
    (size_bytes > 0).then_some(Piece { start, size_bytes, tensor })
}

/// Names in the order of people: `layer.2` comes before `layer.10`.
pub(super) fn natural_key(name: &str) -> Vec<(String, u64)> {
    let mut key = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let words = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let digits = rest[words..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |n| words + n);
        key.push((rest[..words].to_owned(), rest[words..digits].parse().unwrap_or(u64::MAX)));
        rest = &rest[digits..];
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_sorted_by_number() {
        let mut names = ["h.10.w", "h.2.w", "h.2.b", "a", "h.2"];
        order::sort_by_key(&mut names, |name| natural_key(name));
        assert_eq!(names, ["a", "h.2", "h.2.b", "h.2.w", "h.10.w"]);
    }

    #[test]
    fn whatever_is_no_model_is_bytes() {
        for bytes in [&b""[..], b"x", b"{}", b"\x02\0\0\0\0\0\0\0{", b"\x02\0\0\0\0\0\0\0{]"] {
            let file = ModelFile { name: "some.bin".to_owned(), source: &bytes };
            let (kind, pieces) = cut(&file).unwrap();
            assert_eq!(kind, FileKind::Bytes);
            assert_eq!(pieces.iter().map(|piece| piece.size_bytes).sum::<u64>(), bytes.len() as u64);
        }
        let file = ModelFile { name: "some.safetensors".to_owned(), source: &&b"\x02\0\0\0\0\0\0\0{]"[..] };
        assert!(cut(&file).is_err());
    }
}
