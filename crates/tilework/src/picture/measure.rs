//! Buffer or texture? A measurement decides.
//!
//! The work that pictures are for is a layer: vectors, one or many, times weights. Both are timed with the weights in a buffer and in a
//! texture, once per adapter; the answer is kept with the other choices of kernels, natively in the user's cache folder and in
//! browsers by the page.

use super::PictureKind;
use crate::device::Device;
use crate::tune::Tuned;
use tilework_core::plan::Choice;
use tilework_core::{Error, ErrorKind, Result};

/// What choices call this one.
const OP: &str = "picture";
/// Their names for the two.
const BUFFER: &str = "buffer";
const TEXTURE: &str = "texture";
/// Rows and columns of the weights.
const N: usize = 1024;
/// Vectors that meet them: a single one, and a batch.
const BATCHES: [usize; 2] = [1, 64];

impl Device {
    /// Finds out whether pictures are faster as buffers or as textures on this device's GPU, and from now on opens pictures of kind
    /// [`PictureKind::Measured`] so. Takes a fraction of a second on a GPU; nothing if it is known already.
    ///
    /// Fails with [`ErrorKind::Unsupported`] on a device without a GPU.
    pub async fn measure_pictures(&self) -> Result<PictureKind> {
        if self.open_gpu().is_none() {
            return Err(Error::new(ErrorKind::Unsupported, "measure", "only on a GPU is a picture more than memory"));
        }
        if !self.choices().iter().any(|choice| choice.op == OP) {
            let tuned = self.time_pictures().await?;
            let variant = tuned.fastest().to_owned();
            let mut choices = self.choices();
            choices.push(Choice { op: tuned.op, sizes: tuned.sizes, variant });
            self.set_choices(choices);
            self.save_choices();
        }
        Ok(self.measured_kind())
    }

    /// What an earlier measurement found.
    pub(super) fn measured_kind(&self) -> PictureKind {
        let is_texture = |choice: &Choice| choice.op == OP && choice.variant == TEXTURE;
        if self.choices().iter().any(is_texture) { PictureKind::Texture } else { PictureKind::Buffer }
    }

    /// Seconds for a vector and for a batch, in sum, from either.
    pub(crate) async fn time_pictures(&self) -> Result<Tuned> {
        let mut times_s = Vec::new();
        for (name, kind) in [(BUFFER, PictureKind::Buffer), (TEXTURE, PictureKind::Texture)] {
            let words: Vec<u32> = (0..N * N).map(|i| (i as f32 / N as f32).sin().to_bits()).collect();
            let picture = self.picture(words, N, N, kind)?;
            let mut total_s = 0.0;
            for m in BATCHES {
                let x = self.arange(m * N).to_f32().reshape([m, N]);
                x.eval().await?;
                total_s += self.fastest_run(&|| x.matmul(&picture.view_f32(0, 0, N, N).t()), 0.1).await?;
            }
            times_s.push((name, total_s));
        }
        Ok(Tuned { op: OP.to_owned(), sizes: vec![N, N], times_s })
    }
}
