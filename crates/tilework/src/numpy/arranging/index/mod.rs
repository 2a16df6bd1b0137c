//! NumPy's indexing: `x[1, ::2, ..., None, rows]` is `x.get((1, Range::ALL.step(2), Index::Ellipsis, Index::NewAxis, &rows))`.
//!
//! An index is first *resolved* against the shape: an ellipsis becomes whole ranges, missing entries are added, and places are checked. Numbers,
//! ranges and new axes are views. Arrays of positions, which broadcast together, are one gather over the axes they index, joined into
//! one; where the result of it goes follows NumPy: in place if the entries are neighbors, to the front if not.
//!
//! Assignment gives a new array. It takes the same way with the positions of all elements instead of the elements, so that what is
//! assigned goes exactly where it would have been read, and is one scatter. Masks are the exception: how many elements they choose is
//! only known on the device, so reading through one is `async`, and assigning through one is a choice between old and new.

mod get;
mod set;
mod text;

pub(super) use get::bounded;
pub(super) use set::places_along;
pub(crate) use text::parse;

use crate::array::{Array, Range};
use tilework_core::dtype::DType;
use tilework_core::{Error, Result};

/// One entry of an index.
#[derive(Clone, Debug)]
pub enum Index {
    /// One element of an axis, which disappears. Negative counts from the end; out of range is an error.
    At(isize),
    /// A range of an axis.
    Slice(Range),
    /// A new axis of size 1.
    NewAxis,
    /// As many whole axes as the other entries leave.
    Ellipsis,
    /// Elements at these positions of an axis. Those out of range are moved to the nearest end, because a device cannot stop half-way
    /// to report them.
    Positions(Array),
    /// The elements for which this is true, of as many axes as it has.
    Mask(Array),
}

impl From<isize> for Index {
    fn from(position: isize) -> Index {
        Index::At(position)
    }
}

impl From<Range> for Index {
    fn from(range: Range) -> Index {
        Index::Slice(range)
    }
}

impl From<&Array> for Index {
    fn from(array: &Array) -> Index {
        if array.dtype() == DType::Bool { Index::Mask(array.clone()) } else { Index::Positions(array.clone()) }
    }
}

impl From<Array> for Index {
    fn from(array: Array) -> Index {
        Index::from(&array)
    }
}

macro_rules! from_ranges {
    ($($range:ty),*) => {$(
        impl From<$range> for Index {
            fn from(range: $range) -> Index {
                Index::Slice(range.into())
            }
        }
    )*};
}
from_ranges!(std::ops::Range<isize>, std::ops::RangeFrom<isize>, std::ops::RangeTo<isize>, std::ops::RangeFull);

/// An index as [`Array::get`] takes it: a tuple such as `(1, .., &rows)`, an array, or a list of [`Index`].
pub trait IntoIndices {
    /// The entries, that of the first axis first.
    fn into_indices(self) -> Vec<Index>;
}

impl IntoIndices for &[Index] {
    fn into_indices(self) -> Vec<Index> {
        self.to_vec()
    }
}

impl IntoIndices for Vec<Index> {
    fn into_indices(self) -> Vec<Index> {
        self
    }
}

impl<const N: usize> IntoIndices for [Index; N] {
    fn into_indices(self) -> Vec<Index> {
        self.into()
    }
}

impl<const N: usize> IntoIndices for &[Index; N] {
    fn into_indices(self) -> Vec<Index> {
        self.to_vec()
    }
}

impl IntoIndices for &Array {
    fn into_indices(self) -> Vec<Index> {
        vec![self.into()]
    }
}

impl IntoIndices for isize {
    fn into_indices(self) -> Vec<Index> {
        vec![self.into()]
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => {$(
        impl<$($name: Into<Index>),*> IntoIndices for ($($name,)*) {
            #[allow(non_snake_case, reason = "one name serves as type and variable")]
            fn into_indices(self) -> Vec<Index> {
                let ($($name,)*) = self;
                vec![$($name.into()),*]
            }
        }
    )*};
}
tuples! { (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) }

/// The entries with a whole range for every axis that is not mentioned, without an ellipsis.
fn resolve(op: &str, x: &Array, index: Vec<Index>) -> Result<Vec<Index>> {
    let mut n_used = 0;
    for entry in &index {
        n_used += match entry {
            Index::At(_) | Index::Slice(_) => 1,
            Index::Positions(array) => array.check().map(|()| 1)?,
            Index::Mask(mask) => mask.check().map(|()| mask.ndim())?,
            Index::NewAxis | Index::Ellipsis => 0,
        };
    }
    if n_used > x.ndim() {
        let message = format!("too many indices: {n_used} for {:?}, which has {} axes", x.shape(), x.ndim());
        return Err(Error::shape(op, message));
    }
    let n_ellipses = index.iter().filter(|entry| matches!(entry, Index::Ellipsis)).count();
    if n_ellipses > 1 {
        return Err(Error::argument(op, "an index can only have a single ellipsis (...)"));
    }
    let whole = vec![Index::Slice(Range::ALL); x.ndim() - n_used];
    let mut resolved = Vec::new();
    for entry in index {
        match entry {
            Index::Ellipsis => resolved.extend_from_slice(&whole),
            entry => resolved.push(entry),
        }
    }
    if n_ellipses == 0 {
        resolved.extend_from_slice(&whole);
    }
    check_masks(op, x, &resolved)?;
    Ok(resolved)
}

/// Masks have the sizes of the axes they choose from, and at least one.
fn check_masks(op: &str, x: &Array, index: &[Index]) -> Result<()> {
    let mut axis = 0;
    for entry in index {
        axis += match entry {
            Index::Mask(mask) => {
                let n = mask.ndim();
                if n == 0 || mask.shape() != &x.shape()[axis..axis + n] {
                    let message =
                        format!("a mask of shape {:?} does not fit axis {axis} of {:?}", mask.shape(), x.shape());
                    return Err(Error::shape(op, message));
                }
                n
            }
            Index::NewAxis | Index::Ellipsis => 0,
            _ => 1,
        };
    }
    Ok(())
}
