//! Other shapes of the same elements.

use super::{axis_of, carried, small};
use crate::array::Array;
use crate::device::Device;
use tilework_core::shape::{IntoSizes, Shape};
use tilework_core::{Error, Result};

/// The shape to which all these broadcast.
pub fn broadcast_shapes(shapes: &[&[usize]]) -> Result<Vec<usize>> {
    let op = "broadcast_shapes";
    let whole = shapes
        .iter()
        .try_fold(Shape::scalar(), |whole, &sizes| Shape::broadcast(op, &whole, &Shape::new(op, sizes)?))?;
    Ok(whole.to_vec())
}

impl Device {
    /// The arrays in the shape to which all of them broadcast.
    pub fn broadcast_arrays(&self, arrays: &[&Array]) -> Result<Vec<Array>> {
        for array in arrays {
            array.check()?;
        }
        let shapes: Vec<&[usize]> = arrays.iter().map(|array| array.shape()).collect();
        let whole =
            broadcast_shapes(&shapes).map_err(|error| Error::new(error.kind(), "broadcast_arrays", error.message()))?;
        Ok(arrays.iter().map(|array| array.broadcast_to(&whole[..])).collect())
    }
}

impl Array {
    /// Like [`Array::reshape`]; one size may be −1, which stands for whatever is left.
    pub fn reshape_to(&self, sizes: impl AsRef<[isize]>) -> Array {
        carried(
            self.device(),
            self.check().and_then(|()| inferred(self, sizes.as_ref())).map(|sizes| self.reshape(sizes)),
        )
    }

    /// The elements in row-major order in another shape of any size: repeated from the start as often as needed, or cut off. Zeros if
    /// there are none.
    pub fn resize(&self, shape: impl IntoSizes) -> Array {
        let shape = Shape::new("resize", shape.into_sizes()).and_then(|shape| self.check().map(|()| shape));
        carried(self.device(), shape.map(|shape| resized(self, &shape)))
    }

    /// New axes of size 1 at these positions of the result.
    pub fn expand_all(&self, axes: impl AsRef<[isize]>) -> Array {
        carried(self.device(), self.check().and_then(|()| expanded(self, axes.as_ref())))
    }

    /// The axes `from`, moved to the positions `to`; the others keep their order.
    pub fn moveaxis(&self, from: impl AsRef<[isize]>, to: impl AsRef<[isize]>) -> Array {
        carried(self.device(), self.check().and_then(|()| moved(self, from.as_ref(), to.as_ref())))
    }

    /// `axis` moved back until it lies before the one that was at `start`.
    pub fn rollaxis(&self, axis: isize, start: isize) -> Array {
        let rank = self.ndim() as isize;
        let order = self.check().and_then(|()| {
            let axis = axis_of("rollaxis", self.shape(), axis)?;
            let start = if start < 0 { start + rank } else { start };
            if !(0..=rank).contains(&start) {
                let message = format!("start {start} is out of range for {:?}", self.shape());
                return Err(Error::shape("rollaxis", message));
            }
            let mut order: Vec<isize> = (0..rank).filter(|&k| k != axis as isize).collect();
            let at = if (axis as isize) < start { start - 1 } else { start };
            order.insert(at as usize, axis as isize);
            Ok(order)
        });
        carried(self.device(), order.map(|order| self.permute(order)))
    }

    /// The last two axes exchanged.
    pub fn matrix_transpose(&self) -> Array {
        if self.ndim() < 2 {
            let message = format!("needs at least two axes, got {:?}", self.shape());
            return carried(self.device(), self.check().and(Err(Error::shape("matrix_transpose", message))));
        }
        self.swap_axes(-1, -2)
    }

    /// With at least one axis.
    pub fn atleast_1d(&self) -> Array {
        if self.ndim() == 0 && self.check().is_ok() { self.reshape([1]) } else { self.clone() }
    }

    /// With at least two axes; a row becomes a matrix of one row.
    pub fn atleast_2d(&self) -> Array {
        if self.check().is_err() {
            return self.clone();
        }
        match *self.shape() {
            [] => self.reshape([1, 1]),
            [n] => self.reshape([1, n]),
            _ => self.clone(),
        }
    }

    /// With at least three axes; a row of `n` becomes `[1, n, 1]`, a matrix `[n, m, 1]`.
    pub fn atleast_3d(&self) -> Array {
        if self.check().is_err() {
            return self.clone();
        }
        match *self.shape() {
            [] => self.reshape([1, 1, 1]),
            [n] => self.reshape([1, n, 1]),
            [n, m] => self.reshape([n, m, 1]),
            _ => self.clone(),
        }
    }
}

/// Sizes of which one may be −1.
fn inferred(x: &Array, sizes: &[isize]) -> Result<Vec<usize>> {
    let wrong = || Error::shape("reshape", format!("cannot reshape {:?} into {sizes:?}", x.shape()));
    let n_open = sizes.iter().filter(|&&size| size == -1).count();
    if n_open > 1 || sizes.iter().any(|&size| size < -1) {
        return Err(wrong());
    }
    let known = sizes
        .iter()
        .filter(|&&size| size >= 0)
        .try_fold(1usize, |n, &size| n.checked_mul(size as usize))
        .ok_or_else(wrong)?;
    if n_open == 0 {
        return Ok(sizes.iter().map(|&size| size as usize).collect());
    }
    if known == 0 || !x.size().is_multiple_of(known) {
        return Err(wrong());
    }
    Ok(sizes.iter().map(|&size| if size < 0 { x.size() / known } else { size as usize }).collect())
}

fn resized(x: &Array, shape: &Shape) -> Array {
    let (n, n_old) = (shape.n_elements(), x.size());
    if n_old == 0 {
        return x.device().full_of(shape, 0.0, x.dtype());
    }
    let flat = x.flatten();
    if n <= n_old {
        return flat.slice(0, 0..n as isize).reshape(shape);
    }
    flat.take(&(x.device().arange(n) % small(n_old as isize)), 0).reshape(shape)
}

fn expanded(x: &Array, axes: &[isize]) -> Result<Array> {
    let rank = x.ndim() + axes.len();
    let ones = Shape::new("expand_dims", vec![1; rank])?;
    let new = if axes.is_empty() { Vec::new() } else { ones.axes("expand_dims", axes)? };
    let mut old = x.shape().iter();
    let sizes: Vec<usize> =
        (0..rank).map(|axis| if new.contains(&axis) { 1 } else { old.next().copied().unwrap_or(1) }).collect();
    Ok(x.reshape(sizes))
}

fn moved(x: &Array, from: &[isize], to: &[isize]) -> Result<Array> {
    let op = "moveaxis";
    if from.len() != to.len() {
        return Err(Error::argument(op, format!("axes {from:?} cannot move to as many places as {to:?}")));
    }
    let shape = Shape::new(op, x.shape())?;
    if !from.is_empty() {
        // Refuses axes that are named twice.
        shape.axes(op, from)?;
        shape.axes(op, to)?;
    }
    let resolve = |axes: &[isize]| axes.iter().map(|&axis| shape.axis(op, axis)).collect::<Result<Vec<usize>>>();
    let (from, to) = (resolve(from)?, resolve(to)?);
    let mut rest = (0..shape.rank()).filter(|axis| !from.contains(axis));
    let mut order = Vec::new();
    for place in 0..shape.rank() {
        let axis = match to.iter().position(|&to| to == place) {
            Some(k) => Some(from[k]),
            None => rest.next(),
        };
        order.push(axis.unwrap_or(place) as isize);
    }
    Ok(x.permute(order))
}
