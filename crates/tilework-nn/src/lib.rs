//! Neural networks on Tilework's arrays: model files, tokenizers, models and training.
//!
//! - [`Weights`] holds the arrays of a model by name, as PyTorch names them, read from safetensors or `.npz`.
//! - [`models`] has one file per model: what its weights are called and what it computes.
//!
//! Nothing here opens a file or asks for the time: callers bring bytes, so that the same code runs in a browser.

pub mod models;
mod weights;

pub use weights::Weights;
