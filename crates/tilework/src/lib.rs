//! NumPy-style arrays on any GPU, in any browser and on the CPU.
//!
//! ```
//! # fn main() -> tilework::Result<()> {
//! # pollster::block_on(async {
//! use tilework::Device;
//!
//! let device = Device::cpu(); // or Device::gpu().await?, or Device::auto().await
//! let x = device.linspace(0.0, 1.0, 5);
//! let y = (&x * 2.0).sin() + 1.0; // nothing has run yet: this is one fused kernel
//! assert_eq!(y.shape(), [5]);
//! let values: Vec<f32> = y.to_vec().await?;
//! assert!((values[4] - (2.0f32.sin() + 1.0)).abs() < 1e-6);
//!
//! let slope = device.grad(|x| (x * x).sum([]), &x)?; // 2x
//! assert_eq!(slope.to_vec::<f32>().await?[4], 2.0);
//! # Ok(())
//! # })
//! # }
//! ```
//!
//! - [`Device`] says where: `cpu()`, `gpu()`, or `auto()`, which measures and chooses.
//! - [`Array`] is a handle to something that will be computed. Its methods have NumPy's names. Only opening a device and reading
//!   results are `async`, because only those must wait in a browser.
//! - A mistake (shapes that do not fit, an axis out of range) does not stop the program where it was made: the array carries the
//!   error and so does everything computed from it, until [`Array::check`], [`Array::eval`] or a read returns it. It names the
//!   operation and the shapes.
//! - [`Device::grad`] differentiates any function of arrays; [`Device::capture`] turns one into a [`Program`] that is planned once
//!   and replayed.

mod array;
mod cache;
mod calibrate;
mod call;
#[cfg(target_arch = "wasm32")]
pub mod clock;
mod device;
mod grad;
mod inspect;
#[cfg(feature = "files")]
pub mod io;
#[cfg(feature = "extended")]
pub mod linalg;
#[cfg(feature = "numpy")]
mod numpy;
mod peak;
#[cfg(any(not(target_arch = "wasm32"), feature = "pictures"))]
pub mod picture;
#[cfg(not(any(not(target_arch = "wasm32"), feature = "pictures")))]
#[path = "picture/absent.rs"]
mod picture;
mod placement;
mod program;
#[cfg(feature = "extended")]
pub mod random;
mod run;
mod schedule;
mod self_check;
mod tune;
mod value;
mod warnings;

pub use array::{Array, ConvOptions, Element, Operand, Range, Unique};
pub use call::Input;
#[cfg(feature = "numpy")]
pub use call::{Function, FunctionKind};
pub use device::{Device, SoftwareAdapters, Stats};
pub use num_complex::Complex;
#[cfg(feature = "numpy")]
pub use numpy::arranging::{
    Arange, BitOrder, Bounds, Endpoint, Ends, Index, IntoIndices, Meshes, Pad, PadMode, Parity, Piece, SortOptions,
    Spacing, TakeOptions, broadcast_shapes,
};
#[cfg(feature = "numpy")]
pub use numpy::{
    Bins, Closeness, ConvolveMode, CovOptions, EdgeOrder, Fractions, GradientOptions, Histogram, Histogram2d,
    HistogramOptions, HistogramScale, InterpOptions, NanEquality, PolyDiv, QuantileMethod, QuantileOptions,
    SampleSpacing, Variables,
};
pub use peak::Peak;
#[cfg(any(not(target_arch = "wasm32"), feature = "pictures"))]
pub use picture::{Picture, PictureKind};
pub use program::Program;
#[cfg(feature = "extended")]
pub use random::Random;
pub use self_check::{SelfCheck, self_check};
pub use tilework_core::dtype::{DType, DTypeKind};
pub use tilework_core::half::{Bfloat, Half};
pub use tilework_core::plan::Choice;
pub use tilework_core::quant;
pub use tilework_core::shape::KeepAxes;
pub use tilework_core::{Error, ErrorKind, Result};
pub use tilework_gpu::{
    AdapterChoice, AdapterInfo, AdapterKind, Checks, Counters, DoubleFloat, Gpu, GpuOptions, PassTiming,
    probe_double_float,
};
pub use tilework_ops::ops::attention::{Attention, Mask as AttentionMask};
pub use tilework_ops::ops::conv::Window;
pub use tilework_ops::ops::fft::Norm;
pub use tilework_ops::ops::neighborhood_attention::NeighborhoodAttention;
#[cfg(feature = "language")]
pub use tilework_ops::ops::packed_linear::{Gate, PackedLinear};
#[cfg(feature = "language")]
pub use tilework_ops::ops::packed_rows::PackedRows;
pub use tilework_ops::ops::pool::PoolWindow;
pub use tilework_ops::ops::reduce::Combine;
pub use tilework_ops::ops::rope::{Pairing as RopePairing, RopeFrequencies, RopeScaling};
pub use tilework_ops::ops::scan::{Direction, Reach};
pub use tilework_ops::ops::searchsorted::Side;
pub use tilework_ops::ops::sort::Order;
pub use tune::Tuned;

/// The layers below, for those who build on them: expressions, emission, operations and their cases.
pub mod layers {
    pub use tilework_core as core;
    pub use tilework_ops as ops;
    pub use tilework_vm as vm;
}

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
