//! Convolutions and correlations of rows.
//!
//! Floats go through the convolution kernel or, where the shorter row is long, through Fourier transforms, whose rounding is relative
//! to the largest element. Integers are summed exactly, over windows that are written out.

use super::settled;
use crate::array::{Array, ConvOptions};
use tilework_core::dtype::DType;
use tilework_core::{Error, Result};
use tilework_ops::ops::conv::Window;
use tilework_ops::ops::fft::Norm;

/// Which part of a convolution is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConvolveMode {
    /// Wherever the rows overlap.
    Full,
    /// As many elements as the longer row has, from the middle.
    Same,
    /// Where the shorter row lies within the longer one.
    Valid,
}

impl ConvolveMode {
    /// Every mode with its name in NumPy.
    pub const ALL: [(&'static str, ConvolveMode); 3] =
        [("full", ConvolveMode::Full), ("same", ConvolveMode::Same), ("valid", ConvolveMode::Valid)];
}

/// From this length of the shorter row on, Fourier transforms are faster on every device.
const N_FOURIER: usize = 1024;

impl Array {
    /// `y_k = Σ_j a_j·v_(k−j)`, for two rows.
    pub fn convolve(&self, v: &Array, mode: ConvolveMode) -> Array {
        settled(
            self,
            rows("convolve", self, v).map(|n_short| {
                let full = full_convolution(self, v);
                part(&full, [self.size(), v.size()], mode, (n_short - 1) / 2)
            }),
        )
    }

    /// `y_k = Σ_j a_(k+j)·v_j`, for two rows.
    pub fn correlate(&self, v: &Array, mode: ConvolveMode) -> Array {
        settled(
            self,
            rows("correlate", self, v).map(|n_short| {
                let full = full_convolution(self, &v.flip([0]));
                // The middle of an even number of elements is the one nearer to the longer row's start.
                let skipped = if v.size() > self.size() { n_short / 2 } else { (n_short - 1) / 2 };
                part(&full, [self.size(), v.size()], mode, skipped)
            }),
        )
    }
}

/// Length of the shorter row.
fn rows(op: &str, a: &Array, v: &Array) -> Result<usize> {
    let (n, m) = (a.node()?.shape().n_elements(), v.node()?.shape().n_elements());
    if a.ndim() != 1 || v.ndim() != 1 || n == 0 || m == 0 {
        let message = format!("needs two rows with elements, got {:?} and {:?}", a.shape(), v.shape());
        return Err(Error::shape(op, message));
    }
    Ok(n.min(m))
}

fn part(full: &Array, sizes: [usize; 2], mode: ConvolveMode, n_skipped: usize) -> Array {
    let (long, short) = (sizes[0].max(sizes[1]), sizes[0].min(sizes[1]));
    let (start, n) = match mode {
        ConvolveMode::Full => return full.clone(),
        ConvolveMode::Same => (n_skipped, long),
        ConvolveMode::Valid => (short - 1, long - short + 1),
    };
    full.slice(0, start as isize..(start + n) as isize)
}

fn full_convolution(a: &Array, v: &Array) -> Array {
    let dtype = a.dtype().promote(v.dtype());
    let dtype = if dtype == DType::Bool { DType::I32 } else { dtype };
    let (a, v) = (a.cast(dtype), v.cast(dtype));
    let (long, short) = if a.size() >= v.size() { (a, v) } else { (v, a) };
    if !dtype.is_float() {
        windows(&long, &short)
    } else if short.size() >= N_FOURIER {
        by_fourier(&long, &short)
    } else {
        let padding = vec![short.size() - 1];
        let options = ConvOptions { window: Window { padding, ..Window::default() }, ..ConvOptions::default() };
        long.reshape([1, 1, long.size()])
            .conv1d(&short.flip([0]).reshape([1, 1, short.size()]), None, &options)
            .flatten()
    }
}

/// The sum of products with every window of the longer row.
fn windows(long: &Array, short: &Array) -> Array {
    let (n, m) = (long.size(), short.size());
    let device = long.device();
    let zeros = device.full_of([m - 1], 0.0, long.dtype());
    let padded = device.concat(&[&zeros, long, &zeros], 0);
    let places = device.arange(n + m - 1).reshape([n + m - 1, 1]) + device.arange(m);
    (padded.take(&places, 0) * short.flip([0])).sum([1])
}

fn by_fourier(long: &Array, short: &Array) -> Array {
    let n = long.size() + short.size() - 1;
    let n_points = n.next_power_of_two();
    let spectrum = |x: &Array| x.resized(n_points, 0, "convolve").rfft(0, Norm::Backward);
    (spectrum(long) * spectrum(short)).irfft(n_points, 0, Norm::Backward).slice(0, ..n as isize)
}
