//! Where everything lies in the buffers of a problem, and the lists its kernels read.
//!
//! All groups share their buffers: offsets, data, contributions and Jacobians of one group follow those of the group before, each
//! `[what][instance]`, so that neighbouring invocations touch neighbouring numbers. Hand-written kernels then do their work for
//! all groups in one dispatch, looking up where a group begins in `words`.

use crate::evaluate::{Compiled, CompiledGroup, Entry, FIXED};
use std::ops::Range;
use tilework_core::{Error, Result};

/// Words of a group in [`Tables::words`]; `multiply.wgsl` reads them.
pub(crate) const GROUP_WORDS: usize = 8;
/// Entries of a gather list that one invocation adds.
pub(crate) const SEGMENT: usize = 256;
/// Instances of a workgroup in `multiply.wgsl` and `instances.wgsl`.
pub(crate) const INSTANCES: usize = 64;

/// Where a group's numbers begin.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    pub(crate) n_instances: usize,
    pub(crate) n_columns: usize,
    pub(crate) n_residuals: usize,
    /// Among all instances.
    pub(crate) first_instance: usize,
    /// In `offsets` and `tangents`.
    pub(crate) first_offset: usize,
    /// In `data`.
    pub(crate) first_datum: usize,
    /// Among the residuals of all groups.
    pub(crate) first_residual: usize,
    /// Among the gradients of all instances.
    pub(crate) first_gradient: usize,
    /// Among the Jacobians of all instances.
    pub(crate) first_jacobian: usize,
}

/// The lists of a problem.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    pub(crate) places: Vec<Place>,
    /// Where the next group would begin: the sizes of all lists.
    pub(crate) end: Place,
    pub(crate) words: Vec<u32>,
    /// `[argument][instance]`, where a block's numbers begin.
    pub(crate) offsets: Vec<u32>,
    /// `[argument][instance]`, where a block's directions begin, or [`FIXED`].
    pub(crate) tangents: Vec<u32>,
    /// `[column][instance]`.
    pub(crate) data: Vec<f64>,
    /// The gather list of gradients, see `term_gradient.wgsl`.
    pub(crate) gradient_entries: Vec<[u32; 2]>,
    /// The same of Jacobians, see `term_transposed.wgsl`.
    pub(crate) jacobian_entries: Vec<[u32; 4]>,
    /// Workgroups of J·v: (group, first instance, residual).
    pub(crate) work: Vec<[u32; 4]>,
    pub(crate) n_values: usize,
    pub(crate) n_directions: usize,
    /// Residuals of all groups.
    pub(crate) n_rows: usize,
}

impl Tables {
    /// The lists of a problem. Fails where numbers of 32 bits do not reach.
    pub(crate) fn new(compiled: &Compiled, n_values: usize) -> Result<Tables> {
        let mut tables = Tables { n_values, n_directions: compiled.layout.n_tangents, ..Tables::default() };
        compiled.groups.iter().for_each(|group| tables.add(group, compiled));
        tables.n_rows = tables.end.first_residual;
        tables.check()?;
        tables.write_words(compiled);
        tables.write_work();
        tables.gradient_entries = compiled.gather.entries.iter().map(|entry| tables.gradient_entry(entry)).collect();
        tables.jacobian_entries = compiled.gather.entries.iter().map(|entry| tables.jacobian_entry(entry)).collect();
        Ok(tables)
    }

    fn add(&mut self, compiled: &CompiledGroup, all: &Compiled) {
        let group = &compiled.group;
        let n = group.n_instances;
        let place =
            Place { n_instances: n, n_columns: compiled.columns.n, n_residuals: group.n_residuals(), ..self.end };
        self.places.push(place);
        for (arg, blocks) in group.blocks.iter().enumerate() {
            let moves = compiled.columns.first[arg].is_some();
            let tangent = |block: &u32| if moves { all.layout.blocks[*block as usize].tangent } else { FIXED };
            self.offsets.extend(blocks.iter().map(|&block| all.layout.blocks[block as usize].value));
            self.tangents.extend(blocks.iter().map(tangent));
        }
        group.data.iter().for_each(|column| self.data.extend_from_slice(column));
        self.end = Place {
            first_instance: place.first_instance + n,
            first_offset: self.offsets.len(),
            first_datum: self.data.len(),
            first_residual: place.first_residual + n * place.n_residuals,
            first_gradient: place.first_gradient + n * place.n_columns,
            first_jacobian: place.first_jacobian + n * place.n_residuals * place.n_columns,
            ..Place::default()
        };
    }

    fn gradient_entry(&self, entry: &Entry) -> [u32; 2] {
        let place = &self.places[entry.group as usize];
        // Costs of all instances come before the gradients.
        let first = self.end.first_instance + place.first_gradient;
        let at = first + entry.column as usize * place.n_instances + entry.instance as usize;
        [at as u32, place.n_instances as u32]
    }

    fn jacobian_entry(&self, entry: &Entry) -> [u32; 4] {
        let place = &self.places[entry.group as usize];
        let at = place.first_jacobian + entry.column as usize * place.n_instances + entry.instance as usize;
        let row = place.first_residual + entry.instance as usize;
        let sizes = place.n_columns << 16 | place.n_residuals;
        [at as u32, place.n_instances as u32, row as u32, sizes as u32]
    }

    fn check(&self) -> Result<()> {
        let widest = self.places.iter().map(|place| place.n_columns.max(place.n_residuals)).max().unwrap_or(0);
        if widest >= 0x1_0000 {
            let message = format!("an instance of {widest} residuals or columns is too large");
            return Err(Error::argument("solve_on", message));
        }
        let largest = self.end.first_jacobian.max(self.end.first_gradient).max(self.data.len()).max(self.offsets.len());
        if largest > u32::MAX as usize / 16 {
            return Err(Error::argument("solve_on", format!("{largest} numbers are too many for one buffer")));
        }
        Ok(())
    }

    fn write_words(&mut self, compiled: &Compiled) {
        let mut first_dim = self.places.len() * GROUP_WORDS;
        let mut dims = Vec::new();
        for (place, group) in self.places.iter().zip(&compiled.groups) {
            let columns = &group.columns;
            let own = columns.dims.iter().zip(&columns.first).map(|(&dim, first)| first.map_or(0, |_| dim as u32));
            dims.extend(own);
            let words = [
                place.n_instances,
                place.n_columns,
                place.n_residuals,
                place.first_jacobian,
                place.first_residual,
                place.first_offset,
                columns.dims.len(),
                first_dim,
            ];
            let start = self.words.len();
            self.words.extend(words.map(|word| word as u32));
            self.words.resize(start + GROUP_WORDS, 0);
            first_dim += columns.dims.len();
        }
        self.words.extend(dims);
    }

    fn write_work(&mut self) {
        for (group, place) in self.places.iter().enumerate() {
            for residual in 0..place.n_residuals {
                let firsts = (0..place.n_instances).step_by(INSTANCES);
                self.work.extend(firsts.map(|first| [group as u32, first as u32, residual as u32, 0]));
            }
        }
    }
}

/// Sums of gather lists: segments first, then ranges of what came before until there is one number for each sum.
#[derive(Clone, Debug, Default)]
pub(crate) struct Segments {
    /// (first entry, number of entries, a, b), see `segment_sum.wgsl`.
    pub(crate) segments: Vec<[u32; 4]>,
    /// Of each further level, where the parts of each sum begin.
    pub(crate) levels: Vec<Vec<u32>>,
}

impl Segments {
    /// One sum for every item: its entries, and the directions its terms are of.
    pub(crate) fn new(sums: impl Iterator<Item = (Range<u32>, u32, u32)>) -> Segments {
        let mut segments = Vec::new();
        let mut starts = vec![0];
        for (entries, a, b) in sums {
            for first in entries.clone().step_by(SEGMENT) {
                segments.push([first, (entries.end - first).min(SEGMENT as u32), a, b]);
            }
            if entries.is_empty() {
                segments.push([0, 0, a, b]);
            }
            starts.push(segments.len() as u32);
        }
        Segments { segments, levels: levels(starts) }
    }
}

/// Levels that bring `starts.len() - 1` lists of parts down to one number each, no invocation adding more than [`SEGMENT`].
fn levels(mut starts: Vec<u32>) -> Vec<Vec<u32>> {
    let mut levels = Vec::new();
    while starts.windows(2).any(|pair| pair[1] - pair[0] > 1) {
        let (mut level, mut next) = (vec![0], vec![0]);
        for pair in starts.windows(2) {
            level.extend((pair[0]..pair[1]).step_by(SEGMENT).skip(1));
            level.push(pair[1]);
            next.push(level.len() as u32 - 1);
        }
        levels.push(level);
        starts = next;
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hub_is_summed_in_levels() {
        let few = Segments::new([(0..3, 0, 0), (3..3, 0, 0), (3..9, 1, 0)].into_iter());
        assert_eq!((few.segments.len(), few.levels.len()), (3, 0));
        let n = 256 * 256 * 2 + 1;
        let hub = Segments::new([(0..2, 0, 0), (2..2 + n, 0, 0)].into_iter());
        assert_eq!(hub.segments.len(), 1 + 513);
        assert_eq!(hub.levels, [vec![0, 1, 257, 513, 514], vec![0, 1, 4]]);
    }
}
