//! The WebGPU machine: runs [`tilework_core::plan::Plan`]s and knows no operation by name.
//!
//! One code path serves Vulkan, Metal and DirectX 12 natively and WebGPU in browsers. What differs is small and local:
//! who compiles WGSL (`trusted`), when the driver's verdict on a kernel arrives (`scopes`) and how to wait
//! (`readback`).
//!
//! A run costs one command encoder, one compute pass and one submit, however many dispatches the Plan has. Everything
//! that can be kept between runs is kept: pipelines by kernel text (`pipeline_cache`), buffers by size class
//! (`buffer_pool`), parameter blocks and bind groups inside [`Prepared`]. [`Counters`] make that a promise a test can
//! check.
//!
//! Nothing here panics for what a caller can send, and no wgpu type is part of the public API. A lost device answers
//! every call with [`ErrorKind::DeviceLost`](tilework_core::ErrorKind::DeviceLost); open a new [`Gpu`] and go on.

mod adapter;
mod buffer_pool;
mod counters;
mod device;
mod disk_cache;
mod execute;
mod limits;
mod lost;
mod memory;
mod oneshot;
mod pipeline_cache;
mod prepared;
mod probe;
mod profiler;
mod readback;
mod scopes;
mod sync;
#[cfg(any(not(target_arch = "wasm32"), feature = "pictures"))]
mod texture;
mod trusted;
mod uniform;

pub use adapter::{AdapterChoice, AdapterInfo, AdapterKind};
pub use buffer_pool::Buffer;
pub use counters::Counters;
pub use device::{Checks, Gpu, GpuOptions};
pub use memory::Memory;
pub use prepared::Prepared;
pub use probe::{DoubleFloat, probe_double_float};
pub use profiler::PassTiming;
#[cfg(any(not(target_arch = "wasm32"), feature = "pictures"))]
pub use texture::{Rect, Texture};
