//! Reverse-mode differentiation over the array graph.
//!
//! The rule of a scalar operation is its row in the table, applied element by element and summed over broadcast axes; the rule
//! of a structured operation stands in its folder. Both are written with ordinary nodes, so a gradient is again a graph: it
//! fuses, it is placed and cached like any other, and it can be differentiated again.

use super::{Node, NodeKind, NodeRef, View, build, compose};
use crate::op::VjpCx;
use std::sync::Arc;
use tilework_core::dtype::{DType, Scalar};
use tilework_core::expr::{Graph, ScalarOp, Value, vjp};
use tilework_core::shape::Shape;
use tilework_core::words::WordMap;
use tilework_core::{Error, Result};

/// An alias of `node` through which gradients can be taken: what is computed from it keeps its inputs even after it has been
/// evaluated.
pub fn traced(node: &NodeRef) -> NodeRef {
    Node::with_tracing(NodeKind::View(View::Reshape), node.meta.clone(), vec![node.clone()], true)
}

/// An alias of `node` that, once evaluated, lets go of everything it was computed from.
pub fn released(node: &NodeRef) -> NodeRef {
    Node::with_tracing(NodeKind::View(View::Reshape), node.meta.clone(), vec![node.clone()], false)
}

/// Derivatives of the scalar `root` with respect to each of `wanted`, in their shapes.
pub fn gradients(root: &NodeRef, wanted: &[NodeRef]) -> Result<Vec<NodeRef>> {
    if root.shape().n_elements() != 1 {
        return Err(Error::shape("grad", format!("needs a single number to differentiate, got {}", root.shape())));
    }
    if !root.dtype().is_float() || wanted.iter().any(|node| !node.dtype().is_float()) {
        return Err(Error::dtype("grad", format!("needs floats, got {}", root.dtype())));
    }
    let order = Order::below(root);
    let depends = order.users_of(wanted);
    let mut adjoints: Vec<Option<NodeRef>> = vec![None; order.nodes.len()];
    // The root comes last.
    if let Some(last) = adjoints.last_mut() {
        *last = Some(build::full(root.shape().clone(), root.dtype(), 1.0));
    }
    for (at, node) in order.nodes.iter().enumerate().rev() {
        if !depends[at] || wanted.iter().any(|wanted| Arc::ptr_eq(wanted, node)) {
            continue;
        }
        let Some(adjoint) = adjoints[at].clone() else { continue };
        let inputs = node.inputs();
        for (input, given) in inputs.iter().zip(received(node, &inputs, &adjoint)?) {
            let (Some(given), Some(at)) = (given, order.position(input).filter(|&at| depends[at])) else { continue };
            adjoints[at] = Some(match adjoints[at].take() {
                Some(sum) => build::map(ScalarOp::Add, &[sum, given])?,
                None => given,
            });
        }
    }
    let zero = |node: &NodeRef| build::full(node.shape().clone(), node.dtype(), 0.0);
    wanted
        .iter()
        .map(|node| {
            let gradient = order.position(node).and_then(|at| adjoints[at].clone()).unwrap_or_else(|| zero(node));
            Ok(released(&build::expand(&gradient, node.shape())?))
        })
        .collect()
}

/// Nodes below one of them, inputs before users.
pub(super) struct Order {
    pub(super) nodes: Vec<NodeRef>,
    /// Positions by address.
    positions: WordMap<u64, u32>,
}

/// Position of a node that has been met, but not its inputs.
const PENDING: u32 = u32::MAX;

impl Order {
    /// All nodes below `root`, which is the last.
    pub(super) fn below(root: &NodeRef) -> Order {
        let mut order = Order { nodes: Vec::new(), positions: WordMap::default() };
        let mut stack = vec![(root.clone(), false)];
        while let Some((node, inputs_done)) = stack.pop() {
            if inputs_done {
                order.positions.insert(address(&node), order.nodes.len() as u32);
                order.nodes.push(node);
            } else if order.position(&node).is_none() {
                order.positions.insert(address(&node), PENDING);
                stack.push((node.clone(), true));
                node.for_each_input(|input| stack.push((input.clone(), false)));
            }
        }
        order
    }

    /// Where a node stands, if it is one of them.
    pub(super) fn position(&self, node: &NodeRef) -> Option<usize> {
        self.positions.get(&address(node)).map(|&at| at as usize)
    }

    /// Which nodes are one of `wanted` or computed from one.
    fn users_of(&self, wanted: &[NodeRef]) -> Vec<bool> {
        let mut depends = vec![false; self.nodes.len()];
        wanted.iter().filter_map(|node| self.position(node)).for_each(|at| depends[at] = true);
        for (at, node) in self.nodes.iter().enumerate() {
            node.for_each_input(|input| depends[at] |= self.position(input).is_some_and(|input| depends[input]));
        }
        depends
    }
}

fn address(node: &NodeRef) -> u64 {
    Arc::as_ptr(node) as usize as u64
}

/// What each input of `node` receives.
fn received(node: &NodeRef, inputs: &[NodeRef], adjoint: &NodeRef) -> Result<Vec<Option<NodeRef>>> {
    match &node.kind {
        NodeKind::Map(op) => map_rule(*op, node, inputs, adjoint),
        NodeKind::View(view) => Ok(vec![Some(view_rule(view, &inputs[0], adjoint)?)]),
        #[cfg(feature = "grad")]
        NodeKind::Op(op) => op.vjp(&VjpCx { inputs, output: node, adjoint }),
        _ => Ok(Vec::new()),
    }
}

fn map_rule(op: ScalarOp, node: &NodeRef, inputs: &[NodeRef], adjoint: &NodeRef) -> Result<Vec<Option<NodeRef>>> {
    if op == ScalarOp::ToNum {
        let is_float = inputs[0].dtype().is_float();
        return Ok(vec![is_float.then(|| build::cast(adjoint, inputs[0].dtype()))]);
    }
    let graph = Graph::new();
    let n = inputs.len() as u32;
    let args: Vec<_> = (0..n).map(|slot| graph.leaf(slot, inputs[slot as usize].dtype().scalar())).collect();
    let (result, d) = (graph.leaf(n, node.dtype().scalar()), graph.leaf(n + 1, Scalar::Num));
    let given = vjp(op, &args, result, d);
    let mut leaves = inputs.to_vec();
    leaves.extend([node.clone(), adjoint.clone()]);
    let types = compose::Types { float: node.dtype(), whole: DType::I32 };
    let mut built = compose::Built::of(&graph);
    let mut rules = Vec::new();
    for (input, expr) in inputs.iter().zip(given) {
        rules.push(if input.dtype().is_float() {
            let full = compose::to_node(&graph, expr.id(), &leaves, types, &mut built)?;
            // A rule that does not mention a large operand (d + d) may be smaller than the result; expand before summing.
            let full = build::expand(&full, &Shape::broadcast("grad", full.shape(), node.shape())?)?;
            Some(build::sum_to(&full, input.shape())?)
        } else {
            None
        });
    }
    Ok(rules)
}

fn view_rule(view: &View, input: &NodeRef, adjoint: &NodeRef) -> Result<NodeRef> {
    match view {
        View::Expand => build::sum_to(adjoint, input.shape()),
        View::Reshape => build::reshape(adjoint, input.shape()),
        View::Permute(order) => {
            let mut inverse = vec![0isize; order.len()];
            for (to, &from) in order.iter().enumerate() {
                inverse[from] = to as isize;
            }
            build::permute(adjoint, &inverse)
        }
        &View::Slice { axis, start, step, len } => unslice(input, adjoint, axis, start, step, len),
    }
}

/// Puts the adjoint of a slice back into zeros of the input's shape: position `p` of the axis holds element `(p − start)/step`
/// of the slice if that is a whole number in range.
fn unslice(input: &NodeRef, adjoint: &NodeRef, axis: usize, start: usize, step: isize, len: usize) -> Result<NodeRef> {
    let size = input.shape()[axis];
    let zero = build::full(Shape::scalar(), adjoint.dtype(), 0.0);
    if len == 0 {
        return build::expand(&zero, input.shape());
    }
    let int = |value: isize| build::constant(DType::I32, Value::Int(value as i32));
    let position = build::cast(&build::iota(Shape::new("grad", vec![size])?), DType::I32);
    let from_start = build::map(ScalarOp::Sub, &[position, int(start as isize)])?;
    let which = build::map(ScalarOp::FloorDiv, &[from_start.clone(), int(step)])?;
    let on_grid = build::map(ScalarOp::Eq, &[build::map(ScalarOp::Mul, &[which.clone(), int(step)])?, from_start])?;
    let not_before = build::map(ScalarOp::Ge, &[which.clone(), int(0)])?;
    let not_after = build::map(ScalarOp::Lt, &[which.clone(), int(len as isize)])?;
    let inside = build::map(ScalarOp::And, &[on_grid, build::map(ScalarOp::And, &[not_before, not_after])?])?;
    let safe = build::map(ScalarOp::Select, &[inside.clone(), which, int(0)])?;
    let spread = build::apply(crate::ops::gather::Gather::new(axis), &[adjoint.clone(), safe])?;
    let mut along_axis = vec![1; input.shape().rank()];
    along_axis[axis] = size;
    let inside = build::reshape(&inside, &Shape::new("grad", along_axis)?)?;
    build::map(ScalarOp::Select, &[inside, spread, zero])
}
