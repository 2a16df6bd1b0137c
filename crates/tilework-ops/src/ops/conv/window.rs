//! How a kernel moves over an array: strides, padding and dilation, and the sizes that follow from them.

use crate::attrs::{AttrKind, Attribute, Given};
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

/// How a kernel moves over the spatial axes of an array. Every list has one entry for each spatial axis, or one for all of
/// them, or none for the default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Window {
    /// Elements between neighbouring positions of the kernel; 1 unless told.
    pub stride: Vec<usize>,
    /// Zeros before and after each axis; twice as many entries as axes are before and after of each axis in turn.
    pub padding: Vec<usize>,
    /// Elements between neighbouring taps of the kernel; 1 unless told.
    pub dilation: Vec<usize>,
}

pub(crate) const STRIDE: Attribute = Attribute::optional(
    "stride",
    AttrKind::Sizes,
    "elements between neighbouring positions of the kernel, for each spatial axis or for all; 1 unless told",
);
pub(crate) const PADDING: Attribute = Attribute::optional(
    "padding",
    AttrKind::Sizes,
    "elements added around the input: one number for all sides, one for each spatial axis, or before and after of each axis in turn; 0 unless told",
);
pub(crate) const DILATION: Attribute = Attribute::optional(
    "dilation",
    AttrKind::Sizes,
    "elements between neighbouring taps of the kernel, for each spatial axis or for all; 1 unless told",
);

/// Positions are 32-bit on a GPU, and differences of them must be too.
const MAX_POSITION: u64 = i32::MAX as u64;

/// A kernel on one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    pub(crate) kernel: usize,
    pub(crate) stride: usize,
    /// Padding before and after.
    pub(crate) low: usize,
    pub(crate) high: usize,
    pub(crate) dilation: usize,
}

impl Axis {
    /// An axis that is not there: one tap at one position.
    pub(crate) const ABSENT: Axis = Axis { kernel: 1, stride: 1, low: 0, high: 0, dilation: 1 };

    /// Elements from the first tap to the last, both included.
    fn span(&self) -> u64 {
        (self.kernel as u64 - 1) * self.dilation as u64 + 1
    }

    /// Positions of the kernel on an axis of `size` elements; none if there is no place for it.
    pub(crate) fn n_positions(&self, size: usize) -> Option<usize> {
        let padded = size as u64 + self.low as u64 + self.high as u64;
        let room = padded.checked_sub(self.span())?;
        (padded <= MAX_POSITION).then_some((room / self.stride as u64) as usize + 1)
    }

    /// Elements at the end of the padded axis that no position reaches because of the stride.
    pub(crate) fn n_unreached(&self, size: usize) -> usize {
        let padded = size as u64 + self.low as u64 + self.high as u64;
        (padded.saturating_sub(self.span()) % self.stride as u64) as usize
    }

    /// Size of the axis that has `n_positions` for the kernel, and `extra` elements that none of them reaches.
    pub(crate) fn size_for(&self, n_positions: usize, extra: usize) -> Option<usize> {
        let steps = (n_positions as u64).checked_sub(1)?;
        let padded = steps.checked_mul(self.stride as u64)?.checked_add(self.span())?.checked_add(extra as u64)?;
        let size = padded.checked_sub(self.low as u64 + self.high as u64)?;
        (padded <= MAX_POSITION).then_some(size as usize)
    }
}

impl Window {
    /// From the attributes of a call.
    pub fn given(given: &Given<'_>) -> Result<Window> {
        Ok(Window {
            stride: given.counts("stride")?,
            padding: given.counts("padding")?,
            dilation: given.counts("dilation")?,
        })
    }

    /// Everything that distinguishes it, as words.
    pub(crate) fn encode(&self, words: &mut Vec<u32>) {
        for list in [&self.stride, &self.padding, &self.dilation] {
            words.push(list.len() as u32);
            words.extend(list.iter().map(|&value| value as u32));
        }
    }

    /// For a kernel of these sizes.
    pub(crate) fn axes(&self, op: &str, kernel: &[usize]) -> Result<Vec<Axis>> {
        let n_axes = kernel.len();
        let stride = per_axis(op, "stride", &self.stride, n_axes, 1)?;
        let dilation = per_axis(op, "dilation", &self.dilation, n_axes, 1)?;
        let padding = match self.padding.len() {
            n if n == 2 * n_axes => self.padding.as_chunks::<2>().0.to_vec(),
            _ => per_axis(op, "padding", &self.padding, n_axes, 0)?.into_iter().map(|both| [both; 2]).collect(),
        };
        let all = self.stride.iter().chain(&self.padding).chain(&self.dilation);
        if let Some(value) = all.copied().find(|&value| value as u64 > MAX_POSITION) {
            return Err(Error::argument(op, format!("{value} is too large for stride, padding or dilation")));
        }
        if stride.contains(&0) || dilation.contains(&0) {
            return Err(Error::argument(op, format!("stride {stride:?} and dilation {dilation:?} must be 1 or more")));
        }
        if kernel.contains(&0) {
            return Err(Error::shape(op, format!("a kernel of {kernel:?} has no taps")));
        }
        let axis = |k: usize| Axis {
            kernel: kernel[k],
            stride: stride[k],
            low: padding[k][0],
            high: padding[k][1],
            dilation: dilation[k],
        };
        Ok((0..n_axes).map(axis).collect())
    }
}

fn per_axis(op: &str, name: &str, list: &[usize], n_axes: usize, default: usize) -> Result<Vec<usize>> {
    match *list {
        [] => Ok(vec![default; n_axes]),
        [one] => Ok(vec![one; n_axes]),
        _ if list.len() == n_axes => Ok(list.to_vec()),
        _ => Err(Error::argument(op, format!("{name} {list:?} does not fit {n_axes} spatial axes"))),
    }
}

/// Positions of a kernel on each spatial axis, or an error that names the shapes.
pub(crate) fn positions(op: &str, axes: &[Axis], x: &Shape) -> Result<Vec<usize>> {
    let sizes = x[x.rank() - axes.len()..].iter();
    let found: Option<Vec<usize>> = axes.iter().zip(sizes).map(|(axis, &size)| axis.n_positions(size)).collect();
    found.ok_or_else(|| {
        let kernel: Vec<usize> = axes.iter().map(|axis| axis.kernel).collect();
        let dilation: Vec<usize> = axes.iter().map(|axis| axis.dilation).collect();
        let padding: Vec<[usize; 2]> = axes.iter().map(|axis| [axis.low, axis.high]).collect();
        let message =
            format!("a kernel of {kernel:?} with dilation {dilation:?} has no place in {x} with padding {padding:?}");
        Error::shape(op, message)
    })
}

/// Two values for two spatial axes; one axis becomes the second of two.
pub(crate) fn lifted<T: Copy>(values: &[T], absent: T) -> [T; 2] {
    match *values {
        [first, second] => [first, second],
        [only] => [absent, only],
        _ => [absent; 2],
    }
}
