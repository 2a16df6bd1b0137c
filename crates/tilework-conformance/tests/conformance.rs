//! Every case on the CPU and on a GPU (software Vulkan will do), trusted and checked, and with guard words.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use pollster::block_on;
use tilework::{Checks, Device, ErrorKind, GpuOptions, Result};
use tilework_conformance::{Options, Report, run};

/// Passes if nothing failed and enough was run for that to mean something.
fn assert_all_passed(report: &Report) {
    let failures: Vec<String> = report.failures.iter().map(|f| format!("{}: {}", f.case, f.message)).collect();
    assert!(
        failures.is_empty(),
        "{} of {} failed on {}:\n{}",
        report.failed,
        report.passed + report.failed,
        report.device,
        failures.join("\n")
    );
    assert!(report.passed > 300, "only {} cases ran", report.passed);
}

fn on_gpu(open: impl AsyncFnOnce() -> Result<Device>) -> Option<Device> {
    match block_on(open()) {
        Ok(device) => Some(device),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::NoDevice, "{error}");
            assert!(std::env::var_os("CI").is_none(), "CI needs a GPU, if only software Vulkan: {error}");
            eprintln!("skipped: {error}");
            None
        }
    }
}

#[test]
fn cpu() {
    assert_all_passed(&block_on(run(&Device::cpu(), &Options::default(), &mut |_| {})));
}

#[test]
fn gpu() {
    if let Some(device) = on_gpu(Device::gpu) {
        let report = block_on(run(&device, &Options::default(), &mut |_| {}));
        assert_all_passed(&report);
        assert_eq!(device.stats().on_cpu, 0, "nothing ran on the CPU instead");
    }
}

/// Where an operand lies changes neither how a kernel loops nor what it writes, and software Vulkan takes minutes to compile them all.
fn without_pictures() -> Options {
    Options { filter: "!from a picture".to_owned(), ..Options::default() }
}

#[test]
fn gpu_checked() {
    let options = GpuOptions { checked: Checks::Checked, ..GpuOptions::default() };
    if let Some(device) = on_gpu(async || Device::gpu_with(options).await) {
        assert_all_passed(&block_on(run(&device, &without_pictures(), &mut |_| {})));
    }
}

#[test]
fn gpu_writes_nothing_past_its_outputs() {
    if let Some(device) = on_gpu(async || Device::gpu_guarded(GpuOptions::default()).await) {
        assert_all_passed(&block_on(run(&device, &without_pictures(), &mut |_| {})));
    }
}
