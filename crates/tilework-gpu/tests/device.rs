//! Adapters, reports, device loss and the pipeline cache on disk.

mod common;

use std::sync::Arc;

use common::{download, square_add_plan, square_plan, upload, with_gpu, with_own_gpu};
use tilework_core::ErrorKind;
use tilework_gpu::{AdapterChoice, AdapterKind, Gpu, GpuOptions};

#[test]
fn adapters_are_described_and_can_be_chosen() {
    let adapters = pollster::block_on(Gpu::adapters());
    for (index, info) in adapters.iter().enumerate() {
        assert!(!info.name.is_empty());
        assert_eq!(info.software, info.kind == AdapterKind::Software);
        with_own_gpu(GpuOptions { adapter: AdapterChoice::Index(index), ..GpuOptions::default() }, |gpu| {
            assert_eq!(gpu.info(), info);
            let prepared = gpu.prepare(Arc::new(square_plan(5))).unwrap();
            let outputs = gpu.execute(&prepared, &[upload(gpu, &[2.0; 5])], &[]).unwrap();
            assert_eq!(download(gpu, &outputs[0]), [4.0; 5], "{}", info.name);
        });
    }
}

#[test]
fn limits_reach_the_floor() {
    with_gpu(|gpu| {
        let caps = gpu.caps();
        assert!(caps.max_storage_buffers >= 8 && caps.max_binding_bytes >= 128 << 20);
        assert!(caps.max_workgroup_memory_bytes >= 16 << 10 && caps.max_invocations >= 256);
        assert!(caps.max_workgroups >= 65_535);
        assert_eq!(caps.software, gpu.info().software);
        let reported = gpu.limits_report();
        assert!(reported.contains(&("maxStorageBuffersPerShaderStage", caps.max_storage_buffers.into())));
        assert_eq!(caps.shader_f64, gpu.features_report().iter().any(|name| name == "shader_f64"));
    });
}

#[test]
fn a_lost_device_is_an_error_and_a_new_one_goes_on() {
    with_own_gpu(GpuOptions::default(), |gpu| {
        let n = 1 << 20;
        let prepared = gpu.prepare(Arc::new(square_add_plan(n))).unwrap();
        let input = upload(gpu, &vec![2.0; n]);
        let outputs = gpu.execute(&prepared, std::slice::from_ref(&input), &[1]).unwrap();
        assert!(!gpu.is_lost());
        gpu.nudge();
        gpu.destroy();
        gpu.destroy();
        assert!(gpu.is_lost());
        // Somebody who still waits may still nudge.
        gpu.nudge();

        let errors = [
            pollster::block_on(gpu.read(&outputs[0], 0, 4)).unwrap_err(),
            pollster::block_on(gpu.finish()).unwrap_err(),
            pollster::block_on(gpu.profile(&prepared, std::slice::from_ref(&input), &[1])).unwrap_err(),
            gpu.execute(&prepared, &[input], &[1]).unwrap_err(),
            gpu.prepare(Arc::new(square_plan(1))).unwrap_err(),
            gpu.upload(&[1]).unwrap_err(),
            gpu.alloc(1).unwrap_err(),
        ];
        for error in errors {
            assert_eq!(error.kind(), ErrorKind::DeviceLost);
            assert!(error.message().contains("open a new device"), "{error}");
        }
        with_own_gpu(GpuOptions::default(), |again| {
            let prepared = again.prepare(Arc::new(square_plan(1))).unwrap();
            let outputs = again.execute(&prepared, &[upload(again, &[3.0])], &[]).unwrap();
            assert_eq!(download(again, &outputs[0]), [9.0]);
        });
    });
}

#[test]
fn losing_the_device_under_a_working_thread_ends_it_with_an_error() {
    with_own_gpu(GpuOptions::default(), |gpu| {
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let n = 1 << 16;
                loop {
                    let step = || {
                        let prepared = gpu.prepare(Arc::new(square_plan(n)))?;
                        let input = gpu.upload(bytemuck::cast_slice(&vec![2.0_f32; n]))?;
                        let outputs = gpu.execute(&prepared, &[input], &[])?;
                        pollster::block_on(gpu.read(&outputs[0], 0, 4))
                    };
                    match step() {
                        Ok(bytes) => assert_eq!(bytes, 4.0_f32.to_le_bytes()),
                        Err(error) => return error,
                    }
                }
            });
            std::thread::sleep(std::time::Duration::from_millis(50));
            gpu.destroy();
            assert_eq!(worker.join().unwrap().kind(), ErrorKind::DeviceLost);
        });
    });
}

#[test]
fn finish_returns_when_there_is_nothing_to_wait_for() {
    with_gpu(|gpu| pollster::block_on(gpu.finish()).unwrap());
}

#[test]
fn pipelines_are_kept_on_disk() {
    let folder = std::env::temp_dir().join(format!("tilework-gpu-test-{}", std::process::id()));
    let options = GpuOptions { disk_cache: Some(folder.clone()), ..GpuOptions::default() };
    for _ in 0..2 {
        with_own_gpu(options.clone(), |gpu| {
            let prepared = gpu.prepare(Arc::new(square_plan(2))).unwrap();
            let outputs = gpu.execute(&prepared, &[upload(gpu, &[3.0, 4.0])], &[]).unwrap();
            assert_eq!(download(gpu, &outputs[0]), [9.0, 16.0]);
            gpu.save_pipeline_cache().unwrap();
            let has_cache = gpu.features_report().iter().any(|name| name == "pipeline_cache");
            assert_eq!(folder.read_dir().is_ok_and(|mut files| files.next().is_some()), has_cache);
        });
    }
    // A damaged file is ignored.
    for file in folder.read_dir().into_iter().flatten().flatten() {
        std::fs::write(file.path(), b"not a cache").unwrap();
    }
    with_own_gpu(options, |gpu| drop(gpu.prepare(Arc::new(square_plan(2))).unwrap()));
    let _ = std::fs::remove_dir_all(folder);
}
