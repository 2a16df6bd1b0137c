//! Everything a caller can get wrong is a typed error, and the device goes on.

mod common;

use std::sync::Arc;

use common::{download, kernel, map_pass, square_add_plan, square_plan, upload, with_gpu, with_own_gpu};
use tilework_core::ErrorKind;
use tilework_core::plan::{Patch, Plan, SlotRole};
use tilework_gpu::{AdapterChoice, Gpu, GpuOptions};

fn prepare_error(gpu: &Gpu, change: impl FnOnce(&mut Plan)) -> (ErrorKind, String) {
    let mut plan = square_plan(4);
    change(&mut plan);
    let error = gpu.prepare(Arc::new(plan)).unwrap_err();
    (error.kind(), error.to_string())
}

fn still_works(gpu: &Gpu) {
    let prepared = gpu.prepare(Arc::new(square_plan(2))).unwrap();
    let outputs = gpu.execute(&prepared, &[upload(gpu, &[3.0, 4.0])], &[]).unwrap();
    assert_eq!(download(gpu, &outputs[0]), [9.0, 16.0]);
}

#[test]
fn a_kernel_that_does_not_compile_is_a_kernel_error() {
    with_gpu(|gpu| {
        let (kind, message) = prepare_error(gpu, |plan| {
            plan.passes[0].kernel = kernel("broken", "@compute @workgroup_size(1) fn main() { let a = nothing; }");
        });
        assert_eq!(kind, ErrorKind::Kernel);
        assert!(message.starts_with("broken") && message.contains("nothing"), "{message}");
        still_works(gpu);
    });
}

#[test]
fn a_kernel_that_does_not_fit_its_bindings_is_a_kernel_error() {
    with_gpu(|gpu| {
        let wgsl = "@group(0) @binding(0) var<storage, read_write> x: array<f32>;
            @compute @workgroup_size(1) fn main() { x[0] = 1.0; }";
        let (kind, message) = prepare_error(gpu, |plan| plan.passes[0].kernel = kernel("misfit", wgsl));
        assert_eq!(kind, ErrorKind::Kernel);
        assert!(message.contains("misfit"), "{message}");
        let (kind, _) = prepare_error(gpu, |plan| plan.passes[0].kernel = kernel("no main", "fn other() {}"));
        assert_eq!(kind, ErrorKind::Kernel);
        still_works(gpu);
    });
}

#[test]
fn a_parameter_block_shorter_than_the_kernel_wants_is_an_error_of_the_run() {
    with_gpu(|gpu| {
        let wgsl = "@group(0) @binding(0) var<storage, read> x: array<f32>;
            @group(0) @binding(1) var<storage, read_write> y: array<f32>;
            @group(0) @binding(2) var<uniform> params: array<vec4<u32>, 4>;
            @compute @workgroup_size(1) fn main() { y[0] = x[0] + f32(params[3].x); }";
        let mut plan = square_plan(4);
        plan.passes[0].kernel = kernel("wide", wgsl);
        let prepared = gpu.prepare(Arc::new(plan)).unwrap();
        let error = gpu.execute(&prepared, &[upload(gpu, &[0.0; 4])], &[]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Kernel, "{error}");
        still_works(gpu);
    });
}

#[test]
fn wrong_inputs_and_scalars_are_argument_errors() {
    with_gpu(|gpu| {
        let prepared = gpu.prepare(Arc::new(square_add_plan(4))).unwrap();
        let input = upload(gpu, &[1.0; 4]);
        let run = |inputs: &[_], scalars: &[u32]| gpu.execute(&prepared, inputs, scalars).unwrap_err();
        for error in [
            run(&[], &[1]),
            run(&[input.clone(), input.clone()], &[1]),
            run(std::slice::from_ref(&input), &[]),
            run(&[upload(gpu, &[1.0; 3])], &[1]),
        ] {
            assert_eq!(error.kind(), ErrorKind::Argument, "{error}");
        }
        let error = pollster::block_on(gpu.read(&input, 8, 9)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Argument);
        let error = pollster::block_on(gpu.read(&input, 8, u64::MAX)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Argument);
    });
}

#[test]
fn a_plan_that_contradicts_itself_is_an_argument_error() {
    with_gpu(|gpu| {
        let changes: [fn(&mut Plan); 8] = [
            |plan| plan.slots[0].role = SlotRole::Input(1),
            |plan| plan.slots[1].role = SlotRole::Output(1),
            |plan| plan.slots[0].role = SlotRole::Output(0),
            |plan| plan.n_outputs = 2,
            |plan| plan.slots[0].size_bytes = 0,
            |plan| plan.passes[0].bindings[0].slot = 2,
            |plan| plan.passes[0].patches = vec![Patch { word: 0, scalar: 0 }],
            |plan| plan.passes[0].workgroups = [1, 0, 1],
        ];
        for change in changes {
            assert_eq!(prepare_error(gpu, change).0, ErrorKind::Argument);
        }
    });
}

#[test]
fn what_exceeds_the_device_says_so() {
    with_gpu(|gpu| {
        let max_bytes = gpu.caps().max_binding_bytes;
        let (kind, message) = prepare_error(gpu, |plan| plan.slots[1].size_bytes = max_bytes + 4);
        assert_eq!(kind, ErrorKind::TooLarge);
        let names_all = ["square", &max_bytes.to_string(), &(max_bytes + 4).to_string()];
        assert!(names_all.iter().all(|part| message.contains(part)), "{message}");

        let (kind, _) = prepare_error(gpu, |plan| plan.passes[0].workgroups = [u32::MAX, 1, 1]);
        assert_eq!(kind, ErrorKind::TooLarge);
        let (kind, _) = prepare_error(gpu, |plan| plan.passes[0].params = vec![0; 1 << 26]);
        assert_eq!(kind, ErrorKind::TooLarge);
        let (kind, _) = prepare_error(gpu, |plan| {
            let binding = plan.passes[0].bindings[0];
            plan.passes[0].bindings = vec![binding; gpu.caps().max_storage_buffers as usize + 1];
        });
        assert_eq!(kind, ErrorKind::TooLarge);
        assert_eq!(gpu.alloc(u64::MAX).unwrap_err().kind(), ErrorKind::TooLarge);
        assert_eq!(gpu.alloc(max_bytes + 1).unwrap_err().kind(), ErrorKind::TooLarge);
    });
}

#[test]
fn memory_that_runs_out_is_typed_and_comes_back() {
    with_own_gpu(GpuOptions::default(), |gpu| {
        // The memory is never touched, so even a software device hands out more than there is, or refuses.
        let size_bytes = gpu.caps().max_binding_bytes;
        let buffers: Result<Vec<_>, _> = (0..40).map(|_| gpu.alloc(size_bytes)).collect();
        if let Err(error) = &buffers {
            assert_eq!(error.kind(), ErrorKind::OutOfMemory, "{error}");
        }
        drop(buffers);
        still_works(gpu);
    });
}

#[test]
fn the_same_buffer_read_and_written_by_a_pass_is_an_error() {
    with_gpu(|gpu| {
        let mut plan = square_plan(4);
        plan.slots[1].role = SlotRole::Input(1);
        (plan.n_inputs, plan.n_outputs) = (2, 0);
        let prepared = gpu.prepare(Arc::new(plan)).unwrap();
        let input = upload(gpu, &[1.0; 4]);
        let error = gpu.execute(&prepared, &[input.clone(), input], &[]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Kernel, "{error}");
        still_works(gpu);
    });
}

#[test]
fn buffers_and_plans_of_another_device_are_refused() {
    with_gpu(|gpu| {
        with_own_gpu(GpuOptions::default(), |other| {
            let prepared = gpu.prepare(Arc::new(square_plan(4))).unwrap();
            let foreign = upload(other, &[1.0; 4]);
            let error = gpu.execute(&prepared, std::slice::from_ref(&foreign), &[]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Argument);
            let error = other.execute(&prepared, std::slice::from_ref(&foreign), &[]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Argument);
            let error = pollster::block_on(gpu.read(&foreign, 0, 4)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Argument);
        });
    });
}

#[test]
fn an_adapter_that_does_not_exist_is_no_device() {
    let options = GpuOptions { adapter: AdapterChoice::Named("no such card".to_owned()), ..GpuOptions::default() };
    assert_eq!(pollster::block_on(Gpu::open(options)).unwrap_err().kind(), ErrorKind::NoDevice);
}

#[test]
fn an_unused_binding_is_allowed() {
    with_gpu(|gpu| {
        let wgsl = "@group(0) @binding(1) var<storage, read_write> y: array<f32>;
            @compute @workgroup_size(1) fn main() { y[0] = 5.0; }";
        let mut plan = square_plan(1);
        plan.passes = vec![map_pass(&kernel("constant", wgsl), 0, 1, 1)];
        let prepared = gpu.prepare(Arc::new(plan)).unwrap();
        let outputs = gpu.execute(&prepared, &[upload(gpu, &[0.0])], &[]).unwrap();
        assert_eq!(download(gpu, &outputs[0]), [5.0]);
    });
}
