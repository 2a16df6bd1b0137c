//! From the tensors of a file to arrays, one at a time: no more than one tensor is in memory twice.

use super::config::{Config, damaged};
use super::saved::Checksum;
use super::weights::Matrix;
use crate::gguf::{Files, TensorInfo};
use std::collections::HashSet;
use tilework::layers::core::host::HostBuffer;
use tilework::quant::Format;
use tilework::{Array, Device, Error, ErrorKind, Result};

/// How far loading is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadProgress {
    /// Bytes of weights read so far.
    pub done_bytes: u64,
    /// Bytes of weights in all.
    pub total_bytes: u64,
}

/// Bytes of a file that are read at a time.
const CHUNK_BYTES: usize = 1 << 19;
/// Bytes of each of those that count for the fingerprint of a model.
const FINGERPRINT_BYTES: usize = 1 << 10;

/// Reads tensors of one file onto one device.
pub(super) struct Loader<'a> {
    pub(super) device: &'a Device,
    pub(super) files: &'a Files<'a>,
    pub(super) progress: &'a mut dyn FnMut(LoadProgress) -> Result<()>,
    pub(super) done: LoadProgress,
    names_read: HashSet<&'a str>,
    sum: Checksum,
}

impl<'a> Loader<'a> {
    pub(super) fn new(
        device: &'a Device,
        files: &'a Files<'a>,
        progress: &'a mut dyn FnMut(LoadProgress) -> Result<()>,
    ) -> Loader<'a> {
        let total_bytes = files.gguf().tensors.iter().map(|tensor| tensor.size_bytes).sum();
        Loader {
            device,
            files,
            progress,
            done: LoadProgress { done_bytes: 0, total_bytes },
            names_read: HashSet::new(),
            sum: Checksum::default(),
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<&'a TensorInfo> {
        self.files.gguf().find(name)
    }

    pub(super) fn tensor(&self, name: &str) -> Result<&'a TensorInfo> {
        self.files.gguf().tensor(name)
    }

    /// A vector of floats of `n` elements.
    pub(super) fn vector(&mut self, name: &str, n: usize) -> Result<Array> {
        let tensor = self.tensor(name)?;
        if tensor.n_elements() != n as u64 {
            return Err(damaged(format!("`{name}` has {} elements instead of {n}", tensor.n_elements())));
        }
        Ok(self.device.array(self.floats(tensor)?, [n]))
    }

    /// Fails if the file has a tensor that was not read: a model that needs it would silently compute something else.
    pub(super) fn check_all_read(&self) -> Result<()> {
        let tensors = &self.files.gguf().tensors;
        match tensors.iter().find(|tensor| !self.names_read.contains(tensor.name.as_str())) {
            Some(tensor) => {
                let message = format!("it has a tensor `{}`, which is not known in its architecture", tensor.name);
                Err(Error::new(ErrorKind::Unsupported, "model", message))
            }
            None => Ok(()),
        }
    }

    /// Tells this model from others, whose settings or weights differ.
    pub(super) fn fingerprint(&self, config: &Config) -> u64 {
        let mut sum = self.sum;
        sum.add(format!("{config:?}").as_bytes());
        sum.value()
    }

    /// All elements of a tensor as floats.
    pub(super) fn floats(&mut self, tensor: &'a TensorInfo) -> Result<Vec<f32>> {
        let mut bytes = vec![0; host_size(tensor.size_bytes)?];
        self.read(tensor, 0, &mut bytes)?;
        let mut values = vec![0.0; host_size(tensor.n_elements())?];
        tensor.format.decode(&bytes, &mut values);
        Ok(values)
    }

    /// The same, if there is such a tensor.
    pub(super) fn vector_if_there(&mut self, name: &str, n: usize) -> Result<Option<Array>> {
        self.find(name).is_some().then(|| self.vector(name, n)).transpose()
    }

    /// The rows of several tensors of one format, one after the other.
    pub(super) fn matrix(&mut self, tensors: &[&'a TensorInfo], n_cols: usize) -> Result<Matrix> {
        let n_rows = tensors.iter().map(|tensor| n_rows(tensor, n_cols)).sum::<Result<usize>>()?;
        let mut rows = PackedRows::new(tensors, n_rows, n_cols)?;
        let mut at = 0;
        for tensor in tensors {
            let n = self::n_rows(tensor, n_cols)?;
            self.pack(tensor, 0..n, &mut rows, |row| at + row)?;
            at += n;
        }
        rows.finish(self.device)
    }

    /// The rows of two tensors of one format, taking turns; of one tensor its two halves.
    pub(super) fn pairs(&mut self, tensors: &[&'a TensorInfo], n_cols: usize) -> Result<Matrix> {
        let (first, second) = match tensors {
            [one] => (one, one),
            [first, second] => (first, second),
            _ => return Err(Error::argument("model", "pairs are rows of two tensors")),
        };
        let n = n_rows(first, n_cols)? / if tensors.len() == 1 { 2 } else { 1 };
        let start = if tensors.len() == 1 { n } else { 0 };
        if n_rows(second, n_cols)? != start + n {
            return Err(damaged(format!("`{}` and `{}` differ in their rows", first.name, second.name)));
        }
        let mut rows = PackedRows::new(tensors, 2 * n, n_cols)?;
        self.pack(first, 0..n, &mut rows, |row| 2 * row)?;
        self.pack(second, start..start + n, &mut rows, |row| 2 * (row - start) + 1)?;
        rows.finish(self.device)
    }

    /// Packs some rows of a tensor, each to the place that `place` says.
    fn pack(
        &mut self,
        tensor: &'a TensorInfo,
        which: std::ops::Range<usize>,
        rows: &mut PackedRows,
        place: impl Fn(usize) -> usize,
    ) -> Result<()> {
        let row_bytes = rows.row_bytes;
        let per_chunk = (CHUNK_BYTES / row_bytes.max(1)).max(1);
        let mut bytes = vec![0; per_chunk.min(which.len()) * row_bytes];
        for start in which.clone().step_by(per_chunk) {
            let n = per_chunk.min(which.end - start);
            let bytes = &mut bytes[..n * row_bytes];
            self.read(tensor, (start * row_bytes) as u64, bytes)?;
            for (k, bytes) in bytes.chunks_exact(row_bytes.max(1)).enumerate() {
                let at = place(start + k) * rows.row_words;
                rows.format.pack_row(bytes, &mut rows.words[at..at + rows.row_words]);
            }
        }
        Ok(())
    }

    fn read(&mut self, tensor: &'a TensorInfo, start: u64, out: &mut [u8]) -> Result<()> {
        self.files.read(tensor, start, out)?;
        self.names_read.insert(&tensor.name);
        // A part of every piece is enough to tell two models apart.
        self.sum.add(&out[..out.len().min(FINGERPRINT_BYTES)]);
        self.done.done_bytes += out.len() as u64;
        (self.progress)(self.done)
    }
}

/// Rows of a tensor seen as a matrix.
fn n_rows(tensor: &TensorInfo, n_cols: usize) -> Result<usize> {
    if tensor.n_cols() != n_cols as u64 || n_cols == 0 {
        let message = format!("`{}` has rows of {} instead of {n_cols}", tensor.name, tensor.n_cols());
        return Err(damaged(message));
    }
    host_size(tensor.n_elements() / n_cols as u64)
}

fn host_size(size: u64) -> Result<usize> {
    usize::try_from(size).map_err(|_| damaged(format!("{size} is more than this machine can address")))
}

/// Rows that are being packed.
struct PackedRows {
    format: Format,
    n_rows: usize,
    n_cols: usize,
    row_words: usize,
    row_bytes: usize,
    words: Vec<u32>,
}

impl PackedRows {
    fn new(tensors: &[&TensorInfo], n_rows: usize, n_cols: usize) -> Result<PackedRows> {
        let Some(format) = tensors.first().map(|tensor| tensor.format) else {
            return Err(Error::argument("model", "a matrix needs a tensor"));
        };
        let wrong = || damaged(format!("rows of {n_cols} weights are no whole blocks of {format}"));
        let (row_words, row_bytes) = format.row_words(n_cols).zip(format.size_bytes(n_cols)).ok_or_else(wrong)?;
        let n_words = n_rows.checked_mul(row_words).ok_or_else(wrong)?;
        let mut words = Vec::new();
        words.try_reserve_exact(n_words).map_err(|_| {
            Error::new(ErrorKind::OutOfMemory, "model", format!("there is no memory for {n_words} words of weights"))
        })?;
        words.resize(n_words, 0);
        Ok(PackedRows { format, n_rows, n_cols, row_words, row_bytes, words })
    }

    /// As arrays that fit into the bindings of the device.
    fn finish(self, device: &Device) -> Result<Matrix> {
        let max_bytes = if device.adapter().is_some() { device.caps().max_binding_bytes } else { u64::MAX };
        let max_rows = usize::try_from(max_bytes / (4 * self.row_words.max(1)) as u64).unwrap_or(usize::MAX) / 2 * 2;
        if max_rows == 0 {
            let message = format!("a row of {} weights does not fit into a binding of this device", self.n_cols);
            return Err(Error::new(ErrorKind::TooLarge, "model", message));
        }
        let parts = if self.n_rows <= max_rows {
            vec![device.from_host(HostBuffer::U32(self.words), [self.n_rows, self.row_words])]
        } else {
            let cut = |words: &[u32]| {
                device.from_host(HostBuffer::U32(words.to_vec()), [words.len() / self.row_words, self.row_words])
            };
            self.words.chunks(max_rows * self.row_words).map(cut).collect()
        };
        Ok(Matrix { format: self.format, n_rows: self.n_rows, n_cols: self.n_cols, parts })
    }
}
