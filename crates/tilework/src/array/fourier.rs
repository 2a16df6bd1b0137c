//! Fourier transforms.
//!
//! There is no complex element type: a complex array is a float array whose last axis has size 2, the real and the imaginary
//! part. Axes of the transforms count without that axis, so that −1 is the last axis of points.

use super::Array;
use crate::device::Device;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
use tilework_ops::ops::concat::Concat;
use tilework_ops::ops::fft::{Direction, Fft, Form, Norm};
use tilework_ops::{NodeRef, graph};

impl Array {
    /// Fourier transform of complex points along `axis`: `X_k = Σ_j x_j·exp(−2πi·jk/n)`. Any length of at least 1.
    pub fn fft(&self, axis: isize, norm: Norm) -> Array {
        self.then(|node| transform(node, Form::Complex(Direction::Forward), &[axis], norm))
    }

    /// The inverse of [`Array::fft`] with the same norm.
    pub fn ifft(&self, axis: isize, norm: Norm) -> Array {
        self.then(|node| transform(node, Form::Complex(Direction::Inverse), &[axis], norm))
    }

    /// [`Array::fft`] along each of `axes` (all axes of points if none is named).
    pub fn fftn(&self, axes: impl AsRef<[isize]>, norm: Norm) -> Array {
        self.then(|node| along_all(node, Direction::Forward, axes.as_ref(), norm))
    }

    /// The inverse of [`Array::fftn`].
    pub fn ifftn(&self, axes: impl AsRef<[isize]>, norm: Norm) -> Array {
        self.then(|node| along_all(node, Direction::Inverse, axes.as_ref(), norm))
    }

    /// Fourier transform of n real points along `axis`: the first n/2 + 1 complex points, in a new last axis of size 2. The
    /// others are their conjugates.
    pub fn rfft(&self, axis: isize, norm: Norm) -> Array {
        self.then(|node| transform(node, Form::Real, &[axis], norm))
    }

    /// The `n` real points whose [`Array::rfft`] this is; the axis must have n/2 + 1 complex points.
    pub fn irfft(&self, n: usize, axis: isize, norm: Norm) -> Array {
        self.then(|node| transform(node, Form::RealInverse(n), &[axis], norm))
    }

    /// [`Array::rfft`] along the last of `axes`, then [`Array::fft`] along the others (all axes if none is named).
    pub fn rfftn(&self, axes: impl AsRef<[isize]>, norm: Norm) -> Array {
        self.then(|node| {
            let axes = point_axes("rfftn", node.shape(), 0, axes.as_ref())?;
            let (&last, others) = axes.split_last().ok_or_else(|| Error::shape("rfftn", "a scalar has no axis"))?;
            let real = transform(node, Form::Real, &[last], norm)?;
            transform(&real, Form::Complex(Direction::Forward), others, norm)
        })
    }

    /// The inverse of [`Array::rfftn`]; `n` is the number of real points along the last of `axes`.
    pub fn irfftn(&self, n: usize, axes: impl AsRef<[isize]>, norm: Norm) -> Array {
        self.then(|node| {
            let axes = point_axes("irfftn", node.shape(), 1, axes.as_ref())?;
            let (&last, others) =
                axes.split_last().ok_or_else(|| Error::shape("irfftn", "there is no axis of points"))?;
            let complex = transform(node, Form::Complex(Direction::Inverse), others, norm)?;
            transform(&complex, Form::RealInverse(n), &[last], norm)
        })
    }

    /// The frequency 0 moved from the beginning to the middle of each of `axes` (all axes if none is named; the axis of the two
    /// parts of a complex array is an axis like any other here, so name those of the points).
    pub fn fftshift(&self, axes: impl AsRef<[isize]>) -> Array {
        self.then(|node| shifted(node, axes.as_ref(), |n| n - n / 2))
    }

    /// The inverse of [`Array::fftshift`].
    pub fn ifftshift(&self, axes: impl AsRef<[isize]>) -> Array {
        self.then(|node| shifted(node, axes.as_ref(), |n| n / 2))
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

/// The axes of points by number, counted without the last `n_parts`; all of them if none is named.
fn point_axes(op: &str, shape: &Shape, n_parts: usize, axes: &[isize]) -> Result<Vec<isize>> {
    let points = Shape::new(op, &shape[..shape.rank().saturating_sub(n_parts)])?;
    if axes.is_empty() {
        return Ok((0..points.rank() as isize).collect());
    }
    axes.iter().map(|&axis| points.axis(op, axis).map(|axis| axis as isize)).collect()
}

fn transform(node: &NodeRef, form: Form, axes: &[isize], norm: Norm) -> Result<NodeRef> {
    let n_parts = usize::from(form != Form::Real);
    let name = if form == Form::Real { "rfft" } else { "fft" };
    let float = graph::cast(node, node.dtype().float());
    axes.iter().try_fold(float, |node, &axis| {
        let axis = point_axes(name, node.shape(), n_parts, &[axis])?[0] as usize;
        graph::apply(Fft::new(form, axis, norm), &[node])
    })
}

fn along_all(node: &NodeRef, direction: Direction, axes: &[isize], norm: Norm) -> Result<NodeRef> {
    let axes = point_axes("fftn", node.shape(), 1, axes)?;
    if axes.is_empty() {
        return Err(Error::shape("fftn", format!("{} has no axis of points", node.shape())));
    }
    transform(node, Form::Complex(direction), &axes, norm)
}

/// The elements from `first(n)` on before the others, along each axis.
fn shifted(node: &NodeRef, axes: &[isize], first: impl Fn(usize) -> usize) -> Result<NodeRef> {
    let axes = node.shape().axes("fftshift", axes)?;
    axes.iter().try_fold(node.clone(), |node, &axis| {
        let n = node.shape()[axis];
        let at = first(n);
        let back = graph::slice(&node, axis, at.min(n.saturating_sub(1)), 1, n - at)?;
        let front = graph::slice(&node, axis, 0, 1, at)?;
        graph::apply(Concat::new(axis), &[back, front])
    })
}
