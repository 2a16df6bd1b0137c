//! Functions against what NumPy gave (testdata/numpy), on the CPU and on a GPU, through the door that JavaScript uses.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;
#[path = "numpy/golden.rs"]
mod golden;

use golden::{Case, Group};
use tilework::Device;

/// Runs every case of every group on `device` and lists what went wrong.
fn failures(device: &Device, is_gpu: bool, run: impl Fn(&Device, &Case) -> Result<(), String>) -> Vec<String> {
    let only = std::env::var("TILEWORK_GOLDEN").unwrap_or_default();
    let mut wrong = Vec::new();
    for group in Group::all() {
        for (index, case) in group.cases.iter().enumerate() {
            let name = format!("{}.{index} {case}", group.name);
            if !name.contains(&only) || (is_gpu && !case.runs_on_gpu()) {
                continue;
            }
            if let Err(message) = run(device, case) {
                wrong.push(format!("{name}: {message}"));
            }
        }
    }
    wrong
}

#[track_caller]
fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} cases are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_cpu_gives_what_numpy_gives() {
    assert_none(&failures(&Device::cpu(), false, golden::check));
}

#[test]
fn a_gpu_gives_what_numpy_gives() {
    if let Some(device) = common::gpu() {
        assert_none(&failures(&device, true, golden::check));
    }
}

#[test]
fn gradients_are_what_finite_differences_say() {
    assert_none(&failures(&Device::cpu(), false, |device, case| {
        if case.is_differentiable() { golden::check_gradient(device, case) } else { Ok(()) }
    }));
}
