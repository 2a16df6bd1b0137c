//! Neural networks on Tilework's arrays: model files, tokenizers, models and training.
//!
//! - [`Weights`] holds the arrays of a model by name, as PyTorch names them, read from safetensors or `.npz`.
//! - [`Embedder`] turns texts into vectors that are close where meanings are.
//! - [`gguf`] reads, writes and quantizes the files of language models.
//! - [`llm`] is language models themselves.
//! - [`tokenize`] turns text into the numbers that language models read.
//! - [`sample`] chooses the next token of a language model from its logits.
//! - [`grammar`] keeps what it writes to a form, such as that of a JSON schema.
//! - [`chat`] turns conversations into prompts and finds the end of answers.
//! - [`generate`] puts these together: from a request to an answer.
//! - [`models`] has one file per model: what its weights are called and what it computes.
//! - [`Trainer`] trains a [`Network`] by the engine's own gradients, with an optimizer of [`Rule`]; [`Classifier`] runs one.
//! - [`pixels`] is models as pictures: PNG files that are the weights, bit for bit.
//! - [`served`] is all of them behind one door, for pages.
//! - [`digits`] is the data of handwritten digits, and how a drawing becomes one of them.
//!
//! Nothing here opens a file or asks for the time: callers bring bytes, so that the same code runs in a browser.

// What only training and encoders use stays without its users where they are left out.
#![cfg_attr(not(all(feature = "train", feature = "encoders")), allow(dead_code))]

pub mod chat;
mod classify;
pub mod digits;
mod embed;
pub mod generate;
pub mod gguf;
pub mod grammar;
pub mod llm;
pub mod models;
mod network;
mod optimize;
pub mod pixels;
pub mod sample;
pub mod served;
pub mod tokenize;
#[cfg(feature = "train")]
mod train;
mod weights;

pub use classify::{Classifier, most_likely};
pub use embed::{Embedder, EmbedderFiles, EmbedderSettings, TokenizerFile};
pub use network::{Network, Parameter};
pub use optimize::Rule;
#[cfg(feature = "train")]
pub use train::{TrainOptions, Trainer, cosine_rate};
pub use weights::Weights;
