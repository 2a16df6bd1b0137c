//! GGUF: the file format of llama.cpp's language models.
//!
//! A file is a head (metadata by key, then a directory of tensors) and the tensors' bytes. [`Gguf::parse`] reads a head from as many
//! bytes as there are and says how many it lacks, so that a download can be looked at while it arrives; [`Gguf::read`] does the same
//! over a [`Source`]. [`Files`] joins the parts of a split model. [`write`](Writer) is the way back and [`quantize`] a whole model to
//! fewer bits. The format: <https://github.com/ggml-org/ggml/blob/master/docs/gguf.md>.
//!
//! Files come from strangers. Every count is checked against the bytes that could hold it before anything is allocated, every offset
//! is checked for overflow and against the length of the file, and nothing nests deeper than [`MAX_DEPTH`]. What is wrong is an
//! [`ErrorKind::Io`](tilework::ErrorKind::Io) that says what and at which byte.

mod cursor;
mod files;
mod head;
mod metadata;
mod quantize;
mod recipe;
mod value;
mod write;

use std::collections::HashMap;

use tilework::layers::core::quant::Format;
use tilework::{Error, ErrorKind, Result};

pub use files::Files;
pub use metadata::Metadata;
pub use quantize::{QuantizeStep, plan, quantize};
pub use recipe::Recipe;
pub use value::{Value, Values};
pub use write::Writer;

/// Arrays of arrays nest at most this deep.
pub const MAX_DEPTH: usize = 4;

/// No head is longer; the largest vocabularies need about 30 MB.
pub const MAX_HEAD_BYTES: u64 = 1 << 30;

/// Tensors start at multiples of this unless `general.alignment` says otherwise.
pub const DEFAULT_ALIGNMENT: u64 = 32;

/// Where the bytes of a model come from: a file, memory, a range request.
pub trait Source {
    /// Its bytes in all.
    fn len(&self) -> u64;

    /// Whether there is nothing in it.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `out` with the bytes from `offset` on. Fails with [`ErrorKind::Io`] if there are not as many.
    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<()>;
}

impl Source for &[u8] {
    fn len(&self) -> u64 {
        <[u8]>::len(self) as u64
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        let start = usize::try_from(offset).ok();
        let bytes = start.and_then(|start| self.get(start..start.checked_add(out.len())?));
        let bytes = bytes.ok_or_else(|| {
            damaged(format!("{} bytes at {offset} are beyond its end at {}", out.len(), <[u8]>::len(self)))
        })?;
        out.copy_from_slice(bytes);
        Ok(())
    }
}

impl Source for Vec<u8> {
    fn len(&self) -> u64 {
        Source::len(&self.as_slice())
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        self.as_slice().read_at(offset, out)
    }
}

/// The head of a file: everything but the weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Gguf {
    /// Version of the format, 2 or 3.
    pub version: u32,
    /// What the file says about itself.
    pub metadata: Metadata,
    /// The directory of tensors, in the order of the file.
    pub tensors: Vec<TensorInfo>,
    /// The byte where tensors start (in a split model, those of its first part).
    pub data_offset: u64,
    /// Tensors start at multiples of this after `data_offset`.
    pub alignment: u64,
    by_name: HashMap<String, usize>,
}

/// Where a tensor is and what it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorInfo {
    /// Its name, for instance `blk.0.attn_q.weight`.
    pub name: String,
    /// Sizes, outermost first: a matrix is `[n_rows, n_cols]`. The file has them the other way around.
    pub shape: Vec<u64>,
    /// How its weights are stored.
    pub format: Format,
    /// First byte, from the data offset of its file.
    pub offset: u64,
    /// Its bytes.
    pub size_bytes: u64,
    /// Which file of a split model it is in; 0 in others.
    pub split: usize,
}

impl TensorInfo {
    /// Its weights.
    pub fn n_elements(&self) -> u64 {
        self.shape.iter().product()
    }

    /// Weights of a row, the innermost size.
    pub fn n_cols(&self) -> u64 {
        self.shape.last().copied().unwrap_or(1)
    }
}

/// What [`Gguf::parse`] made of the bytes it was given.
#[derive(Clone, Debug, PartialEq)]
pub enum Parsed {
    /// The whole head was there.
    Done(Gguf),
    /// The head goes on: at least so many bytes from the start of the file are needed. Not more than [`MAX_HEAD_BYTES`].
    NeedMore(u64),
}

impl Gguf {
    /// Reads the head from the first bytes of a file.
    ///
    /// Surplus bytes are not looked at, so tensors may lie beyond the end of the file; [`Gguf::check_len`] tells.
    pub fn parse(head: &[u8]) -> Result<Parsed> {
        match head::parse(head) {
            Ok(gguf) => Ok(Parsed::Done(gguf)),
            Err(cursor::Stop::Short(short)) => Ok(Parsed::NeedMore(short.need_bytes)),
            Err(cursor::Stop::Bad(error)) => Err(error),
        }
    }

    /// Reads the head of `source` and checks that all tensors are inside it.
    pub fn read(source: &dyn Source) -> Result<Gguf> {
        let mut need_bytes = 1 << 20;
        loop {
            let n_bytes = source.len().min(need_bytes);
            let mut bytes = vec![0; usize::try_from(n_bytes).map_err(|_| damaged("too large for this machine"))?];
            source.read_at(0, &mut bytes)?;
            match head::parse(&bytes) {
                Ok(gguf) => return gguf.check_len(source.len()).map(|()| gguf),
                Err(cursor::Stop::Bad(error)) => return Err(error),
                Err(cursor::Stop::Short(short)) if short.need_bytes > source.len() => return Err(short.error()),
                // Doubling bounds the bytes read again by those read once.
                Err(cursor::Stop::Short(short)) => need_bytes = short.need_bytes.max(n_bytes.saturating_mul(2)),
            }
        }
    }

    /// Checks that every tensor lies inside a file of `len` bytes; the error names the first that does not.
    pub fn check_len(&self, len: u64) -> Result<()> {
        for tensor in &self.tensors {
            let end =
                self.data_offset.checked_add(tensor.offset).and_then(|start| start.checked_add(tensor.size_bytes));
            if end.is_none_or(|end| end > len) {
                return Err(damaged(format!(
                    "tensor `{}` ends at byte {}, the file at {len}; it is probably not complete",
                    tensor.name,
                    end.map_or_else(|| "2^64".to_owned(), |end| end.to_string()),
                )));
            }
        }
        Ok(())
    }

    /// The tensor called `name`, if there is one.
    pub fn find(&self, name: &str) -> Option<&TensorInfo> {
        self.by_name.get(name).and_then(|&index| self.tensors.get(index))
    }

    /// The tensor called `name`; the error says so if there is none.
    pub fn tensor(&self, name: &str) -> Result<&TensorInfo> {
        self.find(name).ok_or_else(|| damaged(format!("there is no tensor `{name}` among its {}", self.tensors.len())))
    }
}

/// A file that is not what it should be.
fn damaged(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Io, "gguf", message)
}
