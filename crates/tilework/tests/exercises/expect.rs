//! Comparing answers, and short names for rows of numbers.

use crate::common::linear::read;
use pollster::block_on;
use tilework::{Array, Device, Result};

/// The shape and, exactly, the elements in row-major order; truth values count as 0 and 1.
#[track_caller]
pub(crate) fn is<const RANK: usize, T: Copy + Into<f64>>(x: &Array, shape: [usize; RANK], want: impl AsRef<[T]>) {
    near(x, shape, want, 0.0);
}

/// The same up to an error.
#[track_caller]
pub(crate) fn near<const RANK: usize, T: Copy + Into<f64>>(
    x: &Array,
    shape: [usize; RANK],
    want: impl AsRef<[T]>,
    error: f64,
) {
    x.check().unwrap();
    assert_eq!(x.shape(), shape);
    let (got, want) = (read(x), want.as_ref().iter().map(|&want| want.into()).collect::<Vec<f64>>());
    let is_near = |(g, w): (&f64, &f64)| g == w || (g - w).abs() <= error || (g.is_nan() && w.is_nan());
    assert!(got.len() == want.len() && got.iter().zip(&want).all(is_near), "{got:?} for {want:?}");
}

/// What a function gives whose result has a size that depends on the data.
#[track_caller]
pub(crate) fn now<T>(later: impl Future<Output = Result<T>>) -> T {
    block_on(later).unwrap()
}

/// A single number, read.
#[track_caller]
pub(crate) fn number(x: &Array) -> f64 {
    block_on(x.item()).unwrap()
}

/// A row of 32-bit floats.
pub(crate) fn floats<const N: usize>(d: &Device, values: [f32; N]) -> Array {
    d.array(values.to_vec(), N)
}

/// A row of 32-bit integers.
pub(crate) fn ints<const N: usize>(d: &Device, values: [i32; N]) -> Array {
    d.array(values.to_vec(), N)
}

/// A row of truth values.
pub(crate) fn truths<const N: usize>(d: &Device, values: [bool; N]) -> Array {
    d.array(values.to_vec(), N)
}
