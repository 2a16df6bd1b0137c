//! Arrays taken apart.

use super::axis_of;
use crate::array::Array;
use tilework_core::dtype::DType;
use tilework_core::{Error, Result};

impl Array {
    /// `n` parts of equal size along an axis. An error unless its size can be divided so.
    pub fn split(&self, n: usize, axis: isize) -> Result<Vec<Array>> {
        self.check()?;
        let size = self.shape()[axis_of("split", self.shape(), axis)?];
        if n == 0 || !size.is_multiple_of(n) {
            let message = format!("axis {axis} of {:?} cannot be divided into {n} parts of equal size", self.shape());
            return Err(Error::shape("split", message));
        }
        self.array_split(n, axis)
    }

    /// `n` parts along an axis whose sizes differ by one at most, the larger first.
    pub fn array_split(&self, n: usize, axis: isize) -> Result<Vec<Array>> {
        self.check()?;
        let size = self.shape()[axis_of("array_split", self.shape(), axis)?];
        if n == 0 || n > MAX_PARTS {
            return Err(Error::argument("array_split", format!("{n} parts are none or too many")));
        }
        let start = |k: usize| (k * (size / n) + k.min(size % n)) as isize;
        Ok((0..n).map(|k| self.slice(axis, start(k)..start(k + 1))).collect())
    }

    /// The parts along an axis before, between and after `positions`, with the rules of slices.
    pub fn split_at(&self, positions: &[isize], axis: isize) -> Result<Vec<Array>> {
        self.check()?;
        let size = self.shape()[axis_of("split", self.shape(), axis)?] as isize;
        let bounds: Vec<isize> = std::iter::once(0).chain(positions.iter().copied()).chain([size]).collect();
        Ok(bounds.windows(2).map(|pair| self.slice(axis, pair[0]..pair[1])).collect())
    }

    /// The parts of an axis, which disappears.
    pub fn unstack(&self, axis: isize) -> Result<Vec<Array>> {
        self.check()?;
        let size = self.shape()[axis_of("unstack", self.shape(), axis)?];
        if size > MAX_PARTS {
            return Err(Error::argument("unstack", format!("axis {axis} of {:?} has too many parts", self.shape())));
        }
        Ok((0..size as isize).map(|k| self.index(axis, k)).collect())
    }

    /// Without the zeros before the first and after the last other element, along every axis.
    pub async fn trim_zeros(&self, ends: Ends) -> Result<Array> {
        self.check()?;
        let mut trimmed = self.clone();
        for axis in 0..self.ndim() {
            let others: Vec<isize> = (0..self.ndim() as isize).filter(|&k| k != axis as isize).collect();
            let truth = self.cast(DType::Bool);
            let is_kept = if others.is_empty() { truth } else { truth.any(others) };
            let size = self.shape()[axis] as isize;
            let (first, last) = if size == 0 { (0, 0) } else { outermost(&is_kept, size).await? };
            let axis = axis as isize;
            trimmed = match ends {
                _ if first == last => trimmed.slice(axis, 0..0),
                Ends::Both => trimmed.slice(axis, first..last),
                Ends::Front => trimmed.slice(axis, first..),
                Ends::Back => trimmed.slice(axis, ..last),
            };
        }
        Ok(trimmed)
    }
}

/// Most parts an array is cut into at once: each is an array of its own.
const MAX_PARTS: usize = 1 << 20;

/// Where [`Array::trim_zeros`] trims.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ends {
    /// At both ends.
    #[default]
    Both,
    /// At the front.
    Front,
    /// At the back.
    Back,
}

/// The first true place and the one after the last of a row; equal if there is none.
async fn outermost(flags: &Array, size: isize) -> Result<(isize, isize)> {
    let device = flags.device();
    let number = flags.cast(DType::I32);
    let ends = device.stack(&[&number.argmax_flat(), &number.flip([]).argmax_flat(), &number.max([])], 0);
    let ends = ends.to_vec::<i32>().await?;
    match ends[..] {
        [first, from_end, 1] => Ok((first as isize, size - from_end as isize)),
        _ => Ok((0, 0)),
    }
}
