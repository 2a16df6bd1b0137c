//! Computed values: memory on the host or on a device.

#[cfg(not(any(not(target_arch = "wasm32"), feature = "pictures")))]
use crate::picture::PageValue;
#[cfg(any(not(target_arch = "wasm32"), feature = "pictures"))]
use crate::picture::page::PageValue;
use std::any::Any;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, Weak};
use tilework_core::dtype::DType;
use tilework_core::host::HostBuffer;
use tilework_core::{Error, ErrorKind, Result};
use tilework_gpu::{Buffer, Gpu};
use tilework_ops::NodeRef;
use tilework_vm::HostSlice;

/// Where a value lies.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// In host memory.
    Host(Arc<HostValue>),
    /// In device memory.
    Gpu(GpuValue),
    /// In a picture.
    #[allow(dead_code, reason = "modules without pictures have none")]
    Page(PageValue),
}

/// A buffer of a particular device.
#[derive(Clone, Debug)]
pub(crate) struct GpuValue {
    pub(crate) gpu: Gpu,
    pub(crate) buffer: Buffer,
}

impl Value {
    pub(crate) fn of(node: &NodeRef) -> Option<&Value> {
        node.value()?.downcast_ref::<Value>()
    }

    pub(crate) fn shared(self) -> Arc<dyn Any + Send + Sync> {
        Arc::new(self)
    }
}

/// Host memory that goes back to its pool when it is no longer used.
#[derive(Debug)]
pub(crate) struct HostValue {
    content: Content,
    pool: Weak<HostPool>,
    /// The copy on a device, once there is one: weights are uploaded once.
    mirror: Mutex<Option<GpuValue>>,
}

/// Where the host has the elements.
#[derive(Debug)]
enum Content {
    /// In memory of their own; none once that was given away.
    Own(Option<HostBuffer>),
    /// In a picture.
    #[allow(dead_code, reason = "modules without pictures have none")]
    Page(PageValue),
}

impl HostValue {
    pub(crate) fn new(buffer: HostBuffer, pool: &Arc<HostPool>) -> Arc<HostValue> {
        HostValue::with(Content::Own(Some(buffer)), Arc::downgrade(pool))
    }

    /// Memory that a caller made. It is freed in the end: kept, it would pile up, as callers make new memory for every array.
    pub(crate) fn foreign(buffer: HostBuffer) -> Arc<HostValue> {
        HostValue::with(Content::Own(Some(buffer)), Weak::new())
    }

    /// A page seen as elements.
    #[cfg(any(not(target_arch = "wasm32"), feature = "pictures"))]
    pub(crate) fn page(value: PageValue) -> Arc<HostValue> {
        HostValue::with(Content::Page(value), Weak::new())
    }

    fn with(content: Content, pool: Weak<HostPool>) -> Arc<HostValue> {
        Arc::new(HostValue { content, pool, mirror: Mutex::default() })
    }

    /// Its copy on `gpu`, uploaded the first time it is asked for.
    pub(crate) fn on_gpu(&self, gpu: &Gpu) -> Result<Buffer> {
        let mut mirror = self.mirror.lock().map_err(|_| Error::argument("upload", "an earlier upload panicked"))?;
        if let Some(value) = &*mirror
            && value.gpu.is_same(gpu)
        {
            return Ok(value.buffer.clone());
        }
        let buffer = gpu.upload(&self.buffer().device_bytes())?;
        *mirror = Some(GpuValue { gpu: gpu.clone(), buffer: buffer.clone() });
        Ok(buffer)
    }

    /// Whether `gpu` has a copy already.
    pub(crate) fn is_on_gpu(&self, gpu: &Gpu) -> bool {
        self.mirror.lock().is_ok_and(|mirror| mirror.as_ref().is_some_and(|value| value.gpu.is_same(gpu)))
    }

    /// The memory itself, no longer of the pool.
    pub(crate) fn into_buffer(mut self) -> HostBuffer {
        match &mut self.content {
            Content::Own(buffer) => buffer.take().unwrap_or(HostBuffer::F32(Vec::new())),
            Content::Page(value) => value.copied(),
        }
    }

    /// The elements, copied if they are part of a picture.
    pub(crate) fn buffer(&self) -> Cow<'_, HostBuffer> {
        static EMPTY: HostBuffer = HostBuffer::F32(Vec::new());
        match &self.content {
            Content::Own(buffer) => Cow::Borrowed(buffer.as_ref().unwrap_or(&EMPTY)),
            Content::Page(value) => Cow::Owned(value.copied()),
        }
    }

    /// The elements where they are.
    pub(crate) fn slice(&self) -> HostSlice<'_> {
        match &self.content {
            Content::Own(Some(buffer)) => HostSlice::from(buffer),
            Content::Own(None) => HostSlice::F32(&[]),
            Content::Page(value) => value.slice(),
        }
    }
}

impl Drop for HostValue {
    fn drop(&mut self) {
        if let Content::Own(buffer) = &mut self.content
            && let (Some(buffer), Some(pool)) = (buffer.take(), self.pool.upgrade())
        {
            pool.give_back(buffer);
        }
    }
}

/// Host buffers kept for reuse: fresh memory costs a page fault per 4 KB, or at least being filled with zeros, more than computing
/// what goes into it.
#[derive(Debug, Default)]
pub(crate) struct HostPool {
    large: Mutex<Vec<HostBuffer>>,
    small: Mutex<Vec<HostBuffer>>,
}

/// Smaller buffers are left to the allocator, which is quick for them.
const MIN_POOLED_BYTES: usize = 1 << 10;
/// Up to here buffers are small: a few of them are kept, whatever they hold together.
const MAX_SMALL_BYTES: usize = 64 << 10;
const MAX_SMALL: usize = 16;
/// At most this much is kept unused.
const MAX_POOLED_BYTES: usize = 1 << 30;

/// Fails if this many bytes are not to be had. An allocation that fails ends the program; this one may fail, and comes first.
fn ensure_room(size_bytes: usize) -> Result<()> {
    if size_bytes < MAX_SMALL_BYTES {
        return Ok(());
    }
    Vec::<u8>::new()
        .try_reserve_exact(size_bytes)
        .map_err(|_| Error::new(ErrorKind::OutOfMemory, "eval", format!("there is no memory for {size_bytes} bytes")))
}

impl HostPool {
    /// `len` elements of `dtype`, content unspecified. Fails with `OutOfMemory`.
    pub(crate) fn take(&self, dtype: DType, len: usize) -> Result<HostBuffer> {
        let size_bytes = len.saturating_mul(dtype.size_bytes());
        let pooled = if size_bytes < MAX_SMALL_BYTES { &self.small } else { &self.large };
        if size_bytes >= MIN_POOLED_BYTES
            && let Ok(mut free) = pooled.lock()
            && let Some(position) = free.iter().rposition(|buffer| buffer.dtype() == dtype && buffer.len() == len)
        {
            return Ok(free.swap_remove(position));
        }
        ensure_room(size_bytes)?;
        Ok(HostBuffer::zeros(dtype, len))
    }

    fn give_back_small(&self, buffer: HostBuffer) {
        if let Ok(mut free) = self.small.lock() {
            if free.len() >= MAX_SMALL {
                free.remove(0);
            }
            free.push(buffer);
        }
    }

    fn give_back(&self, buffer: HostBuffer) {
        let size = |buffer: &HostBuffer| buffer.len() * buffer.dtype().size_bytes();
        match size(&buffer) {
            n_bytes if n_bytes < MIN_POOLED_BYTES => return,
            n_bytes if n_bytes < MAX_SMALL_BYTES => return self.give_back_small(buffer),
            _ => {}
        }
        if let Ok(mut free) = self.large.lock() {
            free.push(buffer);
            let mut total: usize = free.iter().map(size).sum();
            while total > MAX_POOLED_BYTES {
                total -= size(&free.remove(0));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Device;

    fn kept(device: &Device) -> usize {
        device.host_pool().large.lock().unwrap().len()
    }

    #[test]
    fn memory_of_callers_is_freed_and_own_memory_is_kept() {
        const N: usize = 100_000;
        let device = Device::cpu();
        for step in 0..5 {
            let x = device.array(vec![step as f32; N], [N]);
            assert_eq!(pollster::block_on((&x + 1.0).to_vec::<f32>()).unwrap()[N - 1], step as f32 + 1.0);
            drop(x);
            assert_eq!(kept(&device), 1, "the sum's memory alone, again and again");
        }
    }
}
