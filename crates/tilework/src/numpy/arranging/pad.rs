//! Padding.
//!
//! Axes are padded one after the other, the first first, each over all that the ones before it have made: corners are then what NumPy
//! makes of them. Modes that repeat the array pick elements at positions computed from a period; the others join two pieces to it.

use super::{carried, counted, small, with_size};
use crate::array::Array;
use tilework_core::dtype::DType;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

/// How wide the borders are and what they hold: see [`Array::pad`].
#[derive(Clone, Debug)]
pub struct Pad {
    /// How many elements before and after, for each axis; one pair stands for all axes.
    pub widths: Vec<(usize, usize)>,
    /// What they are.
    pub mode: PadMode,
}

/// What a border holds.
#[derive(Clone, Debug)]
pub enum PadMode {
    /// These values; the array broadcasts to `[n_axes, 2]`: before and after each axis.
    Constant(Array),
    /// Numbers evenly spread from these ends, as above, to the edge.
    LinearRamp(Array),
    /// The element at the edge.
    Edge,
    /// The array mirrored at the element at the edge.
    Reflect(Parity),
    /// The array mirrored beyond the element at the edge, which is there twice.
    Symmetric(Parity),
    /// The array again.
    Wrap,
    /// The largest of so many elements next to the edge, of all of them without a number.
    Maximum(Option<usize>),
    /// The smallest.
    Minimum(Option<usize>),
    /// Their mean, rounded if they are integers.
    Mean(Option<usize>),
    /// Their median, rounded if they are integers.
    Median(Option<usize>),
    /// Whatever is fastest: zeros.
    Empty,
}

/// How a mirrored element continues the array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parity {
    /// As it is.
    #[default]
    Even,
    /// As twice the edge minus it, which continues slopes.
    Odd,
}

impl Array {
    /// With borders: `x.pad(&Pad { widths: vec![(1, 2)], mode: PadMode::Edge })`.
    pub fn pad(&self, pad: &Pad) -> Array {
        carried(self.device(), self.check().and_then(|()| padded(self, pad)))
    }
}

fn padded(x: &Array, pad: &Pad) -> Result<Array> {
    let rank = x.ndim();
    let widths = match pad.widths[..] {
        [one] => vec![one; rank],
        _ if pad.widths.len() == rank => pad.widths.clone(),
        _ => {
            let message = format!("{} pairs of widths do not belong to the axes of {:?}", pad.widths.len(), x.shape());
            return Err(Error::shape("pad", message));
        }
    };
    let ends = match &pad.mode {
        PadMode::Constant(ends) | PadMode::LinearRamp(ends) => {
            ends.check()?;
            let ends = ends.cast(if matches!(pad.mode, PadMode::Constant(_)) { x.dtype() } else { ends.dtype() });
            Some(ends.broadcast_to([rank, 2]))
        }
        _ => None,
    };
    let mut result = x.clone();
    for (axis, width) in widths.into_iter().enumerate() {
        if width == (0, 0) {
            continue;
        }
        let size = result.shape()[axis];
        let total = size.saturating_add(width.0).saturating_add(width.1);
        super::expect_countable("pad", &with_size(result.shape(), axis, total))?;
        if size == 0 && !matches!(pad.mode, PadMode::Constant(_) | PadMode::Empty) {
            let message = format!("axis {axis} of {:?} is empty: only constants can be put around it", x.shape());
            return Err(Error::shape("pad", message));
        }
        let ends = ends.as_ref().map(|ends| ends.index(0, axis as isize));
        result = pad_axis(&result, axis, width, &Border { mode: &pad.mode, ends })?;
        result.check()?;
    }
    Ok(result)
}

/// A mode and, where it has them, the two numbers for one axis.
struct Border<'a> {
    mode: &'a PadMode,
    ends: Option<Array>,
}

fn pad_axis(x: &Array, axis: usize, (before, after): (usize, usize), border: &Border<'_>) -> Result<Array> {
    match border.mode {
        PadMode::Reflect(parity) => return Ok(mirrored(x, axis, (before, after), *parity, Mirror::AtEdge)),
        PadMode::Symmetric(parity) => return Ok(mirrored(x, axis, (before, after), *parity, Mirror::BeyondEdge)),
        PadMode::Wrap => {
            let size = small(x.shape()[axis] as isize);
            return Ok(x.take(&(place(x, axis, (before, after)) % size), axis as isize));
        }
        _ => {}
    }
    let first = side(x, axis, Side::Before, before, border)?;
    let last = side(x, axis, Side::After, after, border)?;
    Ok(x.device().concat(&[&first, x, &last], axis as isize))
}

/// Positions of the padded axis, counted from the first element of the array.
fn place(x: &Array, axis: usize, (before, after): (usize, usize)) -> Array {
    x.device().arange(before + x.shape()[axis] + after) - small(before as isize)
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Before,
    After,
}

#[derive(Clone, Copy, PartialEq)]
enum Mirror {
    AtEdge,
    BeyondEdge,
}

/// What lies on one side, with `width` elements along the axis.
fn side(x: &Array, axis: usize, side: Side, width: usize, border: &Border<'_>) -> Result<Array> {
    let sizes = Shape::new("pad", with_size(x.shape(), axis, width))?;
    let along = axis as isize;
    let edge = || if side == Side::Before { x.slice(along, ..1) } else { x.slice(along, -1..) };
    let end = border.ends.as_ref().map(|ends| ends.index(0, if side == Side::Before { 0 } else { 1 }));
    let n_near = |length: &Option<usize>| length.unwrap_or(usize::MAX).min(x.shape()[axis]) as isize;
    let near = |length: &Option<usize>| {
        let n = n_near(length);
        if side == Side::Before { x.slice(along, ..n) } else { x.slice(along, x.shape()[axis] as isize - n..) }
    };
    let piece = match (border.mode, end) {
        (PadMode::Constant(_), Some(end)) => end,
        (PadMode::LinearRamp(_), Some(end)) => ramp(&edge(), &end, axis, side, width),
        (PadMode::Edge, _) => edge(),
        (PadMode::Maximum(length), _) => near(length).max_keep([along]),
        (PadMode::Minimum(length), _) => near(length).min_keep([along]),
        (PadMode::Mean(length), _) => rounded(&near(length).mean_keep([along]), x.dtype()),
        (PadMode::Median(length), _) => rounded(&median(&near(length), along, n_near(length)), x.dtype()),
        _ => x.device().full_of((), 0.0, x.dtype()),
    };
    Ok(piece.cast(x.dtype()).broadcast_to(&sizes))
}

fn rounded(x: &Array, dtype: DType) -> Array {
    if dtype.is_float() { x.clone() } else { x.round().cast(dtype) }
}

fn median(x: &Array, axis: isize, n: isize) -> Array {
    let sorted = x.sort(axis);
    if n == 0 {
        return x.mean_keep([axis]);
    }
    let float = sorted.cast(x.dtype().float());
    let (low, high) = (float.slice(axis, (n - 1) / 2..(n - 1) / 2 + 1), float.slice(axis, n / 2..n / 2 + 1));
    let middle = (low + high) * 0.5;
    // A NaN is sorted to the end, and the median of such numbers is NaN.
    let last = float.slice(axis, -1..);
    if x.dtype().is_float() { last.is_nan().select(&last, &middle) } else { middle }
}

/// From `end`, which is farthest from the array, towards `edge`, which is not reached.
fn ramp(edge: &Array, end: &Array, axis: usize, side: Side, width: usize) -> Array {
    let dtype = edge.dtype().promote(end.dtype()).float();
    let (edge_float, end) = (edge.cast(dtype), end.cast(dtype));
    let counted = counted(edge.device(), edge.ndim(), axis, width);
    let far = if side == Side::Before { counted } else { counted.neg() + small(width as isize - 1) };
    let slope = (edge_float - &end) / width.max(1) as f64;
    let numbers = slope * far.cast(dtype) + &end;
    if edge.dtype().is_float() { numbers } else { numbers.floor() }
}

fn mirrored(x: &Array, axis: usize, widths: (usize, usize), parity: Parity, mirror: Mirror) -> Array {
    let size = x.shape()[axis];
    let along = axis as isize;
    if size == 1 && mirror == Mirror::AtEdge {
        return x.take(&place(x, axis, widths).full_like(0.0), along);
    }
    let n = small(size as isize);
    let period = if mirror == Mirror::AtEdge { 2 * n - 2 } else { 2 * n };
    let place = place(x, axis, widths);
    let phase = &place % period;
    let back = if mirror == Mirror::AtEdge { phase.neg() + period } else { phase.neg() + (period - 1) };
    let picked = x.take(&phase.minimum(&back), along);
    if parity == Parity::Even {
        return picked;
    }
    let mut sizes = vec![1; x.ndim()];
    sizes[axis] = widths.0 + size + widths.1;
    let is_back = phase.ge(n).reshape(&sizes[..]);
    let n_periods = place.floor_div(period).reshape(sizes).cast(x.dtype());
    let (first, last) = (x.slice(along, ..1), x.slice(along, -1..));
    is_back.select(&(&last * 2 - &picked), &picked) + (last - first) * 2 * n_periods
}
