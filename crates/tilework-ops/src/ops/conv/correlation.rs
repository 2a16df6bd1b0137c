//! The form to which convolutions, transposed convolutions and their derivatives are brought before they are computed.
//!
//! `y[image, group, row, position] = Σ over channel, tap of weight[group, row, channel, tap] · x[image, group, channel, place]`
//! with `place = origin + position·per_position + tap·per_tap` along each of two axes, and zero outside the image. For every
//! group that is a product of a matrix of weights with one whose columns are gathered from the images, without being stored:
//! an implicit matrix product.

use super::window::Axis;
use tilework_core::layout::Layout;

/// How positions and taps walk over one axis of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Walk {
    /// Elements of the image.
    pub(crate) size: usize,
    pub(crate) n_positions: usize,
    pub(crate) n_taps: usize,
    /// Where the first tap of the first position is.
    pub(crate) origin: isize,
    /// Elements between positions, 1 or more.
    pub(crate) per_position: isize,
    /// Elements between taps; may be negative.
    pub(crate) per_tap: isize,
}

impl Walk {
    /// Of a convolution over `size` elements.
    pub(crate) fn new(axis: &Axis, size: usize, n_positions: usize) -> Walk {
        Walk {
            size,
            n_positions,
            n_taps: axis.kernel,
            origin: -(axis.low as isize),
            per_position: axis.stride as isize,
            per_tap: axis.dilation as isize,
        }
    }
}

/// Offset and strides of an array in its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed<const RANK: usize> {
    pub(crate) offset: isize,
    pub(crate) strides: [isize; RANK],
}

impl<const RANK: usize> Placed<RANK> {
    /// Where an element is.
    pub(crate) fn at(&self, index: [usize; RANK]) -> isize {
        index.iter().zip(self.strides).fold(self.offset, |at, (&index, stride)| at + index as isize * stride)
    }
}

/// `[a, b, spatial…]` as an array with two spatial axes.
pub(crate) fn planes(layout: &Layout) -> Placed<4> {
    let strides = match *layout.strides {
        [a, b, y, x] => [a, b, y, x],
        [a, b, x] => [a, b, 0, x],
        _ => [0; 4],
    };
    Placed { offset: layout.offset as isize, strides }
}

/// A correlation of images with weights, as above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Correlation {
    pub(crate) n_images: usize,
    pub(crate) n_groups: usize,
    /// Results of a group for each position.
    pub(crate) n_rows: usize,
    /// Channels of a group.
    pub(crate) n_channels: usize,
    /// Along the two spatial axes.
    pub(crate) walks: [Walk; 2],
    /// Image, channel (those of all groups follow each other), y, x.
    pub(crate) x: Placed<4>,
    /// Group, row, channel, tap y, tap x.
    pub(crate) weight: Placed<5>,
    /// Image, row (those of all groups follow each other), y, x.
    pub(crate) y: Placed<4>,
}

impl Correlation {
    /// Taps of a channel.
    pub(crate) fn n_taps(&self) -> usize {
        self.walks[0].n_taps * self.walks[1].n_taps
    }

    /// Products summed for every result.
    pub(crate) fn depth(&self) -> usize {
        self.n_channels * self.n_taps()
    }

    /// Positions in one image.
    pub(crate) fn n_positions(&self) -> usize {
        self.walks[0].n_positions * self.walks[1].n_positions
    }

    /// Positions in all images: the columns of the product.
    pub(crate) fn n_columns(&self) -> usize {
        self.n_images * self.n_positions()
    }

    /// Number of results.
    pub(crate) fn n_results(&self) -> usize {
        self.n_groups * self.n_rows * self.n_columns()
    }

    /// Results in row-major order, beginning at the first element.
    pub(crate) fn contiguous_results(&self) -> Placed<4> {
        let [_, walk_x] = self.walks;
        let row = self.n_positions() as isize;
        let image = (self.n_groups * self.n_rows) as isize * row;
        Placed { offset: 0, strides: [image, row, walk_x.n_positions as isize, 1] }
    }
}
