//! Buffers that outlive their use.
//!
//! Creating a buffer costs a driver call and often a page fault for each page; the buffers of one run are the buffers
//! of the next. Sizes are rounded up to classes (four steps between powers of two, so at most a quarter is wasted), and
//! each class keeps a stack of free buffers. Last in, first out: a replay gets the same buffers again and finds its
//! bind groups.
//!
//! A buffer may be given away while the queue still works on it, because the queue runs submits and writes in order:
//! whoever gets it next cannot write it before the earlier work is done.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use tilework_core::{Error, ErrorKind, Result};

use crate::device::DeviceParts;
use crate::lost;
use crate::scopes::{Outcome, Subject, failure};
use crate::sync::lock;

const MIN_CLASS_BYTES: u64 = 256;

/// A buffer on the device. Cloning is cheap; the memory returns to the pool when the last clone is dropped.
#[derive(Clone)]
pub struct Buffer(Arc<Lease>);

struct Lease {
    /// `None` only while dropping.
    pooled: Option<Pooled>,
    size_bytes: u64,
    pool: Arc<BufferPool>,
}

impl Buffer {
    /// The size asked for.
    pub fn size_bytes(&self) -> u64 {
        self.0.size_bytes
    }

    /// The size a binding may have: whole words.
    pub(crate) fn usable_bytes(&self) -> u64 {
        whole_words(self.0.size_bytes)
    }

    /// Whether no clone of this handle exists.
    pub(crate) fn is_only_handle(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }

    pub(crate) fn pooled(&self) -> &Pooled {
        self.0.pooled.as_ref().expect("a lease holds its buffer until it is dropped")
    }

    /// An error unless the buffer belongs to `pool`, and with that to its device.
    pub(crate) fn check_owner(&self, op: &str, pool: &Arc<BufferPool>) -> Result<()> {
        if Arc::ptr_eq(&self.0.pool, pool) {
            return Ok(());
        }
        Err(Error::argument(op, "the buffer belongs to another device"))
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer(#{}, {} bytes)", self.pooled().id, self.size_bytes())
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(pooled) = self.pooled.take() {
            self.pool.put(pooled);
        }
    }
}

/// A device buffer with its place in the pool.
pub(crate) struct Pooled {
    pub raw: wgpu::Buffer,
    /// Never used twice by one pool, so it can stand for the buffer in a key.
    pub id: u64,
    class_bytes: u64,
    /// Whether there was memory for it; in browsers known only some time after creating.
    outcome: Outcome,
}

/// What the buffers of a pool are for, and how many bytes may lie unused.
pub(crate) struct PoolKind {
    pub label: &'static str,
    pub usage: wgpu::BufferUsages,
    pub max_retained_bytes: u64,
}

#[derive(Default)]
struct FreeLists {
    by_class: BTreeMap<u64, Vec<Pooled>>,
    retained_bytes: u64,
    is_closed: bool,
}

/// Free buffers of one usage.
pub(crate) struct BufferPool {
    parts: DeviceParts,
    kind: PoolKind,
    max_bytes: u64,
    next_id: AtomicU64,
    free: Mutex<FreeLists>,
}

impl BufferPool {
    /// An empty pool.
    pub(crate) fn new(parts: &DeviceParts, kind: PoolKind) -> Arc<Self> {
        let limits = parts.device.limits();
        let max_bytes = match kind.usage.contains(wgpu::BufferUsages::STORAGE) {
            true => limits.max_buffer_size.min(limits.max_storage_buffer_binding_size),
            false => limits.max_buffer_size,
        };
        Arc::new(BufferPool {
            max_bytes,
            parts: parts.clone(),
            kind,
            next_id: AtomicU64::new(0),
            free: Mutex::default(),
        })
    }

    /// A buffer that returns by itself. Its content is whatever it was used for before.
    pub(crate) fn lease(self: &Arc<Self>, op: &str, size_bytes: u64) -> Result<Buffer> {
        let pooled = self.take(op, size_bytes)?;
        Ok(Buffer(Arc::new(Lease { pooled: Some(pooled), size_bytes, pool: self.clone() })))
    }

    /// A buffer of at least `size_bytes`. Hand it back with [`put`](Self::put), or drop it to free it.
    pub(crate) fn take(&self, op: &str, size_bytes: u64) -> Result<Pooled> {
        let class_bytes = self.class_for(op, size_bytes)?;
        if let Some(pooled) = lock(&self.free).pop(class_bytes) {
            self.parts.counters.add(|c| c.buffers_reused += 1);
            return Ok(pooled);
        }
        self.create(op, class_bytes).or_else(|error| {
            if error.kind() != ErrorKind::OutOfMemory || !self.clear() {
                return Err(error);
            }
            // The free lists held memory that this class could not use. Polling lets the driver have it back.
            let _ = lost::poll(&self.parts.device, wgpu::PollType::Poll);
            self.create(op, class_bytes)
        })
    }

    /// Keeps `pooled` for later, and lets the largest free buffers go if too much lies unused.
    pub(crate) fn put(&self, pooled: Pooled) {
        let mut free = lock(&self.free);
        if free.is_closed {
            return;
        }
        free.push(pooled);
        while free.retained_bytes > self.kind.max_retained_bytes {
            let Some(largest) = free.pop_largest() else { break };
            // In browsers memory is not freed before garbage collection unless asked for.
            largest.raw.destroy();
        }
    }

    /// Frees everything that lies unused and keeps nothing from now on.
    pub(crate) fn close(&self) {
        lock(&self.free).is_closed = true;
        self.clear();
    }

    /// Frees everything that lies unused; false if there was nothing.
    fn clear(&self) -> bool {
        let mut free = lock(&self.free);
        let had_any = free.retained_bytes > 0;
        while let Some(pooled) = free.pop_largest() {
            pooled.raw.destroy();
        }
        had_any
    }

    /// A number that no buffer of this pool has or will have.
    #[cfg(any(not(target_arch = "wasm32"), feature = "pictures"))]
    pub(crate) fn new_id(&self) -> u64 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }

    fn class_for(&self, op: &str, size_bytes: u64) -> Result<u64> {
        let max_bytes = self.max_bytes;
        if size_bytes > max_bytes {
            let message = format!("a buffer of {size_bytes} bytes; this device allows {max_bytes}");
            return Err(Error::new(ErrorKind::TooLarge, op, message));
        }
        let class_bytes = size_class(size_bytes);
        // Near the limit, rounding up to a class would exceed it.
        Ok(if class_bytes > self.max_bytes { whole_words(size_bytes) } else { class_bytes })
    }

    fn create(&self, op: &str, class_bytes: u64) -> Result<Pooled> {
        let subject = Subject { op: op.to_owned(), attempt: format!("a buffer of {class_bytes} bytes") };
        let (raw, outcome) = self.parts.scopes.run(subject, || {
            self.parts.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(self.kind.label),
                size: class_bytes,
                usage: self.kind.usage,
                mapped_at_creation: false,
            })
        });
        self.parts.scopes.check(op, &outcome)?;
        self.parts.counters.add(|c| c.buffers_allocated += 1);
        Ok(Pooled { raw, id: self.next_id.fetch_add(1, Ordering::Relaxed), class_bytes, outcome })
    }
}

impl FreeLists {
    fn push(&mut self, pooled: Pooled) {
        self.retained_bytes += pooled.class_bytes;
        self.by_class.entry(pooled.class_bytes).or_default().push(pooled);
    }

    fn pop(&mut self, class_bytes: u64) -> Option<Pooled> {
        loop {
            let pooled = self.by_class.get_mut(&class_bytes)?.pop()?;
            self.retained_bytes -= class_bytes;
            if failure(&pooled.outcome).is_ok() {
                return Some(pooled);
            }
        }
    }

    fn pop_largest(&mut self) -> Option<Pooled> {
        let class_bytes = *self.by_class.iter().rev().find(|(_, stack)| !stack.is_empty())?.0;
        self.pop(class_bytes)
    }
}

/// `size_bytes` rounded up to 32-bit words, at least one.
pub(crate) fn whole_words(size_bytes: u64) -> u64 {
    size_bytes.max(1).saturating_add(3) & !3
}

/// The class of a size: `2^k · {1, 1¼, 1½, 1¾}`, at least 256.
fn size_class(size_bytes: u64) -> u64 {
    if size_bytes <= MIN_CLASS_BYTES {
        return MIN_CLASS_BYTES;
    }
    let step_bytes = (1 << size_bytes.ilog2()) / 4;
    size_bytes.div_ceil(step_bytes).saturating_mul(step_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_hold_the_size_and_waste_at_most_a_quarter() {
        for size in (1..100_000).chain([1 << 20, (1 << 20) + 1, (1 << 31) - 1, u64::from(u32::MAX)]) {
            let class = size_class(size);
            assert!(class >= size && class.is_multiple_of(4), "{size} in {class}");
            assert!(class == MIN_CLASS_BYTES || class * 4 <= size * 5, "{size} in {class}");
        }
        assert_eq!([256, 257, 320, 321, 512].map(size_class), [256, 320, 320, 384, 512]);
    }

    #[test]
    fn words_are_whole_and_never_none() {
        assert_eq!([0, 1, 4, 5, 8].map(whole_words), [4, 4, 4, 8, 8]);
        assert_eq!(whole_words(u64::MAX) % 4, 0);
    }
}
