//! Handwritten digits: the files of MNIST, batches to train on, and how a drawing becomes such an image.

mod batches;
mod idx;
mod prepare;

pub use batches::{Batch, Batches, Shift};
pub use idx::Digits;
pub use prepare::{Gray, prepare};

/// Height and width of an image.
pub const SIZE: usize = 28;
/// Pixels of an image.
pub const N_PIXELS: usize = SIZE * SIZE;

/// A byte of ink as the networks see it: 0 is paper, 1 is ink.
pub const fn ink(byte: u8) -> f32 {
    byte as f32 / 255.0
}
