//! A graph with one more axis: what `f` does to one slice, done to all of them at once.
//!
//! Nodes that depend on a placeholder are made again with a leading axis. Element-wise nodes and views have it by construction; a
//! structured operation says by [`Op::batched`](crate::op::Op::batched) how it takes one, and without an answer it is applied slice by
//! slice. What does not depend on a placeholder stays as it is.

use super::grad::Order;
use super::{Node, NodeKind, NodeRef, View, build};
use crate::op::{Batched, Meta, Op};
use crate::ops::concat::Concat;
use std::sync::Arc;
use tilework_core::shape::Shape;
use tilework_core::words::WordMap;
use tilework_core::{Error, Result};

type Made = WordMap<*const Node, NodeRef>;

/// `root` for all slices at once: each placeholder is replaced by an array with an axis of `size` in front.
pub fn batch(root: &NodeRef, replaced: &[(NodeRef, NodeRef)], size: usize) -> Result<NodeRef> {
    let mut made: Made = Made::default();
    for (placeholder, array) in replaced {
        if array.shape()[..] != with_axis(size, placeholder.shape())?[..] {
            let message = format!("{} is not {size} times {}", array.shape(), placeholder.shape());
            return Err(Error::shape("vmap", message));
        }
        made.insert(Arc::as_ptr(placeholder), array.clone());
    }
    for node in Order::below(root).nodes {
        let inputs = node.inputs();
        let depends = inputs.iter().any(|input| made.contains_key(&Arc::as_ptr(input)));
        if depends && !made.contains_key(&Arc::as_ptr(&node)) {
            let batched = Slices { node: &node, inputs: &inputs, made: &made, size }.all()?;
            made.insert(Arc::as_ptr(&node), batched);
        }
    }
    match made.get(&Arc::as_ptr(root)) {
        Some(batched) => Ok(batched.clone()),
        None => build::expand(root, &with_axis(size, root.shape())?),
    }
}

fn with_axis(size: usize, shape: &[usize]) -> Result<Shape> {
    Shape::new("vmap", [&[size], shape].concat())
}

/// A node whose inputs have been made.
struct Slices<'a> {
    node: &'a NodeRef,
    inputs: &'a [NodeRef],
    made: &'a Made,
    size: usize,
}

impl Slices<'_> {
    fn all(&self) -> Result<NodeRef> {
        let meta = Meta { shape: with_axis(self.size, self.node.shape())?, dtype: self.node.dtype() };
        match &self.node.kind {
            NodeKind::Map(op) => {
                let inputs = self.aligned(self.node.shape().rank())?;
                Ok(Node::new(NodeKind::Map(*op), meta, inputs))
            }
            NodeKind::View(view) => self.view(view, meta),
            NodeKind::Op(op) => self.op(op, &meta),
            _ => Err(Error::argument("vmap", "a node without inputs depends on nothing")),
        }
    }

    /// The input with the axis, if it depends on a placeholder.
    fn batched(&self, input: &NodeRef) -> Option<NodeRef> {
        self.made.get(&Arc::as_ptr(input)).cloned()
    }

    /// Inputs that broadcast as they did: behind the new axis, axes of one element make up for those that are missing.
    fn aligned(&self, rank: usize) -> Result<Vec<NodeRef>> {
        let align = |input: &NodeRef| {
            let Some(batched) = self.batched(input) else { return Ok(input.clone()) };
            let ones = vec![1; rank - input.shape().rank().min(rank)];
            build::reshape(&batched, &with_axis(self.size, &[&ones[..], &input.shape()[..]].concat())?)
        };
        self.inputs.iter().map(align).collect()
    }

    fn view(&self, view: &View, meta: Meta) -> Result<NodeRef> {
        let inputs = self.aligned(if *view == View::Expand { self.node.shape().rank() } else { 0 })?;
        match view {
            View::Expand => build::expand(&inputs[0], &meta.shape),
            View::Reshape => build::reshape(&inputs[0], &meta.shape),
            View::Permute(order) => {
                let order: Vec<isize> = [0].into_iter().chain(order.iter().map(|&axis| axis as isize + 1)).collect();
                build::permute(&inputs[0], &order)
            }
            &View::Slice { axis, start, step, len } => build::slice(&inputs[0], axis + 1, start, step, len),
        }
    }

    fn op(&self, op: &Arc<dyn Op>, meta: &Meta) -> Result<NodeRef> {
        let has_axis: Vec<bool> = self.inputs.iter().map(|input| self.batched(input).is_some()).collect();
        let result = match op.batched(&has_axis) {
            Batched::Slices => return self.slice_by_slice(op, meta),
            Batched::Each(op) => {
                let each = |input: &NodeRef| match self.batched(input) {
                    Some(batched) => Ok(batched),
                    None => build::expand(input, &with_axis(self.size, input.shape())?),
                };
                build::apply_shared(op, &self.inputs.iter().map(each).collect::<Result<Vec<_>>>()?)?
            }
            Batched::Broadcast(op) => {
                let rank = self.inputs.iter().map(|input| input.shape().rank()).max().unwrap_or(0);
                build::apply_shared(op, &self.aligned(rank)?)?
            }
            Batched::AsTheyAre(op) => build::apply_shared(op, &self.aligned(0)?)?,
        };
        build::reshape(&result, &meta.shape)
    }

    /// The operation on every slice by itself, and the results side by side.
    fn slice_by_slice(&self, op: &Arc<dyn Op>, meta: &Meta) -> Result<NodeRef> {
        if self.size == 0 {
            return Ok(build::full(meta.shape.clone(), meta.dtype, 0.0));
        }
        let one = with_axis(1, self.node.shape())?;
        let mut results = Vec::with_capacity(self.size);
        for at in 0..self.size {
            let slice = |input: &NodeRef| match self.batched(input) {
                Some(batched) => build::reshape(&build::slice(&batched, 0, at, 1, 1)?, input.shape()),
                None => Ok(input.clone()),
            };
            let inputs = self.inputs.iter().map(slice).collect::<Result<Vec<_>>>()?;
            results.push(build::reshape(&build::apply_shared(op.clone(), &inputs)?, &one)?);
        }
        build::apply(Concat::new(0), &results)
    }
}
