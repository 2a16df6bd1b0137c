//! Models as pictures: a PNG file that any viewer shows, that is the model bit for bit, and that can be computed with as it is.
//!
//! A pixel is four bytes, a little-endian 32-bit word; an `f32` is one pixel and a matrix row a row of pixels. Tensors lie on a page
//! as tiles, and the stream of the PNG is written so that pixels lie in the file uncoded: reading a tensor, a row or a rectangle is
//! reading at an offset. `docs/pixel-format.md` describes the format for other implementations.
//!
//! - [`pack`] makes pages from files: safetensors, GGUF, or anything else, which then is a small file system.
//! - [`PixelFile`] opens them: tensors, rows, rectangles and pages, and the same files again ([`PixelFile::file`] is a
//!   [`Source`](crate::gguf::Source), from which a language model is opened as from its own file).
//! - [`PixelFile::verify`] says what other programs did to a picture, by name.
//! - [`heat`], [`overview`], [`histogram`] and [`diff`] are pictures and numbers for people.
//!
//! Pictures come from strangers. Sizes are checked against what the file could hold before anything is allocated, a page has at most
//! [`MAX_PAGE_BYTES`], an index at most 16 MiB, and rectangles neither leave their page nor overlap.

mod bands;
mod check;
mod checksum;
mod chunk;
mod decode;
mod diff;
mod edit;
mod file;
mod heat;
mod histogram;
mod index;
mod layout;
mod mark;
mod model;
mod pack;
#[cfg(any(not(target_arch = "wasm32"), feature = "pictures"))]
mod pages;
mod parts;
mod plan;
mod read;
mod stream;
mod tile;
mod unpack;
mod values;
mod verify;

use tilework::{Error, ErrorKind};

pub use diff::{Diff, DiffOptions, TensorDiff, TensorState, diff, diff_picture};
pub use file::{Page, PixelFile};
pub use heat::{HeadAxis, Picture, color, heads, heat, overview};
pub use histogram::{Histogram, histogram};
pub use pack::{PackOptions, PackSummary, pack, pack_to_vec};
#[cfg(any(not(target_arch = "wasm32"), feature = "pictures"))]
pub use pages::Pages;
pub use parts::{FileKind, ModelFile};
pub(crate) use tile::block_of;
pub use tile::{BYTES, MAX_SIDE_PX, Rect, Tile};
pub use unpack::PixelBytes;
pub use values::values;
pub use verify::{Damage, Verified};

/// Bytes of the pixels of a page, at most: a page is one texture and one storage binding of any GPU.
pub const MAX_PAGE_BYTES: u64 = 128 << 20;
/// Version of the format.
pub const VERSION: u64 = 1;
/// Pixels of the mark in the first row of every page.
const MARK_PX: u32 = 4;

/// How pixels are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// As they are: any tensor is read without decoding, and packing runs at the speed of memory.
    #[default]
    Stored,
    /// Compressed, in bands that are decoded one by one.
    Deflate,
}

impl Encoding {
    /// Its name in indexes.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Stored => "stored",
            Encoding::Deflate => "deflate",
        }
    }
}

/// A picture that is not what it should be.
fn damaged(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Io, "pixels", message)
}
