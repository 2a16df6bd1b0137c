//! Gather lists: which instances contribute to which block.
//!
//! An instance writes what it contributes to a place of its own, and every block sums what belongs to it, in the order of groups and
//! instances. A block that thousands of instances share (a hub) is summed in pieces of fixed length.

use super::cpu::LANES;
use super::{CompiledGroup, FIXED, Layout, Outputs};
use tilework_ops::threads::Threads;
use tilework_vm::Float;

/// One argument of one instance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) group: u32,
    pub(crate) instance: u32,
    /// The argument's first column.
    pub(crate) column: u32,
}

impl Entry {
    /// Where its first derivative lies among outputs of `n_roots` roots, the cost being the first.
    fn place(self, n_roots: usize) -> u32 {
        let (chunk, lane) = (self.instance as usize / LANES, self.instance as usize % LANES);
        ((chunk * n_roots + 1 + self.column as usize) * LANES + lane) as u32
    }
}

/// For each free block, the instances that read it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gather {
    /// Entries of free block `k` are `starts[k]..starts[k + 1]`.
    pub(crate) starts: Vec<u32>,
    pub(crate) entries: Vec<Entry>,
    /// Where each entry's first derivative lies in what its group computed for a gradient.
    places: Vec<u32>,
    /// First direction of each free block.
    tangents: Vec<u32>,
    /// Places where a gradient may be cut for threads: first directions of blocks.
    cuts: Vec<usize>,
}

/// Terms of a sum that are added one after the other, before the sums are.
const PIECE: usize = 1024;
/// Blocks to a piece of work.
const BLOCKS_PER_CUT: usize = 512;

impl Gather {
    pub(crate) fn new(groups: &[CompiledGroup], layout: &Layout) -> Gather {
        let mut position = vec![FIXED; layout.blocks.len()];
        for (at, &block) in layout.free.iter().enumerate() {
            position[block as usize] = at as u32;
        }
        let mut counts = vec![0u32; layout.free.len() + 1];
        each_entry(groups, |block, _| {
            if let Some(count) = counts.get_mut(position[block as usize] as usize + 1) {
                *count += 1;
            }
        });
        for k in 1..counts.len() {
            counts[k] += counts[k - 1];
        }
        let starts = counts.clone();
        let none = Entry { group: 0, instance: 0, column: 0 };
        let mut entries = vec![none; *counts.last().unwrap_or(&0) as usize];
        each_entry(groups, |block, entry| {
            let at = position[block as usize];
            if at != FIXED {
                entries[counts[at as usize] as usize] = entry;
                counts[at as usize] += 1;
            }
        });
        let tangents: Vec<u32> = layout.free.iter().map(|&block| layout.blocks[block as usize].tangent).collect();
        let cuts =
            tangents.iter().skip(BLOCKS_PER_CUT).step_by(BLOCKS_PER_CUT).map(|&tangent| tangent as usize).collect();
        let places = entries.iter().map(|entry| entry.place(1 + groups[entry.group as usize].columns.n)).collect();
        Gather { starts, entries, places, tangents, cuts }
    }

    /// Sums the gradients that instances computed.
    pub(crate) fn gradient<F: Float>(&self, layout: &Layout, outputs: &[Outputs<F>], threads: Threads) -> Vec<F> {
        let mut gradient = vec![F::default(); layout.n_tangents];
        threads.for_each_split(&mut gradient, &self.cuts, |start, piece| {
            let first = self.tangents.partition_point(|&tangent| (tangent as usize) < start);
            let mut at = 0;
            for k in first..self.tangents.len() {
                if at == piece.len() {
                    break;
                }
                let end = self.tangents.get(k + 1).map_or(layout.n_tangents, |&next| next as usize);
                let dim = end - self.tangents[k] as usize;
                let sums = &mut piece[at..][..dim];
                // Most blocks have two or three directions, whose sums stay in registers.
                match dim {
                    1 => self.sum::<F, 1>(k, outputs, sums),
                    2 => self.sum::<F, 2>(k, outputs, sums),
                    3 => self.sum::<F, 3>(k, outputs, sums),
                    _ => self.sum_wide(k, outputs, sums),
                }
                at += dim;
            }
        });
        gradient
    }

    /// Sums what belongs to block `k`, which has `N` directions.
    #[inline(always)]
    fn sum<F: Float, const N: usize>(&self, k: usize, outputs: &[Outputs<F>], sums: &mut [F]) {
        let range = self.starts[k] as usize..self.starts[k + 1] as usize;
        let (entries, places) = (&self.entries[range.clone()], &self.places[range]);
        for (entries, places) in entries.chunks(PIECE).zip(places.chunks(PIECE)) {
            let mut part = [F::default(); N];
            for (entry, &place) in entries.iter().zip(places) {
                let slopes = &outputs[entry.group as usize].values[place as usize..][..(N - 1) * LANES + 1];
                for component in 0..N {
                    part[component] = part[component].add(slopes[component * LANES]);
                }
            }
            sums.iter_mut().zip(part).for_each(|(sum, part)| *sum = sum.add(part));
        }
    }

    /// The same for any number of directions.
    fn sum_wide<F: Float>(&self, k: usize, outputs: &[Outputs<F>], sums: &mut [F]) {
        let range = self.starts[k] as usize..self.starts[k + 1] as usize;
        let (entries, places) = (&self.entries[range.clone()], &self.places[range]);
        for (component, sum) in sums.iter_mut().enumerate() {
            for (entries, places) in entries.chunks(PIECE).zip(places.chunks(PIECE)) {
                let value = |(entry, place): (&Entry, &u32)| {
                    outputs[entry.group as usize].values[*place as usize + component * LANES]
                };
                let part = entries.iter().zip(places).map(value).fold(F::default(), |part, value| part.add(value));
                *sum = sum.add(part);
            }
        }
    }
}

/// Calls `visit` with every moving argument of every instance, in order.
fn each_entry(groups: &[CompiledGroup], mut visit: impl FnMut(u32, Entry)) {
    for (number, compiled) in groups.iter().enumerate() {
        let group = &compiled.group;
        for instance in 0..group.n_instances {
            for (arg, blocks) in group.blocks.iter().enumerate() {
                if let Some(column) = compiled.columns.first[arg] {
                    let entry = Entry { group: number as u32, instance: instance as u32, column: column as u32 };
                    visit(blocks[instance], entry);
                }
            }
        }
    }
}
