//! Pictures: arrays whose memory is a page of 32-bit words in rows, a buffer or a texture.
//!
//! A buffer is addressed by one number and a texture by two, and layouts know only one: element `offset` of a page lies in row
//! `offset / width`. A view of a page mostly stays in its columns, and then no division is needed: each stride is some rows and
//! some columns, and the coordinates are sums like the offset was. [`Steps`] finds these sums.
//!
//! Modules of browsers that show no pictures are built without them. A [`Texels`] cannot exist there, so the compiler leaves out
//! whatever would be done with one.

/// Whether machines read textures.
pub const HAS_PICTURES: bool = cfg!(any(not(target_arch = "wasm32"), feature = "pictures"));

/// What a kernel has to know of a texture of words.
#[cfg(any(not(target_arch = "wasm32"), feature = "pictures"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Texels {
    width: std::num::NonZeroU32,
}

/// What a kernel has to know of a texture of words: there are none.
#[cfg(not(any(not(target_arch = "wasm32"), feature = "pictures")))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Texels {}

#[cfg(any(not(target_arch = "wasm32"), feature = "pictures"))]
impl Texels {
    /// A texture of `width` words a row; none if that is nothing.
    pub fn new(width: u32) -> Option<Texels> {
        std::num::NonZeroU32::new(width).map(|width| Texels { width })
    }

    /// Words of a row.
    pub fn width(&self) -> u32 {
        self.width.get()
    }

    /// Words of a texel: four where rows are whole fours, because four words then are one load, and else one.
    pub fn n_words(&self) -> u32 {
        if self.width().is_multiple_of(4) { 4 } else { 1 }
    }
}

#[cfg(not(any(not(target_arch = "wasm32"), feature = "pictures")))]
impl Texels {
    /// Words of a row.
    pub fn width(&self) -> u32 {
        match *self {}
    }

    /// Words of a texel.
    pub fn n_words(&self) -> u32 {
        match *self {}
    }
}

/// Columns and rows of a page, from one of its elements to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// To the right.
    pub columns: isize,
    /// Down.
    pub rows: isize,
}

/// A layout over a page in two dimensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steps {
    /// Where the first element is.
    pub first: Step,
    /// From neighbour to neighbour along each axis.
    pub axes: Vec<Step>,
}

impl Steps {
    /// The layout of this offset and these axes over rows of `row_len` elements; none if some of its elements lie in a row that their
    /// sums do not tell, because the layout runs across the end of a row.
    pub fn new(row_len: usize, offset: usize, sizes: &[usize], strides: &[isize]) -> Option<Steps> {
        let row_len = isize::try_from(row_len).ok().filter(|&len| len > 0)?;
        let offset = isize::try_from(offset).ok()?;
        let step = |stride: isize| {
            // The nearest row, so that a step back by one is one column and not a row less a step.
            let rows = stride.checked_add(row_len / 2)?.div_euclid(row_len);
            Some(Step { columns: stride - rows * row_len, rows })
        };
        let first = Step { columns: offset % row_len, rows: offset / row_len };
        let axes = strides.iter().map(|&stride| step(stride)).collect::<Option<Vec<_>>>()?;
        let (mut left, mut right) = (first.columns, first.columns);
        for (axis, &size) in axes.iter().zip(sizes) {
            let span = isize::try_from(size.saturating_sub(1)).ok()?.checked_mul(axis.columns)?;
            left = left.checked_add(span.min(0))?;
            right = right.checked_add(span.max(0))?;
        }
        (left >= 0 && right < row_len).then_some(Steps { first, axes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;
    use crate::shape::Shape;
    use proptest::prelude::*;

    fn page(height: usize, width: usize) -> Layout {
        Layout::contiguous(Shape::new("test", vec![height, width]).unwrap())
    }

    #[test]
    fn a_rectangle_stays_in_its_columns_and_a_run_of_rows_does_not() {
        let rect = page(8, 10).sliced(0, 2, 1, 5).sliced(1, 3, 1, 7);
        let steps = Steps::new(10, rect.offset, &rect.shape, &rect.strides).unwrap();
        assert_eq!(steps.first, Step { columns: 3, rows: 2 });
        assert_eq!(steps.axes, [Step { columns: 0, rows: 1 }, Step { columns: 1, rows: 0 }]);
        assert_eq!(Steps::new(10, 0, &[80], &[1]), None);
        assert_eq!(Steps::new(0, 0, &[1], &[1]), None);
    }

    proptest! {
        #[test]
        fn coordinates_are_offsets(
            sizes in [1usize..6, 1usize..9], starts in [0usize..6, 0usize..9], lens in [0usize..6, 0usize..9],
            steps in [prop::sample::select(vec![-2isize, -1, 1, 2]), prop::sample::select(vec![-2isize, -1, 1, 2])],
            swap: bool,
        ) {
            let mut layout = page(sizes[0], sizes[1]);
            for axis in 0..2 {
                let start = starts[axis].min(sizes[axis] - 1);
                let room = if steps[axis] > 0 { sizes[axis] - 1 - start } else { start };
                let len = lens[axis].min(room / steps[axis].unsigned_abs() + 1);
                layout = layout.sliced(axis, start, steps[axis], len);
            }
            if swap {
                layout = layout.permuted(&[1, 0]);
            }
            let width = sizes[1] as isize;
            let found = Steps::new(sizes[1], layout.offset, &layout.shape, &layout.strides);
            // A slice of a page is always columns and rows, but for a step that could be read either way in a narrow page.
            prop_assert!(found.is_some() || width <= 4);
            for i in 0..if found.is_some() { layout.shape.n_elements() } else { 0 } {
                let at = [i / layout.shape[1], i % layout.shape[1]].map(|k| k as isize);
                let steps = found.as_ref().unwrap();
                let sum = |of: fn(&Step) -> isize| {
                    of(&steps.first) + of(&steps.axes[0]) * at[0] + of(&steps.axes[1]) * at[1]
                };
                let (column, row) = (sum(|step| step.columns), sum(|step| step.rows));
                prop_assert!((0..width).contains(&column));
                prop_assert_eq!((row * width + column) as usize, layout.element(i));
            }
        }
    }
}
