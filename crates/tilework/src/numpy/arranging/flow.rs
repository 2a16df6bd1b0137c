//! Elements in other places: rolled, turned, repeated.

use super::{along, axis_of, carried, small, split_sizes, with_size};
use crate::array::Array;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
use tilework_ops::ops::searchsorted::Side;

impl Array {
    /// Elements moved by `shifts` along `axes`, those that leave at one end coming back at the other. One shift stands for all axes. Without
    /// axes the elements move in row-major order.
    pub fn roll(&self, shifts: impl AsRef<[isize]>, axes: impl AsRef<[isize]>) -> Array {
        carried(self.device(), self.check().and_then(|()| roll(self, shifts.as_ref(), axes.as_ref())))
    }

    /// Turned by `n_turns` quarters in the plane of two axes, from the first towards the second.
    pub fn rot90(&self, n_turns: isize, axes: [isize; 2]) -> Array {
        carried(self.device(), self.check().and_then(|()| rot90(self, n_turns, axes)))
    }

    /// The second axis in reverse.
    pub fn fliplr(&self) -> Array {
        carried(self.device(), self.expect_rank("fliplr", 2).map(|()| self.flip([1])))
    }

    /// The first axis in reverse.
    pub fn flipud(&self) -> Array {
        carried(self.device(), self.expect_rank("flipud", 1).map(|()| self.flip([0])))
    }

    /// Each element `n` times, along an axis or in row-major order.
    pub fn repeat(&self, n: usize, axis: Option<isize>) -> Array {
        let repeated = along("repeat", self, axis).and_then(|(x, axis)| {
            let (n_outer, size, n_inner) = split_sizes(x.shape(), axis);
            let sizes = with_size(x.shape(), axis, size.saturating_mul(n));
            Shape::new("repeat", &sizes[..])?;
            let rows = n_outer * size;
            Ok(x.reshape([rows, 1, n_inner]).broadcast_to([rows, n, n_inner]).reshape(sizes))
        });
        carried(self.device(), repeated)
    }

    /// Each element of an axis (or of all elements in row-major order) as often as `counts` says for it.
    pub fn repeat_each(&self, counts: &[usize], axis: Option<isize>) -> Array {
        carried(self.device(), along("repeat", self, axis).and_then(|(x, axis)| repeat_each(&x, counts, axis)))
    }

    /// The whole array `n_times[k]` times along axis `k`. Axes are added in front, of this array or of the counts, if there are too few.
    pub fn tile(&self, n_times: impl AsRef<[usize]>) -> Array {
        carried(self.device(), self.check().and_then(|()| tile(self, n_times.as_ref())))
    }

    fn expect_rank(&self, op: &str, n_axes: usize) -> Result<()> {
        self.check()?;
        if self.ndim() >= n_axes {
            return Ok(());
        }
        Err(Error::shape(op, format!("needs at least {n_axes} axes, got {:?}", self.shape())))
    }
}

fn roll(x: &Array, shifts: &[isize], axes: &[isize]) -> Result<Array> {
    let op = "roll";
    if axes.is_empty() {
        let shift = shifts.iter().fold(0isize, |sum, &shift| sum.saturating_add(shift));
        return Ok(roll_axis(&x.flatten(), shift, 0).reshape(x.shape()));
    }
    if shifts.len() != axes.len() && shifts.len() != 1 && axes.len() != 1 {
        return Err(Error::argument(op, format!("{} shifts do not belong to {} axes", shifts.len(), axes.len())));
    }
    let mut rolled = x.clone();
    for k in 0..if shifts.is_empty() { 0 } else { shifts.len().max(axes.len()) } {
        let axis = axis_of(op, x.shape(), axes[k.min(axes.len() - 1)])?;
        rolled = roll_axis(&rolled, shifts[k.min(shifts.len() - 1)], axis);
    }
    Ok(rolled)
}

fn roll_axis(x: &Array, shift: isize, axis: usize) -> Array {
    let size = x.shape()[axis] as isize;
    let shift = if size == 0 { 0 } else { shift.rem_euclid(size) };
    if shift == 0 {
        return x.clone();
    }
    let axis = axis as isize;
    x.device().concat(&[&x.slice(axis, size - shift..), &x.slice(axis, ..size - shift)], axis)
}

fn rot90(x: &Array, n_turns: isize, axes: [isize; 2]) -> Result<Array> {
    let [a, b] = [axis_of("rot90", x.shape(), axes[0])?, axis_of("rot90", x.shape(), axes[1])?];
    if a == b {
        return Err(Error::shape("rot90", format!("axes {axes:?} of {:?} are one and the same", x.shape())));
    }
    let [a, b] = [a as isize, b as isize];
    Ok(match n_turns.rem_euclid(4) {
        1 => x.flip([b]).swap_axes(a, b),
        2 => x.flip([a, b]),
        3 => x.swap_axes(a, b).flip([b]),
        _ => x.clone(),
    })
}

fn repeat_each(x: &Array, counts: &[usize], axis: usize) -> Result<Array> {
    let size = x.shape()[axis];
    if counts.len() != size {
        let message = format!("{} counts for {size} elements of axis {axis} of {:?}", counts.len(), x.shape());
        return Err(Error::shape("repeat", message));
    }
    let total = counts.iter().try_fold(0usize, |sum, &n| sum.checked_add(n)).unwrap_or(usize::MAX);
    super::expect_countable("repeat", &with_size(x.shape(), axis, total))?;
    let counts: Vec<i32> = counts.iter().map(|&n| small(n as isize)).collect();
    let device = x.device();
    // Copy k belongs to the first element whose running count exceeds k.
    let ends = device.array(counts, [size]).cumsum(0);
    Ok(x.take(&ends.searchsorted(&device.arange(total), Side::Right), axis as isize))
}

fn tile(x: &Array, n_times: &[usize]) -> Result<Array> {
    let rank = x.ndim().max(n_times.len());
    let mut sizes = [&vec![1; rank - x.ndim()][..], x.shape()].concat();
    let n_times = [&vec![1; rank - n_times.len()][..], n_times].concat();
    let mut tiled = x.clone();
    for (axis, &n) in n_times.iter().enumerate() {
        if n == 1 {
            continue;
        }
        let (n_outer, size, n_inner) = split_sizes(&sizes, axis);
        sizes[axis] = size.saturating_mul(n);
        Shape::new("tile", &sizes[..])?;
        tiled =
            tiled.reshape([n_outer, 1, size * n_inner]).broadcast_to([n_outer, n, size * n_inner]).reshape(&sizes[..]);
    }
    Ok(tiled.reshape(sizes))
}
