//! Views: other shapes and orders of the same data, without a copy.

use super::Array;
use tilework_core::shape::{IntoSizes, Shape};
use tilework_core::{Error, Result};
use tilework_ops::{NodeRef, graph};

/// Which elements of an axis: from `start` up to (not including) `stop`, every `step`-th, with Python's rules. Negative bounds
/// count from the end; a missing bound means all the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// First element.
    pub start: Option<isize>,
    /// Where to stop.
    pub stop: Option<isize>,
    /// Distance between elements; negative walks backwards, zero is an error.
    pub step: isize,
}

impl Range {
    /// Everything.
    pub const ALL: Range = Range { start: None, stop: None, step: 1 };

    /// Every `step`-th element of this range.
    #[must_use]
    pub fn step(self, step: isize) -> Range {
        Range { step, ..self }
    }

    /// First element, and how many, in an axis of `size` elements.
    pub(crate) fn resolve(self, size: usize) -> (usize, usize) {
        let size = size as isize;
        let (low, high) = if self.step > 0 { (0, size) } else { (-1, size - 1) };
        let bound = |bound: Option<isize>, default: isize| match bound {
            None => default,
            Some(b) if b < 0 => b.saturating_add(size).max(low),
            Some(b) => b.min(high),
        };
        let (first, last) = if self.step > 0 { (low, high) } else { (high, low) };
        let (start, stop) = (bound(self.start, first), bound(self.stop, last));
        let distance = if self.step > 0 { stop - start } else { start - stop };
        let len = if distance <= 0 { 0 } else { (distance - 1) / self.step.abs().max(1) + 1 };
        (if len == 0 { 0 } else { start as usize }, len as usize)
    }
}

macro_rules! from_range {
    ($($range:ty: $start:expr, $stop:expr;)*) => {$(
        impl From<$range> for Range {
            fn from(range: $range) -> Range {
                let (start, stop): (fn(&$range) -> Option<isize>, fn(&$range) -> Option<isize>) = ($start, $stop);
                Range { start: start(&range), stop: stop(&range), step: 1 }
            }
        }
    )*};
}
from_range! {
    std::ops::Range<isize>: |r| Some(r.start), |r| Some(r.end);
    std::ops::RangeFrom<isize>: |r| Some(r.start), |_| None;
    std::ops::RangeTo<isize>: |_| None, |r| Some(r.end);
    std::ops::RangeFull: |_| None, |_| None;
}

impl Array {
    /// The same elements in row-major order under another shape.
    pub fn reshape(&self, shape: impl IntoSizes) -> Array {
        let mut sizes = shape.into_sizes();
        sizes.extend(self.is_complex().then_some(2));
        self.restored(|node| graph::reshape(node, &Shape::new("reshape", sizes)?))
    }

    /// One axis.
    pub fn flatten(&self) -> Array {
        self.reshape([self.size()])
    }

    /// Axes in another order: axis `i` of the result is axis `order[i]` of this.
    pub fn permute(&self, order: impl AsRef<[isize]>) -> Array {
        if self.is_complex() {
            return self.through_pairs("permute", |pairs, shape| {
                let axes = order.as_ref().iter().map(|&axis| shape.axis("permute", axis).map(|axis| axis as isize));
                let mut axes = axes.collect::<Result<Vec<_>>>()?;
                axes.push(shape.rank() as isize);
                Ok(pairs.permute(axes))
            });
        }
        self.then(|node| graph::permute(node, order.as_ref()))
    }

    /// Axes in reverse order.
    pub fn t(&self) -> Array {
        let order: Vec<isize> = (0..self.ndim() as isize).rev().collect();
        self.permute(order)
    }

    /// Two axes exchanged.
    pub fn swap_axes(&self, a: isize, b: isize) -> Array {
        let order = self.points("swap_axes").and_then(|shape| {
            let mut order: Vec<isize> = (0..shape.rank() as isize).collect();
            order.swap(shape.axis("swap_axes", a)?, shape.axis("swap_axes", b)?);
            Ok(order)
        });
        match order {
            Ok(order) => self.permute(order),
            Err(error) => Array::new(self.device(), Err(error)),
        }
    }

    /// Axes of size 1 repeated, and leading axes added, up to `shape`.
    pub fn broadcast_to(&self, shape: impl IntoSizes) -> Array {
        let mut sizes = shape.into_sizes();
        sizes.extend(self.is_complex().then_some(2));
        self.restored(|node| {
            graph::expand(node, &Shape::new("broadcast_to", sizes)?)
                .map_err(|error| Error::new(error.kind(), "broadcast_to", error.message()))
        })
    }

    /// A new axis of size 1 at position `axis` of the result.
    pub fn expand_dims(&self, axis: isize) -> Array {
        self.restored(|node| {
            let rank = self.ndim() as isize + 1;
            let at = if axis < 0 { axis + rank } else { axis };
            if at < 0 || at >= rank {
                return Err(Error::shape("expand_dims", format!("axis {axis} is out of range for {rank} axes")));
            }
            let mut sizes = node.shape().to_vec();
            sizes.insert(at as usize, 1);
            graph::reshape(node, &Shape::new("expand_dims", sizes)?)
        })
    }

    /// Without the axes of size 1 that `axes` names (all of them if it names none).
    pub fn squeeze(&self, axes: impl AsRef<[isize]>) -> Array {
        if self.is_complex() {
            return self.through_pairs("squeeze", |pairs, shape| {
                let kept = squeezed_sizes(shape, axes.as_ref())?;
                Ok(pairs.reshape([kept, vec![2]].concat()))
            });
        }
        self.then(|node| squeeze(node, axes.as_ref()))
    }

    /// A range of one axis: `x.slice(0, 2..5)`, `x.slice(-1, Range::ALL.step(-1))`.
    pub fn slice(&self, axis: isize, range: impl Into<Range>) -> Array {
        if self.is_complex() {
            return self
                .through_pairs("slice", |pairs, shape| Ok(pairs.slice(shape.axis("slice", axis)? as isize, range)));
        }
        self.then(|node| slice(node, axis, range.into()))
    }

    /// One element of an axis, which disappears. Negative positions count from the end.
    pub fn index(&self, axis: isize, position: isize) -> Array {
        if self.is_complex() {
            return self
                .through_pairs("index", |pairs, shape| Ok(pairs.index(shape.axis("index", axis)? as isize, position)));
        }
        self.then(|node| {
            let axis_index = node.shape().axis("index", axis)?;
            let size = node.shape()[axis_index] as isize;
            let at = if position < 0 { position + size } else { position };
            if at < 0 || at >= size {
                return Err(Error::shape(
                    "index",
                    format!("{position} is out of range for axis {axis} of {}", node.shape()),
                ));
            }
            let mut sizes = node.shape().to_vec();
            sizes.remove(axis_index);
            graph::reshape(&graph::slice(node, axis_index, at as usize, 1, 1)?, &Shape::new("index", sizes)?)
        })
    }

    /// Elements of the named axes in reverse (all axes if none is named).
    pub fn flip(&self, axes: impl AsRef<[isize]>) -> Array {
        if self.is_complex() {
            return self.through_pairs("flip", |pairs, shape| {
                // No axis named means all of them, so a complex number without axes has none to flip.
                let axes: Vec<isize> = shape.axes("flip", axes.as_ref())?.iter().map(|&axis| axis as isize).collect();
                Ok(if axes.is_empty() { pairs.clone() } else { pairs.flip(axes) })
            });
        }
        self.then(|node| {
            let axes = node.shape().axes("flip", axes.as_ref())?;
            axes.iter().try_fold(node.clone(), |node, &axis| slice(&node, axis as isize, Range::ALL.step(-1)))
        })
    }
}

fn slice(node: &NodeRef, axis: isize, range: Range) -> Result<NodeRef> {
    let axis = node.shape().axis("slice", axis)?;
    if range.step == 0 {
        return Err(Error::argument("slice", "a step of 0 goes nowhere"));
    }
    let (start, len) = range.resolve(node.shape()[axis]);
    graph::slice(node, axis, start, range.step, len)
}

fn squeeze(node: &NodeRef, axes: &[isize]) -> Result<NodeRef> {
    graph::reshape(node, &Shape::new("squeeze", squeezed_sizes(node.shape(), axes)?)?)
}

fn squeezed_sizes(shape: &Shape, axes: &[isize]) -> Result<Vec<usize>> {
    let mut drop = vec![false; shape.rank()];
    if axes.is_empty() {
        drop.iter_mut().zip(shape.iter()).for_each(|(drop, &size)| *drop = size == 1);
    }
    for &axis in axes {
        let axis = shape.axis("squeeze", axis)?;
        if shape[axis] != 1 {
            return Err(Error::shape("squeeze", format!("axis {axis} of {shape} has more than one element")));
        }
        drop[axis] = true;
    }
    Ok(shape.iter().zip(&drop).filter(|(_, drop)| !**drop).map(|(&size, _)| size).collect())
}
