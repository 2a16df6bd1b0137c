//! Assigning through an index: new arrays in which some elements are others.

use super::super::{carried, counted, expect_countable, small};
use super::get::get;
use super::{Index, IntoIndices, resolve};
use crate::array::{Array, Operand, Range};
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
use tilework_ops::ops::scatter_add::ScatterAdd;
use tilework_ops::ops::searchsorted::Side;

impl Array {
    /// A copy in which the elements an index names are `values`, which broadcast: NumPy's `x[index] = values`.
    ///
    /// All entries of [`Array::get`], and masks, with one value for all elements they choose or one for each in order. Where positions are
    /// equal, the last wins. The array keeps its type.
    pub fn set(&self, index: impl IntoIndices, values: impl Operand) -> Array {
        let set = self.check().and_then(|()| {
            let values = operand(self, &values)?;
            set(self, resolve("set", self, index.into_indices())?, &values)
        });
        carried(self.device(), set)
    }

    /// A copy in which `values` were added to the elements an index names, as often as it names them: NumPy's `add.at`.
    pub fn add_at(&self, index: impl IntoIndices, values: impl Operand) -> Array {
        let added = self.check().and_then(|()| {
            let values = operand(self, &values)?;
            let index = resolve("add_at", self, index.into_indices())?;
            if index.iter().any(|entry| matches!(entry, Index::Mask(_))) {
                return Ok(self + &set(&self.full_like(0.0), index, &values)?);
            }
            add_at(self, index, &values)
        });
        carried(self.device(), added)
    }
}

fn operand(x: &Array, values: &dyn Operand) -> Result<Array> {
    let values = Array::new(x.device(), values.to_node(x.dtype())).cast(x.dtype());
    values.check().map(|()| values)
}

fn set(x: &Array, index: Vec<Index>, values: &Array) -> Result<Array> {
    if index.iter().any(|entry| matches!(entry, Index::Mask(_))) {
        return set_masked(x, index, values);
    }
    let (places, values) = places_of("set", x, index, values)?;
    if places.size() == 0 {
        return Ok(x.clone());
    }
    Ok(x.flatten().scatter(&places, &values, 0).reshape(x.shape()))
}

/// Row-major positions of the elements that a resolved index names, and a value for each.
fn places_of(op: &str, x: &Array, index: Vec<Index>, values: &Array) -> Result<(Array, Array)> {
    expect_countable(op, x.shape())?;
    let named = |error: Error| Error::new(error.kind(), op, error.message());
    let places = get(&x.device().arange(x.size()).reshape(x.shape()), index).map_err(named)?;
    // As in NumPy, leading axes of size 1 do not count.
    let mut sizes = values.shape();
    while sizes.len() > places.ndim() && sizes[0] == 1 {
        sizes = &sizes[1..];
    }
    let spread = values.reshape(sizes).broadcast_to(places.shape());
    if spread.check().is_err() {
        let message = format!(
            "values of shape {:?} do not broadcast to the {:?} that the index names",
            values.shape(),
            places.shape()
        );
        return Err(Error::shape(op, message));
    }
    Ok((places.flatten(), spread.flatten()))
}

fn add_at(x: &Array, index: Vec<Index>, values: &Array) -> Result<Array> {
    let (places, values) = places_of("add_at", x, index, values)?;
    if places.size() == 0 {
        return Ok(x.clone());
    }
    let device = x.device();
    let sums = if x.dtype().is_float() {
        device.apply(Arc::new(ScatterAdd::new(0, x.size())), &[&values, &places])
    } else {
        integer_sums(&values, &places, x.size())
    };
    Ok(x + &sums.reshape(x.shape()))
}

/// The sum of the values that go to each of `n` places. Integers wrap, so that sums of neighbors in sorted order are exact
/// differences of running sums.
fn integer_sums(values: &Array, places: &Array, n: usize) -> Array {
    let device = values.device();
    let order = places.argsort(0);
    let sorted = places.take(&order, 0);
    let none = device.full_of([1], 0.0, values.dtype());
    let running = device.concat(&[&none, &values.take(&order, 0).cumsum(0)], 0);
    let all = device.arange(n);
    let up_to = |side: Side| running.take(&sorted.searchsorted(&all, side), 0);
    (up_to(Side::Right) - up_to(Side::Left)).cast(values.dtype())
}

/// Masks choose between old and new elements, so nothing has to be counted on the host.
fn set_masked(x: &Array, index: Vec<Index>, values: &Array) -> Result<Array> {
    let is_masked = |entry: &Index| matches!(entry, Index::Mask(_));
    let n_masks = index.iter().filter(|entry| is_masked(entry)).count();
    if n_masks > 1 || index.iter().any(|entry| matches!(entry, Index::Positions(_))) {
        let message = "a mask cannot stand beside other masks or positions when assigning: use its nonzero()";
        return Err(Error::argument("set", message));
    }
    // The elements that the other entries name, with all axes of the mask, which then lie where the entries before it end.
    let (mut views, mut first, mut mask) = (Vec::new(), 0, None);
    for entry in index {
        match entry {
            Index::Mask(array) => {
                views.extend(vec![Index::Slice(Range::ALL); array.ndim()]);
                mask = Some(array);
            }
            entry => {
                first += usize::from(mask.is_none() && !matches!(entry, Index::At(_)));
                views.push(entry);
            }
        }
    }
    let Some(mask) = mask else { return Err(Error::argument("set", "the index is not resolved")) };
    let old = get(x, views.clone())?;
    let n_after = old.ndim() - first - mask.ndim();
    let chosen_sizes = [mask.shape(), &vec![1; n_after][..]].concat();
    let new = per_choice(&old, &mask, first, values)?;
    let merged = mask.reshape(chosen_sizes).select(&new, &old);
    if views.iter().all(|entry| matches!(entry, Index::Slice(Range::ALL))) {
        return Ok(merged);
    }
    set(x, views, &merged)
}

/// Values in a form that broadcasts over `old`, whose axes from `first` on are chosen from by a mask: NumPy sees one axis in their
/// place, with one element for each true one.
fn per_choice(old: &Array, mask: &Array, first: usize, values: &Array) -> Result<Array> {
    let n_after = old.ndim() - first - mask.ndim();
    let wrong = || {
        let message = format!(
            "values of shape {:?} do not fit a mask of {:?} in {:?}",
            values.shape(),
            mask.shape(),
            old.shape()
        );
        Error::shape("set", message)
    };
    if values.ndim() <= n_after {
        return Ok(values.clone());
    }
    if values.ndim() > first + 1 + n_after {
        return Err(wrong());
    }
    // The axis of the values that belongs to the chosen elements.
    let axis = values.ndim() - n_after - 1;
    let n_values = values.shape()[axis];
    if n_values == 1 {
        let sizes = [&values.shape()[..axis], &vec![1; mask.ndim()][..], &values.shape()[axis + 1..]].concat();
        return Ok(values.reshape(sizes));
    }
    if n_values == 0 {
        return Ok(old.clone());
    }
    let number = mask.flatten().cast(DType::I32).cumsum(0) - 1;
    let number = number.maximum(0).minimum(small(n_values as isize - 1)).reshape(mask.shape());
    let spread = values.take(&number, axis as isize);
    spread.check().map_err(|_| wrong())?;
    Ok(spread)
}

/// Row-major positions in `sizes` of the elements that `indices`, of the same number of axes, name along `axis`.
pub(in super::super) fn places_along(indices: &Array, sizes: &[usize], axis: usize) -> Result<Array> {
    expect_countable("take_along_axis", sizes)?;
    let rank = sizes.len();
    let device = indices.device();
    let mut flat = device.full_of((), 0.0, DType::I32);
    for (k, &size) in sizes.iter().enumerate() {
        let along = if k == axis { super::get::bounded(indices, size) } else { counted(device, rank, k, size) };
        flat = flat * small(size as isize) + along;
    }
    let shape = Shape::new("take_along_axis", indices.shape())?;
    Ok(flat.broadcast_to(&shape))
}
