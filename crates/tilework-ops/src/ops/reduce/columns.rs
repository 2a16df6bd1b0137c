//! Reductions of axes that others follow: whole rows are combined, element by element, in the order they lie in memory.
//!
//! A few rows are combined in the elements' own type, the results of such blocks in a wider one; blocks of rows, and where rows are long
//! pieces of columns, are shared out among threads. The cuts depend on the sizes only.

use super::Combine;
use crate::cpu::{COMBINED_GRAIN, CpuCx, CpuInput, Element};
use tilework_core::shape::Shape;
use tilework_vm::CHUNK;
use tilework_vm::rows::Lines;
use tilework_vm::scan::Scan;

/// Rows combined before the result is widened.
const BLOCK_ROWS: usize = 32;
/// Shorter rows are not worth it.
const MIN_INNER: usize = 16;
/// Most parts of a slab: each has a result as wide as a row, which is joined with the others.
const MAX_PARTS: usize = 64;
/// Columns that a thread takes at a time where rows are long.
const PIECE_COLUMNS: usize = 8 * CHUNK;

/// An array as slabs of rows, of which the rows are combined.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slabs {
    n_rows: usize,
    n_inner: usize,
}

impl Slabs {
    /// The slabs that a reduction of `axes` combines, if it is such a one and worth it.
    pub(super) fn new(shape: &Shape, axes: &[usize]) -> Option<Slabs> {
        let (&first, &last) = (axes.first()?, axes.last()?);
        let is_block = last - first + 1 == axes.len();
        let n_rows = shape[first..=last].iter().product();
        let n_inner = shape[last + 1..].iter().product();
        (is_block && n_rows > 1 && n_inner >= MIN_INNER).then_some(Slabs { n_rows, n_inner })
    }
}

/// Combines the rows of every slab of the input, which has the shape it was given, into `out`.
pub(super) fn reduce<T: Element + Scan>(combine: Combine, cx: &CpuCx<'_>, slabs: Slabs, out: &mut [T]) {
    let Slabs { n_rows, n_inner } = slabs;
    let input = &cx.inputs[0];
    if n_inner >= 2 * PIECE_COLUMNS || n_rows * n_inner < 2 * COMBINED_GRAIN {
        // Pieces of the result, each with its columns of all rows.
        let n_columns = n_inner.min(PIECE_COLUMNS.max(COMBINED_GRAIN / n_rows));
        for (slab, out) in out.chunks_mut(n_inner).enumerate() {
            cx.threads.for_each_piece(out, n_columns, |first, piece| {
                let mut total = Total::new(combine, piece.len());
                total.add(input, slab * n_rows * n_inner + first, n_inner, n_rows);
                total.store(piece);
            });
        }
        return;
    }
    let rows_per_part =
        (COMBINED_GRAIN / n_inner).max(BLOCK_ROWS).max(n_rows.div_ceil(MAX_PARTS).next_multiple_of(BLOCK_ROWS));
    let mut parts: Vec<Option<Total<T>>> = (0..n_rows.div_ceil(rows_per_part)).map(|_| None).collect();
    for (slab, out) in out.chunks_mut(n_inner).enumerate() {
        cx.threads.for_each_piece(&mut parts, 1, |part, slot| {
            let first_row = part * rows_per_part;
            let mut total = Total::new(combine, n_inner);
            let start = (slab * n_rows + first_row) * n_inner;
            total.add(input, start, n_inner, rows_per_part.min(n_rows - first_row));
            slot[0] = Some(total);
        });
        let mut all = Total::new(combine, n_inner);
        parts.iter_mut().filter_map(Option::take).for_each(|part| all.join(&part));
        all.store(out);
    }
}

/// The result for some columns, so far.
struct Total<T: Scan> {
    combine: Combine,
    wide: Vec<T::Wide>,
}

impl<T: Element + Scan> Total<T> {
    fn new(combine: Combine, n_columns: usize) -> Total<T> {
        Total { combine, wide: vec![T::neutral(combine.of_numbers()); n_columns] }
    }

    /// Combines `n_rows` rows, the first of which begins at element `start` and which are `stride` apart.
    fn add(&mut self, input: &CpuInput<'_>, start: usize, stride: usize, n_rows: usize) {
        let combine = self.combine.of_numbers();
        let n_columns = self.wide.len();
        let mut block = vec![T::narrow(T::neutral(combine)); n_columns];
        let in_place = T::in_place(input);
        let mut reader = T::reader(input);
        let mut row = 0;
        while row < n_rows {
            let n = BLOCK_ROWS.min(n_rows - row);
            block.fill(T::narrow(T::neutral(combine)));
            let first = start + row * stride;
            if let Some(x) = in_place {
                T::add_rows(combine, &mut block, Lines { data: &x[first..], stride }, n);
            } else {
                for first in (first..).step_by(stride).take(n) {
                    T::read_with(&mut reader, first..first + n_columns, |at, chunk| {
                        T::add_row(combine, &mut block[at - first..][..chunk.len()], chunk);
                    });
                }
            }
            T::widen_row(combine, &mut self.wide, &block);
            row += n;
        }
    }

    fn join(&mut self, other: &Total<T>) {
        T::join_row(self.combine.of_numbers(), &mut self.wide, &other.wide);
    }

    fn store(&self, out: &mut [T]) {
        out.iter_mut().zip(&self.wide).for_each(|(out, &wide)| *out = T::narrow(wide));
    }
}
