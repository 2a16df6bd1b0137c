//! Making, cutting, joining, ordering and indexing arrays.
//!
//! Everything here is made of public methods of [`Array`], mostly of views, one gather (`take`) and one scatter, so that every element type and
//! every machine follows by itself. Positions are computed on the device from counted numbers (`arange`), which fuse into whatever
//! reads them; nothing is read back except where the size of a result depends on the data, and then only that size.

mod bits;
mod create;
mod cut;
mod flow;
mod index;
mod join;
mod order;
mod pad;
mod pick;
mod put;
mod sets;
mod shapes;
mod triangles;

pub use create::{Arange, Endpoint, Meshes, Spacing};
pub use cut::Ends;
pub use index::{Index, IntoIndices};
pub use order::SortOptions;
pub use pad::{Pad, PadMode, Parity};
pub use pick::{Bounds, Piece, TakeOptions};
pub use shapes::broadcast_shapes;

pub use bits::BitOrder;
pub(crate) use index::parse as parse_index;

use crate::array::Array;
use crate::device::Device;
use tilework_core::dtype::DType;
use tilework_core::shape::Shape;
use tilework_core::{Error, ErrorKind, Result};

/// The array, or one that carries the mistake.
fn carried(device: &Device, result: Result<Array>) -> Array {
    result.unwrap_or_else(|error| Array::new(device, Err(error)))
}

/// The array; a mistake that it carries is told in the name of `op`.
fn named(op: &str, x: Array) -> Array {
    match x.check() {
        Ok(()) => x,
        Err(error) => Array::new(x.device(), Err(Error::new(error.kind(), op, error.message()))),
    }
}

/// `axis` of an array with these sizes, counted from the start.
fn axis_of(op: &str, sizes: &[usize], axis: isize) -> Result<usize> {
    Shape::new(op, sizes)?.axis(op, axis)
}

/// The array and an axis of it; all elements in one row if there is no axis.
fn along(op: &str, x: &Array, axis: Option<isize>) -> Result<(Array, usize)> {
    x.check()?;
    match axis {
        Some(axis) => Ok((x.clone(), axis_of(op, x.shape(), axis)?)),
        None => Ok((x.flatten(), 0)),
    }
}

/// Sizes before, along and after an axis.
fn split_sizes(sizes: &[usize], axis: usize) -> (usize, usize, usize) {
    (sizes[..axis].iter().product(), sizes[axis], sizes[axis + 1..].iter().product())
}

/// These sizes with another one along an axis.
fn with_size(sizes: &[usize], axis: usize, size: usize) -> Vec<usize> {
    let mut sizes = sizes.to_vec();
    sizes[axis] = size;
    sizes
}

/// A whole number as arrays of positions hold it, far beyond any axis at most.
fn small(k: isize) -> i32 {
    k.clamp(-(1 << 30), 1 << 30) as i32
}

/// Refuses arrays whose elements positions of 32 bits cannot count.
fn expect_countable(op: &str, sizes: &[usize]) -> Result<()> {
    let n = Shape::new(op, sizes)?.n_elements();
    if i32::try_from(n).is_ok() {
        return Ok(());
    }
    Err(Error::new(ErrorKind::TooLarge, op, format!("{sizes:?} has more elements than an int32 counts")))
}

/// Integers as int32, which positions are; an error for floats and truth values.
fn positions(op: &str, indices: &Array) -> Result<Array> {
    indices.check()?;
    if !indices.dtype().is_integer() {
        return Err(Error::dtype(op, format!("positions must be integers, got {}", indices.dtype())));
    }
    Ok(indices.cast(DType::I32))
}

/// `0, 1, 2 …` along `axis` of a shape of `rank` axes, in a form that broadcasts over the others.
fn counted(device: &Device, rank: usize, axis: usize, size: usize) -> Array {
    let mut sizes = vec![1; rank];
    sizes[axis] = size;
    device.arange(size).reshape(sizes)
}

/// The positions (int32) at which a row of truth values is true, of which there are `n`.
fn chosen(flags: &Array, n: usize) -> Array {
    let numbers = flags.device().arange(n) + 1;
    flags.cast(DType::I32).cumsum(0).searchsorted(&numbers, tilework_ops::ops::searchsorted::Side::Left)
}
