//! Reading through an index.

use super::super::{carried, positions, small};
use super::{Index, IntoIndices, resolve};
use crate::array::Array;
use tilework_core::dtype::DType;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

impl Array {
    /// The elements an index names: `x[1, 2:5, rows]` of NumPy is `x.get((1, 2..5, &rows))`.
    ///
    /// Numbers, ranges, new axes, an ellipsis, and arrays of positions, which broadcast together. For masks see [`Array::get_later`]: how many
    /// elements they choose is not known yet.
    pub fn get(&self, index: impl IntoIndices) -> Array {
        let got = self.check().and_then(|()| {
            let index = resolve("get", self, index.into_indices())?;
            if index.iter().any(|entry| matches!(entry, Index::Mask(_))) {
                let message = "how many elements a mask chooses depends on the data: wait for them (get_later)";
                return Err(Error::argument("get", message));
            }
            get(self, index)
        });
        carried(self.device(), got)
    }

    /// Like [`Array::get`], also through masks, which stand for the positions where they are true.
    pub async fn get_later(&self, index: impl IntoIndices) -> Result<Array> {
        self.check()?;
        let mut entries = Vec::new();
        for entry in resolve("get", self, index.into_indices())? {
            match entry {
                Index::Mask(mask) => entries.extend(mask.nonzero().await?.into_iter().map(Index::Positions)),
                entry => entries.push(entry),
            }
        }
        get(self, entries)
    }
}

/// What stays of an axis after numbers, ranges and new axes have been applied.
struct Kept {
    /// The array without the axes of numbers.
    x: Array,
    /// Axes of it that are indexed by arrays, and by which.
    picked: Vec<(usize, Array)>,
    /// Where the axes of the arrays go.
    place: usize,
}

/// The elements that a resolved index without masks names.
pub(super) fn get(x: &Array, index: Vec<Index>) -> Result<Array> {
    let Kept { x, picked, place } = kept(x, index)?;
    if picked.is_empty() {
        return Ok(x);
    }
    let op = "get";
    let shape = picked
        .iter()
        .try_fold(Shape::scalar(), |shape, (_, array)| Shape::broadcast(op, &shape, &Shape::new(op, array.shape())?))?;
    let axes: Vec<usize> = picked.iter().map(|(axis, _)| *axis).collect();
    let is_adjacent = axes.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    // The indexed axes lie side by side, and become one.
    let (x, first) = if is_adjacent {
        (x, axes[0])
    } else {
        let from: Vec<isize> = axes.iter().map(|&axis| axis as isize).collect();
        let to: Vec<isize> = (0..axes.len() as isize).collect();
        (x.moveaxis(from, to), 0)
    };
    let sizes = x.shape();
    let n_axes = axes.len();
    let indexed = &sizes[first..first + n_axes];
    super::super::expect_countable(op, indexed)?;
    if shape.n_elements() > 0 && indexed.contains(&0) {
        let message = format!("positions are out of range for an axis of size 0 of {sizes:?}");
        return Err(Error::shape(op, message));
    }
    let flat = match &picked[..] {
        // The gather itself moves positions to the nearest end.
        [(_, array)] => array.clone(),
        _ => picked.iter().zip(indexed).fold(x.device().full_of((), 0.0, DType::I32), |flat, ((_, array), &size)| {
            flat * small(size as isize) + bounded(array, size)
        }),
    };
    let merged = [&sizes[..first], &[indexed.iter().product()], &sizes[first + n_axes..]].concat();
    let taken = x.reshape(merged).take(&flat.broadcast_to(&shape), first as isize);
    if place == first {
        return Ok(taken);
    }
    let from: Vec<isize> = (first..first + shape.rank()).map(|axis| axis as isize).collect();
    let to: Vec<isize> = (place..place + shape.rank()).map(|axis| axis as isize).collect();
    Ok(taken.moveaxis(from, to))
}

/// Applies the entries that are views.
fn kept(x: &Array, index: Vec<Index>) -> Result<Kept> {
    // As in NumPy, numbers take part in what is adjacent as soon as there are arrays.
    let is_array = |entry: &Index| matches!(entry, Index::Positions(_));
    let is_advanced = |entry: &Index| is_array(entry) || matches!(entry, Index::At(_));
    let advanced: Vec<usize> = (0..index.len()).filter(|&k| is_advanced(&index[k])).collect();
    let is_adjacent = advanced.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    let place = if is_adjacent { advanced.first().copied().unwrap_or(0) } else { 0 };
    let (mut x, mut axis, mut picked) = (x.clone(), 0usize, Vec::new());
    for entry in index {
        let at = axis as isize;
        match entry {
            Index::At(position) => {
                x = x.index(at, position);
                x.check().map_err(|error| Error::new(error.kind(), "get", error.message()))?;
                continue;
            }
            Index::Slice(range) => x = x.slice(at, range),
            Index::NewAxis => x = x.expand_dims(at),
            Index::Positions(array) => picked.push((axis, positions("get", &array)?)),
            Index::Mask(_) | Index::Ellipsis => return Err(Error::argument("get", "the index is not resolved")),
        }
        x.check().map_err(|error| Error::new(error.kind(), "get", error.message()))?;
        axis += 1;
    }
    Ok(Kept { x, picked, place })
}

/// Positions counted from the start, moved to the nearest end where they are out of range.
pub(in super::super) fn bounded(positions: &Array, size: usize) -> Array {
    let size = small(size as isize);
    let from_start = positions.lt(0).select(&(positions + size), positions);
    from_start.maximum(0).minimum((size - 1).max(0))
}
