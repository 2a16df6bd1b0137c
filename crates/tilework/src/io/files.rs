//! The same by paths.

use super::{Compression, TextOptions, WriteOptions};
use crate::array::Array;
use crate::device::Device;
use std::collections::BTreeMap;
use std::path::Path;
use tilework_core::{Error, ErrorKind, Result};

fn read(op: &str, path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| Error::new(ErrorKind::Io, op, format!("{}: {error}", path.display())))
}

fn write(op: &str, path: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(path, bytes).map_err(|error| Error::new(ErrorKind::Io, op, format!("{}: {error}", path.display())))
}

impl Device {
    /// The array of the `.npy` file at `path`.
    pub fn load_npy_file(&self, path: impl AsRef<Path>) -> Result<Array> {
        self.load_npy(&read("load_npy", path.as_ref())?)
    }

    /// The arrays of the `.npz` archive at `path`.
    pub fn load_npz_file(&self, path: impl AsRef<Path>) -> Result<BTreeMap<String, Array>> {
        self.load_npz(&read("load_npz", path.as_ref())?)
    }

    /// The arrays of the safetensors file at `path`.
    pub fn load_safetensors_file(&self, path: impl AsRef<Path>) -> Result<BTreeMap<String, Array>> {
        self.load_safetensors(&read("load_safetensors", path.as_ref())?)
    }

    /// The numbers of the text at `path`; bytes that are no UTF-8 become signs that are no numbers.
    pub fn load_txt_file(&self, path: impl AsRef<Path>, options: &TextOptions) -> Result<Array> {
        self.load_txt(&String::from_utf8_lossy(&read("load_txt", path.as_ref())?), options)
    }

    /// Writes an `.npz` archive to `path`.
    pub async fn save_npz_file(
        &self,
        path: impl AsRef<Path>,
        arrays: &[(&str, &Array)],
        compression: Compression,
    ) -> Result<()> {
        write("to_npz", path.as_ref(), &self.to_npz(arrays, compression).await?)
    }

    /// Writes a safetensors file to `path`.
    pub async fn save_safetensors_file(&self, path: impl AsRef<Path>, arrays: &[(&str, &Array)]) -> Result<()> {
        write("to_safetensors", path.as_ref(), &self.to_safetensors(arrays).await?)
    }
}

impl Array {
    /// Writes a `.npy` file to `path`.
    pub async fn save_npy_file(&self, path: impl AsRef<Path>) -> Result<()> {
        write("to_npy", path.as_ref(), &self.to_npy().await?)
    }

    /// Writes text to `path`.
    pub async fn save_txt_file(&self, path: impl AsRef<Path>, options: &WriteOptions) -> Result<()> {
        write("to_txt", path.as_ref(), self.to_txt(options).await?.as_bytes())
    }
}
