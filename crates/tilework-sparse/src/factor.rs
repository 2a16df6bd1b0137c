//! Numbers: factorizing front by front, and solving.

use crate::dense::{self, Shape};
use crate::symbolic::{Run, Supernode};
use crate::{NotPositive, Symbolic};
use tilework_vm::vectorized;

/// A factor `L` with `L·Lᵀ` equal to the permuted matrix. Made once and filled again for every matrix of the pattern.
#[derive(Clone, Debug)]
pub struct Factor {
    /// The columns of all supernodes.
    values: Vec<f64>,
    /// What supernodes leave to their parents, until those have taken it; kept for the next matrix.
    updates: Vec<Vec<f64>>,
    spare: Vec<Vec<f64>>,
    scratch: Vec<f64>,
}

impl Factor {
    /// Room for factors of this plan.
    pub fn new(symbolic: &Symbolic) -> Factor {
        Factor {
            values: vec![0.0; symbolic.n_factor],
            updates: vec![Vec::new(); symbolic.supernodes.len()],
            spare: Vec::new(),
            scratch: vec![0.0; symbolic.n_rows()],
        }
    }

    /// Factorizes the matrix with these `values` and `added` on its diagonal (as many as it has rows).
    pub fn factorize(&mut self, symbolic: &Symbolic, values: &[f64], added: &[f64]) -> Result<(), NotPositive> {
        for (row, &new) in symbolic.new_row.iter().enumerate() {
            self.scratch[new as usize] = added[row];
        }
        for (number, node) in symbolic.supernodes.iter().enumerate() {
            let is_small = node.is_small_leaf();
            let mut update = self.spare.pop().unwrap_or_default();
            update.clear();
            update.resize(if is_small { 0 } else { node.below.len() * node.below.len() }, 0.0);
            // Panels lie in the order of the supernodes, so those of the children come before.
            let (before, panel) = self.values.split_at_mut(node.panel);
            let panel = &mut panel[..node.n_rows() * node.n_cols];
            panel.fill(0.0);
            assemble(panel, node, values, &self.scratch);
            for &child in &node.children {
                let below = &symbolic.supernodes[child];
                if below.is_small_leaf() {
                    let own = &before[below.panel..][..below.n_rows() * below.n_cols];
                    eliminate(panel, &mut update, node, below, own);
                } else {
                    let left = std::mem::take(&mut self.updates[child]);
                    extend_add(panel, &mut update, node, below, &left);
                    self.spare.push(left);
                }
            }
            if let Err(col) = dense::factorize_columns(panel, node_shape(node)) {
                self.spare.push(update);
                self.recycle();
                return Err(NotPositive { block: symbolic.block_of_col[node.first_col + col] as usize });
            }
            if !is_small {
                let (n_below, below) = (node.below.len(), &panel[node.n_cols..]);
                dense::subtract_square(&mut update, n_below, below, node.n_cols, node.n_rows());
            }
            self.updates[number] = update;
        }
        self.recycle();
        Ok(())
    }

    /// Replaces `x` by the solution of the system whose matrix was factorized last.
    pub fn solve(&mut self, symbolic: &Symbolic, x: &mut [f64]) {
        let mut permuted = std::mem::take(&mut self.scratch);
        for (row, &new) in symbolic.new_row.iter().enumerate() {
            permuted[new as usize] = x[row];
        }
        let mut below = Vec::new();
        for node in &symbolic.supernodes {
            below.clear();
            below.resize(node.below.len(), 0.0);
            let own = &mut permuted[node.first_col..][..node.n_cols];
            dense::forward(self.panel(node), node_shape(node), own, &mut below);
            node.below.iter().zip(&below).for_each(|(&row, change)| permuted[row as usize] += change);
        }
        for node in symbolic.supernodes.iter().rev() {
            below.clear();
            below.extend(node.below.iter().map(|&row| permuted[row as usize]));
            let own = &mut permuted[node.first_col..][..node.n_cols];
            dense::backward(self.panel(node), node_shape(node), own, &below);
        }
        for (row, &new) in symbolic.new_row.iter().enumerate() {
            x[row] = permuted[new as usize];
        }
        self.scratch = permuted;
    }

    fn panel(&self, node: &Supernode) -> &[f64] {
        &self.values[node.panel..][..node.n_rows() * node.n_cols]
    }

    /// Keeps the memory of updates that nobody takes: those of roots, and all that are left when a matrix is refused.
    fn recycle(&mut self) {
        for update in &mut self.updates {
            if update.capacity() > 0 {
                self.spare.push(std::mem::take(update));
            }
        }
    }
}

fn node_shape(node: &Supernode) -> Shape {
    Shape { n_rows: node.n_rows(), n_cols: node.n_cols, stride: node.n_rows() }
}

/// The matrix's own numbers in the columns of a supernode, with `added` on the diagonal.
fn assemble(panel: &mut [f64], node: &Supernode, values: &[f64], added: &[f64]) {
    let stride = node.n_rows();
    for entry in &node.blocks {
        let (n_rows, n_cols) = (entry.n_rows as usize, entry.n_cols as usize);
        let block = &values[entry.values as usize..][..n_rows * n_cols];
        for col in 0..n_cols {
            let to = &mut panel[(entry.col as usize + col) * stride + entry.row as usize..][..n_rows];
            if entry.is_transposed {
                to.copy_from_slice(&block[col * n_rows..][..n_rows]);
            } else {
                to.iter_mut().enumerate().for_each(|(row, to)| *to = block[row * n_cols + col]);
            }
        }
    }
    for col in 0..node.n_cols {
        panel[col * stride + col] += added[node.first_col + col];
    }
}

/// What a small leaf leaves, computed where it belongs: in the front of its parent. A bundle has thousands of points, each of them a
/// leaf with a few columns; to store what each leaves, and to add it later, would cost several times what computing it does.
fn eliminate(panel: &mut [f64], update: &mut [f64], node: &Supernode, leaf: &Supernode, own: &[f64]) {
    vectorized(
        #[inline(always)]
        || {
            let (stride, n_below, n_rows) = (node.n_rows(), node.below.len(), leaf.n_rows());
            for (number, columns) in leaf.runs.iter().enumerate() {
                for k in 0..columns.len as usize {
                    let col = columns.to as usize + k;
                    let (to, first_row) = match col.checked_sub(node.n_cols) {
                        None => (&mut panel[col * stride..][..stride], 0),
                        Some(col) => (&mut update[col * n_below..][..n_below], node.n_cols),
                    };
                    let factors = leaf.n_cols + columns.from as usize + k;
                    for (skip, rows) in [k].into_iter().chain(std::iter::repeat(0)).zip(&leaf.runs[number..]) {
                        let len = rows.len as usize - skip;
                        let to = &mut to[rows.to as usize + skip - first_row..][..len];
                        let from = leaf.n_cols + rows.from as usize + skip;
                        dense::subtract_columns(to, own, n_rows, leaf.n_cols, from, factors);
                    }
                }
            }
        },
    );
}

/// Adds what a child left to the front of its parent: to its own columns, and to what it will leave itself.
fn extend_add(panel: &mut [f64], update: &mut [f64], node: &Supernode, child: &Supernode, left: &[f64]) {
    let (stride, n_below, n_left) = (node.n_rows(), node.below.len(), child.below.len());
    for (number, columns) in child.runs.iter().enumerate() {
        for k in 0..columns.len as usize {
            let from = &left[(columns.from as usize + k) * n_left..][..n_left];
            let col = columns.to as usize + k;
            // Rows of the front from which on `to` has them: all, or those below the parent's own columns.
            let (to, first_row) = match col.checked_sub(node.n_cols) {
                None => (&mut panel[col * stride..][..stride], 0),
                Some(col) => (&mut update[col * n_below..][..n_below], node.n_cols),
            };
            add_run(to, first_row, from, *columns, k);
            child.runs[number + 1..].iter().for_each(|&rows| add_run(to, first_row, from, rows, 0));
        }
    }
}

/// Adds the rows of a run from its `skip`-th on.
fn add_run(to: &mut [f64], first_row: usize, from: &[f64], rows: Run, skip: usize) {
    let len = rows.len as usize - skip;
    let to = &mut to[rows.to as usize + skip - first_row..][..len];
    to.iter_mut().zip(&from[rows.from as usize + skip..][..len]).for_each(|(to, from)| *to += from);
}
