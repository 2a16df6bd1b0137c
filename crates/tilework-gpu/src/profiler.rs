//! Time of each dispatch, from the device's own clock.
//!
//! Timestamps exist only at the boundaries of a compute pass, so a profiled run has a pass for each dispatch. That adds
//! a little to each, and the sum exceeds the time of a plain run; compare dispatches with each other. Browsers round
//! the clock (Chrome to 0.1 ms) unless started with developer flags.

use tilework_core::{Error, ErrorKind, Result};

use crate::device::{Gpu, Inner};
use crate::execute::Run;
use crate::memory::Memory;
use crate::prepared::Prepared;
use crate::scopes::Subject;

/// WebGPU allows 4096 queries in a set; each dispatch needs two.
const MAX_PASSES_PER_SET: usize = 2048;

/// Time of one dispatch.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PassTiming {
    /// Label of the kernel.
    pub label: String,
    /// Workgroups in x, y, z.
    pub workgroups: [u32; 3],
    /// Start, counted from the start of the first dispatch.
    pub start_ns: f64,
    /// Length.
    pub duration_ns: f64,
}

/// Queries of one profiled run.
struct Queries {
    sets: Vec<wgpu::QuerySet>,
    resolved: wgpu::Buffer,
    size_bytes: u64,
}

impl Gpu {
    /// Runs a Plan once and returns the time of each of its dispatches, in order.
    ///
    /// Fails with `Unsupported` on a device without timestamp queries, otherwise as [`execute`](Gpu::execute).
    pub async fn profile(
        &self,
        prepared: &Prepared,
        inputs: &[impl Clone + Into<Memory>],
        scalars: &[u32],
    ) -> Result<Vec<PassTiming>> {
        let inner = self.inner();
        inner.health.check("profile")?;
        if !inner.device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            let message = format!("{} has no timestamp queries", self.info().name);
            return Err(Error::new(ErrorKind::Unsupported, "profile", message));
        }
        let n_passes = prepared.plan.passes.len();
        if n_passes == 0 {
            return Ok(Vec::new());
        }
        let queries = Queries::new(inner, n_passes)?;
        let inputs = inputs.iter().cloned().map(Into::into).collect();
        self.run(prepared, inputs, scalars, |encoder, run| queries.encode(encoder, run))?;
        inner.counters.add(|c| c.passes += n_passes as u64);
        let (staging, submission) =
            inner.scopes.run_now("profile", || inner.copy_to_staging(&queries.resolved, 0, queries.size_bytes))??;
        let bytes = inner.map(staging, queries.size_bytes, submission).await?;
        Ok(timings(prepared, &bytes, f64::from(inner.queue.get_timestamp_period())))
    }
}

impl Queries {
    fn new(inner: &Inner, n_passes: usize) -> Result<Self> {
        let size_bytes = n_passes as u64 * 2 * u64::from(wgpu::QUERY_SIZE);
        let subject = Subject { op: "profile".to_owned(), attempt: format!("queries for {n_passes} dispatches") };
        let ((sets, resolved), outcome) = inner.scopes.run(subject, || {
            let set = |start: usize| {
                inner.device.create_query_set(&wgpu::QuerySetDescriptor {
                    label: Some("profile"),
                    ty: wgpu::QueryType::Timestamp,
                    count: 2 * MAX_PASSES_PER_SET.min(n_passes - start) as u32,
                })
            };
            let sets = (0..n_passes).step_by(MAX_PASSES_PER_SET).map(set).collect();
            let resolved = inner.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("profile"),
                size: size_bytes,
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            });
            (sets, resolved)
        });
        inner.scopes.check("profile", &outcome)?;
        inner.counters.add(|c| c.buffers_allocated += 1);
        Ok(Queries { sets, resolved, size_bytes })
    }

    /// A pass with two timestamps for each dispatch, then all timestamps into the buffer.
    fn encode(&self, encoder: &mut wgpu::CommandEncoder, run: &Run<'_>) {
        for index in 0..run.n_passes() {
            let query = 2 * (index % MAX_PASSES_PER_SET) as u32;
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: None,
                timestamp_writes: Some(wgpu::ComputePassTimestampWrites {
                    query_set: &self.sets[index / MAX_PASSES_PER_SET],
                    beginning_of_pass_write_index: Some(query),
                    end_of_pass_write_index: Some(query + 1),
                }),
            });
            run.dispatch(&mut pass, index);
        }
        let set_bytes = MAX_PASSES_PER_SET as u64 * 2 * u64::from(wgpu::QUERY_SIZE);
        for (set, set_idx) in self.sets.iter().zip(0..) {
            let n_passes = MAX_PASSES_PER_SET.min(run.n_passes() - set_idx as usize * MAX_PASSES_PER_SET);
            encoder.resolve_query_set(set, 0..2 * n_passes as u32, &self.resolved, set_idx * set_bytes);
        }
    }
}

fn timings(prepared: &Prepared, bytes: &[u8], tick_ns: f64) -> Vec<PassTiming> {
    let ticks: Vec<u64> = bytes.chunks_exact(8).map(bytemuck::pod_read_unaligned).collect();
    let start = ticks.first().copied().unwrap_or(0);
    let timing = |(pass, pair): (&tilework_core::plan::Pass, &[u64])| PassTiming {
        label: pass.kernel.label.clone(),
        workgroups: pass.workgroups,
        start_ns: pair[0].saturating_sub(start) as f64 * tick_ns,
        duration_ns: pair[1].saturating_sub(pair[0]) as f64 * tick_ns,
    };
    prepared.plan.passes.iter().zip(ticks.chunks_exact(2)).map(timing).collect()
}
