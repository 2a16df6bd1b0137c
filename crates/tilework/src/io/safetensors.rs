//! Safetensors: eight bytes of length, a JSON header of that length, then the elements.
//!
//! The header maps names to a type, a shape and the range of bytes after the header:
//! <https://huggingface.co/docs/safetensors/index#format>. Everything in it is checked against the file before it is used.

use super::elements::{ByteOrder, Stored, encode, n_elements};
use super::{Content, damaged};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use tilework_core::Result;
use tilework_core::dtype::DType;
use tilework_core::host::HostBuffer;

/// A header longer than this is a damaged file, not a model: the format's own limit.
const HEADER_LIMIT_BYTES: u64 = 100_000_000;

/// Where the header says an array is.
struct Entry<'a> {
    dtype: &'a str,
    shape: Vec<usize>,
    start: usize,
    end: usize,
}

/// The arrays of a safetensors file by name.
pub fn read_safetensors(bytes: &[u8]) -> Result<BTreeMap<String, Content>> {
    let (header, data) = split(bytes)?;
    let header: Value = serde_json::from_slice(header)
        .map_err(|error| wrong(format!("the header of the safetensors file is no JSON: {error}")))?;
    let header =
        header.as_object().ok_or_else(|| wrong("the header of the safetensors file is no object".to_owned()))?;
    let mut arrays = BTreeMap::new();
    let mut n_left = data.len();
    for (name, described) in header.iter().filter(|(name, _)| *name != "__metadata__") {
        let entry =
            Entry::new(described).ok_or_else(|| wrong(format!("`{name}` has no dtype, shape or data_offsets")))?;
        let outside = || wrong(format!("`{name}` lies outside the file, which may be cut off"));
        let elements = data.get(entry.start..entry.end).ok_or_else(outside)?;
        // Bytes that belong to many arrays at once would make much of a small file.
        n_left = n_left.checked_sub(elements.len()).ok_or_else(|| wrong("arrays overlap".to_owned()))?;
        let host = read_tensor(name, entry.dtype, &entry.shape, elements)?;
        let dtype = if entry.dtype == "C64" { DType::C64 } else { host.dtype() };
        arrays.insert(name.clone(), Content { data: host, shape: entry.shape, dtype });
    }
    Ok(arrays)
}

fn wrong(message: String) -> tilework_core::Error {
    damaged("load_safetensors", message)
}

fn split(bytes: &[u8]) -> Result<(&[u8], &[u8])> {
    let neither = || wrong("this is no safetensors file".to_owned());
    let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(neither)?;
    let length = u64::from_le_bytes(*length);
    if length > HEADER_LIMIT_BYTES {
        return Err(neither());
    }
    rest.split_at_checked(length as usize).ok_or_else(neither)
}

impl<'a> Entry<'a> {
    fn new(described: &'a Value) -> Option<Entry<'a>> {
        let size = |value: &Value| usize::try_from(value.as_u64()?).ok();
        let shape = described.get("shape")?.as_array()?.iter().map(size).collect::<Option<Vec<_>>>()?;
        let [start, end] = described.get("data_offsets")?.as_array()?.as_slice() else { return None };
        Some(Entry { dtype: described.get("dtype")?.as_str()?, shape, start: size(start)?, end: size(end)? })
    }
}

/// Whether elements of this type of the format become an array as they are.
pub fn is_plain(dtype: &str) -> bool {
    Stored::from_safetensors(dtype).is_some()
}

/// The elements of one array, `name` for errors, of a type of the format.
pub fn read_tensor(name: &str, dtype: &str, shape: &[usize], bytes: &[u8]) -> Result<HostBuffer> {
    let unknown = || wrong(format!("`{name}` is of the type {dtype}, which cannot be read"));
    let stored = Stored::from_safetensors(dtype).ok_or_else(unknown)?;
    let length = bytes.len();
    n_elements(shape, stored.size_bytes(), bytes)
        .ok_or_else(|| wrong(format!("`{name}` has {length} bytes, too few or too many for {shape:?}")))?;
    Ok(stored.decode(bytes, ByteOrder::Little))
}

/// A file of these arrays.
pub fn write_safetensors(arrays: &BTreeMap<String, Content>) -> Result<Vec<u8>> {
    let mut header = Map::new();
    let mut data: Vec<u8> = Vec::new();
    for (name, Content { data: host, shape, dtype }) in arrays {
        if *dtype == DType::C128 {
            return Err(damaged("to_safetensors", format!("`{name}` is complex128, which the format does not have")));
        }
        let (stored, mut bytes) = encode(host, *dtype);
        n_elements(shape, stored.size_bytes(), &bytes)
            .ok_or_else(|| damaged("to_safetensors", format!("`{name}` has not the elements of {shape:?}")))?;
        let start = data.len();
        data.append(&mut bytes);
        let described = json!({ "dtype": stored.names().1, "shape": shape, "data_offsets": [start, data.len()] });
        header.insert(name.clone(), described);
    }
    let mut header = Value::Object(header).to_string().into_bytes();
    // The format wants the elements aligned; spaces are allowed after the header.
    header.resize(header.len().next_multiple_of(8), b' ');
    Ok([&(header.len() as u64).to_le_bytes()[..], &header, &data].concat())
}
