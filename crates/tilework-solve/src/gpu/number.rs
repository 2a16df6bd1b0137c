//! What kernels compute with: a precision as the builder of kernels and the host see it.

use tilework_core::Result;
use tilework_core::emit::{Element, KernelBuilder, NUMBER_F32};
use tilework_gpu::Gpu;

/// How numbers are computed and stored on a GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// Single floats.
    #[default]
    F32,
}

impl Precision {
    /// Fails if the device cannot compute so.
    pub(crate) fn check(self, _gpu: &Gpu) -> Result<()> {
        Ok(())
    }

    /// Bytes of a stored number.
    pub(crate) fn n_bytes(self) -> usize {
        match self {
            Precision::F32 => 4,
        }
    }

    /// A stored number.
    pub(crate) fn element(self) -> Element {
        match self {
            Precision::F32 => Element { stored: "f32", value: "Num", load: "num_load", store: "num_store" },
        }
    }

    /// A single float, as a number of this precision.
    pub(crate) fn single(self) -> Element {
        Element { stored: "f32", value: "Num", load: "num_of", store: "num_to_f32" }
    }

    /// A kernel in this precision.
    pub(crate) fn builder(self, label: impl Into<String>) -> KernelBuilder {
        let (module, to_f32) = match self {
            Precision::F32 => (NUMBER_F32, "fn num_to_f32(x: Num) -> f32 {\n    return x;\n}"),
        };
        KernelBuilder::new(label).number_module(module).prelude(to_f32)
    }

    /// The bytes of `values` as they are stored.
    pub(crate) fn to_bytes(self, values: impl IntoIterator<Item = f64>) -> Vec<u8> {
        match self {
            Precision::F32 => values.into_iter().flat_map(|value| (value as f32).to_le_bytes()).collect(),
        }
    }

    /// The numbers of stored bytes.
    pub(crate) fn from_bytes(self, bytes: &[u8]) -> Vec<f64> {
        match self {
            Precision::F32 => singles(bytes).map(f64::from).collect(),
        }
    }
}

/// The single floats of `bytes`.
pub(crate) fn singles(bytes: &[u8]) -> impl Iterator<Item = f32> + '_ {
    bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned)
}
