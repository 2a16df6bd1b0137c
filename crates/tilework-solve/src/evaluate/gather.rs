//! Gather lists: which instances contribute to which block.
//!
//! An instance writes what it contributes to a place of its own, and every block sums what belongs to it, in the order of groups and
//! instances. A block that thousands of instances share (a hub) is summed in pieces of fixed length.

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

/// For each free block, the instances that read it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gather {
    /// Entries of free block `k` are `starts[k]..starts[k + 1]`.
    pub(crate) starts: Vec<u32>,
    pub(crate) entries: Vec<Entry>,
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
        let cuts = layout.free.iter().skip(BLOCKS_PER_CUT).step_by(BLOCKS_PER_CUT);
        let cuts = cuts.map(|&block| layout.blocks[block as usize].tangent as usize).collect();
        Gather { starts, entries, cuts }
    }

    /// Sums the gradients that instances computed.
    pub(crate) fn gradient<F: Float>(
        &self,
        layout: &Layout,
        outputs: &[Outputs<F>],
        threads: Threads,
    ) -> Vec<F> {
        let mut gradient = vec![F::default(); layout.n_tangents];
        let first_of: Vec<usize> =
            layout.free.iter().map(|&block| layout.blocks[block as usize].tangent as usize).collect();
        threads.for_each_split(&mut gradient, &self.cuts, |start, piece| {
            let first = first_of.partition_point(|&tangent| tangent < start);
            for k in first..layout.free.len() {
                let block = layout.blocks[layout.free[k] as usize];
                let at = block.tangent as usize - start;
                if at >= piece.len() {
                    break;
                }
                let entries = &self.entries[self.starts[k] as usize..self.starts[k + 1] as usize];
                sum_entries(entries, outputs, &mut piece[at..][..block.tangent_dim as usize]);
            }
        });
        gradient
    }
}

/// Adds the contributions of `entries` to `sums`, one for each direction of a block.
fn sum_entries<F: Float>(entries: &[Entry], outputs: &[Outputs<F>], sums: &mut [F]) {
    for (component, sum) in sums.iter_mut().enumerate() {
        for piece in entries.chunks(PIECE) {
            let mut part = F::default();
            for entry in piece {
                let root = 1 + entry.column as usize + component;
                part = part.add(outputs[entry.group as usize].get(root, entry.instance as usize));
            }
            *sum = sum.add(part);
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
