//! Scalar expressions as element-wise nodes: how the functions of `tilework_core::expr` apply to arrays.

use super::{NodeRef, build};
use tilework_core::dtype::{DType, Scalar};
use tilework_core::expr::{Expr, Graph, Id, Node as ExprNode, ScalarOp, Value};
use tilework_core::{Error, Result};

/// Applies a function of scalars to every element of `inputs`, which broadcast. A composite such as `relu` is thereby defined
/// once, for expressions, and holds for arrays too.
pub fn compose(inputs: &[NodeRef], f: impl for<'g> FnOnce(&[Expr<'g>]) -> Expr<'g>) -> Result<NodeRef> {
    let graph = Graph::new();
    let args: Vec<Expr<'_>> =
        inputs.iter().zip(0..).map(|(input, slot)| graph.leaf(slot, input.dtype().scalar())).collect();
    let root = f(&args).id();
    let widest = inputs.iter().map(|input| input.dtype()).reduce(DType::promote).unwrap_or(DType::F32);
    let types = Types { float: widest.float(), whole: if widest.is_integer() { widest } else { DType::I32 } };
    to_node(&graph, root, inputs, types, &mut Built::of(&graph))
}

/// The nodes that have been made of an expression, by its ids.
pub(super) struct Built(Vec<Option<NodeRef>>);

impl Built {
    /// None yet. The expression is complete.
    pub(super) fn of(graph: &Graph) -> Built {
        Built(vec![None; graph.len()])
    }
}

/// The element types of constants.
#[derive(Clone, Copy)]
pub(super) struct Types {
    pub(super) float: DType,
    /// Of integers.
    pub(super) whole: DType,
}

/// A scalar expression as element-wise nodes. Rules and composites are a few operations deep, so recursion is safe.
pub(super) fn to_node(graph: &Graph, id: Id, leaves: &[NodeRef], types: Types, built: &mut Built) -> Result<NodeRef> {
    if let Some(node) = &built.0[id.index()] {
        return Ok(node.clone());
    }
    let node = match graph.node(id) {
        ExprNode::Leaf { slot, .. } => leaves[slot as usize].clone(),
        ExprNode::Const(value @ Value::Num(_)) => build::constant(types.float, value),
        ExprNode::Const(value @ Value::Bool(_)) => build::constant(DType::Bool, value),
        ExprNode::Const(value) if value.scalar() == types.whole.scalar() => build::constant(types.whole, value),
        ExprNode::Const(value @ Value::Uint(_)) => build::constant(DType::U32, value),
        ExprNode::Const(value) => build::constant(DType::I32, value.cast(Scalar::Int)),
        ExprNode::Param { .. } => return Err(Error::argument("compose", "an expression of arrays has no parameters")),
        node @ ExprNode::Op { op, .. } => {
            let mut args = Vec::new();
            for &arg in node.args() {
                args.push(to_node(graph, arg, leaves, types, built)?);
            }
            if op == ScalarOp::ToNum { build::cast(&args[0], types.float) } else { build::map(op, &args)? }
        }
    };
    built.0[id.index()] = Some(node.clone());
    Ok(node)
}
