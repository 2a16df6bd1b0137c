//! Fused expressions: an expression together with the data it reads, over a grid.
//!
//! This is the unit both compilers take: `emit` turns it into a WGSL function of the element index, `vm` into a program over
//! chunks of elements. A map kernel is one of these alone; a structured op carries them as prologue (what it reads) and
//! epilogue (what it does with each result).

use crate::axes::Axes;
use crate::dtype::DType;
use crate::expr::{Graph, Id, Signature, signature};
use crate::layout::{Layout, merge_axes};
use crate::shape::Shape;

/// Where a leaf's numbers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LeafSource {
    /// A buffer of the surrounding plan or step.
    Buffer {
        /// Which of its inputs.
        input: usize,
        /// Element type.
        dtype: DType,
    },
    /// No memory at all: the leaf's value is its element offset (counting, as `arange` does).
    Offset,
    /// The result the surrounding structured op just computed for this element.
    Result,
}

/// One leaf: its source, and which element of it belongs to which point of the grid.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Leaf {
    /// Where the numbers are.
    pub source: LeafSource,
    /// Their layout; its shape is the grid.
    pub layout: Layout,
}

/// An expression over a grid.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fused {
    /// The expression, its leaves and parameters numbered by first visit.
    pub expr: Signature,
    /// Leaf `k` of the expression.
    pub leaves: Vec<Leaf>,
    /// Parameter `k` of the expression is this scalar of the run.
    pub params: Vec<usize>,
    /// The points it is evaluated at, in row-major order.
    pub grid: Shape,
}

impl Fused {
    /// Collects `roots` of `graph` with the leaves they use; `leaf` and `param` describe the graph's own slots.
    pub fn new(graph: &Graph, roots: &[Id], grid: Shape, leaf: impl Fn(u32) -> Leaf) -> Fused {
        let (expr, leaves, params) = signature(graph, roots);
        Fused {
            expr,
            leaves: leaves.into_iter().map(leaf).collect(),
            params: params.into_iter().map(|slot| slot as usize).collect(),
            grid,
        }
    }

    /// The expression that merely reads one buffer.
    pub fn read(input: usize, dtype: DType, layout: Layout) -> Fused {
        let graph = Graph::new();
        let root = graph.leaf(0, dtype.scalar()).id();
        let grid = layout.shape.clone();
        Fused::new(&graph, &[root], grid, |_| Leaf {
            source: LeafSource::Buffer { input, dtype },
            layout: layout.clone(),
        })
    }

    /// The same expression over the grid with its axes reordered: axis `i` of the result is axis `order[i]` of this.
    pub fn permuted(&self, order: &[usize]) -> Fused {
        let leaves =
            self.leaves.iter().map(|leaf| Leaf { source: leaf.source, layout: leaf.layout.permuted(order) }).collect();
        let grid = Layout::contiguous(self.grid.clone()).permuted(order).shape;
        Fused { expr: self.expr.clone(), leaves, params: self.params.clone(), grid }
    }

    /// The same expression with the points of `axis` in the opposite order.
    pub fn reversed(&self, axis: usize) -> Fused {
        let size = self.grid[axis];
        let reversed = |layout: &Layout| layout.sliced(axis, size.saturating_sub(1), -1, size);
        let leaves =
            self.leaves.iter().map(|leaf| Leaf { source: leaf.source, layout: reversed(&leaf.layout) }).collect();
        Fused { expr: self.expr.clone(), leaves, params: self.params.clone(), grid: self.grid.clone() }
    }

    /// The layout it reads, if it does nothing but read one buffer in its own type.
    pub fn as_read(&self) -> Option<(usize, DType, &Layout)> {
        match (&self.expr.nodes[..], &self.leaves[..]) {
            ([crate::expr::Node::Leaf { .. }], [Leaf { source: LeafSource::Buffer { input, dtype }, layout }]) => {
                Some((*input, *dtype, layout))
            }
            _ => None,
        }
    }

    /// Type of the first result.
    pub fn scalar(&self) -> crate::dtype::Scalar {
        self.expr.nodes[self.expr.roots[0] as usize].scalar()
    }

    /// The grid with axes merged where every leaf allows it, and each leaf's strides over them.
    pub fn merged(&self) -> (Axes<usize>, Vec<Axes<isize>>) {
        // The result itself lies row-major over the grid, so its strides take part in the decision.
        let own = Layout::contiguous(self.grid.clone());
        let leaves = self.leaves.iter().map(|leaf| &leaf.layout.strides);
        let (sizes, mut merged) = merge_axes(&self.grid, leaves.chain([&own.strides]));
        merged.pop();
        (sizes, merged)
    }
}
