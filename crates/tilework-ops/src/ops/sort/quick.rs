//! Sorting 32-bit words by comparing them, where `tilework_vm::quick` is to be had.
//!
//! A long row is cut in two steps, so that every step but one moves words within a cache of its own. First each block of the input
//! is cut into parts at the same pivots, taken from a sample of the row; then each part is gathered from all blocks to its place
//! in the result and sorted there. Blocks and parts are independent of each other: whoever is free takes the next one.

use super::cpu::Job;
use crate::cpu::Element;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tilework_vm::quick::Quick;
use tilework_vm::radix::{Key, Word};

/// Most words of a block: with as much scratch they fit into a usual second-level cache.
const MAX_BLOCK: usize = 1 << 16;
/// Fewest words of a block: fewer are sorted while they are cut.
const MIN_BLOCK: usize = 1 << 13;
/// Blocks of rows that are not longer than need be, for all threads to have some.
const N_BLOCKS: usize = 8;
/// Words of a row from which on several threads sort it.
pub(super) const LONG: usize = 2 * MIN_BLOCK;
/// Words that a part should have at most, for the same reason.
const PART: usize = 1 << 16;
/// Blocks are made in memory of the thread's last sort if there were not more words than this: fresh pages would cost as much
/// as a tenth of the work.
const MAX_KEPT: usize = 1 << 23;
/// The same for the scratch memory of each thread.
const MAX_SCRATCH_KEPT: usize = 1 << 18;
thread_local! {
    static KEPT: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
    static SCRATCH: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}
/// More parts would make the pieces of a block too short.
const MAX_PARTS: usize = 256;
/// Words of the sample for each part, and how many of them are neighbours.
const SAMPLED: usize = 32;
const NEIGHBORS: usize = 8;

/// The sort of words of this type, where it is faster than that by digits.
pub(super) fn of_words<W: Word>() -> Option<Quick> {
    Quick::detect().filter(|_| W::BITS == u32::BITS)
}

/// Sorts rows of words, one after the other.
pub(super) enum RowSorter<W: Word> {
    Quick(Quick, Vec<u32>),
    Digits(Box<[W::Cell]>),
}

impl<W: Word + bytemuck::Pod> RowSorter<W> {
    pub(super) fn new(n_cols: usize) -> RowSorter<W> {
        match of_words::<W>() {
            Some(quick) => RowSorter::Quick(quick, vec![0; n_cols]),
            None => RowSorter::Digits(bytemuck::zeroed_slice_box(n_cols)),
        }
    }

    pub(super) fn sort(&mut self, words: &mut [W]) {
        match self {
            RowSorter::Quick(quick, scratch) => quick.sort(bytemuck::cast_slice_mut(words), scratch),
            RowSorter::Digits(cells) => {
                W::copy_to_cells(words, cells);
                W::sort_cells(cells, words, 0..W::BITS);
            }
        }
    }
}

/// Sorts the row that starts at element `row_start` into `out`, words still. Returns whether there is a −0 among its elements.
pub(super) fn sort_long<T: Element + Key>(quick: Quick, job: &Job<'_>, row_start: usize, out: &mut [T]) -> bool {
    let row = Row { quick, job, start: row_start };
    let n_parts = (1..=MAX_PARTS.ilog(4)).map(|k| 4usize.pow(k)).find(|n| n * PART >= out.len()).unwrap_or(MAX_PARTS);
    let sample = row.sample::<T>(out.len(), n_parts * SAMPLED / NEIGHBORS);
    let pivots: Vec<u32> = (1..n_parts).map(|part| sample[part * SAMPLED]).collect();
    let has_negative_zero = AtomicBool::new(false);
    let mut blocks = Blocks::new(out.len(), n_parts);
    job.threads.for_each(blocks.count(), blocks.each(), |(start, words, ends)| {
        if row.encode::<T>(start, words) {
            has_negative_zero.store(true, Relaxed);
        }
        with_scratch(words.len(), |scratch| quick.split(words, scratch, &pivots, ends));
    });
    let mut rest: &mut [u32] = bytemuck::cast_slice_mut(out);
    let parts = (0..n_parts).map(|part| {
        let (words, after) = std::mem::take(&mut rest).split_at_mut(blocks.runs(part).map(<[u32]>::len).sum());
        rest = after;
        (part, words)
    });
    job.threads.for_each(n_parts, parts, |(part, words)| {
        let pivot = sample[part * SAMPLED + SAMPLED / 2];
        with_scratch(words.len(), |scratch| quick.sort_runs(blocks.runs(part), pivot, words, scratch));
        T::decode(job.order, bytemuck::cast_slice_mut(words));
    });
    blocks.give_back();
    has_negative_zero.into_inner()
}

/// A row and what sorts it.
struct Row<'a> {
    quick: Quick,
    job: &'a Job<'a>,
    start: usize,
}

impl Row<'_> {
    /// Makes words of the elements from `start` on. Returns whether there is a −0 among them.
    fn encode<T: Element + Key>(&self, start: usize, words: &mut [u32]) -> bool {
        let first = self.start + start;
        let mut has_negative_zero = false;
        T::for_each(&self.job.input, first..first + words.len(), |at, x| {
            has_negative_zero |= T::has_negative_zero(x);
            T::encode(self.job.order, x, bytemuck::cast_slice_mut(&mut words[at - first..][..x.len()]));
        });
        has_negative_zero
    }

    /// Some of the words, sorted: neighbours at `n_places`, spread evenly but for a little, so that no period hides from them.
    fn sample<T: Element + Key>(&self, n_cols: usize, n_places: usize) -> Vec<u32> {
        let mut sample = vec![0; n_places * NEIGHBORS];
        let step = n_cols / n_places;
        for (place, words) in sample.chunks_exact_mut(NEIGHBORS).enumerate() {
            // Fibonacci hashing of the place.
            let jitter = (place as u32).wrapping_mul(0x9E37_79B9) as usize % (step - NEIGHBORS);
            self.encode::<T>(place * step + jitter, words);
        }
        let mut scratch = vec![0; sample.len()];
        self.quick.sort(&mut sample, &mut scratch);
        sample
    }
}

/// Blocks of words that are cut into parts.
struct Blocks {
    words: Vec<u32>,
    /// Words of each but the last.
    size: usize,
    /// Where each part of each block ends.
    ends: Vec<u32>,
    n_parts: usize,
}

impl Blocks {
    fn new(n_words: usize, n_parts: usize) -> Blocks {
        let mut words = KEPT.take();
        if words.len() < n_words {
            words = vec![0; n_words];
        }
        words.truncate(n_words);
        let size = n_words.div_ceil(N_BLOCKS).clamp(MIN_BLOCK, MAX_BLOCK);
        Blocks { words, size, ends: vec![0; n_words.div_ceil(size) * n_parts], n_parts }
    }

    fn give_back(self) {
        if self.words.len() <= MAX_KEPT {
            KEPT.set(self.words);
        }
    }

    fn count(&self) -> usize {
        self.words.len().div_ceil(self.size)
    }

    /// Where each block starts, its words and its ends of parts.
    fn each(&mut self) -> impl Iterator<Item = (usize, &mut [u32], &mut [u32])> + Send {
        let size = self.size;
        let blocks = self.words.chunks_mut(size).zip(self.ends.chunks_mut(self.n_parts));
        blocks.enumerate().map(move |(block, (words, ends))| (block * size, words, ends))
    }

    /// The words of a part, block by block.
    fn runs(&self, part: usize) -> impl Iterator<Item = &[u32]> {
        self.words.chunks(self.size).zip(self.ends.chunks(self.n_parts)).map(move |(words, ends)| {
            let start = if part == 0 { 0 } else { ends[part - 1] };
            &words[start as usize..ends[part] as usize]
        })
    }
}

/// Lends memory of the thread's last piece of work, still in a cache.
fn with_scratch(len: usize, work: impl FnOnce(&mut [u32])) {
    let mut memory = SCRATCH.take();
    if memory.len() < len {
        memory.resize(len, 0);
    }
    work(&mut memory[..len]);
    if memory.len() <= MAX_SCRATCH_KEPT {
        SCRATCH.set(memory);
    }
}
