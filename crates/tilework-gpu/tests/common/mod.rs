//! What the tests share: one device for each test process, and small Plans.

#![allow(dead_code, reason = "each test binary uses a part of it")]
#![allow(clippy::print_stderr, reason = "a skipped test must say so")]

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use tilework_core::plan::{Access, Binding, KernelSource, Pass, Patch, Plan, Slot, SlotRole};
use tilework_gpu::{Buffer, Gpu, GpuOptions};

/// `y[i] = x[i] * x[i]`.
pub(crate) const SQUARE: &str = "
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: vec4<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&y)) { y[id.x] = x[id.x] * x[id.x]; }
}";

/// `y[i] = x[i] + f32(params.x)`.
pub(crate) const ADD: &str = "
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: vec4<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&y)) { y[id.x] = x[id.x] + f32(params.x); }
}";

/// Runs `test` with the device of this process. Without an adapter that is a failure in CI and a note elsewhere.
pub(crate) fn with_gpu(test: impl FnOnce(&Gpu)) {
    static GPU: OnceLock<Option<Gpu>> = OnceLock::new();
    if let Some(gpu) = GPU.get_or_init(|| open(GpuOptions::default())) {
        test(gpu);
    }
}

/// A device of one's own, for tests that count, lose or configure it.
pub(crate) fn with_own_gpu(options: GpuOptions, test: impl FnOnce(&Gpu)) {
    if let Some(gpu) = open(options) {
        test(&gpu);
    }
}

fn open(options: GpuOptions) -> Option<Gpu> {
    match pollster::block_on(Gpu::open(options)) {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "CI must have an adapter: {error}");
            eprintln!("skipped: {error}");
            None
        }
    }
}

pub(crate) fn kernel(label: &str, wgsl: &'static str) -> Arc<KernelSource> {
    let parts = vec![Cow::Borrowed(wgsl)];
    Arc::new(KernelSource { label: label.to_owned(), parts, overrides: vec![] })
}

/// A pass that reads one slot and writes another, `n` elements.
pub(crate) fn map_pass(kernel: &Arc<KernelSource>, from: usize, to: usize, n: usize) -> Pass {
    Pass {
        kernel: kernel.clone(),
        bindings: vec![Binding { slot: from, access: Access::Read }, Binding { slot: to, access: Access::Write }],
        params: vec![0; 4],
        patches: vec![],
        workgroups: [n.div_ceil(64) as u32, 1, 1],
    }
}

pub(crate) fn slot(n: usize, role: SlotRole) -> Slot {
    Slot { size_bytes: n as u64 * 4, role }
}

/// `y = x²`, `n` elements.
pub(crate) fn square_plan(n: usize) -> Plan {
    Plan {
        slots: vec![slot(n, SlotRole::Input(0)), slot(n, SlotRole::Output(0))],
        passes: vec![map_pass(&kernel("square", SQUARE), 0, 1, n)],
        n_inputs: 1,
        n_outputs: 1,
        n_scalars: 0,
    }
}

/// `y = x² + scalar`, through a temporary.
pub(crate) fn square_add_plan(n: usize) -> Plan {
    let mut add = map_pass(&kernel("add", ADD), 1, 2, n);
    add.patches = vec![Patch { word: 0, scalar: 0 }];
    Plan {
        slots: vec![slot(n, SlotRole::Input(0)), slot(n, SlotRole::Temp), slot(n, SlotRole::Output(0))],
        passes: vec![map_pass(&kernel("square", SQUARE), 0, 1, n), add],
        n_inputs: 1,
        n_outputs: 1,
        n_scalars: 1,
    }
}

pub(crate) fn upload(gpu: &Gpu, values: &[f32]) -> Buffer {
    gpu.upload(bytemuck::cast_slice(values)).unwrap()
}

pub(crate) fn download(gpu: &Gpu, buffer: &Buffer) -> Vec<f32> {
    let bytes = pollster::block_on(gpu.read(buffer, 0, buffer.size_bytes())).unwrap();
    bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect()
}
