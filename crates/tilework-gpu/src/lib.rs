//! The WebGPU machine.
