//! Sorting and searching beyond one row.

use super::{along, axis_of, carried, positions};
use crate::array::Array;
use crate::device::Device;
use tilework_core::shape::KeepAxes;
use tilework_core::{Error, Result};
use tilework_ops::ops::searchsorted::Side;
use tilework_ops::ops::sort::Order;

/// How [`Array::sort_with`] sorts. Every sort is stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortOptions {
    /// The axis, the last unless told; all elements in one row if `None`.
    pub axis: Option<isize>,
    /// Which end comes first; NaN comes last in both.
    pub order: Order,
}

impl Default for SortOptions {
    fn default() -> SortOptions {
        SortOptions { axis: Some(-1), order: Order::Ascending }
    }
}

impl Array {
    /// The elements along an axis, or all of them, in order.
    pub fn sort_with(&self, options: SortOptions) -> Array {
        carried(
            self.device(),
            along("sort", self, options.axis).map(|(x, axis)| x.sort_in(axis as isize, options.order)),
        )
    }

    /// The positions (int32) of the elements of [`Array::sort_with`].
    pub fn argsort_with(&self, options: SortOptions) -> Array {
        carried(
            self.device(),
            along("argsort", self, options.axis).map(|(x, axis)| x.argsort_in(axis as isize, options.order)),
        )
    }

    /// The elements along an axis so that those at the positions `kth` are where a sort puts them, smaller ones before and larger ones
    /// after. They are sorted altogether, which is one of the allowed orders.
    pub fn partition(&self, kth: &[isize], axis: Option<isize>) -> Array {
        carried(self.device(), expect_places("partition", self, kth, axis).map(|(x, axis)| x.sort(axis)))
    }

    /// The positions (int32) of the elements of [`Array::partition`].
    pub fn argpartition(&self, kth: &[isize], axis: Option<isize>) -> Array {
        carried(self.device(), expect_places("argpartition", self, kth, axis).map(|(x, axis)| x.argsort(axis)))
    }

    /// Position (int32) of the smallest element along an axis or of all elements, whose axes may stay with size 1.
    pub fn argmin_with(&self, axis: Option<isize>, keep: KeepAxes) -> Array {
        extreme(self, axis, keep, Array::argmin_flat, Array::argmin)
    }

    /// Position (int32) of the largest element along an axis or of all elements, whose axes may stay with size 1.
    pub fn argmax_with(&self, axis: Option<isize>, keep: KeepAxes) -> Array {
        extreme(self, axis, keep, Array::argmax_flat, Array::argmax)
    }

    /// Like [`Array::searchsorted`] in this row in the order of `sorter`, which [`Array::argsort`] gives.
    pub fn searchsorted_by(&self, sorter: &Array, queries: &Array, side: Side) -> Array {
        let found = positions("searchsorted", sorter).and_then(|sorter| {
            if sorter.shape() != self.shape() || self.ndim() != 1 {
                let message = format!("a sorter of shape {:?} does not order {:?}", sorter.shape(), self.shape());
                return self.check().and(Err(Error::shape("searchsorted", message)));
            }
            Ok(self.take(&sorter, 0).searchsorted(queries, side))
        });
        carried(self.device(), found)
    }
}

impl Device {
    /// The positions (int32) along an axis that sort by the last of `keys`, equals of it by the one before it, and so on.
    pub fn lexsort(&self, keys: &[&Array], axis: isize) -> Array {
        carried(self, lexsort(keys, axis))
    }
}

fn extreme(
    x: &Array,
    axis: Option<isize>,
    keep: KeepAxes,
    flat: fn(&Array) -> Array,
    along: fn(&Array, isize) -> Array,
) -> Array {
    let found = axis.map_or_else(|| flat(x), |axis| along(x, axis));
    if keep == KeepAxes::No || found.check().is_err() {
        return found;
    }
    let kept = match axis {
        None => Ok(vec![1; x.ndim()]),
        Some(axis) => axis_of("argmax", x.shape(), axis).map(|axis| super::with_size(x.shape(), axis, 1)),
    };
    carried(x.device(), kept.map(|sizes| found.reshape(sizes)))
}

/// An array and an axis of it in which there are these positions.
fn expect_places(op: &str, x: &Array, kth: &[isize], axis: Option<isize>) -> Result<(Array, isize)> {
    let (x, axis) = along(op, x, axis)?;
    let size = x.shape()[axis] as isize;
    match kth.iter().find(|&&k| k < -size || k >= size) {
        Some(k) => Err(Error::argument(op, format!("kth {k} is out of range for axis {axis} of {:?}", x.shape()))),
        None => Ok((x, axis as isize)),
    }
}

fn lexsort(keys: &[&Array], axis: isize) -> Result<Array> {
    let Some((first, rest)) = keys.split_first() else {
        return Err(Error::argument("lexsort", "needs at least one key"));
    };
    for key in rest {
        key.check()?;
        if key.shape() != first.shape() {
            let message = format!("keys {:?} and {:?} differ in shape", first.shape(), key.shape());
            return first.check().and(Err(Error::shape("lexsort", message)));
        }
    }
    // A stable sort by each key, the most important last.
    let mut order = first.argsort(axis);
    for key in rest {
        let by_key = key.take_along_axis(&order, Some(axis)).argsort(axis);
        order = order.take_along_axis(&by_key, Some(axis));
    }
    Ok(order)
}
