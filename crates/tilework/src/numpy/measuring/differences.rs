//! Differences of neighbors, slopes and integrals of samples.

use super::{float, settled};
use crate::array::Array;
use tilework_core::dtype::DType;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

/// How far samples are apart.
#[derive(Clone)]
pub enum SampleSpacing {
    /// All equally.
    Even(f64),
    /// One coordinate for each sample of the axis.
    Coordinates(Array),
}

/// How slopes at the two ends are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EdgeOrder {
    /// From two samples.
    #[default]
    First,
    /// From three samples, as exactly as inside.
    Second,
}

/// What is rarely said of slopes.
#[derive(Clone, Default)]
pub struct GradientOptions {
    /// One for all axes, or one for each; 1 unless told.
    pub spacing: Vec<SampleSpacing>,
    /// Along which axes; all of them if none is named.
    pub axes: Vec<isize>,
    /// How slopes at the ends are found.
    pub edges: EdgeOrder,
}

impl Array {
    /// Differences of neighbors along `axis`, `n` times; truth values differ or do not.
    pub fn diff(&self, n: usize, axis: isize) -> Array {
        settled(self, diff(self, n, axis))
    }

    /// [`Array::diff`] after `before` and `after` were joined to this array along the axis; a single number is one more element.
    pub fn diff_between(&self, before: Option<&Array>, after: Option<&Array>, n: usize, axis: isize) -> Array {
        settled(self, extended(self, before, after, axis).and_then(|x| diff(&x, n, axis)))
    }

    /// Differences of neighbors of the flattened array, with other numbers before and after them.
    pub fn ediff1d(&self, before: Option<&Array>, after: Option<&Array>) -> Array {
        let inner = self.flatten().diff(1, 0);
        let part = |given: Option<&Array>| given.map(|given| given.flatten().cast(inner.dtype()));
        let (before, after) = (part(before), part(after));
        let parts: Vec<&Array> = before.iter().chain([&inner]).chain(&after).collect();
        if parts.len() == 1 { inner } else { self.device().concat(&parts, 0) }
    }

    /// Slopes along each of the axes: of the parabola through three neighbors inside, of a line or a parabola at the ends.
    pub fn gradient(&self, options: &GradientOptions) -> Result<Vec<Array>> {
        let x = float(self);
        let axes = if options.axes.is_empty() {
            (0..x.node()?.shape().rank()).collect()
        } else {
            let shape = Shape::clone(x.node()?.shape());
            shape.axes("gradient", &options.axes)?;
            options.axes.iter().map(|&axis| shape.axis("gradient", axis)).collect::<Result<Vec<_>>>()?
        };
        let n_given = options.spacing.len();
        if n_given > 1 && n_given != axes.len() {
            let message = format!("{n_given} spacings were given for {} axes", axes.len());
            return Err(Error::argument("gradient", message));
        }
        let even = SampleSpacing::Even(1.0);
        let spacing = |k: usize| options.spacing.get(if n_given > 1 { k } else { 0 }).unwrap_or(&even);
        axes.iter().enumerate().map(|(k, &axis)| slope(&x, axis, spacing(k), options.edges)).collect()
    }

    /// Integral along `axis` by trapezoids between samples that are `dx` apart.
    pub fn trapezoid(&self, dx: f64, axis: isize) -> Array {
        let y = float(self);
        (y.slice(axis, 1..) + y.slice(axis, ..-1)).sum([axis]) * (dx * 0.5)
    }

    /// Integral along `axis` by trapezoids between samples at `x`: one coordinate for each of the axis, or for each element.
    pub fn trapezoid_at(&self, x: &Array, axis: isize) -> Array {
        settled(self, trapezoid_at(self, x, axis))
    }
}

/// Each difference is a step, and those of this order have lost all digits.
const MAX_ORDER: usize = 256;

fn diff(x: &Array, n: usize, axis: isize) -> Result<Array> {
    let axis_index = x.node()?.shape().axis("diff", axis)?;
    if n > 0 && n >= x.shape()[axis_index] {
        return Ok(x.slice(axis, ..0));
    }
    if n > MAX_ORDER {
        return Err(Error::argument("diff", format!("takes differences up to {MAX_ORDER} times, not {n}")));
    }
    let mut y = x.clone();
    for _ in 0..n {
        let (later, earlier) = (y.slice(axis, 1..), y.slice(axis, ..-1));
        y = if y.dtype() == DType::Bool { later.ne(earlier) } else { later - earlier };
    }
    y.check().map(|()| y)
}

fn extended(x: &Array, before: Option<&Array>, after: Option<&Array>, axis: isize) -> Result<Array> {
    let axis_index = x.node()?.shape().axis("diff", axis)?;
    let mut single = x.shape().to_vec();
    single[axis_index] = 1;
    let part = |given: &Array| if given.ndim() == 0 { given.broadcast_to(&single[..]) } else { given.clone() };
    let (before, after) = (before.map(part), after.map(part));
    let parts: Vec<&Array> = before.iter().chain([x]).chain(&after).collect();
    let joined = x.device().concat(&parts, axis);
    joined.check().map(|()| joined)
}

/// `values` along `axis` of an array with `rank` axes.
pub(super) fn along(values: &Array, axis: usize, rank: usize) -> Array {
    let mut sizes = vec![1; rank];
    sizes[axis] = values.size();
    values.reshape(sizes)
}

fn slope(x: &Array, axis: usize, spacing: &SampleSpacing, edges: EdgeOrder) -> Result<Array> {
    let n = x.node()?.shape()[axis];
    let n_needed = if edges == EdgeOrder::First { 2 } else { 3 };
    if n < n_needed {
        let message = format!("axis {axis} of {:?} needs at least {n_needed} elements", x.shape());
        return Err(Error::shape("gradient", message));
    }
    let at = |from: isize, to: isize| x.slice(axis as isize, from..to);
    let n_axis = n as isize;
    let first = || at(0, 1);
    let last = || at(n_axis - 1, n_axis);
    let (start, inner, end) = match spacing {
        SampleSpacing::Even(h) => {
            let inner = (at(2, n_axis) - at(0, n_axis - 2)) / (2.0 * h);
            match edges {
                EdgeOrder::First => ((at(1, 2) - first()) / *h, inner, (last() - at(n_axis - 2, n_axis - 1)) / *h),
                EdgeOrder::Second => {
                    let end = |a: Array, b: Array, c: Array| a * (-1.5 / h) + b * (2.0 / h) - c * (0.5 / h);
                    let back = end(last(), at(n_axis - 2, n_axis - 1), at(n_axis - 3, n_axis - 2));
                    (end(first(), at(1, 2), at(2, 3)), inner, -back)
                }
            }
        }
        SampleSpacing::Coordinates(given) => {
            given.check()?;
            if given.shape() != [n] {
                let message = format!("{:?} coordinates for axis {axis} of {:?}", given.shape(), x.shape());
                return Err(Error::shape("gradient", message));
            }
            uneven(x, axis, &along(&float(given), axis, x.ndim()), edges)
        }
    };
    let joined = x.device().concat(&[&start, &inner, &end], axis as isize);
    joined.check().map(|()| joined)
}

/// Slopes at the first sample, inside, and at the last, of samples at any coordinates: derivatives of the parabola through three
/// neighbors, whose weights sum to 0.
fn uneven(x: &Array, axis: usize, coordinates: &Array, edges: EdgeOrder) -> (Array, Array, Array) {
    let axis = axis as isize;
    let steps = |x: &Array| x.slice(axis, 1..) - x.slice(axis, ..-1);
    let (gaps, rises) = (steps(coordinates), steps(x));
    let slopes = &rises / &gaps;
    let n = slopes.shape()[axis as usize] as isize;
    let (one, two) = (gaps.slice(axis, ..-1), gaps.slice(axis, 1..));
    let (left, right) = (slopes.slice(axis, ..-1), slopes.slice(axis, 1..));
    // Inside, the slopes on both sides are weighted by the gap on the other side.
    let inner = (&left * &two + &right * &one) / (&one + &two);
    let at = |x: &Array, k: isize| x.slice(axis, k..k + 1);
    if edges == EdgeOrder::First {
        return (at(&slopes, 0), inner, at(&slopes, n - 1));
    }
    // Beyond an end the change of the slope goes on: s₀ + (s₀ − s₁)·h₀/(h₀ + h₁).
    let end = |near: isize, next: isize| {
        let (s, t) = (at(&slopes, near), at(&slopes, next));
        let share = at(&gaps, near) / (at(&gaps, near) + at(&gaps, next));
        &s + (&s - &t) * share
    };
    (end(0, 1), inner, end(n - 1, n - 2))
}

fn trapezoid_at(y: &Array, x: &Array, axis: isize) -> Result<Array> {
    let axis_index = y.node()?.shape().axis("trapezoid", axis)?;
    let (y, x) = (float(y), float(x));
    let gaps = match x.node()?.shape().rank() {
        1 if x.size() == y.shape()[axis_index] => along(&x.diff(1, 0), axis_index, y.ndim()),
        _ if x.shape() == y.shape() => x.diff(1, axis),
        _ => {
            let message = format!("coordinates {:?} for axis {axis} of {:?}", x.shape(), y.shape());
            return Err(Error::shape("trapezoid", message));
        }
    };
    Ok(((y.slice(axis, 1..) + y.slice(axis, ..-1)) * gaps).sum([axis]) * 0.5)
}
