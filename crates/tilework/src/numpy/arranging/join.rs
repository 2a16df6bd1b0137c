//! Arrays put together, and elements put in or left out.

use super::{along, carried, chosen, named, with_size};
use crate::array::{Array, Range};
use crate::device::Device;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

impl Device {
    /// Arrays joined along an axis; without one, all their elements in one row.
    pub fn concatenate(&self, arrays: &[&Array], axis: Option<isize>) -> Array {
        match axis {
            Some(axis) => self.joined("concatenate", arrays, Array::clone, axis),
            None => self.joined("concatenate", arrays, Array::flatten, 0),
        }
    }

    /// Joined side by side: along the second axis, rows along their only one.
    pub fn hstack(&self, arrays: &[&Array]) -> Array {
        let axis = isize::from(arrays.first().is_some_and(|first| first.ndim() > 1));
        self.joined("hstack", arrays, Array::atleast_1d, axis)
    }

    /// Joined one above the other: along the first axis, rows as matrices of one row.
    pub fn vstack(&self, arrays: &[&Array]) -> Array {
        self.joined("vstack", arrays, Array::atleast_2d, 0)
    }

    /// Joined along the third axis.
    pub fn dstack(&self, arrays: &[&Array]) -> Array {
        self.joined("dstack", arrays, Array::atleast_3d, 2)
    }

    /// Rows as columns of a matrix; matrices are joined side by side.
    pub fn column_stack(&self, arrays: &[&Array]) -> Array {
        let as_column = |array: &Array| if array.ndim() < 2 { array.atleast_2d().t() } else { array.clone() };
        self.joined("column_stack", arrays, as_column, 1)
    }

    /// A matrix of blocks: each list is joined along the last axis, the results along the one before it.
    pub fn block(&self, rows: &[Vec<Array>]) -> Array {
        let rank = rows.iter().flatten().map(Array::ndim).fold(2, usize::max);
        let full = |array: &Array| {
            let sizes = [&vec![1; rank - array.ndim()][..], array.shape()].concat();
            if array.check().is_ok() { array.reshape(sizes) } else { array.clone() }
        };
        let joined: Vec<Array> =
            rows.iter().map(|row| self.joined("block", &row.iter().collect::<Vec<_>>(), full, -1)).collect();
        self.joined("block", &joined.iter().collect::<Vec<_>>(), Array::clone, -2)
    }

    /// Arrays joined after `prepare`, in the name of `op`. What the inputs carry stays as it is.
    fn joined(&self, op: &str, arrays: &[&Array], prepare: impl Fn(&Array) -> Array, axis: isize) -> Array {
        if let Some(broken) = arrays.iter().find(|array| array.check().is_err()) {
            return Array::clone(broken);
        }
        let prepared: Vec<Array> = arrays.iter().map(|array| prepare(array)).collect();
        named(op, self.concat(&prepared.iter().collect::<Vec<_>>(), axis))
    }
}

impl Array {
    /// With `values` at the end of an axis; without one, all elements of both in one row.
    pub fn append(&self, values: &Array, axis: Option<isize>) -> Array {
        named("append", self.device().concatenate(&[self, values], axis))
    }

    /// With `values` before the element at `position` of an axis (of all elements in one row without an axis). The values are a
    /// part of that axis without it, or several along a first axis, and broadcast.
    pub fn insert(&self, position: isize, values: &Array, axis: Option<isize>) -> Array {
        carried(self.device(), along("insert", self, axis).and_then(|(x, axis)| insert(&x, position, values, axis)))
    }

    /// With `values`, one for each of `positions`, before the elements there. Positions count without what is inserted; several
    /// at one place keep their order.
    pub fn insert_each(&self, positions: &[isize], values: &Array, axis: Option<isize>) -> Array {
        carried(
            self.device(),
            along("insert", self, axis).and_then(|(x, axis)| insert_each(&x, positions, values, axis)),
        )
    }

    /// Without the elements at `positions` of an axis (of all elements in one row without an axis). Naming one twice changes nothing.
    pub fn delete(&self, positions: &[isize], axis: Option<isize>) -> Array {
        carried(self.device(), along("delete", self, axis).and_then(|(x, axis)| delete(&x, positions, axis)))
    }

    /// Without a range of an axis.
    pub fn delete_range(&self, range: impl Into<Range>, axis: Option<isize>) -> Array {
        let range = range.into();
        let deleted = along("delete", self, axis).and_then(|(x, axis)| {
            if range.step == 0 {
                return Err(Error::argument("delete", "a step of 0 goes nowhere"));
            }
            Ok(delete_range(&x, range, axis))
        });
        carried(self.device(), deleted)
    }
}

/// A position of an axis of `size` elements, counted from the start; `size` itself is one where something can be inserted.
fn place(op: &str, position: isize, size: usize, last: usize) -> Result<usize> {
    let from_start = if position < 0 { position + size as isize } else { position };
    match usize::try_from(from_start) {
        Ok(place) if place <= last => Ok(place),
        _ => Err(Error::shape(op, format!("position {position} is out of range for an axis of size {size}"))),
    }
}

fn insert(x: &Array, position: isize, values: &Array, axis: usize) -> Result<Array> {
    values.check()?;
    let size = x.shape()[axis];
    let at = place("insert", position, size, size)? as isize;
    // As NumPy: values get this array's number of axes, and their first one is that along which they are inserted.
    let rank = x.ndim();
    if values.ndim() > rank {
        let message = format!("values of shape {:?} do not fit into {:?}", values.shape(), x.shape());
        return Err(Error::shape("insert", message));
    }
    let sizes = [&vec![1; rank - values.ndim()][..], values.shape()].concat();
    let values = values.cast(x.dtype()).reshape(&sizes[..]).moveaxis([0], [axis as isize]);
    let values = values.broadcast_to(with_size(x.shape(), axis, values.shape().get(axis).copied().unwrap_or(1)));
    let axis = axis as isize;
    Ok(x.device().concat(&[&x.slice(axis, ..at), &values, &x.slice(axis, at..)], axis))
}

fn insert_each(x: &Array, positions: &[isize], values: &Array, axis: usize) -> Result<Array> {
    values.check()?;
    let size = x.shape()[axis];
    let places = positions.iter().map(|&position| place("insert", position, size, size)).collect::<Result<Vec<_>>>()?;
    let sizes = Shape::new("insert", with_size(x.shape(), axis, places.len()))?;
    let values = values.cast(x.dtype()).broadcast_to(&sizes);
    // What comes before element i has the key 2i, element i itself 2i + 1; a stable sort keeps the order of equals.
    let device = x.device();
    let keys: Vec<i32> = places.iter().map(|&place| super::small(place as isize * 2)).collect();
    let own = device.arange(size) * 2 + 1;
    let n_new = keys.len();
    let order = device.concat(&[&own, &device.array(keys, [n_new])], 0).argsort(0);
    let axis = axis as isize;
    Ok(device.concat(&[x, &values], axis).take(&order, axis))
}

/// Up to this many pieces are joined; beyond, elements are picked one by one.
const MAX_PIECES: usize = 8;

fn delete(x: &Array, positions: &[isize], axis: usize) -> Result<Array> {
    let size = x.shape()[axis];
    let mut places = positions
        .iter()
        .map(|&position| match size {
            0 => Err(Error::shape("delete", format!("position {position} is out of range for an axis of size 0"))),
            _ => place("delete", position, size, size - 1),
        })
        .collect::<Result<Vec<_>>>()?;
    places.sort_unstable();
    places.dedup();
    // The runs between those that go.
    let starts = std::iter::once(0).chain(places.iter().map(|&place| place + 1));
    let ends = places.iter().copied().chain(std::iter::once(size));
    let runs: Vec<(usize, usize)> = starts.zip(ends).filter(|(start, end)| start < end).collect();
    let along = axis as isize;
    if runs.is_empty() {
        return Ok(x.slice(along, 0..0));
    }
    if runs.len() <= MAX_PIECES {
        let pieces: Vec<Array> =
            runs.iter().map(|&(start, end)| x.slice(along, start as isize..end as isize)).collect();
        return Ok(x.device().concat(&pieces.iter().collect::<Vec<_>>(), along));
    }
    let n_gone = places.len();
    let gone: Vec<i32> = places.into_iter().map(|place| super::small(place as isize)).collect();
    let is_gone = x.device().arange(size).isin(&x.device().array(gone, [n_gone]));
    Ok(x.take(&chosen(&is_gone.not(), size - n_gone), along))
}

fn delete_range(x: &Array, range: Range, axis: usize) -> Array {
    let size = x.shape()[axis];
    let (start, n) = range.resolve(size);
    if n == 0 {
        return x.clone();
    }
    let along = axis as isize;
    let last = start as isize + (n as isize - 1) * range.step;
    let (low, high) = (last.min(start as isize), last.max(start as isize));
    let (before, after) = (x.slice(along, ..low), x.slice(along, high + 1..));
    let distance = range.step.unsigned_abs();
    if distance == 1 || n == 1 {
        return x.device().concat(&[&before, &after], along);
    }
    let inside = x.slice(along, low..high + 1);
    let is_kept = (x.device().arange(inside.shape()[axis]) % super::small(distance as isize)).ne(0);
    let kept = inside.take(&chosen(&is_kept, inside.shape()[axis] - n), along);
    x.device().concat(&[&before, &kept, &after], along)
}
