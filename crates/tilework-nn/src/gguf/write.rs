//! Writing files.

use tilework::layers::core::quant::Format;
use tilework::{Error, Result};

use super::value::write_string;
use super::{DEFAULT_ALIGNMENT, Metadata, TensorInfo};

/// Lays out a file: metadata and tensors are announced, then [`Writer::head`] gives its first bytes.
///
/// The tensors' bytes follow the head in the order they were added, each padded by [`Writer::padding`] zeros; so a file can be written
/// without holding it in memory.
#[derive(Clone, Debug)]
pub struct Writer {
    metadata: Metadata,
    alignment: u64,
    tensors: Vec<TensorInfo>,
    next_offset: u64,
}

impl Writer {
    /// A file with these metadata and no tensor. Fails if its `general.alignment` is no power of two.
    pub fn new(metadata: Metadata) -> Result<Writer> {
        let alignment = metadata.u32("general.alignment")?.map_or(DEFAULT_ALIGNMENT, u64::from);
        if !alignment.is_power_of_two() {
            return Err(Error::argument("gguf", format!("an alignment of {alignment} is no power of two")));
        }
        Ok(Writer { metadata, alignment, tensors: Vec::new(), next_offset: 0 })
    }

    /// Adds a tensor of `shape`, outermost first. Fails if rows are not whole blocks of the format.
    pub fn add(&mut self, name: impl Into<String>, shape: &[u64], format: Format) -> Result<()> {
        let name = name.into();
        let wrong = || Error::shape("gguf", format!("tensor `{name}` of {shape:?} does not fit {format}"));
        let is_whole = shape.last().copied().unwrap_or(1).is_multiple_of(format.block_len() as u64) && shape.len() <= 4;
        let n = shape.iter().try_fold(1u64, |n, &size| n.checked_mul(size)).filter(|_| is_whole).ok_or_else(wrong)?;
        let size_bytes = (n / format.block_len() as u64).checked_mul(format.block_bytes() as u64).ok_or_else(wrong)?;
        let end = self.next_offset.checked_add(size_bytes).and_then(|end| end.checked_next_multiple_of(self.alignment));
        let next_offset = end.ok_or_else(wrong)?;
        let offset = std::mem::replace(&mut self.next_offset, next_offset);
        self.tensors.push(TensorInfo { name, shape: shape.to_vec(), format, offset, size_bytes, split: 0 });
        Ok(())
    }

    /// The tensors added so far.
    pub fn tensors(&self) -> &[TensorInfo] {
        &self.tensors
    }

    /// Zeros after the bytes of `tensor`.
    pub fn padding(&self, tensor: &TensorInfo) -> usize {
        (tensor.size_bytes.next_multiple_of(self.alignment) - tensor.size_bytes) as usize
    }

    /// The first bytes of the file, up to where tensors start. Version 3.
    pub fn head(&self) -> Vec<u8> {
        let mut out = b"GGUF\x03\0\0\0".to_vec();
        out.extend((self.tensors.len() as u64).to_le_bytes());
        out.extend((self.metadata.len() as u64).to_le_bytes());
        for (key, value) in self.metadata.iter() {
            write_string(key, &mut out);
            out.extend(value.type_number().to_le_bytes());
            value.write(&mut out);
        }
        for tensor in &self.tensors {
            write_string(&tensor.name, &mut out);
            out.extend((tensor.shape.len() as u32).to_le_bytes());
            tensor.shape.iter().rev().for_each(|size| out.extend(size.to_le_bytes()));
            out.extend(tensor.format.gguf_number().to_le_bytes());
            out.extend(tensor.offset.to_le_bytes());
        }
        let n_bytes = (out.len() as u64).next_multiple_of(self.alignment);
        out.resize(n_bytes as usize, 0);
        out
    }
}
