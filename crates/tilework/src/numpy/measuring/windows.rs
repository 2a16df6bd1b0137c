//! Windows for spectra: rows that rise from an edge to 1 in the middle and fall again.

use crate::array::Array;
use crate::device::Device;
use std::f64::consts::PI;

impl Device {
    /// A triangle that is 0 at both ends.
    pub fn bartlett(&self, n: usize) -> Array {
        self.window(n, |t| 1.0 - t.abs())
    }

    /// Blackman's window: three terms of cosines.
    pub fn blackman(&self, n: usize) -> Array {
        self.window(n, |t| (t * PI).cos() * 0.5 + (t * (2.0 * PI)).cos() * 0.08 + 0.42)
    }

    /// Hamming's window: a cosine that is not quite 0 at the ends.
    pub fn hamming(&self, n: usize) -> Array {
        self.window(n, |t| (t * PI).cos() * 0.46 + 0.54)
    }

    /// Hann's window: a cosine that is 0 at the ends.
    pub fn hanning(&self, n: usize) -> Array {
        self.window(n, |t| (t * PI).cos() * 0.5 + 0.5)
    }

    /// Kaiser's window; `beta` says how narrow it is.
    pub fn kaiser(&self, n: usize, beta: f64) -> Array {
        self.window(n, |t| (((t.neg() + 1.0) * (t + 1.0)).maximum(0.0).sqrt() * beta).i0() / self.scalar(beta).i0())
    }

    /// A function of −1 to 1 at `n` points; a single point is a window of 1.
    fn window(&self, n: usize, shape: impl FnOnce(&Array) -> Array) -> Array {
        if n == 1 {
            return self.ones([1]);
        }
        let last = n.saturating_sub(1).max(1) as f64;
        // Twice the place minus the last is whole, so that both halves are the same.
        let place = (self.arange(n).to_f32() * 2.0 - last) / last;
        shape(&place)
    }
}
