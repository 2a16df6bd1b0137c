//! Devices for tests.

#![allow(dead_code, reason = "every test file uses some of it")]

pub(crate) mod linear;

use tilework::{Device, ErrorKind};

/// A GPU (a software adapter will do). Without any, tests are skipped on a laptop and fail in CI.
pub(crate) fn gpu() -> Option<Device> {
    match pollster::block_on(Device::gpu()) {
        Ok(device) => Some(device),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::NoDevice, "{error}");
            assert!(std::env::var_os("CI").is_none(), "CI needs a GPU, if only software Vulkan: {error}");
            eprintln!("skipped: {error}");
            None
        }
    }
}

/// The CPU and, where there is one, a GPU.
pub(crate) fn devices() -> Vec<Device> {
    [Some(Device::cpu()), gpu()].into_iter().flatten().collect()
}

#[track_caller]
pub(crate) fn assert_close(got: &[f32], want: &[f32], tolerance: f32) {
    assert_eq!(got.len(), want.len());
    for (i, (g, w)) in got.iter().zip(want).enumerate() {
        let same = g == w || (g.is_nan() && w.is_nan()) || (g - w).abs() <= tolerance * w.abs().max(1.0);
        assert!(same, "element {i}: {g} for {w}");
    }
}
