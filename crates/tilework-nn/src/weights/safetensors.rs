//! Safetensors: eight bytes of length, a JSON header of that length, then the elements.
//!
//! The header maps names to a type, a shape and the range of bytes after the header:
//! <https://huggingface.co/docs/safetensors/index#format>. Everything in it is checked against the file before it is used.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use tilework::layers::core::host::HostBuffer;
use tilework::{Array, DType, Device, Result};

use super::damaged;

/// A header longer than this is a damaged file, not a model: the format's own limit.
const HEADER_LIMIT_BYTES: u64 = 100_000_000;

/// Where the header says an array is.
struct Entry<'a> {
    dtype: &'a str,
    shape: Vec<usize>,
    start: usize,
    end: usize,
}

pub(super) fn read(device: &Device, bytes: &[u8]) -> Result<BTreeMap<String, Array>> {
    let (header, data) = split(bytes)?;
    let header: Value = serde_json::from_slice(header)
        .map_err(|error| damaged(format!("the header of the safetensors file is no JSON: {error}")))?;
    let header = header.as_object().ok_or_else(|| damaged("the header of the safetensors file is no object"))?;
    let mut arrays = BTreeMap::new();
    for (name, described) in header.iter().filter(|(name, _)| *name != "__metadata__") {
        let entry =
            Entry::new(described).ok_or_else(|| damaged(format!("`{name}` has no dtype, shape or data_offsets")))?;
        let elements = data
            .get(entry.start..entry.end)
            .ok_or_else(|| damaged(format!("`{name}` lies outside the file, which may be cut off")))?;
        arrays.insert(name.clone(), array(device, name, entry.dtype, &entry.shape, elements)?);
    }
    Ok(arrays)
}

fn split(bytes: &[u8]) -> Result<(&[u8], &[u8])> {
    let neither = || damaged("this is neither a safetensors file nor an .npz archive");
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

/// Bytes of an element of a type that becomes an array.
fn element_bytes(dtype: &str) -> Option<usize> {
    match dtype {
        "BOOL" | "U8" | "I8" => Some(1),
        "F16" | "BF16" | "I16" | "U16" => Some(2),
        "F32" | "I32" | "U32" => Some(4),
        "F64" | "I64" | "U64" => Some(8),
        _ => None,
    }
}

/// Whether elements of this type become an array as they are.
pub(crate) fn is_plain(dtype: &str) -> bool {
    element_bytes(dtype).is_some()
}

/// An array from the bytes of its elements.
pub(crate) fn array(device: &Device, name: &str, dtype: &str, shape: &[usize], bytes: &[u8]) -> Result<Array> {
    Ok(device.from_host(elements_of(name, dtype, shape, bytes)?, shape))
}

fn elements_of(name: &str, dtype: &str, shape: &[usize], bytes: &[u8]) -> Result<HostBuffer> {
    let wrong_length = || damaged(format!("`{name}` has {} bytes, too few or too many for {shape:?}", bytes.len()));
    let n_elements = shape.iter().try_fold(1usize, |n, &size| n.checked_mul(size)).ok_or_else(wrong_length)?;
    let cannot = || damaged(format!("`{name}` is of the type {dtype}, which cannot be read"));
    let size_bytes = element_bytes(dtype).ok_or_else(cannot)?;
    if n_elements.checked_mul(size_bytes) != Some(bytes.len()) {
        return Err(wrong_length());
    }
    let too_large = || damaged(format!("`{name}` holds integers that do not fit 32 bits"));
    Ok(match dtype {
        "BOOL" => HostBuffer::Bool(bytes.iter().map(|&byte| u32::from(byte != 0)).collect()),
        "U8" => HostBuffer::U32(bytes.iter().map(|&byte| u32::from(byte)).collect()),
        "I8" => HostBuffer::I32(bytes.iter().map(|&byte| i32::from(byte as i8)).collect()),
        "F16" => HostBuffer::F16(words(bytes, u16::from_le_bytes)),
        "BF16" => HostBuffer::F32(words(bytes, |word| f32::from_bits(u32::from(u16::from_le_bytes(word)) << 16))),
        "I16" => HostBuffer::I32(words(bytes, |word| i32::from(i16::from_le_bytes(word)))),
        "U16" => HostBuffer::U32(words(bytes, |word| u32::from(u16::from_le_bytes(word)))),
        "F32" => HostBuffer::F32(words(bytes, f32::from_le_bytes)),
        "I32" => HostBuffer::I32(words(bytes, i32::from_le_bytes)),
        "U32" => HostBuffer::U32(words(bytes, u32::from_le_bytes)),
        "F64" => HostBuffer::F64(words(bytes, f64::from_le_bytes)),
        "I64" => {
            let fits = |word| i32::try_from(i64::from_le_bytes(word)).ok();
            HostBuffer::I32(words(bytes, fits).into_iter().collect::<Option<_>>().ok_or_else(too_large)?)
        }
        _ => {
            let fits = |word| u32::try_from(u64::from_le_bytes(word)).ok();
            HostBuffer::U32(words(bytes, fits).into_iter().collect::<Option<_>>().ok_or_else(too_large)?)
        }
    })
}

/// Elements of `N` bytes each.
fn words<const N: usize, T>(bytes: &[u8], read: impl Fn([u8; N]) -> T) -> Vec<T> {
    bytes.as_chunks::<N>().0.iter().map(|&word| read(word)).collect()
}

/// The file of arrays that have been computed.
pub(super) async fn write(arrays: &BTreeMap<String, Array>) -> Result<Vec<u8>> {
    let mut header = Map::new();
    let mut data: Vec<u8> = Vec::new();
    for (name, array) in arrays {
        let start = data.len();
        let dtype = append(&mut data, array).await?;
        let described = json!({ "dtype": dtype, "shape": array.shape(), "data_offsets": [start, data.len()] });
        header.insert(name.clone(), described);
    }
    let mut header = Value::Object(header).to_string().into_bytes();
    // The format wants the elements aligned; spaces are allowed after the header.
    header.resize(header.len().next_multiple_of(8), b' ');
    Ok([&(header.len() as u64).to_le_bytes()[..], &header, &data].concat())
}

async fn append(data: &mut Vec<u8>, array: &Array) -> Result<&'static str> {
    let dtype = match array.dtype() {
        DType::I32 => "I32",
        DType::U32 => "U32",
        DType::F16 => "F16",
        _ => "F32",
    };
    let array = if dtype == "F32" { array.to_f32() } else { array.clone() };
    array
        .with_host(|host| match host {
            HostBuffer::F16(elements) => elements.iter().for_each(|x| data.extend(x.to_le_bytes())),
            HostBuffer::I32(elements) => elements.iter().for_each(|x| data.extend(x.to_le_bytes())),
            HostBuffer::U32(elements) => elements.iter().for_each(|x| data.extend(x.to_le_bytes())),
            HostBuffer::F32(elements) => elements.iter().for_each(|x| data.extend(x.to_le_bytes())),
            _ => unreachable!("cast to 32-bit floats above"),
        })
        .await?;
    Ok(dtype)
}
