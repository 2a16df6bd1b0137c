//! Signatures: which expressions are the same kernel.
//!
//! Two expressions share a kernel if their graphs have the same shape, operations, types and constants; which inputs they
//! read does not matter. Leaves and parameters are therefore numbered in the order a depth-first walk meets them, so that
//! `edge(i, j)` and `edge(j, i)` are one kernel with two lists of inputs. Constants are part of the signature, because they
//! change meaning (the bounds of a clamp); numbers that merely vary belong into parameters.

use super::{Graph, Id, Node};

/// The shape of one or more expressions, with their inputs abstracted away.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// The walk itself: equal signatures are equal kernels, with no chance of a hash collision.
    pub nodes: Vec<Node>,
    /// Positions of the roots in the walk.
    pub roots: Vec<u32>,
}

/// The signature of `roots` with the leaf and parameter slots it reads, in its own numbering.
pub fn signature(graph: &Graph, roots: &[Id]) -> (Signature, Vec<u32>, Vec<u32>) {
    let mut walk =
        Walk { graph, seen: vec![None; graph.len()], nodes: Vec::new(), leaves: Vec::new(), params: Vec::new() };
    let roots = roots.iter().map(|&root| walk.visit(root)).collect();
    (Signature { nodes: walk.nodes, roots }, walk.leaves, walk.params)
}

struct Walk<'g> {
    graph: &'g Graph,
    /// Positions in the walk, by id.
    seen: Vec<Option<u32>>,
    nodes: Vec<Node>,
    leaves: Vec<u32>,
    params: Vec<u32>,
}

impl Walk<'_> {
    /// Visits below `root` with an explicit stack: expressions can be deeper than a thread's stack.
    fn visit(&mut self, root: Id) -> u32 {
        let mut stack = vec![(root, false)];
        while let Some((id, args_done)) = stack.pop() {
            if self.seen[id.index()].is_some() {
                continue;
            }
            let node = self.graph.node(id);
            if !args_done {
                stack.push((id, true));
                stack.extend(node.args().iter().rev().map(|&arg| (arg, false)));
                continue;
            }
            let canonical = match node {
                Node::Leaf { slot, scalar } => Node::Leaf { slot: number(&mut self.leaves, slot), scalar },
                Node::Param { slot, scalar } => Node::Param { slot: number(&mut self.params, slot), scalar },
                Node::Op { op, args, operand } => {
                    Node::Op { op, args: args.map(|arg| Id(self.position(arg))), operand }
                }
                constant => constant,
            };
            self.seen[id.index()] = Some(self.nodes.len() as u32);
            self.nodes.push(canonical);
        }
        self.position(root)
    }

    /// Where the walk met a node that it has visited.
    fn position(&self, id: Id) -> u32 {
        self.seen[id.index()].unwrap_or_default()
    }
}

fn number(slots: &mut Vec<u32>, slot: u32) -> u32 {
    let position = slots.iter().position(|&known| known == slot).unwrap_or_else(|| {
        slots.push(slot);
        slots.len() - 1
    });
    position as u32
}
