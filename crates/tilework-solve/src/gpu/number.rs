//! A precision as builders of kernels see it.

use tilework_core::emit::{Element, KernelBuilder, Precision};
use tilework_core::{Error, ErrorKind, Result};
use tilework_gpu::Gpu;

/// Numbers of `precision` in a buffer.
pub(crate) fn element(precision: Precision) -> Element {
    Element { stored: precision.storage_type(), value: "Num", load: "num_load", store: "num_store" }
}

/// Single floats in a buffer, numbers of any precision in the kernel.
pub(crate) const ROUNDED: Element = Element { stored: "f32", value: "Num", load: "num_of", store: "num_head" };

/// A kernel that computes in `precision`.
pub(crate) fn kernel(precision: Precision, label: impl Into<String>) -> KernelBuilder {
    KernelBuilder::new(label).precision(precision)
}

/// Fails if the device cannot compute so.
pub(crate) fn check(gpu: &Gpu, precision: Precision) -> Result<()> {
    if precision == Precision::F64 && !gpu.caps().shader_f64 {
        let message = format!("{} computes no doubles in kernels; use df64", gpu.info().name);
        return Err(Error::new(ErrorKind::Unsupported, "precision", message));
    }
    Ok(())
}

/// The part of a cost below which differences are rounding, and the part below which they may be: residuals are themselves differences of
/// larger numbers.
pub(crate) fn rounding_and_noise(precision: Precision) -> [f32; 2] {
    match precision {
        Precision::F32 => [2e-6, 1e-4],
        Precision::Df64(_) => [3e-13, 1e-8],
        Precision::F64 => [1e-14, 1e-9],
    }
}

/// The single floats of `bytes`.
pub(crate) fn singles(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect()
}
