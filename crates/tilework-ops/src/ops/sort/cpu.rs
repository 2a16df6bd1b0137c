//! Sorting on the CPU: by digits, see `tilework_vm::radix`, or where it is faster by comparing, see `quick.rs`.
//!
//! By digits long rows are cut into parts by their leading bits on all threads, then the parts are sorted independently, each within the
//! caches; many short rows are shared out whole. Positions are sorted as the lower half of a word, the key as its upper half.

use super::quick::{self, RowSorter};
use super::{Output, Sort};
use crate::cpu::{CpuCx, CpuInput, Element, GRAIN, by_words};
use crate::ops::reduce::{Rows, as_rows};
use crate::threads::Threads;
use std::ops::Range;
use tilework_core::dtype::{DType, HAS_WIDE};
use tilework_core::host::HostBuffer;
use tilework_core::{Error, Result};
use tilework_vm::CHUNK;
use tilework_vm::radix::{Key, N_PARTS, Order, Word};

/// Words counted by one thread at a time in the first cut; each has its own counts.
const COUNTED: usize = 8 * GRAIN;

pub(crate) fn sort(op: &Sort, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
    let Some((_, dtype, _)) = cx.inputs[0].strided() else {
        return Err(Error::argument("sort", "reads a buffer"));
    };
    match (out, dtype) {
        (HostBuffer::I32(out), DType::F16 | DType::F32) if op.output == Output::Indices => indices::<f32>(op, cx, out),
        (HostBuffer::I32(out), DType::F64) if op.output == Output::Indices => indices::<f64>(op, cx, out),
        (HostBuffer::I32(out), DType::I32) if op.output == Output::Indices => indices::<i32>(op, cx, out),
        (HostBuffer::I32(out), DType::I64) if HAS_WIDE && op.output == Output::Indices => indices::<i64>(op, cx, out),
        (HostBuffer::I32(out), DType::U64) if HAS_WIDE && op.output == Output::Indices => indices::<u64>(op, cx, out),
        (HostBuffer::I32(out), _) if op.output == Output::Indices => indices::<u32>(op, cx, out),
        (HostBuffer::F32(out), _) => values(op, cx, out),
        (HostBuffer::F64(out), _) => values(op, cx, out),
        (HostBuffer::I32(out), _) => values(op, cx, out),
        (HostBuffer::U32(out), _) => values(op, cx, out),
        (HostBuffer::Bool(out), _) => by_words(out, |words| values(op, cx, words)),
        (HostBuffer::I64(out), _) if HAS_WIDE => values(op, cx, out),
        (HostBuffer::U64(out), _) if HAS_WIDE => values(op, cx, out),
        _ => return Err(Error::dtype("sort", "computes no narrow types")),
    }
    Ok(())
}

/// What all rows have in common.
pub(super) struct Job<'a> {
    pub(super) input: CpuInput<'a>,
    rows: Rows,
    n_kept: usize,
    pub(super) order: Order,
    pub(super) threads: Threads,
}

/// Makes rows with `sort_rows` and stores them along the axis.
fn along_axis<T: Element>(op: &Sort, cx: &CpuCx<'_>, out: &mut [T], sort_rows: impl Fn(&Job<'_>, &mut [T])) {
    let (_, n_cols, n_inner) = op.split(&cx.inputs[0].fused.grid);
    if out.is_empty() {
        return;
    }
    let (fused, rows) = as_rows(cx.inputs[0].fused, &[op.axis]);
    let input = CpuInput { fused: &fused, ..cx.inputs[0] };
    let n_kept = op.n_kept(n_cols);
    let job = Job { input, rows, n_kept, order: op.order, threads: cx.threads };
    if n_inner == 1 {
        return sort_rows(&job, out);
    }
    let mut sorted = vec![T::zeroed(); out.len()];
    sort_rows(&job, &mut sorted);
    cx.threads.for_each_piece(out, n_kept * n_inner, |start, piece| {
        for (inner, row) in sorted[start..start + piece.len()].chunks(n_kept).enumerate() {
            row.iter().enumerate().for_each(|(position, &x)| piece[position * n_inner + inner] = x);
        }
    });
}

fn values<T: Element + Packed>(op: &Sort, cx: &CpuCx<'_>, out: &mut [T])
where
    T::Word: bytemuck::Pod,
{
    along_axis(op, cx, out, |job, out| {
        let Rows { n_cols, .. } = job.rows;
        if job.n_kept < n_cols {
            return sort_pairs(job, out, |x, packed| x[T::index(packed)]);
        }
        let long = if quick::of_words::<T::Word>().is_some() { quick::LONG } else { 2 * GRAIN };
        if n_cols >= long && out.len() / n_cols < job.threads.count() || n_cols >= 2 * GRAIN {
            out.chunks_mut(n_cols).enumerate().for_each(|(row, out)| sort_long(job, row * n_cols, out));
            return;
        }
        job.threads.for_each_piece(out, (GRAIN / n_cols).max(1) * n_cols, |start, piece| {
            T::read(&job.input, start, piece);
            let mut x = vec![T::zeroed(); n_cols];
            let mut sorter = RowSorter::new(n_cols);
            for row in piece.chunks_mut(n_cols) {
                x.copy_from_slice(row);
                let words: &mut [T::Word] = bytemuck::cast_slice_mut(row);
                T::encode(job.order, &x, words);
                sorter.sort(words);
                T::decode(job.order, words);
                if T::has_negative_zero(&x) {
                    restore_zeros(row, |visit| visit(&x));
                }
            }
        });
    });
}

fn sort_long<T: Element + Key>(job: &Job<'_>, row_start: usize, out: &mut [T]) {
    let range = row_start..row_start + out.len();
    let has_negative_zero = match quick::of_words::<T::Word>() {
        Some(quick) => quick::sort_long(quick, job, row_start, out),
        None => sort_long_by_digits(job, row_start, out),
    };
    if has_negative_zero {
        restore_zeros(out, |visit| T::for_each(&job.input, range.clone(), |_, chunk| visit(chunk)));
    }
}

/// Returns whether there is a −0.
fn sort_long_by_digits<T: Element + Key>(job: &Job<'_>, row_start: usize, out: &mut [T]) -> bool {
    let source = |range: Range<usize>, visit: &mut dyn FnMut(&[T::Word])| {
        let mut words = [T::Word::default(); CHUNK];
        T::for_each(&job.input, range.start + row_start..range.end + row_start, |_, chunk| {
            T::encode(job.order, chunk, &mut words);
            visit(&words[..chunk.len()]);
        });
    };
    sort_words(&source, bytemuck::cast_slice_mut(out), 0, job.threads, |part| T::decode(job.order, part));
    let mut has_negative_zero = false;
    T::for_each(&job.input, row_start..row_start + out.len(), |_, chunk| {
        has_negative_zero |= T::has_negative_zero(chunk);
    });
    has_negative_zero
}

/// 0 and −0 are equal, and words do not tell them apart: puts them back in the order they came in.
fn restore_zeros<T: Key>(sorted: &mut [T], for_each: impl Fn(&mut dyn FnMut(&[T]))) {
    let mut next = sorted.iter().position(|x| x.is_zero()).unwrap_or(0);
    for_each(&mut |x| {
        for &zero in x.iter().filter(|x| x.is_zero()) {
            sorted[next] = zero;
            next += 1;
        }
    });
}

/// Sorts the words that `source` makes of each range of positions, by the bits from `low_bit` on, and calls `finish` with each
/// sorted part of `out`. The words are made three times, which is cheaper than keeping them.
fn sort_words<W: Word>(
    source: &(impl Fn(Range<usize>, &mut dyn FnMut(&[W])) + Sync),
    out: &mut [W],
    low_bit: u32,
    threads: Threads,
    finish: impl Fn(&mut [W]) + Sync,
) {
    let n = out.len();
    let mut blocks: Vec<Block<W>> =
        (0..n).step_by(COUNTED).map(|start| Block::new(start..(start + COUNTED).min(n))).collect();
    threads.for_each_piece(&mut blocks, 1, |_, block| {
        let Block { range, bounds, .. } = &mut block[0];
        source(range.clone(), &mut |words| bounds.push(W::bounds(words)));
    });
    let bounds = blocks.iter().flat_map(|block| &block.bounds).copied().reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let cut = W::cut(bounds.unwrap_or_default(), low_bit);
    threads.for_each_piece(&mut blocks, 1, |_, block| {
        let Block { range, next, .. } = &mut block[0];
        source(range.clone(), &mut |words| W::count_parts(words, cut, next));
    });
    let mut cuts = Vec::with_capacity(N_PARTS);
    let mut start = 0;
    for part in 0..N_PARTS {
        cuts.push(start as usize);
        for block in &mut blocks {
            start += std::mem::replace(&mut block.next[part], start);
        }
    }
    let cells = bytemuck::zeroed_slice_box::<W::Cell>(n);
    threads.for_each_piece(&mut blocks, 1, |_, block| {
        let Block { range, next, .. } = &mut block[0];
        source(range.clone(), &mut |words| W::place(words, cut, next, &cells));
    });
    threads.for_each_split(out, &cuts, |start, part| {
        if !part.is_empty() {
            W::sort_cells(&cells[start..start + part.len()], part, low_bit..cut.shift());
            finish(part);
        }
    });
}

/// Positions that are counted and placed by one thread.
struct Block<W> {
    range: Range<usize>,
    /// Smallest and largest word of each chunk.
    bounds: Vec<(W, W)>,
    /// Counts, then where the next word of each part goes.
    next: Box<[u32; N_PARTS]>,
}

impl<W: Word> Block<W> {
    fn new(range: Range<usize>) -> Block<W> {
        Block { range, bounds: Vec::new(), next: Box::new([0; N_PARTS]) }
    }
}

/// Makes the pairs of a range of positions.
type PairSource<'a, P> = dyn Fn(Range<usize>, &mut dyn FnMut(&[P])) + Sync + 'a;

/// Sorts pairs by comparing them.
fn compare_packed<P: Ord + Copy>(source: &PairSource<'_, P>, packed: &mut [P]) {
    collect(source, packed);
    packed.sort_unstable();
}

fn collect<P: Copy>(source: &PairSource<'_, P>, packed: &mut [P]) {
    let mut next = 0;
    source(0..packed.len(), &mut |pairs| {
        packed[next..][..pairs.len()].copy_from_slice(pairs);
        next += pairs.len();
    });
}

/// An element together with its position: a wider integer, so that equal elements are in the order of their positions.
trait Packed: Key {
    type Packed: Ord + Copy + Default + Send + Sync;

    fn pack(word: Self::Word, index: usize) -> Self::Packed;

    fn index(packed: Self::Packed) -> usize;

    /// Sorts the pairs that `source` makes into `packed`, on these threads.
    fn sort_packed(source: &PairSource<'_, Self::Packed>, packed: &mut [Self::Packed], threads: Threads);
}

macro_rules! packed_in_64_bits {
    ($($type:ident)*) => {
        $(impl Packed for $type {
            type Packed = u64;

            fn pack(word: u32, index: usize) -> u64 {
                u64::from(word) << 32 | index as u64
            }

            fn index(packed: u64) -> usize {
                packed as u32 as usize
            }

            fn sort_packed(source: &PairSource<'_, u64>, packed: &mut [u64], threads: Threads) {
                // Few pairs are compared sooner than counted.
                if packed.len() < N_PARTS {
                    compare_packed(source, packed)
                } else {
                    sort_words(&source, packed, 32, threads, |_| ())
                }
            }
        })*
    };
}
packed_in_64_bits!(f32 i32 u32);

macro_rules! packed_in_128_bits {
    ($($type:ident)*) => {
        $(impl Packed for $type {
            type Packed = u128;

            fn pack(word: u64, index: usize) -> u128 {
                u128::from(word) << 64 | index as u128
            }

            fn index(packed: u128) -> usize {
                packed as u32 as usize
            }

            fn sort_packed(source: &PairSource<'_, u128>, packed: &mut [u128], _threads: Threads) {
                compare_packed(source, packed);
            }
        })*
    };
}
packed_in_128_bits!(f64 i64 u64);

/// Visits the pairs of elements `range` of a row and their positions.
fn pairs<T: Element + Packed>(
    job: &Job<'_>,
    row_start: usize,
    range: Range<usize>,
    visit: &mut dyn FnMut(&[T::Packed]),
) {
    let mut words = [T::Word::default(); CHUNK];
    let mut packed = [T::Packed::default(); CHUNK];
    T::for_each(&job.input, range.start + row_start..range.end + row_start, |at, chunk| {
        T::encode(job.order, chunk, &mut words);
        for (k, (packed, &word)) in packed.iter_mut().zip(&words[..chunk.len()]).enumerate() {
            *packed = T::pack(word, at - row_start + k);
        }
        visit(&packed[..chunk.len()]);
    });
}

fn indices<T: Element + Packed>(op: &Sort, cx: &CpuCx<'_>, out: &mut [i32]) {
    along_axis(op, cx, out, |job, out| {
        let Rows { n_cols, .. } = job.rows;
        if job.n_kept < n_cols || n_cols < 2 * GRAIN {
            return sort_pairs(job, out, |_: &[T], packed| T::index(packed) as i32);
        }
        let mut packed = vec![T::Packed::default(); n_cols];
        for (row, out) in out.chunks_mut(n_cols).enumerate() {
            let source = |range: Range<usize>, visit: &mut dyn FnMut(&[T::Packed])| {
                pairs::<T>(job, row * n_cols, range, visit);
            };
            T::sort_packed(&source, &mut packed, job.threads);
            job.threads.for_each_piece(out, GRAIN, |start, piece| {
                piece.iter_mut().zip(&packed[start..]).for_each(|(out, &packed)| *out = T::index(packed) as i32);
            });
        }
    });
}

/// Sorts rows as pairs, one thread each, and makes a result of the first of them. If only a few are wanted, partitioning finds
/// them, which looks at most elements only a few times.
fn sort_pairs<T: Element + Packed, R: Send>(
    job: &Job<'_>,
    out: &mut [R],
    result: impl Fn(&[T], T::Packed) -> R + Sync,
) {
    let (n_cols, n_kept) = (job.rows.n_cols, job.n_kept);
    job.threads.for_each_piece(out, (GRAIN / n_cols).max(1) * n_kept, |start, piece| {
        let mut x = vec![T::zeroed(); n_cols];
        let mut packed = vec![T::Packed::default(); n_cols];
        for (k, out) in piece.chunks_mut(n_kept).enumerate() {
            let row_start = (start / n_kept + k) * n_cols;
            T::read(&job.input, row_start, &mut x);
            let source = |range: Range<usize>, visit: &mut dyn FnMut(&[T::Packed])| {
                pairs::<T>(job, row_start, range, visit);
            };
            if n_kept < n_cols {
                collect(&source, &mut packed);
                packed.select_nth_unstable(n_kept);
                packed[..n_kept].sort_unstable();
            } else {
                T::sort_packed(&source, &mut packed, Threads::one());
            }
            out.iter_mut().zip(&packed).for_each(|(out, &packed)| *out = result(&x, packed));
        }
    });
}
