//! Neural networks on Tilework's arrays: model files, tokenizers, models and training.
//!
//! - [`Weights`] holds the arrays of a model by name, as PyTorch names them, read from safetensors or `.npz`.
//! - [`Embedder`] turns texts into vectors that are close where meanings are.
//! - [`tokenize`] turns text into the numbers that language models read.
//! - [`models`] has one file per model: what its weights are called and what it computes.
//!
//! Nothing here opens a file or asks for the time: callers bring bytes, so that the same code runs in a browser.

mod embed;
pub mod models;
pub mod tokenize;
mod weights;

pub use embed::{Embedder, EmbedderFiles, TokenizerFile};
pub use weights::Weights;
