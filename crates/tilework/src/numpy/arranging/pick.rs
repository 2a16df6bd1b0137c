//! Elements picked by position, by truth, or one array's at a time.

use super::index::{bounded, places_along};
use super::{along, axis_of, carried, expect_countable, positions, small};
use crate::array::{Array, Operand};
use crate::device::Device;
use tilework_core::dtype::DType;
use tilework_core::shape::{IntoSizes, KeepAxes, Shape};
use tilework_core::{Error, Result};

/// What happens to positions out of range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bounds {
    /// They are moved to the nearest end; negative ones count from the end first. The default, instead of NumPy's error: a device cannot
    /// stop half-way to report it.
    #[default]
    Nearest,
    /// They are moved to the nearest end; negative ones are before the start.
    Clip,
    /// They start again from the other end.
    Wrap,
}

/// How [`Array::take_with`] picks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TakeOptions {
    /// The axis; all elements in one row without one.
    pub axis: Option<isize>,
    /// What happens to positions out of range.
    pub bounds: Bounds,
}

impl Bounds {
    /// The positions within an axis of `size` elements.
    pub(super) fn apply(self, positions: &Array, size: usize) -> Array {
        let n = small(size as isize);
        match self {
            Bounds::Nearest => bounded(positions, size),
            Bounds::Clip => positions.maximum(0).minimum((n - 1).max(0)),
            Bounds::Wrap => positions % n.max(1),
        }
    }
}

impl Array {
    /// Elements at integer `indices`, whose shape takes the place of the axis.
    pub fn take_with(&self, indices: &Array, options: TakeOptions) -> Array {
        let taken = along("take", self, options.axis).and_then(|(x, axis)| {
            let size = x.shape()[axis];
            let indices = positions("take", indices)?;
            if size == 0 && indices.size() > 0 {
                return Err(Error::shape("take", format!("axis {axis} of {:?} has no elements", x.shape())));
            }
            // The gather itself moves positions to the nearest end.
            let is_nearest = options.bounds == Bounds::Nearest;
            let indices = if is_nearest { indices } else { options.bounds.apply(&indices, size) };
            Ok(x.take(&indices, axis as isize))
        });
        carried(self.device(), taken)
    }

    /// For every place of `indices`, the element that the index names along `axis` and that lies there otherwise. The other axes
    /// broadcast. Without an axis, all elements of both are one row.
    pub fn take_along_axis(&self, indices: &Array, axis: Option<isize>) -> Array {
        carried(
            self.device(),
            along("take_along_axis", self, axis).and_then(|(x, at)| take_along(&x, indices, at, axis)),
        )
    }

    /// How many elements are not 0 (false), as int32: along these axes, or all of them if none is named.
    pub fn count_nonzero(&self, axes: impl AsRef<[isize]>, keep: KeepAxes) -> Array {
        let truth = self.cast(DType::Bool);
        if keep == KeepAxes::Yes { truth.sum_keep(axes) } else { truth.sum(axes) }
    }

    /// Where elements are not 0, in row-major order: one row of positions (int32) each.
    pub async fn argwhere(&self) -> Result<Array> {
        let positions = self.nonzero().await?;
        Ok(self.device().stack(&positions.iter().collect::<Vec<_>>(), 1))
    }

    /// Where the elements in row-major order are not 0 (int32).
    pub async fn flatnonzero(&self) -> Result<Array> {
        self.check()?;
        let mut positions = self.flatten().nonzero().await?;
        positions.pop().ok_or_else(|| Error::shape("flatnonzero", "has no positions"))
    }

    /// The elements for which `condition`, of equally many elements, is true: one row, in row-major order.
    pub async fn extract(&self, condition: &Array) -> Result<Array> {
        self.compress_with(condition, None).await
    }

    /// The parts of an axis for which `condition` is true, as far as it reaches; without an axis, of all elements in one row.
    pub async fn compress_with(&self, condition: &Array, axis: Option<isize>) -> Result<Array> {
        let (x, axis) = along("compress", self, axis)?;
        condition.check()?;
        let mask = condition.flatten();
        if mask.size() > x.shape()[axis] {
            let message = format!("a condition of {} elements for axis {axis} of {:?}", mask.size(), x.shape());
            return Err(Error::shape("compress", message));
        }
        let shorter = x.slice(axis as isize, ..mask.size() as isize);
        shorter.compress(&mask, axis as isize).await
    }

    /// The element of the array that this one's element names: `choices[x]` at every place. All broadcast.
    pub fn choose(&self, choices: &[&Array], bounds: Bounds) -> Array {
        let chosen = positions("choose", self).and_then(|index| {
            let Some((first, rest)) = choices.split_first() else {
                return Err(Error::argument("choose", "needs at least one array to choose from"));
            };
            let dtype = choices.iter().fold(first.dtype(), |dtype, choice| dtype.promote(choice.dtype()));
            let index = bounds.apply(&index, choices.len());
            // Broadcast even if there is nothing to choose.
            let start = index.ge(0).select(first.cast(dtype), first.cast(dtype));
            let step = |chosen: Array, (k, choice): (usize, &&Array)| {
                index.eq(small(k as isize + 1)).select(choice.cast(dtype), &chosen)
            };
            Ok(rest.iter().enumerate().fold(start, step))
        });
        carried(self.device(), chosen)
    }

    /// Elements of this array's type: of the value of the last condition that holds, else of `otherwise`.
    pub fn piecewise(&self, cases: &[(&Array, &Piece<'_>)], otherwise: &Piece<'_>) -> Array {
        let start = otherwise(self).cast(self.dtype()).broadcast_to(self.shape());
        cases
            .iter()
            .fold(start, |whole, (condition, f)| condition.cast(DType::Bool).select(f(self).cast(self.dtype()), &whole))
    }

    /// Row-major positions (int32) as one row of positions for each axis of `shape`.
    pub fn unravel_index(&self, shape: impl IntoSizes) -> Result<Vec<Array>> {
        let flat = positions("unravel_index", self)?;
        let sizes = Shape::new("unravel_index", shape.into_sizes())?;
        expect_countable("unravel_index", &sizes)?;
        let flat = bounded(&flat, sizes.n_elements());
        let along = |axis: usize| {
            let n_inner: usize = sizes[axis + 1..].iter().product();
            flat.floor_div(small(n_inner.max(1) as isize)) % small(sizes[axis].max(1) as isize)
        };
        Ok((0..sizes.rank()).map(along).collect())
    }
}

/// A part of [`Array::piecewise`].
pub type Piece<'a> = dyn Fn(&Array) -> Array + 'a;

impl Device {
    /// Row-major positions (int32) in `shape` of the elements with these positions along its axes.
    pub fn ravel_multi_index(&self, indices: &[&Array], shape: impl IntoSizes, bounds: Bounds) -> Array {
        let sizes = shape.into_sizes();
        let flat = expect_countable("ravel_multi_index", &sizes).and_then(|()| {
            if indices.len() != sizes.len() {
                let message = format!("{} arrays of positions do not belong to the axes of {sizes:?}", indices.len());
                return Err(Error::shape("ravel_multi_index", message));
            }
            let mut flat = self.full_of((), 0.0, DType::I32);
            for (&indices, &size) in indices.iter().zip(&sizes) {
                flat = flat * small(size as isize) + bounds.apply(&positions("ravel_multi_index", indices)?, size);
            }
            Ok(flat)
        });
        carried(self, flat)
    }

    /// The element of the first choice whose condition holds, `default` where none does: NumPy's `select`.
    pub fn select_first(&self, conditions: &[&Array], choices: &[&Array], default: impl Operand) -> Array {
        if conditions.len() != choices.len() || choices.is_empty() {
            let message = format!("{} conditions for {} choices", conditions.len(), choices.len());
            return carried(self, Err(Error::argument("select", message)));
        }
        let dtype = choices.iter().fold(choices[0].dtype(), |dtype, choice| dtype.promote(choice.dtype()));
        let start = Array::new(self, default.to_node(dtype));
        let pairs = conditions.iter().zip(choices).rev();
        pairs.fold(start, |rest, (condition, choice)| condition.cast(DType::Bool).select(choice.cast(dtype), &rest))
    }
}

fn take_along(x: &Array, indices: &Array, at: usize, axis: Option<isize>) -> Result<Array> {
    let op = "take_along_axis";
    let indices = positions(op, indices)?;
    let indices = if axis.is_none() { indices.flatten() } else { indices };
    let (x, indices) = matched(op, x, &indices, at)?;
    let places = places_along(&indices, x.shape(), at)?;
    Ok(x.flatten().take(&places, 0))
}

/// An array and indices into it that agree on all axes except one.
pub(super) fn matched(op: &str, x: &Array, indices: &Array, axis: usize) -> Result<(Array, Array)> {
    if x.ndim() != indices.ndim() {
        let message = format!("indices {:?} and {:?} differ in their number of axes", indices.shape(), x.shape());
        return Err(Error::shape(op, message));
    }
    axis_of(op, x.shape(), axis as isize)?;
    let without = |sizes: &[usize]| Shape::new(op, super::with_size(sizes, axis, 1));
    let common = Shape::broadcast(op, &without(x.shape())?, &without(indices.shape())?).map_err(|_| {
        let message =
            format!("indices {:?} do not broadcast to {:?} except along axis {axis}", indices.shape(), x.shape());
        Error::shape(op, message)
    })?;
    if x.shape()[axis] == 0 && indices.size() > 0 {
        return Err(Error::shape(op, format!("axis {axis} of {:?} has no elements", x.shape())));
    }
    let wide = |array: &Array| array.broadcast_to(super::with_size(&common, axis, array.shape()[axis]));
    Ok((wide(x), wide(indices)))
}
