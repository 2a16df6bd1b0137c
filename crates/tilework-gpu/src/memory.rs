//! What a run reads: buffers, and textures where there are pictures.

use std::sync::Arc;

use tilework_core::Result;

use crate::buffer_pool::{Buffer, BufferPool};
#[cfg(any(not(target_arch = "wasm32"), feature = "pictures"))]
use crate::texture::Texture;

/// Textures do not exist without pictures: whatever is done with one is left out.
#[cfg(not(any(not(target_arch = "wasm32"), feature = "pictures")))]
#[derive(Clone, Debug)]
pub enum Texture {}

#[cfg(not(any(not(target_arch = "wasm32"), feature = "pictures")))]
impl Texture {
    pub(crate) fn id(&self) -> u64 {
        match *self {}
    }

    pub(crate) fn view(&self) -> &wgpu::TextureView {
        match *self {}
    }

    pub(crate) fn size_bytes(&self) -> u64 {
        match *self {}
    }

    pub(crate) fn check_owner(&self, _op: &str, _pool: &Arc<BufferPool>) -> Result<()> {
        match *self {}
    }
}

/// An input of a run.
#[derive(Clone, Debug)]
pub enum Memory {
    /// Bytes.
    Buffer(Buffer),
    /// Words in rows and columns, where the Plan reads them so.
    Texture(Texture),
}

impl From<Buffer> for Memory {
    fn from(buffer: Buffer) -> Memory {
        Memory::Buffer(buffer)
    }
}

impl Memory {
    /// The buffer, if it is one.
    pub fn buffer(&self) -> Option<&Buffer> {
        match self {
            Memory::Buffer(buffer) => Some(buffer),
            Memory::Texture(_) => None,
        }
    }

    /// Stands for it in a key.
    pub(crate) fn id(&self) -> u64 {
        match self {
            Memory::Buffer(buffer) => buffer.pooled().id,
            Memory::Texture(texture) => texture.id(),
        }
    }

    /// The bytes that a pass may read.
    pub(crate) fn usable_bytes(&self) -> u64 {
        match self {
            Memory::Buffer(buffer) => buffer.usable_bytes(),
            Memory::Texture(texture) => texture.size_bytes(),
        }
    }

    pub(crate) fn check_owner(&self, op: &str, pool: &Arc<BufferPool>) -> Result<()> {
        match self {
            Memory::Buffer(buffer) => buffer.check_owner(op, pool),
            Memory::Texture(texture) => texture.check_owner(op, pool),
        }
    }
}
