//! Positions of extremes on the CPU: the extreme of a chunk is a fold; only the chunk that has the best one is looked through.

use super::{ArgReduce, Extreme};
use crate::cpu::{COMBINED_GRAIN, CpuCx, CpuInput, Element};
use crate::ops::reduce::Rows;
use tilework_core::dtype::Scalar;
use tilework_vm::lanes::{Combine, Fold};

/// The best so far and where it is.
type Best<T> = Option<(T, usize)>;

pub(super) fn search<T: Element + Fold>(
    op: &ArgReduce,
    input: &CpuInput<'_>,
    rows: Rows,
    cx: &CpuCx<'_>,
    out: &mut [i32],
) {
    let n_cols = rows.n_cols;
    let found = |best: Best<T>, row_start: usize| best.map_or(0, |(_, at)| (at - row_start) as i32);
    // Without threads there is nothing to cut a row for.
    if n_cols < 2 * COMBINED_GRAIN || cfg!(target_arch = "wasm32") {
        cx.threads.for_each_piece(out, (COMBINED_GRAIN / n_cols.max(1)).max(1), |first, piece| {
            let mut reader = T::reader(input);
            for (k, out) in piece.iter_mut().enumerate() {
                let begin = (first + k) * n_cols;
                *out = found(within(op, &mut reader, begin..begin + n_cols), begin);
            }
        });
        return;
    }
    let mut parts: Vec<Best<T>> = vec![None; n_cols.div_ceil(COMBINED_GRAIN)];
    for (row, out) in out.iter_mut().enumerate() {
        let begin = row * n_cols;
        cx.threads.for_each_piece(&mut parts, 1, |part, slot| {
            let start = begin + part * COMBINED_GRAIN;
            slot[0] = within(op, &mut T::reader(input), start..(start + COMBINED_GRAIN).min(begin + n_cols));
        });
        let best =
            parts.iter().flatten().copied().reduce(|best, next| if beats(op, next.0, best.0) { next } else { best });
        *out = found(best, begin);
    }
}

fn within<T: Element + Fold>(op: &ArgReduce, reader: &mut T::Reader<'_>, range: std::ops::Range<usize>) -> Best<T> {
    let combine = if op.extreme == Extreme::Min { Combine::Min } else { Combine::Max };
    let mut best = None;
    T::read_steps(reader, range, |start, chunk| {
        // Any element of the chunk serves as what a fold begins with.
        let extreme = T::fold(combine, chunk, chunk[0]);
        if best.as_ref().is_none_or(|&(found, _)| beats(op, extreme, found)) {
            best = Some((extreme, start..start + chunk.len()));
        }
    });
    let (extreme, chunk) = best?;
    let mut at = chunk.start;
    T::read_steps(reader, chunk, |start, chunk| at = start + position(chunk, extreme));
    Some((extreme, at))
}

/// Where `wanted` first is, which is there.
fn position<T: PartialOrd + Copy>(chunk: &[T], wanted: T) -> usize {
    const BLOCK: usize = 64;
    let is_it = |x: &T| *x == wanted || (is_nan(wanted) && is_nan(*x));
    // Without a way out of the loop, a block is compared as a whole.
    let has_it = |block: &[T]| block.iter().fold(false, |has, x| has | is_it(x));
    let block = chunk.chunks(BLOCK).position(has_it).unwrap_or(0) * BLOCK;
    block + chunk[block..].iter().position(is_it).unwrap_or(0)
}

/// The same for integers of 32 bits and truth values, by words in the order of the numbers they stand for.
pub(super) fn search_words(op: &ArgReduce, input: &CpuInput<'_>, rows: Rows, scalar: Scalar, out: &mut [i32]) {
    let sign = if scalar == Scalar::Int { 1 << 31 } else { 0 };
    let flip = if op.extreme == Extreme::Max { sign } else { !sign };
    for (row, out) in out.iter_mut().enumerate() {
        let begin = row * rows.n_cols;
        let mut best: Best<u32> = None;
        u32::for_each(input, begin..begin + rows.n_cols, |start, chunk| {
            for (i, &word) in chunk.iter().enumerate() {
                let key = word ^ flip;
                if best.is_none_or(|(found, _)| key > found) {
                    best = Some((key, start + i - begin));
                }
            }
        });
        *out = best.map_or(0, |(_, at)| at as i32);
    }
}

/// Whether `a` beats `b`, the best so far, which comes earlier.
fn beats<T: PartialOrd + Copy>(op: &ArgReduce, a: T, b: T) -> bool {
    let more = if op.extreme == Extreme::Min { a < b } else { a > b };
    more || (is_nan(a) && !is_nan(b))
}

/// A number that differs from itself.
fn is_nan<T: PartialOrd + Copy>(x: T) -> bool {
    x.partial_cmp(&x).is_none()
}
