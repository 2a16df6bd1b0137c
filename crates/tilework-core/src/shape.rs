//! Shapes, axes and broadcasting.

use crate::axes::Axes;
use crate::error::{Error, Result};
use std::fmt;
use std::ops::Deref;

/// Sizes of an array's axes, outermost first. The empty shape is a scalar.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Shape(Axes<usize>);

/// More axes than this are refused: index arithmetic in kernels is written for a bounded rank.
pub const MAX_RANK: usize = 8;

/// More elements than this are refused, because kernels index with 32 bits.
pub const MAX_ELEMENTS: u64 = u32::MAX as u64 - 1;

impl Shape {
    /// A shape from axis sizes. Fails above [`MAX_RANK`] axes or [`MAX_ELEMENTS`] elements.
    pub fn new(op: &str, sizes: impl AsRef<[usize]>) -> Result<Shape> {
        Shape::of_slice(op, sizes.as_ref())
    }

    fn of_slice(op: &str, sizes: &[usize]) -> Result<Shape> {
        if sizes.len() > MAX_RANK {
            let message = format!("{sizes:?} has {} axes; at most {MAX_RANK} are supported", sizes.len());
            return Err(Error::shape(op, message));
        }
        let n_elements = sizes.iter().try_fold(1u64, |n, &size| n.checked_mul(size.max(1) as u64));
        match n_elements {
            Some(n) if n <= MAX_ELEMENTS => Ok(Shape(sizes.iter().copied().collect())),
            _ => Err(Error::new(
                crate::error::ErrorKind::TooLarge,
                op,
                format!("{sizes:?} has more than {MAX_ELEMENTS} elements"),
            )),
        }
    }

    /// The shape of a scalar.
    pub fn scalar() -> Shape {
        Shape::default()
    }

    /// Number of elements.
    pub fn n_elements(&self) -> usize {
        self.0.iter().product()
    }

    /// Number of axes.
    pub fn rank(&self) -> usize {
        self.0.len()
    }

    /// Turns an axis that may count from the end (−1 is the last) into an index.
    pub fn axis(&self, op: &str, axis: isize) -> Result<usize> {
        let rank = self.rank() as isize;
        let index = if axis < 0 { axis + rank } else { axis };
        if index < 0 || index >= rank {
            return Err(Error::shape(op, format!("axis {axis} is out of range for {self}, which has {rank} axes")));
        }
        Ok(index as usize)
    }

    /// Resolves a set of axes, refusing repeats. An empty list means every axis.
    pub fn axes(&self, op: &str, axes: &[isize]) -> Result<Vec<usize>> {
        if axes.is_empty() {
            return Ok((0..self.rank()).collect());
        }
        let mut is_named = [false; MAX_RANK];
        for &axis in axes {
            let named = &mut is_named[self.axis(op, axis)?];
            if std::mem::replace(named, true) {
                return Err(Error::shape(op, format!("axes {axes:?} name an axis of {self} twice")));
            }
        }
        Ok((0..self.rank()).filter(|&axis| is_named[axis]).collect())
    }

    /// The shape two operands broadcast to, by NumPy's rule: align at the last axis; sizes are equal or one of them is 1.
    pub fn broadcast(op: &str, a: &Shape, b: &Shape) -> Result<Shape> {
        let rank = a.rank().max(b.rank());
        let size_at = |s: &Shape, axis: usize| if axis + s.rank() < rank { 1 } else { s.0[axis + s.rank() - rank] };
        if a == b {
            return Ok(a.clone());
        }
        let mut sizes = Axes::default();
        for axis in 0..rank {
            sizes.push(match (size_at(a, axis), size_at(b, axis)) {
                (x, y) if x == y => x,
                (1, y) => y,
                (x, 1) => x,
                _ => return Err(Error::shape(op, format!("{a} and {b} do not broadcast together"))),
            });
        }
        Shape::of_slice(op, &sizes)
    }

    /// This shape with `axes` removed, or kept with size 1.
    pub fn reduced(&self, axes: &[usize], keep: KeepAxes) -> Shape {
        let sizes = self.0.iter().enumerate().filter_map(|(axis, &size)| match (axes.contains(&axis), keep) {
            (false, _) => Some(size),
            (true, KeepAxes::Yes) => Some(1),
            (true, KeepAxes::No) => None,
        });
        Shape(sizes.collect())
    }
}

/// Whether a reduction leaves its axes in place with size 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum KeepAxes {
    /// The reduced axes stay, with size 1.
    Yes,
    /// The reduced axes disappear.
    #[default]
    No,
}

impl AsRef<[usize]> for Shape {
    fn as_ref(&self) -> &[usize] {
        self
    }
}

impl Deref for Shape {
    type Target = [usize];
    fn deref(&self) -> &[usize] {
        &self.0
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// Anything that names axis sizes: `[2, 3]`, `&[2, 3]`, `vec![2, 3]`, `5`, `()`.
pub trait IntoSizes {
    /// The axis sizes, outermost first.
    fn into_sizes(self) -> Vec<usize>;
}

impl IntoSizes for usize {
    fn into_sizes(self) -> Vec<usize> {
        vec![self]
    }
}
impl IntoSizes for () {
    fn into_sizes(self) -> Vec<usize> {
        Vec::new()
    }
}
impl<const N: usize> IntoSizes for [usize; N] {
    fn into_sizes(self) -> Vec<usize> {
        self.to_vec()
    }
}
impl IntoSizes for &[usize] {
    fn into_sizes(self) -> Vec<usize> {
        self.to_vec()
    }
}
impl IntoSizes for Vec<usize> {
    fn into_sizes(self) -> Vec<usize> {
        self
    }
}
impl IntoSizes for &Shape {
    fn into_sizes(self) -> Vec<usize> {
        self.to_vec()
    }
}
impl IntoSizes for Shape {
    fn into_sizes(self) -> Vec<usize> {
        self.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(sizes: &[usize]) -> Shape {
        Shape::new("test", sizes).unwrap()
    }

    #[test]
    fn broadcasting_follows_numpy() {
        for (a, b, want) in [
            (&[2, 3][..], &[3][..], Some(&[2, 3][..])),
            (&[2, 1], &[1, 3], Some(&[2, 3])),
            (&[], &[4], Some(&[4])),
            (&[0, 3], &[1, 3], Some(&[0, 3])),
            (&[2, 3], &[2], None),
        ] {
            let got = Shape::broadcast("add", &shape(a), &shape(b));
            match want {
                Some(want) => assert_eq!(&*got.unwrap(), want),
                None => assert_eq!(got.unwrap_err().to_string(), "add: [2, 3] and [2] do not broadcast together"),
            }
        }
    }

    #[test]
    fn sizes_that_kernels_cannot_index_are_refused() {
        assert!(Shape::new("zeros", vec![1 << 20, 1 << 20]).is_err());
        assert!(Shape::new("zeros", vec![usize::MAX, usize::MAX]).is_err());
        assert!(Shape::new("zeros", vec![1; 9]).is_err());
        assert!(Shape::new("zeros", vec![0, usize::MAX, 2]).is_err());
    }

    #[test]
    fn axes_count_from_both_ends_once() {
        let s = shape(&[2, 3, 4]);
        assert_eq!(s.axes("sum", &[-1, 0]).unwrap(), [0, 2]);
        assert!(s.axes("sum", &[1, -2]).is_err());
        assert!(s.axis("sum", 3).is_err());
    }
}
