//! Fourier transforms.
//!
//! Points are complex arrays; real ones are taken as such. A transform of a real array knows that it is real ([`Array::rfft`]) or not
//! ([`Array::fft`]). The operation below works on pairs of floats, see [`Array::as_pairs`].

use super::Array;
use crate::device::Device;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
use tilework_ops::graph;
use tilework_ops::ops::fft::{Direction, Fft, Form, Norm};

impl Array {
    /// Fourier transform along `axis`: `Y[k] = Σ x[j]·e^(−2πi·jk/n)`, as complex numbers.
    ///
    /// `norm` says which of the two directions divides by n.
    pub fn fft(&self, axis: isize, norm: Norm) -> Array {
        self.transformed("fft", Direction::Forward, &[axis], norm)
    }

    /// The inverse of [`Array::fft`] with the same norm.
    pub fn ifft(&self, axis: isize, norm: Norm) -> Array {
        self.transformed("ifft", Direction::Inverse, &[axis], norm)
    }

    /// [`Array::fft`] along each of `axes` (all of them if none is named).
    pub fn fftn(&self, axes: impl AsRef<[isize]>, norm: Norm) -> Array {
        self.along_all("fftn", Direction::Forward, axes.as_ref(), norm)
    }

    /// The inverse of [`Array::fftn`].
    pub fn ifftn(&self, axes: impl AsRef<[isize]>, norm: Norm) -> Array {
        self.along_all("ifftn", Direction::Inverse, axes.as_ref(), norm)
    }

    /// Fourier transform of n real points along `axis`: the first n/2 + 1 complex points. The others are their conjugates.
    pub fn rfft(&self, axis: isize, norm: Norm) -> Array {
        self.then(|node| {
            let axis = node.shape().axis("rfft", axis)?;
            graph::apply(Fft::new(Form::Real, axis, norm), &[graph::cast(node, node.dtype().float())])
        })
        .as_complex()
    }

    /// The `n` real points whose [`Array::rfft`] this is. Of the axis n/2 + 1 points are used: more are left out, missing ones are 0.
    pub fn irfft(&self, n: usize, axis: isize, norm: Norm) -> Array {
        let fitted = self.to_complex().resized(n / 2 + 1, axis, "irfft");
        let real = fitted.points("irfft").and_then(|shape| {
            let axis = shape.axis("irfft", axis)?;
            let pairs = fitted.as_pairs();
            graph::apply(Fft::new(Form::RealInverse(n), axis, norm), &[pairs.node()?.clone()])
        });
        Array::new(self.device(), real)
    }

    /// [`Array::rfft`] along the last of `axes`, then [`Array::fft`] along the others (all axes if none is named).
    pub fn rfftn(&self, axes: impl AsRef<[isize]>, norm: Norm) -> Array {
        match self.named_axes("rfftn", axes.as_ref()) {
            Ok((last, others)) => self.rfft(last, norm).transformed("rfftn", Direction::Forward, &others, norm),
            Err(error) => Array::new(self.device(), Err(error)),
        }
    }

    /// The inverse of [`Array::rfftn`]; `n` is the number of real points along the last of `axes`.
    pub fn irfftn(&self, n: usize, axes: impl AsRef<[isize]>, norm: Norm) -> Array {
        match self.named_axes("irfftn", axes.as_ref()) {
            Ok((last, others)) => self.transformed("irfftn", Direction::Inverse, &others, norm).irfft(n, last, norm),
            Err(error) => Array::new(self.device(), Err(error)),
        }
    }

    /// The real spectrum of `n` points of a signal of which this is one half, the other being its conjugate: [`Array::irfft`] in the other
    /// direction.
    pub fn hfft(&self, n: usize, axis: isize, norm: Norm) -> Array {
        self.conj().irfft(n, axis, opposite(norm))
    }

    /// The inverse of [`Array::hfft`].
    pub fn ihfft(&self, axis: isize, norm: Norm) -> Array {
        self.rfft(axis, opposite(norm)).conj()
    }

    /// `axis` with exactly `n` elements: the first ones, and zeros behind them where there are fewer. So transforms take another
    /// number of points than an array has.
    pub fn resized(&self, n: usize, axis: isize, op: &str) -> Array {
        let sizes = self.points(op).and_then(|shape| Ok((shape.axis(op, axis)?, shape.to_vec())));
        let (axis, mut sizes) = match sizes {
            Ok(sizes) => sizes,
            Err(error) => return Array::new(self.device(), Err(error)),
        };
        let n_own = sizes[axis];
        if n <= n_own {
            return if n == n_own { self.clone() } else { self.slice(axis as isize, ..n as isize) };
        }
        sizes[axis] = n - n_own;
        self.device().concat(&[self, &self.device().full_of(sizes, 0.0, self.dtype())], axis as isize)
    }

    /// The frequency 0 moved from the beginning to the middle of each of `axes` (all axes if none is named).
    pub fn fftshift(&self, axes: impl AsRef<[isize]>) -> Array {
        self.shifted(axes.as_ref(), |n| n - n / 2)
    }

    /// The inverse of [`Array::fftshift`].
    pub fn ifftshift(&self, axes: impl AsRef<[isize]>) -> Array {
        self.shifted(axes.as_ref(), |n| n / 2)
    }

    /// Complex transforms along `axes`, none of which means none.
    fn transformed(&self, op: &str, direction: Direction, axes: &[isize], norm: Norm) -> Array {
        self.to_complex().through_pairs(op, |pairs, shape| {
            let node = axes.iter().try_fold(pairs.node()?.clone(), |node, &axis| {
                graph::apply(Fft::new(Form::Complex(direction), shape.axis(op, axis)?, norm), &[node])
            });
            Ok(Array::new(self.device(), node))
        })
    }

    fn along_all(&self, op: &str, direction: Direction, axes: &[isize], norm: Norm) -> Array {
        match self.named_axes(op, axes) {
            Ok((last, mut others)) => {
                others.push(last);
                self.transformed(op, direction, &others, norm)
            }
            Err(error) => Array::new(self.device(), Err(error)),
        }
    }

    /// The last of the named axes (all if none is named) and those before it.
    fn named_axes(&self, op: &str, axes: &[isize]) -> Result<(isize, Vec<isize>)> {
        let shape = self.points(op)?;
        let named: Vec<isize> = if axes.is_empty() { (0..shape.rank() as isize).collect() } else { axes.to_vec() };
        let resolved = named.iter().map(|&axis| Ok(shape.axis(op, axis)? as isize)).collect::<Result<Vec<_>>>()?;
        match resolved.split_last() {
            Some((&last, others)) => Ok((last, others.to_vec())),
            None => Err(Error::shape(op, format!("{shape} has no axis of points"))),
        }
    }

    /// The elements from `first(n)` on before the others, along each axis.
    fn shifted(&self, axes: &[isize], first: impl Fn(usize) -> usize) -> Array {
        let axes = match self.points("fftshift").and_then(|shape: Shape| shape.axes("fftshift", axes)) {
            Ok(axes) => axes,
            Err(error) => return Array::new(self.device(), Err(error)),
        };
        axes.iter().fold(self.clone(), |x, &axis| {
            let (at, axis) = (first(x.shape()[axis]) as isize, axis as isize);
            self.device().concat(&[&x.slice(axis, at..), &x.slice(axis, ..at)], axis)
        })
    }
}

/// The norm that divides in the other direction.
fn opposite(norm: Norm) -> Norm {
    match norm {
        Norm::Backward => Norm::Forward,
        Norm::Forward => Norm::Backward,
        Norm::Ortho => Norm::Ortho,
    }
}

impl Device {
    /// The frequency of each point of a transform of `n` points that are `spacing` apart: `0, 1, … −2, −1` over `n·spacing`.
    pub fn fftfreq(&self, n: usize, spacing: f64) -> Array {
        let index = self.arange(n);
        let is_negative = index.ge(n.div_ceil(2) as f64);
        let signed = is_negative.select(&(&index - n as f64), &index);
        signed.to_f32() * (1.0 / (n.max(1) as f64 * spacing))
    }

    /// The frequencies of the n/2 + 1 points that [`Array::rfft`] gives.
    pub fn rfftfreq(&self, n: usize, spacing: f64) -> Array {
        self.arange(n / 2 + 1).to_f32() * (1.0 / (n.max(1) as f64 * spacing))
    }
}
