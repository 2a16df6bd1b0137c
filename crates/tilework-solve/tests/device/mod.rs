//! The device that tests run on.

use tilework_gpu::{Gpu, GpuOptions, probe_double_float};
use tilework_solve::gpu::Precision;

/// Opens a device; says so and gives none where there is none, which on a machine that must have one is a failure.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
pub(crate) fn open() -> Option<Gpu> {
    match pollster::block_on(Gpu::open(GpuOptions::default())) {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "CI must have an adapter: {error}");
            eprintln!("skipped: {error}");
            None
        }
    }
}

/// Double-floats as the device computes them right.
pub(crate) fn double_float(gpu: &Gpu) -> Precision {
    pollster::block_on(probe_double_float(gpu)).unwrap().precision()
}
