//! Reductions on the CPU: lanes within a chunk, chunks within a part, parts across threads.
//!
//! A chunk is reduced with several running results (so that the loop vectorises), those are combined pairwise,
//! and the chunk results of a part likewise in order: a fixed tree, whatever the number of threads.

use super::columns::{self, Slabs};
use super::{Combine, Reduce, Rows, as_rows};
use crate::cpu::{CpuCx, CpuInput, Element, GRAIN, for_each_num, for_each_word, reads_f64};
use tilework_core::dtype::HAS_WIDE;
use tilework_core::host::HostBuffer;
use tilework_vm::lanes::{self, Fold};
use tilework_vm::{CHUNK, Float};

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
    match out {
        HostBuffer::F32(out) => reduce_num(op.combine, &input, rows, cx, out),
        HostBuffer::F64(out) if crate::cpu::HAS_DOUBLE => reduce_num(op.combine, &input, rows, cx, out),
        HostBuffer::I32(out) => reduce_words(op.combine, &input, rows, cx, out, |chunk| {
            fold(op.combine, bytemuck::cast_slice(chunk), i32::identity(op.combine))
        }),
        HostBuffer::U32(out) => {
            reduce_words(op.combine, &input, rows, cx, out, |chunk| fold(op.combine, chunk, u32::identity(op.combine)))
        }
        HostBuffer::Bool(out) => {
            let combine = if op.combine == Combine::Any { Combine::Max } else { Combine::Min };
            reduce_words(combine, &input, rows, cx, out, |chunk| fold(combine, chunk, u32::identity(combine)));
            // The identity of the minimum over no elements is not a truth value.
            out.iter_mut().for_each(|word| *word = u32::from(*word != 0));
        }
        HostBuffer::I64(out) if HAS_WIDE => reduce_longs(op.combine, &input, rows, cx, out),
        HostBuffer::U64(out) if HAS_WIDE => reduce_longs(op.combine, &input, rows, cx, out),
        // Operations compute no narrow types; double precision and others are not in every build.
        _ => {}
    }
}

fn reduce_num<F: Float>(combine: Combine, input: &CpuInput<'_>, rows: Rows, cx: &CpuCx<'_>, out: &mut [F]) {
    let identity = F::from_f64(combine.identity(tilework_core::dtype::Scalar::Num));
    // Modules for browsers do without these.
    const IS_NATIVE: bool = cfg!(not(target_arch = "wasm32"));
    let in_place = if IS_NATIVE { input.in_place::<F>() } else { None };
    let product = if IS_NATIVE && combine == Combine::Sum { input.product_in_place::<F>() } else { None };
    let part_of = |evaluator: &mut _, range: std::ops::Range<usize>| {
        if let (true, Some((a, b))) = (IS_NATIVE, product) {
            let sums = a[range.clone()].chunks(CHUNK).zip(b[range].chunks(CHUNK));
            let partial: Vec<f64> = sums.map(|(a, b)| F::sum_of_products(a, b).to_f64()).collect();
            return F::from_f64(fold(combine, &partial, 0.0));
        }
        if let (true, Some(x), Combine::Min | Combine::Max) = (IS_NATIVE, in_place, combine) {
            // Whatever the order, the extreme is the same.
            return fold(combine, &x[range], identity);
        }
        // Chunk results meet in double precision: it costs one addition in a thousand and keeps long sums accurate.
        let mut partial: Vec<f64> = Vec::new();
        for_each_num::<F>(evaluator, range, |_, chunk| {
            partial.push(fold(combine, chunk, identity).to_f64());
        });
        F::from_f64(fold(combine, &partial, identity.to_f64()))
    };
    over_rows(
        rows,
        cx,
        out,
        identity,
        |combine_all| fold(combine, combine_all, identity),
        |range| part_of(&mut input.evaluator::<F>(), range),
        |first_row, piece| {
            let mut evaluator = input.evaluator::<F>();
            for (k, out) in piece.iter_mut().enumerate() {
                let start = (first_row + k) * rows.n_cols;
                *out = part_of(&mut evaluator, start..start + rows.n_cols);
            }
        },
    );
}

fn reduce_words<T: Fold + Identity + Send + Sync>(
    combine: Combine,
    input: &CpuInput<'_>,
    rows: Rows,
    cx: &CpuCx<'_>,
    out: &mut [T],
    chunk_result: impl Fn(&[u32]) -> T + Sync,
) {
    let identity = T::identity(combine);
    let part_of = |range: std::ops::Range<usize>| {
        let mut sum = identity;
        let mut take = |_: usize, chunk: &[u32]| sum = two(combine, sum, chunk_result(chunk));
        if reads_f64(input.fused) {
            for_each_word(&mut input.evaluator::<f64>(), range, &mut take);
        } else {
            for_each_word(&mut input.evaluator::<f32>(), range, &mut take);
        }
        sum
    };
    over_rows(
        rows,
        cx,
        out,
        identity,
        |parts| fold(combine, parts, identity),
        part_of,
        |first_row, piece| {
            for (k, out) in piece.iter_mut().enumerate() {
                let start = (first_row + k) * rows.n_cols;
                *out = part_of(start..start + rows.n_cols);
            }
        },
    );
}

/// 64-bit integers, which wrap: any order gives the same.
fn reduce_longs<T: Fold + Identity + Element>(
    combine: Combine,
    input: &CpuInput<'_>,
    rows: Rows,
    cx: &CpuCx<'_>,
    out: &mut [T],
) {
    let identity = T::identity(combine);
    let part_of = |range: std::ops::Range<usize>| {
        let mut sum = identity;
        T::for_each(input, range, |_, chunk| sum = two(combine, sum, fold(combine, chunk, identity)));
        sum
    };
    over_rows(
        rows,
        cx,
        out,
        identity,
        |parts| fold(combine, parts, identity),
        part_of,
        |first_row, piece| {
            for (k, out) in piece.iter_mut().enumerate() {
                let start = (first_row + k) * rows.n_cols;
                *out = part_of(start..start + rows.n_cols);
            }
        },
    );
}

/// Few long rows are cut into parts of [`GRAIN`]; many rows are shared out whole.
fn over_rows<T: Copy + Send + Sync>(
    rows: Rows,
    cx: &CpuCx<'_>,
    out: &mut [T],
    identity: T,
    combine_parts: impl Fn(&[T]) -> T,
    part: impl Fn(std::ops::Range<usize>) -> T + Sync,
    whole_rows: impl Fn(usize, &mut [T]) + Sync,
) {
    if rows.n_cols >= 2 * GRAIN {
        let mut parts = vec![identity; rows.n_cols.div_ceil(GRAIN)];
        for (row, out) in out.iter_mut().enumerate() {
            cx.threads.for_each_piece(&mut parts, 1, |index, slot| {
                let start = row * rows.n_cols + index * GRAIN;
                slot[0] = part(start..(start + GRAIN).min((row + 1) * rows.n_cols));
            });
            *out = combine_parts(&parts);
        }
    } else {
        cx.threads.for_each_piece(out, (GRAIN / rows.n_cols.max(1)).max(1), whole_rows);
    }
}

/// Two results into one.
fn two<T: Fold>(combine: Combine, a: T, b: T) -> T {
    match combine.of_numbers() {
        lanes::Combine::Sum => a.add(b),
        lanes::Combine::Prod => a.mul(b),
        lanes::Combine::Min => a.min(b),
        lanes::Combine::Max => a.max(b),
    }
}

/// Reduces a slice by a fixed tree.
fn fold<T: Fold>(combine: Combine, slice: &[T], identity: T) -> T {
    T::fold(combine.of_numbers(), slice, identity)
}

/// The neutral element of an integer type.
trait Identity {
    fn identity(combine: Combine) -> Self;
}

impl Identity for i32 {
    fn identity(combine: Combine) -> i32 {
        combine.identity(tilework_core::dtype::Scalar::Int) as i32
    }
}

impl Identity for i64 {
    fn identity(combine: Combine) -> i64 {
        combine.identity(tilework_core::dtype::Scalar::Long) as i64
    }
}

impl Identity for u64 {
    fn identity(combine: Combine) -> u64 {
        combine.identity(tilework_core::dtype::Scalar::Ulong) as u64
    }
}

impl Identity for u32 {
    fn identity(combine: Combine) -> u32 {
        combine.identity(tilework_core::dtype::Scalar::Uint) as u32
    }
}
