//! Sorting on the CPU: by digits, see `tilework_vm::radix`.
//!
//! Long rows are cut into parts by their leading bits on all threads, then the parts are sorted independently, each within the
//! caches; many short rows are shared out whole. Positions are sorted as the lower half of a word, the key as its upper half.

use super::{Output, Sort};
use crate::cpu::{CpuCx, CpuInput, Element, GRAIN};
use crate::ops::reduce::{Rows, as_rows};
use crate::threads::Threads;
use tilework_core::dtype::DType;
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
        (HostBuffer::I32(out), DType::F32) if op.output == Output::Indices => indices::<f32>(op, cx, out),
        (HostBuffer::I32(out), DType::F64) if op.output == Output::Indices => indices::<f64>(op, cx, out),
        (HostBuffer::I32(out), DType::I32) if op.output == Output::Indices => indices::<i32>(op, cx, out),
        (HostBuffer::I32(out), _) if op.output == Output::Indices => indices::<u32>(op, cx, out),
        (HostBuffer::F32(out), _) => values(op, cx, out),
        (HostBuffer::F64(out), _) => values(op, cx, out),
        (HostBuffer::I32(out), _) => values(op, cx, out),
        (HostBuffer::U32(out) | HostBuffer::Bool(out), _) => values(op, cx, out),
    }
    Ok(())
}

/// What all rows have in common.
struct Job<'a> {
    input: CpuInput<'a>,
    rows: Rows,
    n_kept: usize,
    order: Order,
    threads: Threads,
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
        if n_cols >= 2 * GRAIN {
            out.chunks_mut(n_cols).enumerate().for_each(|(row, out)| sort_long(job, row * n_cols, out));
            return;
        }
        job.threads.for_each_piece(out, (GRAIN / n_cols).max(1) * n_cols, |start, piece| {
            T::read(&job.input, start, piece);
            let mut x = vec![T::zeroed(); n_cols];
            let cells = bytemuck::zeroed_slice_box::<<T::Word as Word>::Cell>(n_cols);
            for row in piece.chunks_mut(n_cols) {
                x.copy_from_slice(row);
                let words: &mut [T::Word] = bytemuck::cast_slice_mut(row);
                T::encode(job.order, &x, words);
                T::Word::copy_to_cells(words, &cells);
                T::Word::sort_cells(&cells, words, 0);
                T::decode(job.order, words);
                restore_zeros(row, |visit| visit(&x));
            }
        });
    });
}

fn sort_long<T: Element + Key>(job: &Job<'_>, row_start: usize, out: &mut [T]) {
    let n = out.len();
    let words: &mut [T::Word] = bytemuck::cast_slice_mut(out);
    encode_all(job, row_start, words, |x: &[T], words| T::encode(job.order, x, words));
    sort_words(words, 0, job.threads, |part| T::decode(job.order, part));
    restore_zeros(out, |visit| T::for_each(&job.input, row_start..row_start + n, |_, chunk| visit(chunk)));
}

/// 0 and −0 are equal, and words do not tell them apart: puts them back in the order they came in.
fn restore_zeros<T: Key>(sorted: &mut [T], for_each: impl Fn(&mut dyn FnMut(&[T]))) {
    let Some(first) = sorted.iter().position(|x| x.is_zero()) else { return };
    let mut has_negative = false;
    for_each(&mut |x| has_negative |= x.iter().any(|x| x.is_negative_zero()));
    if !has_negative {
        return;
    }
    let mut next = first;
    for_each(&mut |x| {
        for &zero in x.iter().filter(|x| x.is_zero()) {
            sorted[next] = zero;
            next += 1;
        }
    });
}

/// Encodes a row on all threads, chunk by chunk.
fn encode_all<T: Element, W: Send>(
    job: &Job<'_>,
    row_start: usize,
    words: &mut [W],
    encode: impl Fn(&[T], &mut [W]) + Sync,
) {
    job.threads.for_each_piece(words, GRAIN, |start, piece| {
        let first = row_start + start;
        T::for_each(&job.input, first..first + piece.len(), |at, chunk| {
            encode(chunk, &mut piece[at - first..][..chunk.len()]);
        });
    });
}

/// Sorts words by the bits from `low_bit` on, calling `finish` with each sorted part.
fn sort_words<W: Word>(words: &mut [W], low_bit: u32, threads: Threads, finish: impl Fn(&mut [W]) + Sync) {
    let mut blocks: Vec<Block<'_, W>> = words.chunks(COUNTED).map(Block::new).collect();
    threads.for_each_piece(&mut blocks, 1, |_, block| block[0].bounds = W::bounds(block[0].words));
    let bounds = blocks.iter().map(|block| block.bounds).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let cut = W::cut(bounds.unwrap_or_default(), low_bit);
    threads.for_each_piece(&mut blocks, 1, |_, block| W::count_parts(block[0].words, cut, &mut block[0].next));
    let mut cuts = Vec::with_capacity(N_PARTS);
    let mut start = 0;
    for part in 0..N_PARTS {
        cuts.push(start as usize);
        for block in &mut blocks {
            start += std::mem::replace(&mut block.next[part], start);
        }
    }
    let cells = bytemuck::zeroed_slice_box::<W::Cell>(words.len());
    threads.for_each_piece(&mut blocks, 1, |_, block| W::place(block[0].words, cut, &mut block[0].next, &cells));
    drop(blocks);
    threads.for_each_split(words, &cuts, |start, part| {
        if !part.is_empty() {
            W::sort_cells(&cells[start..start + part.len()], part, low_bit);
            finish(part);
        }
    });
}

/// Words that are counted and placed by one thread.
struct Block<'a, W> {
    words: &'a [W],
    bounds: (W, W),
    /// Counts, then where the next word of each part goes.
    next: Box<[u32; N_PARTS]>,
}

impl<W: Word> Block<'_, W> {
    fn new(words: &[W]) -> Block<'_, W> {
        Block { words, bounds: Default::default(), next: Box::new([0; N_PARTS]) }
    }
}

/// An element together with its position: a wider integer, so that equal elements are in the order of their positions.
trait Packed: Key {
    type Packed: Ord + Copy + Default + Send + Sync;

    fn pack(word: Self::Word, index: usize) -> Self::Packed;

    fn index(packed: Self::Packed) -> usize;

    /// Sorts the pairs of a long row on all threads.
    fn sort_packed(packed: &mut [Self::Packed], threads: Threads);
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

            fn sort_packed(packed: &mut [u64], threads: Threads) {
                // Few pairs are compared sooner than counted.
                if packed.len() < N_PARTS { packed.sort_unstable() } else { sort_words(packed, 32, threads, |_| ()) }
            }
        })*
    };
}
packed_in_64_bits!(f32 i32 u32);

impl Packed for f64 {
    type Packed = u128;

    fn pack(word: u64, index: usize) -> u128 {
        u128::from(word) << 64 | index as u128
    }

    fn index(packed: u128) -> usize {
        packed as u32 as usize
    }

    fn sort_packed(packed: &mut [u128], _threads: Threads) {
        packed.sort_unstable();
    }
}

/// The pairs of elements and positions, from position `first` on.
fn pack<T: Packed>(order: Order, x: &[T], first: usize, packed: &mut [T::Packed]) {
    let mut words = [T::Word::default(); CHUNK];
    for (group, (x, packed)) in x.chunks(CHUNK).zip(packed.chunks_mut(CHUNK)).enumerate() {
        T::encode(order, x, &mut words);
        for (k, (packed, &word)) in packed.iter_mut().zip(&words).enumerate() {
            *packed = T::pack(word, first + group * CHUNK + k);
        }
    }
}

fn indices<T: Element + Packed>(op: &Sort, cx: &CpuCx<'_>, out: &mut [i32]) {
    along_axis(op, cx, out, |job, out| {
        let Rows { n_cols, .. } = job.rows;
        if job.n_kept < n_cols {
            return sort_pairs(job, out, |_: &[T], packed| T::index(packed) as i32);
        }
        if n_cols >= 2 * GRAIN {
            for (row, out) in out.chunks_mut(n_cols).enumerate() {
                let mut packed = vec![T::Packed::default(); n_cols];
                job.threads.for_each_piece(&mut packed, GRAIN, |start, piece| {
                    let first = row * n_cols + start;
                    T::for_each(&job.input, first..first + piece.len(), |at, chunk| {
                        pack(job.order, chunk, start + at - first, &mut piece[at - first..][..chunk.len()]);
                    });
                });
                T::sort_packed(&mut packed, job.threads);
                job.threads.for_each_piece(out, GRAIN, |start, piece| {
                    piece.iter_mut().zip(&packed[start..]).for_each(|(out, &packed)| *out = T::index(packed) as i32);
                });
            }
            return;
        }
        sort_pairs(job, out, |_: &[T], packed| T::index(packed) as i32);
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
            T::read(&job.input, (start / n_kept + k) * n_cols, &mut x);
            pack(job.order, &x, 0, &mut packed);
            if n_kept < n_cols {
                packed.select_nth_unstable(n_kept);
                packed[..n_kept].sort_unstable();
            } else {
                T::sort_packed(&mut packed, Threads::one());
            }
            out.iter_mut().zip(&packed).for_each(|(out, &packed)| *out = result(&x, packed));
        }
    });
}
