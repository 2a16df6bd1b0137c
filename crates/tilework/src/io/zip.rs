//! The part of zip archives that `.npz` files use: stored and deflated files. Format: APPNOTE.TXT 6.3.
//!
//! Only the central directory at the end of an archive is believed.

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use std::borrow::Cow;

pub(super) const LOCAL_FILE: [u8; 4] = *b"PK\x03\x04";
const CENTRAL_ENTRY: [u8; 4] = *b"PK\x01\x02";
const END_OF_DIRECTORY: [u8; 4] = *b"PK\x05\x06";
/// Deflate cannot make less than this of a byte.
const MAX_RATIO: usize = 1040;
/// The first of January 1980, as zip has dates.
const DATE: u16 = 0x0021;

/// One file of an archive.
pub(super) struct Entry {
    pub(super) name: String,
    is_deflated: bool,
    checksum: u32,
    stored_bytes: usize,
    size_bytes: usize,
    /// Where its local header is.
    start: usize,
}

/// The files of an archive, or nothing if it is damaged. Together they are no larger than the archive, so that none can be in it twice.
pub(super) fn directory(bytes: &[u8]) -> Option<Vec<Entry>> {
    // The record at the end may be followed by a comment of up to 64 KiB.
    let last = bytes.len().checked_sub(22)?;
    let end = (last.saturating_sub(65_535)..=last).rev().find(|&at| bytes[at..].starts_with(&END_OF_DIRECTORY))?;
    let n_files = u16_at(bytes, end + 10)?;
    let mut at = u32_at(bytes, end + 16)?;
    let mut entries = Vec::new();
    let mut total_bytes = 0usize;
    for _ in 0..n_files {
        let rest = bytes.get(at..)?;
        let is_deflated = match u16_at(rest, 10)? {
            0 => false,
            8 => true,
            _ => return None,
        };
        let (name_length, extra, comment) = (u16_at(rest, 28)?, u16_at(rest, 30)?, u16_at(rest, 32)?);
        let entry = Entry {
            name: String::from_utf8_lossy(rest.get(46..46 + name_length)?).into_owned(),
            is_deflated,
            checksum: u32::try_from(u32_at(rest, 16)?).ok()?,
            stored_bytes: u32_at(rest, 20)?,
            size_bytes: u32_at(rest, 24)?,
            start: u32_at(rest, 42)?,
        };
        total_bytes = total_bytes.checked_add(entry.stored_bytes)?;
        if !rest.starts_with(&CENTRAL_ENTRY) || total_bytes > bytes.len() {
            return None;
        }
        entries.push(entry);
        at += 46 + name_length + extra + comment;
    }
    Some(entries)
}

impl Entry {
    /// What is in the file, or nothing if it is not what the directory says.
    pub(super) fn content<'a>(&self, bytes: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        let local = bytes.get(self.start..)?;
        if !local.starts_with(&LOCAL_FILE) {
            return None;
        }
        let data = local.get(30 + u16_at(local, 26)? + u16_at(local, 28)?..)?;
        let stored = data.get(..self.stored_bytes)?;
        let content: Cow<'a, [u8]> = if self.is_deflated {
            if self.size_bytes > stored.len().saturating_mul(MAX_RATIO) {
                return None;
            }
            decompress_to_vec_with_limit(stored, self.size_bytes).ok()?.into()
        } else {
            stored.into()
        };
        (content.len() == self.size_bytes && checksum(&content) == self.checksum).then_some(content)
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<usize> {
    Some(usize::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?)))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?)).ok()
}

/// An archive that is being written.
#[derive(Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    n_files: u16,
}

impl Writer {
    /// Adds a file, deflated at this level, or as it is without one. Nothing if the archive becomes too large for its format.
    pub(super) fn add(&mut self, name: &str, content: &[u8], level: Option<u8>) -> Option<()> {
        let deflated = level.map(|level| compress_to_vec(content, level));
        let stored = deflated.as_deref().unwrap_or(content);
        let start = u32::try_from(self.bytes.len()).ok()?;
        let method: u16 = if level.is_some() { 8 } else { 0 };
        // Version 2.0, names in UTF-8, method, time, date; checksum and sizes; length of the name and of nothing more.
        let mut common: Vec<u8> =
            [20, 0x0800, method, 0, DATE].iter().flat_map(|word: &u16| word.to_le_bytes()).collect();
        for word in [checksum(content), u32::try_from(stored.len()).ok()?, u32::try_from(content.len()).ok()?] {
            common.extend(word.to_le_bytes());
        }
        common.extend(u16::try_from(name.len()).ok()?.to_le_bytes());
        common.extend([0, 0]);
        self.bytes.extend(LOCAL_FILE.iter().chain(&common).chain(name.as_bytes()).chain(stored));
        self.directory.extend(CENTRAL_ENTRY.iter().chain(&[20, 0]).chain(&common));
        // No comment, first disk, no attributes.
        self.directory.extend([0; 10]);
        self.directory.extend(start.to_le_bytes().iter().chain(name.as_bytes()));
        self.n_files = self.n_files.checked_add(1)?;
        Some(())
    }

    pub(super) fn finish(mut self) -> Option<Vec<u8>> {
        let start = u32::try_from(self.bytes.len()).ok()?;
        let length = u32::try_from(self.directory.len()).ok()?;
        self.bytes.append(&mut self.directory);
        self.bytes.extend(END_OF_DIRECTORY.iter().chain(&[0; 4]));
        self.bytes.extend([self.n_files, self.n_files].iter().flat_map(|n| n.to_le_bytes()));
        self.bytes.extend([length, start].iter().flat_map(|n| n.to_le_bytes()));
        self.bytes.extend([0, 0]);
        Some(self.bytes)
    }
}

/// The cyclic redundancy check of zip: the polynomial 0x04C11DB7, bits reversed.
fn checksum(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut word = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                word = if word & 1 == 1 { (word >> 1) ^ 0xEDB8_8320 } else { word >> 1 };
                bit += 1;
            }
            table[byte] = word;
            byte += 1;
        }
        table
    };
    !bytes.iter().fold(u32::MAX, |sum, byte| (sum >> 8) ^ TABLE[((sum ^ u32::from(*byte)) & 255) as usize])
}
