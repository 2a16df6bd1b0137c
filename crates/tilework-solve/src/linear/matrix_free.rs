//! The Gauss-Newton matrix as what it does to a vector: `Jᵀ(J·p)`, instance by instance.
//!
//! Nothing of the matrix is stored but the blocks on its diagonal, which precondition conjugate gradients; what grows with the problem is
//! the Jacobian alone. A product computes what every instance contributes, on all threads, and gathers it as a gradient is gathered: in an
//! order that depends on the problem only.

use super::pcg::DiagonalBlocks;
use crate::evaluate::{Compiled, FIXED, Gather, LANES, Layout, Outputs, Wanted};
use std::sync::Arc;
use tilework_ops::threads::Threads;

/// One group's part in products.
#[derive(Debug)]
struct Part {
    /// Residuals of an instance; none for an energy.
    n_residuals: usize,
    n_columns: usize,
    args: Vec<MovingArg>,
}

/// An argument that moves.
#[derive(Debug)]
struct MovingArg {
    first_column: usize,
    dim: usize,
    /// First direction of each instance's block, or [`FIXED`].
    tangents: Vec<u32>,
}

/// A linearized problem.
#[derive(Debug)]
pub(super) struct MatrixFree {
    layout: Arc<Layout>,
    gather: Arc<Gather>,
    parts: Vec<Part>,
    /// Weighted Jacobians.
    jacobians: Vec<Outputs<f64>>,
    /// Memory for what instances contribute to a gradient or a product.
    contributions: Vec<Outputs<f64>>,
    /// Blocks on the diagonal, in the order of free blocks.
    blocks: DiagonalBlocks,
    threads: Threads,
}

impl MatrixFree {
    pub(super) fn new(compiled: &Compiled) -> MatrixFree {
        let layout = compiled.layout.clone();
        let dims = layout.free.iter().map(|&block| layout.blocks[block as usize].tangent_dim as usize).collect();
        let parts = compiled.groups.iter().map(|compiled| {
            let moving = |(arg, first): (usize, &Option<usize>)| {
                let tangents = &compiled.group.blocks[arg];
                let tangents = tangents.iter().map(|&block| layout.blocks[block as usize].tangent).collect();
                first.map(|first_column| MovingArg { first_column, dim: compiled.columns.dims[arg], tangents })
            };
            let args = compiled.columns.first.iter().enumerate().filter_map(moving).collect();
            Part { n_residuals: compiled.group.n_residuals(), n_columns: compiled.columns.n, args }
        });
        MatrixFree {
            parts: parts.collect(),
            layout: layout.clone(),
            gather: compiled.gather.clone(),
            jacobians: Vec::new(),
            contributions: Vec::new(),
            blocks: DiagonalBlocks::new(dims),
            threads: Threads::one(),
        }
    }

    /// Linearizes at `x`: cost and gradient there.
    pub(super) fn linearize(&mut self, compiled: &mut Compiled, x: &[f64], threads: Threads) -> (f64, Vec<f64>) {
        self.threads = threads;
        let (cost, gradient) = compiled.gradient(x, threads, &mut self.contributions);
        compiled.prepare(Wanted::Weighted);
        compiled.evaluate_into(Wanted::Weighted, x, threads, &mut self.jacobians);
        self.blocks.clear();
        for (part, jacobian) in self.parts.iter().zip(&self.jacobians) {
            part.add_blocks(jacobian, &mut self.blocks);
        }
        (cost, gradient)
    }

    /// The diagonal of the matrix.
    pub(super) fn diagonal(&self) -> Vec<f64> {
        self.blocks.diagonal()
    }

    /// The blocks on its diagonal.
    pub(super) fn blocks(&self) -> &DiagonalBlocks {
        &self.blocks
    }

    /// `Jᵀ(J·p)`.
    pub(super) fn multiply(&mut self, p: &[f64]) -> Vec<f64> {
        for ((part, jacobian), product) in self.parts.iter().zip(&self.jacobians).zip(&mut self.contributions) {
            part.multiply(jacobian, p, self.threads, product);
        }
        self.gather.gradient(&self.layout, &self.contributions, self.threads)
    }

    /// `|J·p|²`.
    pub(super) fn curvature(&self, p: &[f64]) -> f64 {
        let mut along = vec![0.0; LANES];
        let mut sum = 0.0;
        for (part, jacobian) in self.parts.iter().zip(&self.jacobians) {
            for (first, len, chunk) in jacobian.chunks().filter(|_| part.n_residuals > 0) {
                for residual in 0..part.n_residuals {
                    part.along(chunk, (first, len), residual, p, &mut along);
                    sum += along[..len].iter().map(|u| u * u).sum::<f64>();
                }
            }
        }
        sum
    }
}

impl Part {
    /// Column `column` of row `residual` for all lanes of a chunk.
    fn column<'a>(&self, chunk: &'a [f64], residual: usize, column: usize) -> &'a [f64] {
        &chunk[(residual * self.n_columns + column) * LANES..][..LANES]
    }

    /// Row `residual` of `J`, times `p`, for the `len` instances from `first` on.
    fn along(&self, chunk: &[f64], (first, len): (usize, usize), residual: usize, p: &[f64], along: &mut [f64]) {
        along.fill(0.0);
        for arg in &self.args {
            let tangents = &arg.tangents[first..][..len];
            for component in 0..arg.dim {
                let slopes = self.column(chunk, residual, arg.first_column + component);
                for ((along, &slope), &tangent) in along.iter_mut().zip(slopes).zip(tangents) {
                    if tangent != FIXED {
                        *along += slope * p[tangent as usize + component];
                    }
                }
            }
        }
    }

    /// What each instance contributes to `Jᵀ(J·p)`, where a gradient has its derivatives: after one root for the cost.
    fn multiply(&self, jacobian: &Outputs<f64>, p: &[f64], threads: Threads, product: &mut Outputs<f64>) {
        let (row_len, chunk_len) = (self.n_residuals * self.n_columns * LANES, (1 + self.n_columns) * LANES);
        if self.n_residuals == 0 {
            product.values.fill(0.0);
            return;
        }
        let n_chunks = product.values.len() / chunk_len;
        let per_piece = n_chunks.div_ceil(4 * threads.count()).max(1);
        threads.for_each_piece(&mut product.values, per_piece * chunk_len, |start, piece| {
            let mut along = [0.0; LANES];
            for (k, out) in piece.chunks_exact_mut(chunk_len).enumerate() {
                let chunk = start / chunk_len + k;
                let first = chunk * LANES;
                let len = LANES.min(jacobian.n_instances - first);
                let slopes = &jacobian.values[chunk * row_len..][..row_len];
                out.fill(0.0);
                for residual in 0..self.n_residuals {
                    self.along(slopes, (first, len), residual, p, &mut along);
                    for (column, out) in out[LANES..].chunks_exact_mut(LANES).enumerate() {
                        let slopes = self.column(slopes, residual, column);
                        out.iter_mut().zip(slopes).zip(&along).for_each(|((out, slope), u)| *out += slope * u);
                    }
                }
            }
        });
    }

    /// Adds the products of all columns that belong to one block.
    fn add_blocks(&self, jacobian: &Outputs<f64>, blocks: &mut DiagonalBlocks) {
        if self.n_residuals == 0 {
            return;
        }
        for (first, len, chunk) in jacobian.chunks() {
            for (k, left) in self.args.iter().enumerate() {
                for right in &self.args[k..] {
                    let tangents = left.tangents[first..][..len].iter().zip(&right.tangents[first..][..len]);
                    // Two arguments meet on the diagonal where they are one block.
                    let shared = |(lane, (a, b)): (usize, (&u32, &u32))| (a == b && *a != FIXED).then_some((lane, *a));
                    for (lane, tangent) in tangents.enumerate().filter_map(shared) {
                        self.add_pair(chunk, lane, (left, right), blocks.at(tangent as usize));
                    }
                }
            }
        }
    }

    /// Adds the product of two arguments' columns at one lane to the block they share.
    fn add_pair(&self, chunk: &[f64], lane: usize, (left, right): (&MovingArg, &MovingArg), block: &mut [f64]) {
        let is_one = left.first_column == right.first_column;
        for residual in 0..self.n_residuals {
            for i in 0..left.dim {
                let a = self.column(chunk, residual, left.first_column + i)[lane];
                for j in 0..right.dim {
                    let product = a * self.column(chunk, residual, right.first_column + j)[lane];
                    block[i * left.dim + j] += product;
                    if !is_one {
                        block[j * left.dim + i] += product;
                    }
                }
            }
        }
    }
}
