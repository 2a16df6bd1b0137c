//! Plans run, and a replay builds nothing.

mod common;

use std::sync::Arc;

use common::{download, kernel, map_pass, slot, square_add_plan, square_plan, upload, with_gpu, with_own_gpu};
use tilework_core::plan::{Access, Binding, KernelSource, Pass, Plan, SlotRole};
use tilework_gpu::{Checks, Counters, GpuOptions};

#[test]
fn squares_an_array() {
    with_gpu(|gpu| {
        let values: Vec<f32> = (0..1000).map(|i| i as f32 * 0.5 - 100.0).collect();
        let prepared = gpu.prepare(Arc::new(square_plan(values.len()))).unwrap();
        let outputs = gpu.execute(&prepared, &[upload(gpu, &values)], &[]).unwrap();
        let expected: Vec<f32> = values.iter().map(|v| v * v).collect();
        assert_eq!(download(gpu, &outputs[0]), expected);
    });
}

#[test]
fn chained_passes_share_one_pass_and_one_submit() {
    with_own_gpu(GpuOptions::default(), |gpu| {
        let prepared = gpu.prepare(Arc::new(square_add_plan(4))).unwrap();
        let input = upload(gpu, &[1.0, 2.0, 3.0, 4.0]);
        let before = gpu.counters();
        let outputs = gpu.execute(&prepared, &[input], &[10]).unwrap();
        let used = gpu.counters().since(before);
        assert_eq!((used.dispatches, used.passes, used.submits, used.uniform_writes), (2, 1, 1, 1));
        assert_eq!(download(gpu, &outputs[0]), [11.0, 14.0, 19.0, 26.0]);
    });
}

#[test]
fn a_replay_builds_nothing() {
    with_own_gpu(GpuOptions::default(), |gpu| {
        let prepared = gpu.prepare(Arc::new(square_add_plan(300))).unwrap();
        let input = upload(gpu, &[2.0; 300]);
        drop(gpu.execute(&prepared, std::slice::from_ref(&input), &[1]).unwrap());

        let before = gpu.counters();
        drop(gpu.execute(&prepared, std::slice::from_ref(&input), &[1]).unwrap());
        let used = gpu.counters().since(before);
        let mut expected = Counters::default();
        (expected.dispatches, expected.passes, expected.submits, expected.buffers_reused) = (2, 1, 1, 2);
        assert_eq!(used, expected);
    });
}

#[test]
fn a_loop_that_feeds_its_result_back_settles() {
    with_own_gpu(GpuOptions::default(), |gpu| {
        let prepared = gpu.prepare(Arc::new(square_plan(8))).unwrap();
        let mut value = upload(gpu, &[1.0; 8]);
        let mut step = || value = gpu.execute(&prepared, &[value.clone()], &[]).unwrap().remove(0);
        (0..4).for_each(|_| step());
        let before = gpu.counters();
        (0..10).for_each(|_| step());
        let used = gpu.counters().since(before);
        assert_eq!((used.bind_groups_built, used.buffers_allocated, used.uniform_writes), (0, 0, 0));
    });
}

#[test]
fn scalars_patch_the_parameters_of_their_run_only() {
    with_gpu(|gpu| {
        let prepared = gpu.prepare(Arc::new(square_add_plan(2))).unwrap();
        let input = upload(gpu, &[1.0, 2.0]);
        // All are submitted before the first is read: the writes of later scalars must not reach earlier runs.
        let runs: Vec<_> =
            (0..20).map(|s| gpu.execute(&prepared, std::slice::from_ref(&input), &[s]).unwrap()).collect();
        for (s, outputs) in runs.iter().enumerate() {
            assert_eq!(download(gpu, &outputs[0]), [1.0 + s as f32, 4.0 + s as f32]);
        }
    });
}

#[test]
fn threads_share_a_prepared_plan() {
    with_gpu(|gpu| {
        let prepared = gpu.prepare(Arc::new(square_add_plan(64))).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4_u32 {
                let prepared = &prepared;
                scope.spawn(move || {
                    for round in 0..25 {
                        let scalar = thread * 1000 + round;
                        let input = upload(gpu, &[thread as f32; 64]);
                        let outputs = gpu.execute(prepared, &[input], &[scalar]).unwrap();
                        assert_eq!(download(gpu, &outputs[0]), [(thread * thread + scalar) as f32; 64]);
                    }
                });
            }
        });
    });
}

#[test]
fn equal_kernels_share_a_pipeline() {
    with_own_gpu(GpuOptions::default(), |gpu| {
        gpu.prepare(Arc::new(square_plan(10))).unwrap();
        gpu.prepare(Arc::new(square_plan(20))).unwrap();
        let counters = gpu.counters();
        assert_eq!((counters.pipelines_built, counters.pipelines_reused), (1, 1));
    });
}

#[test]
fn buffers_return_to_the_pool() {
    with_own_gpu(GpuOptions::default(), |gpu| {
        drop(gpu.alloc(1000).unwrap());
        drop(gpu.alloc(1010).unwrap());
        let buffer = gpu.upload(&[1; 1020]).unwrap();
        let clone = buffer.clone();
        drop(buffer);
        drop(gpu.alloc(1000).unwrap());
        let counters = gpu.counters();
        assert_eq!((counters.buffers_allocated, counters.buffers_reused), (2, 2));
        assert_eq!((clone.size_bytes(), counters.bytes_up), (1020, 1020));
    });
}

#[test]
fn bindings_end_where_the_slot_ends() {
    with_gpu(|gpu| {
        let wgsl = "
            @group(0) @binding(0) var<storage, read> x: array<u32>;
            @group(0) @binding(1) var<storage, read_write> y: array<u32>;
            @group(0) @binding(2) var<uniform> params: vec4<u32>;
            @compute @workgroup_size(1) fn main() { y[0] = arrayLength(&x); y[1] = arrayLength(&y); }";
        let plan = Plan {
            slots: vec![slot(5, SlotRole::Input(0)), slot(2, SlotRole::Output(0))],
            passes: vec![map_pass(&kernel("lengths", wgsl), 0, 1, 1)],
            n_inputs: 1,
            n_outputs: 1,
            n_scalars: 0,
        };
        let prepared = gpu.prepare(Arc::new(plan)).unwrap();
        // The input is larger than the slot, and the pooled buffers are larger than both.
        let outputs = gpu.execute(&prepared, &[gpu.alloc(4000).unwrap()], &[]).unwrap();
        let bytes = pollster::block_on(gpu.read(&outputs[0], 0, 8)).unwrap();
        assert_eq!(bytes, [5, 0, 0, 0, 2, 0, 0, 0]);
    });
}

#[test]
fn overrides_reach_the_kernel() {
    with_gpu(|gpu| {
        let wgsl = "
            override WG: u32 = 1;
            @group(0) @binding(0) var<storage, read_write> y: array<u32>;
            @group(0) @binding(1) var<uniform> params: vec4<u32>;
            var<workgroup> shared_words: array<u32, WG>;
            @compute @workgroup_size(WG) fn main(@builtin(local_invocation_index) i: u32) {
                shared_words[i] = i;
                workgroupBarrier();
                y[i] = shared_words[WG - 1u - i];
            }";
        let source = KernelSource { overrides: vec![("WG", 16)], ..(*kernel("reverse", wgsl)).clone() };
        let pass = Pass {
            kernel: Arc::new(source),
            bindings: vec![Binding { slot: 0, access: Access::Write }],
            params: vec![],
            patches: vec![],
            workgroups: [1, 1, 1],
        };
        let slots = vec![slot(16, SlotRole::Output(0))];
        let plan = Plan { slots, passes: vec![pass], n_outputs: 1, ..Plan::default() };
        let prepared = gpu.prepare(Arc::new(plan)).unwrap();
        let outputs = gpu.execute(&prepared, &[], &[]).unwrap();
        let bytes = pollster::block_on(gpu.read(&outputs[0], 0, 64)).unwrap();
        let words: Vec<u32> = bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
        assert_eq!(words, (0..16).rev().collect::<Vec<u32>>());
    });
}

#[test]
fn a_plan_without_passes_still_gives_its_outputs() {
    with_gpu(|gpu| {
        let plan = Plan {
            slots: vec![slot(3, SlotRole::Input(0)), slot(7, SlotRole::Output(0))],
            n_inputs: 1,
            n_outputs: 1,
            ..Plan::default()
        };
        let prepared = gpu.prepare(Arc::new(plan)).unwrap();
        let outputs = gpu.execute(&prepared, &[upload(gpu, &[0.0; 3])], &[]).unwrap();
        assert_eq!(outputs[0].size_bytes(), 28);
    });
}

#[test]
fn odd_sizes_and_offsets_read_back() {
    with_gpu(|gpu| {
        let bytes: Vec<u8> = (0..=250).collect();
        let buffer = gpu.upload(&bytes).unwrap();
        for (offset, size) in [(0, 251), (1, 1), (3, 5), (5, 0), (250, 1), (251, 0), (2, 249)] {
            let read = pollster::block_on(gpu.read(&buffer, offset, size)).unwrap();
            assert_eq!(read, &bytes[offset as usize..(offset + size) as usize]);
        }
        let empty = gpu.upload(&[]).unwrap();
        assert_eq!(empty.size_bytes(), 0);
        assert_eq!(pollster::block_on(gpu.read(&empty, 0, 0)).unwrap(), []);
    });
}

#[test]
fn checked_and_trusted_agree() {
    for checked in [Checks::Checked, Checks::Trusted] {
        with_own_gpu(GpuOptions { checked, ..GpuOptions::default() }, |gpu| {
            let prepared = gpu.prepare(Arc::new(square_plan(3))).unwrap();
            let outputs = gpu.execute(&prepared, &[upload(gpu, &[1.0, -2.0, 3.0])], &[]).unwrap();
            assert_eq!(download(gpu, &outputs[0]), [1.0, 4.0, 9.0]);
        });
    }
}

#[test]
fn profiling_times_every_pass() {
    with_gpu(|gpu| {
        if !gpu.features_report().iter().any(|name| name == "timestamp_query") {
            return;
        }
        let prepared = gpu.prepare(Arc::new(square_add_plan(100_000))).unwrap();
        let input = upload(gpu, &[3.0; 100_000]);
        let timings = pollster::block_on(gpu.profile(&prepared, &[input], &[1])).unwrap();
        let labels: Vec<&str> = timings.iter().map(|timing| timing.label.as_str()).collect();
        assert_eq!(labels, ["square", "add"]);
        assert!(timings.iter().all(|timing| timing.duration_ns > 0.0), "{timings:?}");
        assert!(timings[1].start_ns >= timings[0].duration_ns, "{timings:?}");
    });
}
