//! Layouts: how the elements of an array lie in a buffer.
//!
//! A view never moves data; it is a new [`Layout`] over the same buffer. Kernels read any layout whose strides fit, and a
//! broadcast axis is simply an axis of stride 0. Strides and offsets are in elements, never bytes; a stride may be negative.

use crate::axes::Axes;
use crate::shape::Shape;

/// Shape, stride of each axis and offset of the first element, all in elements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// Axis sizes.
    pub shape: Shape,
    /// Elements between neighbours along each axis.
    pub strides: Axes<isize>,
    /// Index of element `[0, 0, …]` in the buffer.
    pub offset: usize,
}

impl Layout {
    /// Row-major layout of `shape` starting at the beginning of its buffer.
    pub fn contiguous(shape: Shape) -> Layout {
        let mut strides: Axes<isize> = shape.iter().map(|_| 0).collect();
        let mut stride = 1isize;
        for axis in (0..shape.rank()).rev() {
            strides[axis] = stride;
            stride *= shape[axis].max(1) as isize;
        }
        Layout { shape, strides, offset: 0 }
    }

    /// True if elements follow each other in row-major order without gaps (axes of size 1 do not matter).
    pub fn is_contiguous(&self) -> bool {
        let mut expected = 1isize;
        for axis in (0..self.shape.rank()).rev() {
            if self.shape[axis] != 1 && self.strides[axis] != expected {
                return self.shape.n_elements() == 0;
            }
            expected *= self.shape[axis] as isize;
        }
        true
    }

    /// The same elements seen with axes reordered: axis `i` of the result is axis `order[i]` of this.
    pub fn permuted(&self, order: &[usize]) -> Layout {
        Layout {
            shape: Shape::new("permute", &order.iter().map(|&axis| self.shape[axis]).collect::<Axes<_>>()[..])
                .unwrap_or_else(|_| self.shape.clone()),
            strides: order.iter().map(|&axis| self.strides[axis]).collect(),
            offset: self.offset,
        }
    }

    /// Repeats axes of size 1 (and adds leading axes) so that the shape becomes `shape`; the caller checked that it can.
    pub fn expanded(&self, shape: &Shape) -> Layout {
        let added = shape.rank() - self.shape.rank();
        let stride_of = |axis: usize| match axis.checked_sub(added) {
            Some(own) if self.shape[own] == shape[axis] => self.strides[own],
            _ => 0,
        };
        Layout { shape: shape.clone(), strides: (0..shape.rank()).map(stride_of).collect(), offset: self.offset }
    }

    /// Every `step`-th element of `axis` beginning at `start`, `len` of them; a negative step walks backwards.
    pub fn sliced(&self, axis: usize, start: usize, step: isize, len: usize) -> Layout {
        let mut sizes = self.shape.to_vec();
        sizes[axis] = len;
        let mut strides = self.strides.clone();
        let moved = if len == 0 { 0 } else { start as isize * strides[axis] };
        strides[axis] *= step;
        Layout {
            shape: Shape::new("slice", sizes).unwrap_or_else(|_| self.shape.clone()),
            strides,
            offset: (self.offset as isize + moved) as usize,
        }
    }

    /// The same elements in the same order under another shape, if that needs no copy.
    pub fn reshaped(&self, shape: &Shape) -> Option<Layout> {
        if self.shape.n_elements() == 0 || self.is_contiguous() {
            return Some(Layout { offset: self.offset, ..Layout::contiguous(shape.clone()) });
        }
        // Walk both shapes in groups of equal element count; a group keeps its strides only if it is one even run.
        let old: Vec<(usize, isize)> =
            self.shape.iter().copied().zip(self.strides.iter().copied()).filter(|&(size, _)| size != 1).collect();
        let mut strides: Axes<isize> = shape.iter().map(|_| 0).collect();
        let (mut i, mut axis) = (0, 0);
        while i < old.len() {
            let (first, mut old_count, mut new_count) = (i, old[i].0, 1usize);
            let first_axis = axis;
            i += 1;
            while new_count != old_count {
                if new_count < old_count {
                    new_count *= *shape.get(axis)?;
                    axis += 1;
                } else {
                    old_count *= old.get(i)?.0;
                    i += 1;
                }
            }
            let even = (first..i - 1).all(|k| old[k].1 == old[k + 1].1 * old[k + 1].0 as isize);
            if !even {
                return None;
            }
            let mut stride = old[i - 1].1;
            for k in (first_axis..axis).rev() {
                strides[k] = stride;
                stride *= shape[k] as isize;
            }
        }
        Some(Layout { shape: shape.clone(), strides, offset: self.offset })
    }

    /// Buffer index of the element at `index` in row-major order. Slow and obvious; kernels have their own.
    pub fn element(&self, index: usize) -> usize {
        let mut rest = index;
        let mut at = self.offset as isize;
        for axis in (0..self.shape.rank()).rev() {
            let size = self.shape[axis].max(1);
            at += (rest % size) as isize * self.strides[axis];
            rest /= size;
        }
        at as usize
    }
}

/// Axes of a common grid that several layouts can be walked by, merged where all of them run evenly.
///
/// Returns the merged sizes (outermost first) and, for every layout, its strides over them. An axis of size 1 vanishes and
/// two neighbouring axes become one if for *every* layout the outer stride equals the inner stride times the inner size.
/// A grid that is contiguous everywhere becomes a single axis, which is what makes the common case fast.
pub fn merge_axes<'a>(
    shape: &Shape,
    strides: impl Iterator<Item = &'a Axes<isize>> + Clone,
) -> (Axes<usize>, Vec<Axes<isize>>) {
    let mut sizes: Axes<usize> = Axes::default();
    let mut merged: Vec<Axes<isize>> = strides.clone().map(|_| Axes::default()).collect();
    for axis in 0..shape.rank() {
        let size = shape[axis];
        if size == 1 {
            continue;
        }
        let joins = !sizes.is_empty()
            && strides.clone().zip(&merged).all(|(s, m)| *m.last().unwrap_or(&0) == s[axis] * size as isize);
        if joins {
            if let Some(last) = sizes.last_mut() {
                *last *= size;
            }
            for (s, m) in strides.clone().zip(&mut merged) {
                if let Some(last) = m.last_mut() {
                    *last = s[axis];
                }
            }
        } else {
            sizes.push(size);
            for (s, m) in strides.clone().zip(&mut merged) {
                m.push(s[axis]);
            }
        }
    }
    (sizes, merged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shape(sizes: &[usize]) -> Shape {
        Shape::new("test", sizes).unwrap()
    }

    fn elements(layout: &Layout) -> Vec<usize> {
        (0..layout.shape.n_elements()).map(|i| layout.element(i)).collect()
    }

    #[test]
    fn merging_finds_the_single_axis() {
        let a = Layout::contiguous(shape(&[2, 3, 4]));
        let (sizes, strides) = merge_axes(&a.shape, [&a.strides, &a.strides].into_iter());
        assert_eq!(
            (&*sizes, strides.iter().map(|s| s.to_vec()).collect::<Vec<_>>()),
            (&[24][..], vec![vec![1], vec![1]])
        );
        let row = Layout::contiguous(shape(&[4])).expanded(&a.shape);
        let (sizes, strides) = merge_axes(&a.shape, [&a.strides, &row.strides].into_iter());
        assert_eq!(
            (&*sizes, strides.iter().map(|s| s.to_vec()).collect::<Vec<_>>()),
            (&[6, 4][..], vec![vec![4, 1], vec![0, 1]])
        );
    }

    proptest! {
        #[test]
        fn a_reshape_without_copy_keeps_the_order(
            sizes in prop::collection::vec(1usize..5, 0..4), flip in 0usize..4, swap in 0usize..4, split in 1usize..4
        ) {
            let mut layout = Layout::contiguous(shape(&sizes));
            if !sizes.is_empty() {
                let axis = flip % sizes.len();
                let n = layout.shape[axis];
                layout = layout.sliced(axis, n - 1, -1, n);
                let mut order: Vec<usize> = (0..sizes.len()).collect();
                order.swap(0, swap % sizes.len());
                layout = layout.permuted(&order);
            }
            let n = layout.shape.n_elements();
            if n.is_multiple_of(split) {
                let target = shape(&[split, n / split]);
                if let Some(view) = layout.reshaped(&target) {
                    prop_assert_eq!(elements(&view), elements(&layout));
                } else {
                    prop_assert!(!layout.is_contiguous());
                }
            }
        }

        #[test]
        fn merged_axes_visit_the_same_elements(sizes in prop::collection::vec(0usize..4, 0..4), swap in 0usize..4) {
            let mut layout = Layout::contiguous(shape(&sizes));
            if !sizes.is_empty() {
                let mut order: Vec<usize> = (0..sizes.len()).collect();
                order.swap(0, swap % sizes.len());
                layout = layout.permuted(&order);
            }
            let (merged, strides) = merge_axes(&layout.shape, [&layout.strides].into_iter());
            let again = Layout { shape: shape(&merged), strides: strides[0].clone(), offset: layout.offset };
            prop_assert_eq!(elements(&again), elements(&layout));
        }
    }
}
