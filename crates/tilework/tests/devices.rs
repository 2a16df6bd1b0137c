//! Devices that are lost, refused, or chosen by measurement.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use common::gpu;
use pollster::block_on;
use tilework::{AdapterChoice, Device, ErrorKind, GpuOptions, SoftwareAdapters, self_check};

#[test]
fn a_lost_device_is_an_error_and_work_goes_on_after_reopening() {
    let Some(d) = gpu() else { return };
    let x = d.array(vec![1.0f32, 2.0, 3.0], [3]);
    let pending = (&x * 2.0).sin();
    block_on((&x + 1.0).eval()).unwrap();
    d.open_gpu().unwrap().destroy();
    let error = block_on(pending.to_vec::<f32>()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DeviceLost, "{error}");
    block_on(d.reopen()).unwrap();
    // Host data is still there, and so is the graph.
    let values = block_on(pending.to_vec::<f32>()).unwrap();
    assert!((values[0] - 2f32.sin()).abs() < 1e-6);
}

#[test]
fn an_adapter_that_does_not_exist_is_refused_by_name() {
    let options = GpuOptions { adapter: AdapterChoice::Named("no such adapter".to_owned()), ..GpuOptions::default() };
    let error = block_on(Device::gpu_with(options)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoDevice);
    assert!(error.to_string().contains("no such adapter"), "{error}");
}

#[test]
fn automatic_placement_does_not_mistake_software_for_a_gpu() {
    let d = block_on(Device::auto());
    let y = d.linspace(0.0, 1.0, 100_000).sin().sum([]);
    block_on(y.eval()).unwrap();
    let is_software = d.adapter().is_none_or(|info| info.software);
    if is_software {
        assert_eq!(d.stats().on_gpu, 0);
    }
}

#[test]
fn a_measured_software_adapter_loses_to_the_cpu() {
    let Some(gpu) = gpu() else { return };
    if !gpu.adapter().unwrap().software {
        return;
    }
    let options = GpuOptions { adapter: AdapterChoice::Software, ..GpuOptions::default() };
    let d = block_on(Device::auto_with(options, SoftwareAdapters::Consider));
    let a = d.array(vec![0.5f32; 256 * 256], [256, 256]);
    for work in [a.matmul(&a), (&a * 2.0).sin().exp(), a.sum([])] {
        block_on(work.eval()).unwrap();
    }
    assert_eq!(d.stats().on_cpu, 3, "{:?}", d.stats());
}

#[test]
fn the_self_check_agrees() {
    for d in common::devices() {
        let check = block_on(self_check(&d)).unwrap();
        assert!(check.passed(), "{check:?}");
        assert!(check.checks.len() >= 5);
    }
}

#[test]
fn arrays_of_different_devices_do_not_mix() {
    let (a, b) = (Device::cpu(), Device::cpu());
    let error = block_on(a.eval(&[&b.ones([2])])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Argument);
    let sum = a.ones([2]) + &b.array(vec![1.0f32, 2.0], [2]);
    assert_eq!(block_on(sum.to_vec::<f32>()).unwrap(), [2.0, 3.0], "host data may be used anywhere");
}

#[test]
fn results_are_the_same_bits_every_time() {
    for d in common::devices() {
        let x = d.array((0..50_000).map(|i| (i as f32 * 0.7).sin()).collect::<Vec<_>>(), [50_000]);
        let run = || block_on(((&x * 1.1).exp().sum([])).to_vec::<f32>()).unwrap()[0].to_bits();
        let first = run();
        assert!((0..3).all(|_| run() == first));
    }
}
