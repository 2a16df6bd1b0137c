//! Reductions on the CPU: lanes within a chunk, chunks within a part, parts across threads.
//!
//! A chunk is reduced with several running results (so that the loop vectorises), those are combined pairwise,
//! and the chunk results of a part likewise in order: a fixed tree, whatever the number of threads.

use super::columns::{self, Slabs};
use super::{Combine, Reduce, Rows, as_rows};
use crate::cpu::{COMBINED_GRAIN, CpuCx, CpuInput, Element, HAS_DOUBLE, any_truth, by_words};
use crate::threads::Threads;
use std::ops::Range;
use tilework_core::dtype::HAS_WIDE;
use tilework_core::host::HostBuffer;
use tilework_vm::lanes::Fold;
use tilework_vm::scan::Scan;
use tilework_vm::{CHUNK, Float};

/// Elements that need no evaluation are combined so many at a time.
const BLOCK: usize = 8 * CHUNK;
/// Rows of at most this many elements are evaluated several at a time.
const MAX_SHORT: usize = CHUNK / 4;
/// Rows of at most this many are combined one element after the other.
const MAX_SERIAL: usize = 16;

pub(super) fn reduce(op: &Reduce, cx: &CpuCx<'_>, out: &mut HostBuffer) {
    // A module for browsers is to stay small.
    if cfg!(not(target_arch = "wasm32"))
        && let Some(slabs) = Slabs::new(&cx.inputs[0].fused.grid, &op.axes)
    {
        match out {
            HostBuffer::F32(out) => return columns::reduce(op.combine, cx, slabs, out),
            HostBuffer::F64(out) => return columns::reduce(op.combine, cx, slabs, out),
            HostBuffer::I32(out) => return columns::reduce(op.combine, cx, slabs, out),
            HostBuffer::U32(out) => return columns::reduce(op.combine, cx, slabs, out),
            _ => {}
        }
    }
    let (fused, rows) = as_rows(cx.inputs[0].fused, &op.axes);
    let input = CpuInput { fused: &fused, ..cx.inputs[0] };
    let mut cx = Rowwise { combine: op.combine, input: &input, rows, threads: cx.threads };
    match out {
        HostBuffer::F32(out) => cx.reduce_floats(out),
        HostBuffer::F64(out) if HAS_DOUBLE => cx.reduce_floats(out),
        HostBuffer::I32(out) => cx.reduce(out, |_| None),
        HostBuffer::U32(out) => cx.reduce(out, |_| None),
        HostBuffer::Bool(out) => {
            cx.combine = if op.combine == Combine::Any { Combine::Max } else { Combine::Min };
            // The identity of the minimum over no elements is no truth value; as a byte it is one.
            let is_long = cfg!(not(target_arch = "wasm32")) && rows.n_cols >= CHUNK;
            let of_all = op.combine == Combine::All;
            let quick = |range| is_long.then(|| u32::from(any_truth(cx.input, range, of_all)));
            by_words(out, |words| cx.reduce(words, quick));
        }
        HostBuffer::I64(out) if HAS_WIDE => cx.reduce(out, |_| None),
        HostBuffer::U64(out) if HAS_WIDE => cx.reduce(out, |_| None),
        // Operations compute no narrow types; double precision and others are not in every build.
        _ => {}
    }
}

/// So many parts are worth another thread's time: fewer are combined before it has begun, on a machine whose cores are far apart.
const MIN_SHARED_PARTS: usize = 5;

/// Rows whose elements are combined.
struct Rowwise<'a> {
    combine: Combine,
    input: &'a CpuInput<'a>,
    rows: Rows,
    threads: Threads,
}

impl Rowwise<'_> {
    fn reduce_floats<F: Float + Reduced>(&self, out: &mut [F]) {
        // Modules for browsers do without this.
        let is_sum = self.combine == Combine::Sum && cfg!(not(target_arch = "wasm32"));
        match if is_sum { self.input.product_in_place::<F>() } else { None } {
            Some((a, b)) => self.reduce(out, |range| {
                let blocks = a[range.clone()].chunks(BLOCK).zip(b[range].chunks(BLOCK));
                Some(F::from_f64(blocks.map(|(a, b)| F::sum_of_products(a, b).to_f64()).sum()))
            }),
            None => self.reduce(out, |_| None),
        }
    }

    /// Combines every row; `quick` may know a quicker way for a range of elements.
    fn reduce<T: Reduced>(&self, out: &mut [T], quick: impl Fn(Range<usize>) -> Option<T> + Sync) {
        let n_cols = self.rows.n_cols;
        // What is easily computed is combined in no time.
        let grain = if self.input.program.cost() < 8 { COMBINED_GRAIN } else { COMBINED_GRAIN / 2 };
        if n_cols < 2 * grain {
            let rows_per_piece = (grain / n_cols.max(1)).max(1);
            self.threads.for_each_piece(out, rows_per_piece, |first_row, piece| {
                let mut reader = T::reader(self.input);
                if (1..=MAX_SHORT).contains(&n_cols) {
                    return self.short_rows(&mut reader, first_row, piece);
                }
                for (row, out) in (first_row..).zip(piece) {
                    let range = row * n_cols..(row + 1) * n_cols;
                    *out = quick(range.clone()).unwrap_or_else(|| self.part(&mut reader, range));
                }
            });
            return;
        }
        // Few long rows are cut into parts; shorter ones are shared out whole.
        let mut parts = vec![self.identity::<T>(); n_cols.div_ceil(grain)];
        let threads = if parts.len() < MIN_SHARED_PARTS { Threads::one() } else { self.threads };
        for (row, out) in out.iter_mut().enumerate() {
            threads.for_each_piece(&mut parts, 1, |index, slot| {
                let start = row * n_cols + index * grain;
                let range = start..(start + grain).min((row + 1) * n_cols);
                slot[0] = quick(range.clone()).unwrap_or_else(|| self.part(&mut T::reader(self.input), range));
            });
            *out = self.fold(&parts);
        }
    }

    /// Combines a range of elements. Chunk results meet in double precision where they are floats: it costs one addition in a
    /// thousand and keeps long sums accurate.
    fn part<'r, T: Reduced>(&self, reader: &mut T::Reader<'r>, range: Range<usize>) -> T {
        let combine = self.combine.of_numbers();
        let mut sum = T::neutral(combine);
        let mut take = |chunk: &[T]| sum = T::join(combine, sum, self.fold(chunk).widen());
        match T::in_place(self.input) {
            Some(x) => x[range].chunks(BLOCK).for_each(take),
            None => T::read_steps(reader, range, |_, chunk| take(chunk)),
        }
        <T as Scan>::narrow(sum)
    }

    /// Rows of which several are in a chunk: evaluating each alone would take longer than combining it.
    fn short_rows<'r, T: Reduced>(&self, reader: &mut T::Reader<'r>, first_row: usize, out: &mut [T]) {
        let (combine, n_cols) = (self.combine.of_numbers(), self.rows.n_cols);
        let rows_per_chunk = CHUNK / n_cols;
        for (k, out) in out.chunks_mut(rows_per_chunk).enumerate() {
            let start = (first_row + k * rows_per_chunk) * n_cols;
            T::read_with(reader, start..start + out.len() * n_cols, |_, chunk| {
                if n_cols == 1 {
                    return out.copy_from_slice(chunk);
                }
                for (out, row) in out.iter_mut().zip(chunk.chunks_exact(n_cols)) {
                    let two = |sum: T::Wide, x: &T| T::join(combine, sum, x.widen());
                    *out = match row {
                        [first, rest @ ..] if n_cols <= MAX_SERIAL => {
                            <T as Scan>::narrow(rest.iter().fold(first.widen(), two))
                        }
                        _ => self.fold(row),
                    };
                }
            });
        }
    }

    /// Reduces a slice by a fixed tree.
    fn fold<T: Reduced>(&self, slice: &[T]) -> T {
        T::fold(self.combine.of_numbers(), slice, self.identity())
    }

    fn identity<T: Reduced>(&self) -> T {
        <T as Scan>::narrow(T::neutral(self.combine.of_numbers()))
    }
}

/// Elements that can be combined.
trait Reduced: Element + Fold + Scan {}
impl<T: Element + Fold + Scan> Reduced for T {}
