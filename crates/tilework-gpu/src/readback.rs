//! Bringing results back, and waiting.
//!
//! The only asynchronous part of the machine. In browsers a wait yields to the event loop. Natively nobody drives a
//! device unless it is polled, so the future blocks in the driver's own wait; it works with any executor, the simplest
//! included.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use tilework_core::{Error, ErrorKind, Result};

use crate::buffer_pool::{Buffer, Pooled, whole_words};
use crate::device::{Gpu, Inner};
use crate::lost;
use crate::oneshot::{self, Receiver};

impl Gpu {
    /// Reads `size_bytes` bytes from `offset_bytes` on, after all work submitted so far. Neither has to be aligned.
    ///
    /// Fails with `Argument` for a range outside the buffer, and with the error of any earlier work that failed late.
    pub async fn read(&self, buffer: &Buffer, offset_bytes: u64, size_bytes: u64) -> Result<Vec<u8>> {
        let inner = self.inner();
        inner.health.check("read")?;
        buffer.check_owner("read", &inner.storage_pool)?;
        if offset_bytes.checked_add(size_bytes).is_none_or(|end| end > buffer.size_bytes()) {
            let message =
                format!("{size_bytes} bytes from byte {offset_bytes} on, of a buffer of {} bytes", buffer.size_bytes());
            return Err(Error::argument("read", message));
        }
        if size_bytes == 0 {
            inner.settle("read").await?;
            return Ok(Vec::new());
        }
        // Copies start and end at whole words.
        let skip_bytes = offset_bytes % 4;
        let copy_bytes = whole_words(skip_bytes + size_bytes);
        let (staging, submission) = inner
            .scopes
            .run_now("read", || inner.copy_to_staging(&buffer.pooled().raw, offset_bytes - skip_bytes, copy_bytes))??;
        let mut bytes = inner.map(staging, copy_bytes, submission).await?;
        bytes.truncate((skip_bytes + size_bytes) as usize);
        bytes.drain(..skip_bytes as usize);
        inner.counters.add(|c| c.bytes_down += size_bytes);
        Ok(bytes)
    }

    /// Waits until all work submitted so far is done. Fails with the error of any of it that failed late.
    pub async fn finish(&self) -> Result<()> {
        let inner = self.inner();
        inner.health.check("finish")?;
        let (sender, receiver) = oneshot::channel();
        let submission = inner.submit([]);
        inner.queue.on_submitted_work_done(move || sender.send(()));
        inner.wait("finish", receiver, submission).await?;
        inner.settle("finish").await
    }
}

impl Gpu {
    /// Submits nothing, which makes Firefox look for finished work now and not on its slow timer. Whoever waits in a
    /// browser may call this every few milliseconds.
    pub fn nudge(&self) {
        let inner = self.inner();
        if !inner.health.is_lost() {
            inner.queue.submit([]);
        }
    }
}

impl Inner {
    /// Submits a copy of `size_bytes` bytes into a fresh staging buffer.
    pub(crate) fn copy_to_staging(
        &self,
        source: &wgpu::Buffer,
        offset_bytes: u64,
        size_bytes: u64,
    ) -> Result<(Pooled, wgpu::SubmissionIndex)> {
        let staging = self.staging_pool.take("read", size_bytes)?;
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(source, offset_bytes, &staging.raw, 0, size_bytes);
        Ok((staging, self.submit([encoder.finish()])))
    }

    /// Waits for the copy and returns its bytes. The staging buffer goes back to the pool only if all went well: a
    /// buffer whose mapping failed or was abandoned must not be used again.
    pub(crate) async fn map(
        &self,
        staging: Pooled,
        size_bytes: u64,
        submission: wgpu::SubmissionIndex,
    ) -> Result<Vec<u8>> {
        let (sender, receiver) = oneshot::channel();
        staging.raw.map_async(wgpu::MapMode::Read, 0..size_bytes, move |result| sender.send(result));
        let mapped = self.wait("read", receiver, submission).await?;
        self.settle("read").await?;
        let view = mapped.ok().and_then(|()| staging.raw.get_mapped_range(0..size_bytes).ok());
        let Some(view) = view else {
            // Nothing was wrong with the request, so the device is going away and its notice is still on the way.
            return Err(self.health.lost_error("read"));
        };
        let bytes = view.to_vec();
        drop(view);
        staging.raw.unmap();
        self.staging_pool.put(staging);
        Ok(bytes)
    }

    /// Reports what failed without anyone waiting for it: late verdicts on kernels, then uncaptured errors.
    pub(crate) async fn settle(&self, op: &str) -> Result<()> {
        let verdicts = self.scopes.settle().await;
        let uncaptured = self.health.take_uncaptured();
        self.health.check(op)?;
        verdicts?;
        uncaptured.map_or(Ok(()), Err)
    }

    /// Waits for a callback of the driver that follows `submission`.
    async fn wait<T>(&self, op: &str, mut receiver: Receiver<T>, submission: wgpu::SubmissionIndex) -> Result<T> {
        if cfg!(target_family = "wasm") {
            // Firefox looks for finished work on a slow timer; a submit, even an empty one, makes it look now.
            self.queue.submit([]);
            return receiver.await.ok_or_else(|| self.health.lost_error(op));
        }
        loop {
            self.poll_until(op, submission.clone())?;
            match Pin::new(&mut receiver).poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(Some(value)) => return Ok(value),
                Poll::Ready(None) => return Err(self.health.lost_error(op)),
                // Another thread's poll has taken the callback and is about to call it.
                Poll::Pending => self.health.check(op)?,
            }
            std::thread::yield_now();
        }
    }

    /// Blocks until `submission` is done and its callbacks are called.
    fn poll_until(&self, op: &str, submission: wgpu::SubmissionIndex) -> Result<()> {
        let wait = wgpu::PollType::Wait { submission_index: Some(submission), timeout: None };
        match lost::poll(&self.device, wait) {
            Some(Ok(_)) => Ok(()),
            Some(Err(error)) => {
                self.health.check(op)?;
                Err(Error::new(ErrorKind::Kernel, op, error.to_string()))
            }
            None => {
                self.health.mark_lost("while waiting for it");
                Err(self.health.lost_error(op))
            }
        }
    }
}
