//! The most a device can do: multiply-adds on registers, and bytes from memory. Kernels are held against these.

use crate::calibrate::now_s;
use crate::device::Device;
use std::hint::black_box;
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::emit::KernelBuilder;
use tilework_core::fused::Fused;
use tilework_core::layout::Layout;
use tilework_core::plan::{Pass, Plan, Slot, SlotRole, fold_workgroups};
use tilework_core::shape::Shape;
use tilework_core::{Error, ErrorKind, Result};
use tilework_gpu::Gpu;
use tilework_ops::threads::Threads;
use tilework_vm::lanes::{Combine, Fold};
use tilework_vm::peak::{MULTIPLY_ADDS_PER_ROUND, multiply_adds};

const MULTIPLY_ADD_KERNEL: &str = tilework_core::wgsl!("peak_multiply_add.wgsl");
const READ_KERNEL: &str = tilework_core::wgsl!("peak_read.wgsl");

/// Bytes read to measure memory: several times what caches hold.
const READ_BYTES: usize = 128 << 20;
/// The same for a program that imitates a GPU, which would take seconds.
const FEW_READ_BYTES: usize = 16 << 20;
/// Time to spend on one of the two figures.
const BUDGET_S: f64 = 0.3;

/// What a device can do at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// Floating-point operations in single precision per second; a multiply-add is two.
    pub flops_per_s: f64,
    /// Bytes read from memory per second.
    pub bytes_per_s: f64,
}

impl Device {
    /// Measures both figures, in about a second: of the GPU, or of the CPU's cores together on a device without one.
    pub async fn peak(&self) -> Result<Peak> {
        match self.open_gpu() {
            Some(gpu) => peak_of_gpu(&gpu).await,
            None => Ok(peak_of_cpu(Threads::all())),
        }
    }
}

fn peak_of_cpu(threads: Threads) -> Peak {
    const N_ROUNDS: usize = 100_000;
    let mut results = vec![0.0f32; threads.count()];
    let compute_s = fastest(|| {
        threads.for_each_piece(&mut results, 1, |_, result| result[0] = multiply_adds(N_ROUNDS, black_box(0.5), 1.0));
    });
    let n_flops = 2.0 * (N_ROUNDS * MULTIPLY_ADDS_PER_ROUND * threads.count()) as f64;
    let data = vec![1.0f32; READ_BYTES / 4];
    let piece = 1 << 18;
    let mut sums = vec![0.0f32; data.len() / piece];
    let read_s = fastest(|| {
        threads.for_each_piece(&mut sums, 1, |at, sum| {
            sum[0] = f32::fold(Combine::Sum, &data[at * piece..][..piece], 0.0);
        });
    });
    black_box((results, sums));
    Peak { flops_per_s: n_flops / compute_s, bytes_per_s: READ_BYTES as f64 / read_s }
}

fn fastest(mut work: impl FnMut()) -> f64 {
    let begin_s = now_s();
    let mut best_s = f64::INFINITY;
    while now_s() - begin_s < BUDGET_S {
        let start_s = now_s();
        work();
        best_s = best_s.min(now_s() - start_s);
    }
    best_s
}

async fn peak_of_gpu(gpu: &Gpu) -> Result<Peak> {
    let is_slow = gpu.caps().software;
    let (n_groups, n_rounds) = if is_slow { (16, 64) } else { (4096, 1024) };
    let compute = plan(gpu, 4, |slots| {
        KernelBuilder::new("peak_multiply_add")
            .file(MULTIPLY_ADD_KERNEL)
            .param("n_rounds", n_rounds)
            .sink("y", DType::F32, slots[1], DType::F32, None)
            .build([n_groups, 1, 1])
    });
    let compute_s = fastest_plan(gpu, &compute, 4).await?;
    // 256 invocations with 8 vectors of 4, as the kernel says.
    let n_flops = 2.0 * f64::from(n_groups) * f64::from(n_rounds) * 256.0 * 32.0;
    let n_bytes = if is_slow { FEW_READ_BYTES } else { READ_BYTES.min(gpu.caps().max_binding_bytes as usize) };
    let n_quads = (n_bytes / 16) as u32;
    let read = plan(gpu, n_bytes as u64, |slots| {
        let [x, y, _] = fold_workgroups(n_quads.div_ceil(256 * 16) as usize, gpu.caps().max_workgroups);
        KernelBuilder::new("peak_read")
            .file(READ_KERNEL)
            .param("n_quads", n_quads)
            .quads("x4", slots[0])
            .sink("y", DType::F32, slots[1], DType::F32, None)
            .build([x, y, 1])
    });
    let read_s = fastest_plan(gpu, &read, n_bytes).await?;
    Ok(Peak { flops_per_s: n_flops / compute_s, bytes_per_s: n_bytes as f64 / read_s })
}

/// One pass from an input of `n_bytes` to an output with a float for every invocation it may have.
fn plan(gpu: &Gpu, n_bytes: u64, pass: impl FnOnce(&[usize]) -> Pass) -> Plan {
    let pass = pass(&[0, 1]);
    let n_invocations = pass.workgroups.iter().map(|&n| u64::from(n)).product::<u64>() * 256;
    let output = Slot { size_bytes: (4 * n_invocations).min(gpu.caps().max_binding_bytes), role: SlotRole::Output(0) };
    let input = Slot { size_bytes: n_bytes.max(4), role: SlotRole::Input(0) };
    Plan { slots: vec![input, output], passes: vec![pass], n_inputs: 1, n_outputs: 1, n_scalars: 0 }
}

/// Seconds of the fastest of several runs, without what a run costs that does nothing.
async fn fastest_plan(gpu: &Gpu, plan: &Plan, n_bytes: usize) -> Result<f64> {
    let input = gpu.upload(&vec![0u8; n_bytes.max(4)])?;
    let work = gpu.prepare(Arc::new(plan.clone()))?;
    let mut nothing = plan.clone();
    nothing.passes = vec![idle_pass()?];
    let nothing = gpu.prepare(Arc::new(nothing))?;
    let inputs = [input];
    let run = async |prepared: &tilework_gpu::Prepared| -> Result<f64> {
        let start_s = now_s();
        gpu.execute(prepared, &inputs, &[])?;
        gpu.finish().await?;
        Ok(now_s() - start_s)
    };
    run(&work).await?;
    run(&nothing).await?;
    let (mut best_s, mut idle_s) = (f64::INFINITY, f64::INFINITY);
    let begin_s = now_s();
    while now_s() - begin_s < BUDGET_S || !best_s.is_finite() {
        best_s = best_s.min(run(&work).await?);
        idle_s = idle_s.min(run(&nothing).await?);
    }
    if best_s <= idle_s {
        return Err(Error::new(ErrorKind::Unsupported, "peak", "the clock is too coarse to measure this device"));
    }
    Ok(best_s - idle_s)
}

/// A pass that copies one number.
fn idle_pass() -> Result<Pass> {
    let one = Fused::read(0, DType::F32, Layout::contiguous(Shape::new("peak", vec![1])?));
    Ok(KernelBuilder::map("idle", &one, &[0.into()], &[(1, DType::F32)]).build([1, 1, 1]))
}
