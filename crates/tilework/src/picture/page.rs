//! The memory of a picture: words on the host, and once they are needed there a copy on a device.
//!
//! Arrays of different element types can be one page, because a pixel is a word whatever it stands for. So a value is a page and a
//! type, the host's memory is seen as that type without a copy, and all values of a page share its copy on the device.

use super::PictureKind;
use crate::value::HostValue;
use std::sync::{Arc, Mutex};
use tilework_core::dtype::DType;
use tilework_core::host::HostBuffer;
use tilework_core::pictures::Texels;
use tilework_core::{Error, Result};
use tilework_gpu::{Gpu, Memory, Rect};
use tilework_vm::HostSlice;

/// Words in rows.
#[derive(Debug)]
pub(crate) struct Page {
    words: Vec<u32>,
    /// Columns and rows.
    size: [u32; 2],
    kind: PictureKind,
    /// The copy on a device, once there is one.
    mirror: Mutex<Option<(Gpu, Memory)>>,
}

impl Page {
    pub(crate) fn new(words: Vec<u32>, size: [u32; 2], kind: PictureKind) -> Page {
        Page { words, size, kind, mirror: Mutex::default() }
    }

    pub(crate) fn size(&self) -> [u32; 2] {
        self.size
    }

    pub(crate) fn kind(&self) -> PictureKind {
        self.kind
    }

    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    /// A page of its own with the same content, copied on the device too if it is there.
    pub(crate) fn copied(&self) -> Result<Page> {
        let mirror = match &*self.lock()? {
            None => None,
            // What was there is gone with the device; the host has it all.
            Some((gpu, _)) if gpu.is_lost() => None,
            Some((gpu, Memory::Buffer(buffer))) => Some((gpu.clone(), Memory::Buffer(gpu.copy_buffer(buffer)?))),
            Some((gpu, Memory::Texture(texture))) => Some((gpu.clone(), Memory::Texture(gpu.copy_texture(texture)?))),
        };
        Ok(Page { words: self.words.clone(), size: self.size, kind: self.kind, mirror: Mutex::new(mirror) })
    }

    /// Replaces a rectangle that lies inside, here and on the device. Only the rectangle is sent there, in whole texels.
    pub(crate) fn replace(&mut self, rect: Rect, words: &[u32]) -> Result<()> {
        let rows = self.words.chunks_exact_mut(self.size[0] as usize).skip(rect.y as usize);
        for (row, words) in rows.zip(words.chunks_exact(rect.width as usize)) {
            row[rect.x as usize..][..words.len()].copy_from_slice(words);
        }
        match &*self.lock()? {
            Some((gpu, _)) if gpu.is_lost() => Ok(()),
            None => Ok(()),
            Some((gpu, Memory::Buffer(buffer))) => gpu.write_rows(buffer, self.size[0], &self.words, rect),
            Some((gpu, Memory::Texture(texture))) => gpu.write_texture(texture, &self.words, rect),
        }
    }

    /// Its copy on `gpu`, uploaded the first time it is asked for.
    fn on_gpu(&self, gpu: &Gpu) -> Result<Memory> {
        let mut mirror = self.lock()?;
        if let Some((owner, memory)) = &*mirror
            && owner.is_same(gpu)
        {
            return Ok(memory.clone());
        }
        let memory = match self.kind {
            PictureKind::Texture => Memory::Texture(gpu.upload_texture(&self.words, self.size[0], self.size[1])?),
            _ => Memory::Buffer(gpu.upload(bytemuck::cast_slice(&self.words))?),
        };
        *mirror = Some((gpu.clone(), memory.clone()));
        Ok(memory)
    }

    fn lock(&self) -> Result<std::sync::MutexGuard<'_, Option<(Gpu, Memory)>>> {
        self.mirror.lock().map_err(|_| Error::argument("picture", "an earlier upload panicked"))
    }
}

/// A page as an array of some type.
#[derive(Clone, Debug)]
pub(crate) struct PageValue {
    pub(crate) page: Arc<Page>,
    pub(crate) dtype: DType,
}

impl PageValue {
    /// What kernels know of it, if it is a texture.
    pub(crate) fn texels(&self) -> Option<Texels> {
        if self.page.kind == PictureKind::Texture { Texels::new(self.page.size[0]) } else { None }
    }

    pub(crate) fn on_gpu(&self, gpu: &Gpu) -> Result<Memory> {
        self.page.on_gpu(gpu)
    }

    pub(crate) fn on_host(&self) -> Arc<HostValue> {
        HostValue::page(self.clone())
    }

    pub(crate) fn is_on_gpu(&self, gpu: &Gpu) -> bool {
        self.page.lock().is_ok_and(|mirror| mirror.as_ref().is_some_and(|(owner, _)| owner.is_same(gpu)))
    }

    /// The host's words as elements.
    pub(crate) fn slice(&self) -> HostSlice<'_> {
        match self.dtype {
            DType::F16 => HostSlice::F16(bytemuck::cast_slice(&self.page.words)),
            DType::F32 => HostSlice::F32(bytemuck::cast_slice(&self.page.words)),
            _ => HostSlice::Words(&self.page.words),
        }
    }

    /// The same as memory of its own.
    pub(crate) fn copied(&self) -> HostBuffer {
        HostBuffer::from_device_bytes(self.dtype, bytemuck::cast_slice(&self.page.words))
    }
}
