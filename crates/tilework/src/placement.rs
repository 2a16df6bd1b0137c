//! CPU or GPU? A measured model decides, not a constant.
//!
//! Each side's time is its overhead plus its work divided by rates measured once per adapter: operations on elements, products,
//! memory traffic, and transfers for whatever lies on the other side. The measurement takes a fraction of a second and is kept
//! in the user's cache folder natively.

use crate::device::{Device, Planned};
use crate::schedule::Work;
use crate::value::Value;
use tilework_core::Result;
use tilework_gpu::Gpu;
use tilework_ops::NodeRef;

/// Where an evaluation runs.
pub(crate) enum Place {
    Cpu,
    Gpu(Gpu),
}

/// Rates of one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rates {
    /// Seconds to start anything at all.
    pub(crate) overhead_s: f64,
    /// Seconds per step.
    pub(crate) step_s: f64,
    pub(crate) element_ops_per_s: f64,
    pub(crate) dense_flops_per_s: f64,
    pub(crate) bytes_per_s: f64,
}

impl Rates {
    /// Expected seconds.
    fn time_s(&self, work: &Work) -> f64 {
        let moving = work.bytes / self.bytes_per_s;
        let computing = work.element_ops / self.element_ops_per_s + work.dense_flops / self.dense_flops_per_s;
        self.overhead_s + self.step_s * work.n_steps + moving.max(computing)
    }
}

/// Both sides and the way between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Costs {
    pub(crate) cpu: Rates,
    pub(crate) gpu: Rates,
    pub(crate) upload_bytes_per_s: f64,
    pub(crate) download_bytes_per_s: f64,
    /// Seconds until the first byte of a read-back arrives.
    pub(crate) download_s: f64,
}

impl Costs {
    /// A model under which the GPU never wins.
    pub(crate) fn never_gpu() -> Costs {
        let rates =
            Rates { overhead_s: 0.0, step_s: 0.0, element_ops_per_s: 1e9, dense_flops_per_s: 1e9, bytes_per_s: 1e9 };
        let gpu = Rates { overhead_s: f64::INFINITY, ..rates };
        Costs { cpu: rates, gpu, upload_bytes_per_s: 1e9, download_bytes_per_s: 1e9, download_s: 0.0 }
    }

    /// Measured rates, from the cache if this adapter was measured before.
    pub(crate) async fn of(gpu: &Gpu) -> Result<Costs> {
        if let Some(costs) = crate::calibrate::load(gpu) {
            return Ok(costs);
        }
        let costs = crate::calibrate::measure(gpu).await?;
        crate::calibrate::save(gpu, &costs);
        Ok(costs)
    }
}

impl Device {
    /// Where the work is expected to be done first, given where its inputs lie.
    pub(crate) fn cheaper_place(&self, gpu: Gpu, planned: &Planned, inputs: &[NodeRef]) -> Place {
        let Some(costs) = self.0.costs.get() else { return Place::Cpu };
        if planned.schedule.needs_cpu().is_some() {
            return Place::Cpu;
        }
        let (mut up_bytes, mut down_bytes) = (0u64, 0u64);
        for node in inputs {
            match Value::of(node) {
                Some(Value::Host(value)) if !value.is_on_gpu(&gpu) => up_bytes += node.meta.size_bytes(),
                Some(Value::Page(value)) if !value.is_on_gpu(&gpu) => up_bytes += node.meta.size_bytes(),
                Some(Value::Gpu(_)) => down_bytes += node.meta.size_bytes(),
                _ => {}
            }
        }
        let work = &planned.schedule.work;
        let on_gpu_s = costs.gpu.time_s(work) + up_bytes as f64 / costs.upload_bytes_per_s;
        let downloading_s =
            if down_bytes == 0 { 0.0 } else { costs.download_s + down_bytes as f64 / costs.download_bytes_per_s };
        let on_cpu_s = costs.cpu.time_s(work) + downloading_s;
        if on_gpu_s < on_cpu_s { Place::Gpu(gpu) } else { Place::Cpu }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fast_gpu_wins_only_when_the_work_repays_the_trip() {
        let cpu = Rates {
            overhead_s: 1e-6,
            step_s: 1e-6,
            element_ops_per_s: 5e9,
            dense_flops_per_s: 1e11,
            bytes_per_s: 2e10,
        };
        let gpu = Rates {
            overhead_s: 1e-4,
            step_s: 5e-6,
            element_ops_per_s: 1e12,
            dense_flops_per_s: 1e13,
            bytes_per_s: 5e11,
        };
        let small = Work { element_ops: 1e3, dense_flops: 0.0, bytes: 8e3, n_steps: 1.0 };
        let large = Work { element_ops: 0.0, dense_flops: 2.0 * 2048f64.powi(3), bytes: 5e7, n_steps: 1.0 };
        assert!(cpu.time_s(&small) < gpu.time_s(&small));
        assert!(gpu.time_s(&large) < cpu.time_s(&large));
        assert!(Costs::never_gpu().gpu.time_s(&large).is_infinite());
    }
}
