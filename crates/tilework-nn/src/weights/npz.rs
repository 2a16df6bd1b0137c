//! `.npz`: a zip archive of `.npy` files, as `numpy.savez` and `numpy.savez_compressed` write it.
//!
//! Only the central directory at the end of the archive is believed; formats: APPNOTE.TXT 6.3 (zip) and NumPy's NEP 1 (npy).

use std::collections::BTreeMap;

use miniz_oxide::inflate::decompress_to_vec_with_limit;
use tilework::layers::core::host::HostBuffer;
use tilework::{Array, Device, Result};

use super::damaged;

/// First bytes of a zip archive.
const LOCAL_FILE: [u8; 4] = *b"PK\x03\x04";
const CENTRAL_ENTRY: [u8; 4] = *b"PK\x01\x02";
const END_OF_DIRECTORY: [u8; 4] = *b"PK\x05\x06";

pub(super) fn is_npz(bytes: &[u8]) -> bool {
    bytes.starts_with(&LOCAL_FILE)
}

pub(super) fn read(device: &Device, bytes: &[u8]) -> Result<BTreeMap<String, Array>> {
    let broken = || damaged("the .npz archive is damaged or cut off");
    let mut arrays = BTreeMap::new();
    for file in directory(bytes).ok_or_else(broken)? {
        let npy = content(bytes, &file).ok_or_else(broken)?;
        let name = file.name.strip_suffix(".npy").unwrap_or(&file.name);
        arrays.insert(name.to_owned(), array(device, name, &npy)?);
    }
    Ok(arrays)
}

/// One file of the archive.
struct File {
    name: String,
    is_deflated: bool,
    stored_bytes: usize,
    size_bytes: usize,
    /// Where its local header is.
    start: usize,
}

fn directory(bytes: &[u8]) -> Option<Vec<File>> {
    // The record at the end may be followed by a comment of up to 64 KiB.
    let last = bytes.len().checked_sub(22)?;
    let end = (last.saturating_sub(65_535)..=last).rev().find(|&at| bytes[at..].starts_with(&END_OF_DIRECTORY))?;
    let n_files = u16_at(bytes, end + 10)?;
    let mut at = u32_at(bytes, end + 16)?;
    let mut files = Vec::new();
    for _ in 0..n_files {
        if !bytes.get(at..)?.starts_with(&CENTRAL_ENTRY) {
            return None;
        }
        let is_deflated = match u16_at(bytes, at + 10)? {
            0 => false,
            8 => true,
            _ => return None,
        };
        let (name_length, extra, comment) = (u16_at(bytes, at + 28)?, u16_at(bytes, at + 30)?, u16_at(bytes, at + 32)?);
        let name = bytes.get(at + 46..at + 46 + name_length)?;
        files.push(File {
            name: String::from_utf8_lossy(name).into_owned(),
            is_deflated,
            stored_bytes: u32_at(bytes, at + 20)?,
            size_bytes: u32_at(bytes, at + 24)?,
            start: u32_at(bytes, at + 42)?,
        });
        at += 46 + name_length + extra + comment;
    }
    Some(files)
}

fn content<'a>(bytes: &'a [u8], file: &File) -> Option<std::borrow::Cow<'a, [u8]>> {
    let data = file.start.checked_add(30)? + u16_at(bytes, file.start + 26)? + u16_at(bytes, file.start + 28)?;
    let stored = bytes.get(data..data.checked_add(file.stored_bytes)?)?;
    if !file.is_deflated {
        return Some(stored.into());
    }
    let inflated = decompress_to_vec_with_limit(stored, file.size_bytes).ok()?;
    (inflated.len() == file.size_bytes).then(|| inflated.into())
}

fn u16_at(bytes: &[u8], at: usize) -> Option<usize> {
    Some(usize::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?)))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?)).ok()
}

/// One `.npy` file: magic, version, length of the header, header (a Python dictionary), elements.
fn array(device: &Device, name: &str, npy: &[u8]) -> Result<Array> {
    let header = Header::new(npy).ok_or_else(|| damaged(format!("`{name}` in the archive is no .npy file")))?;
    let wrong_length = || damaged(format!("`{name}` has too few or too many bytes for {:?}", header.shape));
    let n_elements = header.shape.iter().try_fold(1usize, |n, &size| n.checked_mul(size)).ok_or_else(wrong_length)?;
    let size_bytes = header.descr.get(2..).and_then(|digits| digits.parse::<usize>().ok()).unwrap_or(0);
    if n_elements.checked_mul(size_bytes) != Some(header.data.len()) {
        return Err(wrong_length());
    }
    let data = header.data;
    let host = match header.descr {
        "<f4" => HostBuffer::F32(data.as_chunks().0.iter().map(|&word| f32::from_le_bytes(word)).collect()),
        "<f8" => HostBuffer::F64(data.as_chunks().0.iter().map(|&word| f64::from_le_bytes(word)).collect()),
        "<f2" => HostBuffer::F16(data.as_chunks().0.iter().map(|&word| u16::from_le_bytes(word)).collect()),
        "<i4" => HostBuffer::I32(data.as_chunks().0.iter().map(|&word| i32::from_le_bytes(word)).collect()),
        "<u4" => HostBuffer::U32(data.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect()),
        "<i8" => {
            let fits = |&word: &[u8; 8]| i32::try_from(i64::from_le_bytes(word)).ok();
            let elements: Option<Vec<i32>> = data.as_chunks().0.iter().map(fits).collect();
            HostBuffer::I32(elements.ok_or_else(|| damaged(format!("`{name}` holds integers beyond 32 bits")))?)
        }
        "|u1" => HostBuffer::U32(data.iter().map(|&byte| u32::from(byte)).collect()),
        "|b1" => HostBuffer::Bool(data.iter().map(|&byte| u32::from(byte != 0)).collect()),
        other => return Err(damaged(format!("`{name}` is of the type {other:?}, which cannot be read"))),
    };
    Ok(match header.is_fortran {
        false => device.from_host(host, header.shape.as_slice()),
        true => {
            let reversed: Vec<usize> = header.shape.iter().rev().copied().collect();
            device.from_host(host, reversed.as_slice()).t()
        }
    })
}

struct Header<'a> {
    descr: &'a str,
    is_fortran: bool,
    shape: Vec<usize>,
    data: &'a [u8],
}

impl<'a> Header<'a> {
    fn new(npy: &'a [u8]) -> Option<Header<'a>> {
        let rest = npy.strip_prefix(b"\x93NUMPY")?;
        let (length, start) = match rest.first()? {
            1 => (u16_at(rest, 2)?, 4),
            _ => (u32_at(rest, 2)?, 6),
        };
        let (header, data) = rest.get(start..)?.split_at_checked(length)?;
        let header = std::str::from_utf8(header).ok()?;
        let after = |key: &str| Some(header.split_once(key)?.1.trim_start_matches([' ', ':']));
        let descr = after("'descr'")?.strip_prefix('\'')?.split_once('\'')?.0;
        let is_fortran = after("'fortran_order'")?.starts_with("True");
        let sizes = after("'shape'")?.strip_prefix('(')?.split_once(')')?.0;
        let sizes = sizes.split(',').map(str::trim).filter(|size| !size.is_empty());
        let shape = sizes.map(|size| size.parse().ok()).collect::<Option<_>>()?;
        Some(Header { descr, is_fortran, shape, data })
    }
}
