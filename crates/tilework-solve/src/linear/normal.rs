//! The Gauss-Newton matrix: blocks of all pairs of parameters that share an instance.

use crate::evaluate::{Compiled, FIXED};
use std::cmp::Ordering;
use tilework_sparse::Pattern;

/// Set in a target if the block is stored as the transpose of what the instance computes.
const TRANSPOSED: u32 = 1 << 31;
/// Set in a target if two different arguments are one block: the transpose is added, too.
const BOTH: u32 = 1 << 30;
/// No target: an argument is fixed.
const NOWHERE: u32 = u32::MAX;

/// Two arguments of a group, and where their block goes for each instance.
#[derive(Clone, Debug)]
struct Pair {
    /// First columns.
    columns: (usize, usize),
    dims: (usize, usize),
    targets: Vec<u32>,
}

/// Where the contributions of all instances go.
#[derive(Clone, Debug)]
pub(crate) struct Assembly {
    pub(crate) pattern: Pattern,
    /// By group.
    pairs: Vec<Vec<Pair>>,
    n_columns: Vec<usize>,
}

impl Assembly {
    pub(crate) fn new(compiled: &Compiled) -> Assembly {
        let layout = &compiled.layout;
        let mut free_of = vec![FIXED; layout.blocks.len()];
        layout.free.iter().enumerate().for_each(|(k, &block)| free_of[block as usize] = k as u32);
        let dims = layout.free.iter().map(|&block| layout.blocks[block as usize].tangent_dim).collect();
        let mut met = Vec::new();
        each_pair(compiled, |_, (a, b), (left, right)| {
            if a != b {
                met.extend(left.iter().zip(right).filter_map(|(&a, &b)| {
                    let (a, b) = (free_of[a as usize], free_of[b as usize]);
                    (a != FIXED && b != FIXED).then_some((a, b))
                }));
            }
        });
        let pattern = Pattern::new(dims, met.into_iter());
        let mut pairs: Vec<Vec<Pair>> = vec![Vec::new(); compiled.groups.len()];
        each_pair(compiled, |group, (a, b), (left, right)| {
            let columns = &compiled.groups[group].columns;
            let (Some(first), Some(second)) = (columns.first[a], columns.first[b]) else { return };
            let both = if a == b { 0 } else { BOTH };
            let target = |(&a, &b): (&u32, &u32)| target(&pattern, free_of[a as usize], free_of[b as usize], both);
            let targets = left.iter().zip(right).map(target).collect();
            pairs[group].push(Pair { columns: (first, second), dims: (columns.dims[a], columns.dims[b]), targets });
        });
        Assembly { pattern, pairs, n_columns: compiled.groups.iter().map(|group| group.columns.n).collect() }
    }

    /// Adds the matrices of a chunk of instances from `first` on, given by the roots of their upper triangles. Of blocks on the diagonal
    /// only the lower triangle is filled: [`mirror`] does the rest.
    pub(crate) fn add(&self, group: usize, first: usize, upper: &[&[f64]], values: &mut [f64]) {
        for pair in &self.pairs[group] {
            pair.scatter(self.n_columns[group], first, upper, values);
        }
    }
}

impl Pair {
    fn scatter(&self, n: usize, first: usize, upper: &[&[f64]], values: &mut [f64]) {
        let (rows, cols) = self.dims;
        let is_diagonal = self.columns.0 == self.columns.1;
        for i in 0..rows {
            for j in 0..if is_diagonal { i + 1 } else { cols } {
                let (a, b) = (self.columns.0 + i, self.columns.1 + j);
                let (low, high) = (a.min(b), a.max(b));
                let root = upper[low * n - low * (low + 1) / 2 + high];
                let targets = &self.targets[first..][..root.len()];
                let (straight, across) = ((i * cols + j) as u32, (j * rows + i) as u32);
                for (&target, &value) in targets.iter().zip(root) {
                    if target == NOWHERE {
                        continue;
                    }
                    let at = (target & !(TRANSPOSED | BOTH)) + if target & TRANSPOSED == 0 { straight } else { across };
                    values[at as usize] += value;
                    if target & BOTH != 0 {
                        values[((target & !(TRANSPOSED | BOTH)) + across) as usize] += value;
                    }
                }
            }
        }
    }
}

/// Fills the upper triangles of blocks on the diagonal.
pub(crate) fn mirror(pattern: &Pattern, values: &mut [f64]) {
    for col in 0..pattern.n_blocks() {
        let (dim, at) = (pattern.dims[col] as usize, pattern.positions[pattern.starts[col] as usize] as usize);
        for i in 0..dim {
            for j in 0..i {
                values[at + j * dim + i] = values[at + i * dim + j];
            }
        }
    }
}

/// Where the block of two free blocks begins.
fn target(pattern: &Pattern, a: u32, b: u32, if_equal: u32) -> u32 {
    if a == FIXED || b == FIXED {
        return NOWHERE;
    }
    let position = pattern.position(a.max(b), a.min(b)).unwrap_or(NOWHERE);
    match a.cmp(&b) {
        Ordering::Less => position | TRANSPOSED,
        Ordering::Equal => position | if_equal,
        Ordering::Greater => position,
    }
}

/// Calls `visit` with every group, pair of its moving arguments (an argument with itself, too) and their blocks.
fn each_pair(compiled: &Compiled, mut visit: impl FnMut(usize, (usize, usize), (&[u32], &[u32]))) {
    for (number, compiled) in compiled.groups.iter().enumerate() {
        let moving: Vec<usize> =
            (0..compiled.group.args.len()).filter(|&k| compiled.columns.first[k].is_some()).collect();
        for (k, &a) in moving.iter().enumerate() {
            for &b in &moving[k..] {
                visit(number, (a, b), (&compiled.group.blocks[a], &compiled.group.blocks[b]));
            }
        }
    }
}

/// `y = H·x` for the symmetric matrix of `pattern` and `values`.
pub(crate) fn multiply(pattern: &Pattern, values: &[f64], x: &[f64]) -> Vec<f64> {
    let first = first_rows(pattern);
    let mut y = vec![0.0; x.len()];
    for col in 0..pattern.n_blocks() {
        for (row, position) in pattern.column(col) {
            let (n_rows, n_cols) = (pattern.dims[row] as usize, pattern.dims[col] as usize);
            for i in 0..n_rows {
                for j in 0..n_cols {
                    let value = values[position + i * n_cols + j];
                    y[first[row] + i] += value * x[first[col] + j];
                    if row != col {
                        y[first[col] + j] += value * x[first[row] + i];
                    }
                }
            }
        }
    }
    y
}

/// The diagonal of the matrix.
pub(crate) fn diagonal(pattern: &Pattern, values: &[f64]) -> Vec<f64> {
    let block = |col: usize| {
        let (dim, at) = (pattern.dims[col] as usize, pattern.positions[pattern.starts[col] as usize] as usize);
        (0..dim).map(move |k| values[at + k * dim + k])
    };
    (0..pattern.n_blocks()).flat_map(block).collect()
}

/// First row of each block.
pub(crate) fn first_rows(pattern: &Pattern) -> Vec<usize> {
    pattern.dims.iter().scan(0, |at, &dim| Some(std::mem::replace(at, *at + dim as usize))).collect()
}
