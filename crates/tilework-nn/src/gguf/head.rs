//! The head of a file: metadata and directory.

use std::collections::HashMap;

use tilework::layers::core::quant::Format;
use tilework::{Error, ErrorKind};

use super::cursor::{Cursor, Stop};
use super::{DEFAULT_ALIGNMENT, Gguf, Metadata, TensorInfo, Value};

/// The longest key or tensor name (the format's own limit for keys).
const MAX_NAME_BYTES: u64 = 65_535;

/// The fewest bytes an entry of the metadata takes: length of the key, type, one byte.
const MIN_ENTRY_BYTES: u64 = 13;

/// The fewest bytes a tensor takes: length of its name, number of dimensions, type, offset.
const MIN_TENSOR_BYTES: u64 = 24;

/// Formats that files may have and this crate has not, for messages.
const OTHER_FORMATS: &[(u32, &str)] = &[
    (9, "Q8_1"),
    (15, "Q8_K"),
    (16, "IQ2_XXS"),
    (17, "IQ2_XS"),
    (18, "IQ3_XXS"),
    (19, "IQ1_S"),
    (21, "IQ3_S"),
    (22, "IQ2_S"),
    (24, "I8"),
    (25, "I16"),
    (26, "I32"),
    (27, "I64"),
    (28, "F64"),
    (29, "IQ1_M"),
    (34, "TQ1_0"),
    (35, "TQ2_0"),
];

pub(super) fn parse(bytes: &[u8]) -> Result<Gguf, Stop> {
    let mut cursor = Cursor::new(bytes);
    let version = version(&mut cursor)?;
    let (n_tensors, n_entries) = (cursor.u64()?, cursor.u64()?);
    cursor.reading(format!("the metadata ({n_entries} entries)"));
    cursor.expect(n_entries, MIN_ENTRY_BYTES)?;
    let metadata = metadata(&mut cursor, n_entries)?;
    let alignment = alignment(&metadata, &cursor)?;
    cursor.reading(format!("the directory ({n_tensors} tensors)"));
    cursor.expect(n_tensors, MIN_TENSOR_BYTES)?;
    let mut tensors = Vec::new();
    let mut by_name = HashMap::new();
    for index in 0..n_tensors {
        cursor.reading(format!("tensor {index} of {n_tensors}"));
        let tensor = tensor(&mut cursor, alignment)?;
        if by_name.insert(tensor.name.clone(), tensors.len()).is_some() {
            return Err(cursor.bad(format!("a second tensor `{}`", tensor.name)));
        }
        tensors.push(tensor);
    }
    let data_offset = cursor.at().next_multiple_of(alignment);
    Ok(Gguf { version, metadata, tensors, data_offset, alignment, by_name })
}

fn version(cursor: &mut Cursor<'_>) -> Result<u32, Stop> {
    let magic: [u8; 4] = cursor.array()?;
    if magic != *b"GGUF" {
        return Err(cursor.bad(format!("this is no GGUF file: it starts with {magic:02x?} instead of \"GGUF\"")));
    }
    match cursor.u32()? {
        version @ (2 | 3) => Ok(version),
        1 => Err(cursor.bad("version 1 is not read; convert the file with a recent llama.cpp")),
        other if (1..=3).contains(&other.swap_bytes()) => Err(cursor.bad("the file is big-endian, which is not read")),
        other => Err(cursor.bad(format!("version {other}; versions 2 and 3 are read"))),
    }
}

fn metadata(cursor: &mut Cursor<'_>, n_entries: u64) -> Result<Metadata, Stop> {
    let mut metadata = Metadata::new();
    for index in 0..n_entries {
        cursor.reading(format!("key {index} of {n_entries}"));
        let key = cursor.string(MAX_NAME_BYTES)?;
        cursor.reading(format!("the value of `{key}`"));
        let value = Value::read(cursor)?;
        if !metadata.insert_new(key, value) {
            return Err(cursor.bad("the key is there twice"));
        }
    }
    Ok(metadata)
}

fn alignment(metadata: &Metadata, cursor: &Cursor<'_>) -> Result<u64, Stop> {
    match metadata.u32("general.alignment").map_err(Stop::Bad)? {
        None => Ok(DEFAULT_ALIGNMENT),
        Some(alignment) if alignment.is_power_of_two() && alignment <= 1 << 20 => Ok(alignment.into()),
        Some(other) => Err(cursor.bad(format!("`general.alignment` is {other}, which is no power of two up to 2^20"))),
    }
}

fn tensor(cursor: &mut Cursor<'_>, alignment: u64) -> Result<TensorInfo, Stop> {
    let name = cursor.string(MAX_NAME_BYTES)?;
    cursor.reading(format!("tensor `{name}`"));
    let n_dims = cursor.u32()?;
    if n_dims > 4 {
        return Err(cursor.bad(format!("{n_dims} dimensions; at most 4 are allowed")));
    }
    let mut shape = Vec::new();
    for _ in 0..n_dims {
        shape.push(cursor.u64()?);
    }
    shape.reverse();
    let format = format(cursor)?;
    let offset = cursor.u64()?;
    let size_bytes = size_bytes(cursor, &shape, format)?;
    if !offset.is_multiple_of(alignment) {
        return Err(cursor.bad(format!("starts at {offset}, which is no multiple of {alignment}")));
    }
    // Data starts within the first 2^30 and a bit, so this leaves room for the sum of both.
    if offset.checked_add(size_bytes).is_none_or(|end| end > i64::MAX as u64) {
        return Err(cursor.bad(format!("{size_bytes} bytes at {offset} are beyond any file")));
    }
    Ok(TensorInfo { name, shape, format, offset, size_bytes, split: 0 })
}

fn format(cursor: &mut Cursor<'_>) -> Result<Format, Stop> {
    let number = cursor.u32()?;
    Format::from_gguf_number(number).ok_or_else(|| {
        let name = OTHER_FORMATS.iter().find(|other| other.0 == number).map_or("unknown", |other| other.1);
        let Stop::Bad(error) = cursor.bad(format!("is stored as type {number} ({name}), which is not supported"))
        else {
            return cursor.bad("has an unsupported type");
        };
        Stop::Bad(Error::new(ErrorKind::Unsupported, "gguf", error.message()))
    })
}

fn size_bytes(cursor: &Cursor<'_>, shape: &[u64], format: Format) -> Result<u64, Stop> {
    let n = shape.iter().try_fold(1u64, |n, &size| n.checked_mul(size)).filter(|&n| n > 0 && n <= i64::MAX as u64);
    let n = n.ok_or_else(|| cursor.bad(format!("has the shape {shape:?}, which is empty or too large")))?;
    let (block_len, block_bytes) = (format.block_len() as u64, format.block_bytes() as u64);
    let n_cols = shape.last().copied().unwrap_or(1);
    if !n_cols.is_multiple_of(block_len) {
        return Err(cursor.bad(format!("rows of {n_cols} are not made of {format} blocks of {block_len}")));
    }
    (n / block_len)
        .checked_mul(block_bytes)
        .ok_or_else(|| cursor.bad(format!("has the shape {shape:?}, which is too large")))
}
