//! Where the numbers and directions of every block are.

use crate::manifold::Manifold;
use crate::problem::Problem;

/// No direction: the block is fixed.
pub(crate) const FIXED: u32 = u32::MAX;

/// One parameter block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// Position of its first number.
    pub(crate) value: u32,
    /// Its first direction, or [`FIXED`].
    pub(crate) tangent: u32,
    pub(crate) dim: u32,
    pub(crate) tangent_dim: u32,
    pub(crate) manifold: Manifold,
}

impl Block {
    pub(crate) fn is_free(&self) -> bool {
        self.tangent != FIXED
    }
}

/// All blocks, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub(crate) blocks: Vec<Block>,
    /// Directions of all free blocks.
    pub(crate) n_tangents: usize,
    /// The blocks that move, in order.
    pub(crate) free: Vec<u32>,
}

impl Layout {
    /// The blocks of `problem`. Those that no residual uses are as good as fixed.
    pub(crate) fn new(problem: &Problem) -> Layout {
        let mut is_used = vec![false; problem.n_blocks()];
        for block in problem.groups.iter().flat_map(|group| group.blocks.iter().flatten()) {
            is_used[*block as usize] = true;
        }
        let mut layout = Layout::default();
        for set in &problem.sets {
            let tangent_dim = set.manifold.tangent_dim(set.dim);
            for index in 0..set.n_blocks {
                let is_free = !set.is_fixed[index] && is_used[set.first_block + index];
                let tangent = if is_free { layout.n_tangents as u32 } else { FIXED };
                if is_free {
                    layout.free.push((set.first_block + index) as u32);
                    layout.n_tangents += tangent_dim;
                }
                layout.blocks.push(Block {
                    value: (set.first_value + index * set.dim) as u32,
                    tangent,
                    dim: set.dim as u32,
                    tangent_dim: tangent_dim as u32,
                    manifold: set.manifold,
                });
            }
        }
        layout
    }

    /// `x` moved along `step`.
    pub(crate) fn plus(&self, x: &[f64], step: &[f64]) -> Vec<f64> {
        let mut moved = x.to_vec();
        for &free in &self.free {
            let block = self.blocks[free as usize];
            let numbers = &mut moved[block.value as usize..][..block.dim as usize];
            block.manifold.plus(numbers, &step[block.tangent as usize..][..block.tangent_dim as usize]);
        }
        moved
    }
}
