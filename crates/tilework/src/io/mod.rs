//! Files of arrays: NumPy's `.npy` and `.npz`, text such as CSV, and safetensors.
//!
//! Everything works on bytes, because a browser has no files; natively `files.rs` adds paths. What a file says about itself is checked
//! against its length before memory is asked for, so that a damaged or malicious one is an error of kind `Io`.
//!
//! Types that arrays do not have become the nearest that can hold them (`elements.rs` is the only list): 8 and 16 bits become 32, and
//! 64-bit integers become 32-bit ones and must fit.

mod elements;
#[cfg(not(target_arch = "wasm32"))]
mod files;
mod npy;
mod npz;
mod safetensors;
mod text;
mod write_text;
mod zip;

pub use elements::widened;
pub use npy::{read_npy, write_npy};
pub use npz::{Compression, is_npz, read_npz, write_npz};
pub use safetensors::{is_plain, read_safetensors, read_tensor, write_safetensors};
pub use text::{Blank, Header, TextOptions, TextTable, read_txt};
pub use write_text::{NumberFormat, WriteOptions, write_txt};

use crate::array::Array;
use crate::device::Device;
use std::collections::BTreeMap;
use tilework_core::dtype::DType;
use tilework_core::host::HostBuffer;
use tilework_core::{Error, ErrorKind, Result};

/// An array as files have it.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    /// The elements in row-major order; complex numbers as pairs of floats.
    pub data: HostBuffer,
    /// Axis sizes, without that of the pairs.
    pub shape: Vec<usize>,
    /// Element type.
    pub dtype: DType,
}

impl Content {
    /// Real numbers.
    pub fn new(data: HostBuffer, shape: impl Into<Vec<usize>>) -> Content {
        Content { dtype: data.dtype(), data, shape: shape.into() }
    }

    fn on(self, device: &Device) -> Array {
        let mut shape = self.shape;
        shape.extend(self.dtype.is_complex().then_some(2));
        let array = device.from_host(self.data, shape);
        if self.dtype.is_complex() { array.as_complex() } else { array }
    }
}

/// A file that is not what it should be.
fn damaged(op: &str, message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Io, op, message)
}

fn arrays(device: &Device, contents: BTreeMap<String, Content>) -> BTreeMap<String, Array> {
    contents.into_iter().map(|(name, content)| (name, content.on(device))).collect()
}

impl Device {
    /// The array of a `.npy` file.
    pub fn load_npy(&self, bytes: &[u8]) -> Result<Array> {
        Ok(read_npy(bytes)?.on(self))
    }

    /// The arrays of an `.npz` archive by name.
    pub fn load_npz(&self, bytes: &[u8]) -> Result<BTreeMap<String, Array>> {
        Ok(arrays(self, read_npz(bytes)?))
    }

    /// The arrays of a safetensors file by name.
    pub fn load_safetensors(&self, bytes: &[u8]) -> Result<BTreeMap<String, Array>> {
        Ok(arrays(self, read_safetensors(bytes)?))
    }

    /// The numbers of a text, such as CSV, as [`read_txt`] finds them.
    pub fn load_txt(&self, text: &str, options: &TextOptions) -> Result<Array> {
        let table = read_txt(text, options)?;
        Ok(self.from_host(table.data, table.shape))
    }

    /// An `.npz` archive of these arrays.
    pub async fn to_npz(&self, arrays: &[(&str, &Array)], compression: Compression) -> Result<Vec<u8>> {
        write_npz(&self.read_all(arrays).await?, compression)
    }

    /// A safetensors file of these arrays.
    pub async fn to_safetensors(&self, arrays: &[(&str, &Array)]) -> Result<Vec<u8>> {
        write_safetensors(&self.read_all(arrays).await?)
    }

    async fn read_all(&self, arrays: &[(&str, &Array)]) -> Result<BTreeMap<String, Content>> {
        self.eval(&arrays.iter().map(|(_, array)| *array).collect::<Vec<_>>()).await?;
        let mut contents = BTreeMap::new();
        for (name, array) in arrays {
            contents.insert((*name).to_owned(), array.content().await?);
        }
        Ok(contents)
    }
}

impl Array {
    /// The array as a `.npy` file.
    pub async fn to_npy(&self) -> Result<Vec<u8>> {
        write_npy(&self.content().await?)
    }

    async fn content(&self) -> Result<Content> {
        Ok(Content { data: self.to_host().await?, shape: self.shape().to_vec(), dtype: self.dtype() })
    }

    /// The array, of one or two axes, as text.
    pub async fn to_txt(&self, options: &WriteOptions) -> Result<String> {
        if self.is_complex() {
            return Err(Error::dtype("to_txt", "text holds real numbers; write real and imag apart"));
        }
        self.with_host(|host| write_txt(host, self.shape(), options)).await?
    }
}
