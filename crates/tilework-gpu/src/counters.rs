//! What the machine has done so far, as plain numbers.
//!
//! Promises such as "a replay builds nothing" are tests over the difference of two [`Counters`], not comments.

use std::sync::Mutex;

use crate::sync::lock;

/// Totals since the device was opened. Subtract two with [`Counters::since`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counters {
    /// Kernels dispatched.
    pub dispatches: u64,
    /// Compute passes encoded.
    pub passes: u64,
    /// Queue submits, copies for reading included.
    pub submits: u64,
    /// Pipelines compiled.
    pub pipelines_built: u64,
    /// Pipelines found in the cache.
    pub pipelines_reused: u64,
    /// Bytes written to the device by uploads.
    pub bytes_up: u64,
    /// Bytes read back.
    pub bytes_down: u64,
    /// Buffers and textures created on the device, of any kind.
    pub buffers_allocated: u64,
    /// Buffers taken from a free list.
    pub buffers_reused: u64,
    /// Bind groups created.
    pub bind_groups_built: u64,
    /// Writes of parameter blocks; at most one for each run.
    pub uniform_writes: u64,
    /// Buffers and textures copied because a part of them is changed and somebody else holds them.
    pub buffer_copies: u64,
}

impl Counters {
    /// What happened between `earlier` and this.
    #[must_use]
    pub fn since(&self, earlier: Counters) -> Counters {
        Counters {
            dispatches: self.dispatches.saturating_sub(earlier.dispatches),
            passes: self.passes.saturating_sub(earlier.passes),
            submits: self.submits.saturating_sub(earlier.submits),
            pipelines_built: self.pipelines_built.saturating_sub(earlier.pipelines_built),
            pipelines_reused: self.pipelines_reused.saturating_sub(earlier.pipelines_reused),
            bytes_up: self.bytes_up.saturating_sub(earlier.bytes_up),
            bytes_down: self.bytes_down.saturating_sub(earlier.bytes_down),
            buffers_allocated: self.buffers_allocated.saturating_sub(earlier.buffers_allocated),
            buffers_reused: self.buffers_reused.saturating_sub(earlier.buffers_reused),
            bind_groups_built: self.bind_groups_built.saturating_sub(earlier.bind_groups_built),
            uniform_writes: self.uniform_writes.saturating_sub(earlier.uniform_writes),
            buffer_copies: self.buffer_copies.saturating_sub(earlier.buffer_copies),
        }
    }
}

/// The counters of one device, shared by its parts.
#[derive(Default)]
pub(crate) struct CounterCell(Mutex<Counters>);

impl CounterCell {
    /// Changes the counters; `change` must be short, the lock is held.
    pub(crate) fn add(&self, change: impl FnOnce(&mut Counters)) {
        change(&mut lock(&self.0));
    }

    /// The totals now.
    pub(crate) fn get(&self) -> Counters {
        *lock(&self.0)
    }
}
