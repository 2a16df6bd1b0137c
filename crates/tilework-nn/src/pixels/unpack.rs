//! The files of a picture again: each is a [`Source`] of the same bytes.

use std::sync::{Arc, PoisonError};

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use tilework::{Error, Result};

use super::checksum::Xxh64;
use super::damaged;
use super::file::PixelFile;
use super::index::Part;
use super::parts::{FileKind, ModelFile};
use super::read::memory_for;
use crate::gguf::Source;

/// A file inside a picture. Bytes are read from the pixels when they are asked for.
pub struct PixelBytes<'a> {
    picture: &'a PixelFile,
    parts: Vec<(u64, Part)>,
    size_bytes: u64,
}

/// Bytes that are read at a time.
const CHUNK_BYTES: u64 = 1 << 20;

impl PixelFile {
    /// The file called `name`; the error lists those there are.
    pub fn file(&self, name: &str) -> Result<PixelBytes<'_>> {
        let at = self.index.files.iter().position(|file| file.name == name);
        at.and_then(|at| self.file_at(at)).ok_or_else(|| {
            let names: Vec<&str> = self.files().map(|file| file.0).take(8).collect();
            damaged(format!("there is no file {name} in the picture; it has {}", names.join(", ")))
        })
    }

    fn file_at(&self, at: usize) -> Option<PixelBytes<'_>> {
        let file = self.index.files.get(at)?;
        let mut start = 0;
        let mut parts = Vec::with_capacity(file.parts.len());
        for &part in &file.parts {
            parts.push((start, part));
            start += self.part_bytes(part);
        }
        Some(PixelBytes { picture: self, parts, size_bytes: file.size_bytes })
    }

    /// The files that are language models, in order: what a model is opened from.
    pub fn gguf_files(&self) -> Vec<PixelBytes<'_>> {
        let is_gguf = |(at, file): (usize, (&str, FileKind, u64))| (file.1 == FileKind::Gguf).then_some(at);
        self.files().enumerate().filter_map(is_gguf).filter_map(|at| self.file_at(at)).collect()
    }

    /// Gives back all files: `out` gets the number of a file among [`PixelFile::files`] and its next bytes.
    ///
    /// Bytes are compared with the checksums of the index; the first that differ are an error, so that a file which was written to
    /// its end is the right one.
    pub fn unpack(&self, out: &mut dyn FnMut(usize, &[u8]) -> Result<()>) -> Result<()> {
        for (number, file) in self.index.files.iter().enumerate() {
            // So that a file without bytes is there, too.
            out(number, &[])?;
            for part in &file.parts {
                match *part {
                    Part::Zeros(n) => out(number, &memory_for(n)?)?,
                    Part::Blob(blob) => out(number, &self.blob(blob)?)?,
                    Part::Tensor(index) => self.unpack_tensor(index, &mut |bytes| out(number, bytes))?,
                }
            }
        }
        Ok(())
    }

    fn unpack_tensor(&self, index: usize, out: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let tile = self.tile(index)?;
        let sum = self.each_piece(index, out)?;
        if sum != tile.checksum && self.edits.is_empty() {
            let message =
                format!("tensor `{}` differs from what was packed: the picture was changed or is damaged", tile.name);
            return Err(damaged(message));
        }
        Ok(())
    }

    /// Calls `visit` with the bytes of a tensor, some whole rows at a time; returns their checksum.
    pub(super) fn each_piece(&self, index: usize, visit: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<u64> {
        let tile = self.tile(index)?;
        let row_bytes = tile.row_bytes.max(1);
        let per_chunk = (CHUNK_BYTES / row_bytes).max(1) * row_bytes;
        let mut sum = Xxh64::new();
        let mut bytes = Vec::new();
        let mut at = 0;
        while at < tile.size_bytes {
            bytes.resize(per_chunk.min(tile.size_bytes - at) as usize, 0);
            self.read_range(index, at, &mut bytes)?;
            sum.add(&bytes);
            visit(&bytes)?;
            at += bytes.len() as u64;
        }
        Ok(sum.value())
    }

    fn part_bytes(&self, part: Part) -> u64 {
        match part {
            Part::Zeros(n) => n,
            Part::Tensor(index) => self.index.tiles.get(index).map_or(0, |tile| tile.size_bytes),
            Part::Blob(index) => self.index.blobs.get(index).map_or(0, |blob| blob.size_bytes),
        }
    }

    /// A compressed piece, whose checksum is right.
    pub(super) fn blob(&self, index: usize) -> Result<Arc<Vec<u8>>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(blob) = kept.blobs.get(&index) {
            return Ok(blob.clone());
        }
        let (Some(chunk), Some(entry), Some(page)) =
            (self.blobs.get(index), self.index.blobs.get(index), self.pages.first())
        else {
            return Err(Error::argument("pixels", format!("there is no piece {index}")));
        };
        let wrong = || damaged("a piece of a file is damaged");
        let compressed = chunk.read(&*page.source, i32::MAX as u64)?;
        let size_bytes = usize::try_from(entry.size_bytes).map_err(|_| wrong())?;
        let bytes = decompress_to_vec_zlib_with_limit(&compressed, size_bytes).map_err(|_| wrong())?;
        if bytes.len() != size_bytes || Xxh64::of(&bytes) != entry.checksum {
            return Err(wrong());
        }
        let bytes = Arc::new(bytes);
        kept.blobs.insert(index, bytes.clone());
        Ok(bytes)
    }

    /// Its files as what [`super::pack`] takes, changes in memory included. Sources and names in the same order.
    pub fn sources(&self) -> Vec<(String, PixelBytes<'_>)> {
        let files = self.index.files.iter().enumerate();
        files.filter_map(|(at, file)| Some((file.name.clone(), self.file_at(at)?))).collect()
    }
}

impl PixelBytes<'_> {
    /// All of its bytes.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        let mut bytes = memory_for(self.size_bytes)?;
        self.read_at(0, &mut bytes)?;
        Ok(bytes)
    }

    /// As a file to pack.
    pub fn as_model_file(&self, name: &str) -> ModelFile<'_> {
        ModelFile { name: name.to_owned(), source: self }
    }
}

impl Source for PixelBytes<'_> {
    fn len(&self) -> u64 {
        self.size_bytes
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        let end = offset.checked_add(out.len() as u64).filter(|&end| end <= self.size_bytes);
        let end = end.ok_or_else(|| {
            damaged(format!("{} bytes at {offset} are beyond its end at {}", out.len(), self.size_bytes))
        })?;
        let first = self.parts.partition_point(|part| part.0 <= offset).saturating_sub(1);
        for &(start, part) in &self.parts[first.min(self.parts.len())..] {
            if start >= end {
                break;
            }
            let part_end = start + self.picture.part_bytes(part);
            let (from, to) = (offset.max(start), end.min(part_end));
            if from >= to {
                continue;
            }
            let out = &mut out[(from - offset) as usize..(to - offset) as usize];
            match part {
                Part::Zeros(_) => out.fill(0),
                Part::Tensor(index) => self.picture.read_range(index, from - start, out)?,
                Part::Blob(index) => {
                    let blob = self.picture.blob(index)?;
                    out.copy_from_slice(&blob[(from - start) as usize..(to - start) as usize]);
                }
            }
        }
        Ok(())
    }
}
