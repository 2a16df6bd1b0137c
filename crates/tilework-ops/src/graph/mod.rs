//! The lazy graph: arrays that have not been computed yet.
//!
//! A [`Node`] knows its shape, element type and how it would be computed; nothing runs until a device evaluates it. Nodes are
//! shared by reference counting, so a graph is freed when the last handle goes. Constructors (`build.rs`) check everything a
//! caller can get wrong, so that scheduling and kernels need not.

#[cfg(all(feature = "grad", feature = "extended"))]
#[cfg(feature = "batch")]
mod batch;
mod build;
mod compose;
mod grad;

#[cfg(all(feature = "grad", feature = "extended"))]
#[cfg(feature = "batch")]
pub use batch::batch;
pub use build::*;
pub use compose::compose;
#[cfg(feature = "grad")]
pub use grad::gradients;
pub use grad::{released, traced};

use crate::op::{Meta, Op};
use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};
use tilework_core::dtype::DType;
use tilework_core::expr::{ScalarOp, Value};
use tilework_core::shape::Shape;

/// A shared node.
pub type NodeRef = Arc<Node>;

/// A view: other elements, or another order, of the same data.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum View {
    /// Axes of size 1 repeated, and leading axes added, up to the node's shape.
    Expand,
    /// Axes reordered: axis `i` of the result is axis `order[i]` of the input.
    Permute(Vec<usize>),
    /// The same elements in row-major order under the node's shape.
    Reshape,
    /// `len` elements of one axis from `start` on, `step` apart.
    Slice {
        /// Which axis.
        axis: usize,
        /// First element.
        start: usize,
        /// Distance; negative walks backwards.
        step: isize,
        /// How many.
        len: usize,
    },
}

/// How a node is computed.
#[derive(Clone)]
pub enum NodeKind {
    /// It has a value from the start.
    Source,
    /// The same number everywhere, part of the kernel that uses it.
    Constant(Value),
    /// The same number everywhere, passed to the kernel that uses it: changing it re-uses the kernel.
    Scalar(Value),
    /// Element `i` in row-major order is `i`.
    Iota,
    /// A scalar operation on each element; inputs broadcast.
    Map(ScalarOp),
    /// A view of the input.
    View(View),
    /// A structured operation.
    Op(Arc<dyn Op>),
}

/// An array, computed or not.
pub struct Node {
    /// How it is computed.
    pub kind: NodeKind,
    /// Shape and element type.
    pub meta: Meta,
    /// Emptied once the node has a value, so that a training loop does not keep its whole past alive.
    inputs: Mutex<Vec<NodeRef>>,
    /// Keeps its inputs even with a value, because a gradient is being taken through it.
    traced: bool,
    /// What a machine computed; only it knows the type.
    value: OnceLock<Arc<dyn Any + Send + Sync>>,
}

impl Node {
    pub(crate) fn new(kind: NodeKind, meta: Meta, inputs: Vec<NodeRef>) -> NodeRef {
        let traced = inputs.iter().any(|input| input.traced);
        Arc::new(Node { kind, meta, inputs: Mutex::new(inputs), traced, value: OnceLock::new() })
    }

    fn with_tracing(kind: NodeKind, meta: Meta, inputs: Vec<NodeRef>, traced: bool) -> NodeRef {
        Arc::new(Node { kind, meta, inputs: Mutex::new(inputs), traced, value: OnceLock::new() })
    }

    /// A node with a value.
    pub fn source(meta: Meta, value: Arc<dyn Any + Send + Sync>) -> NodeRef {
        let node = Node::new(NodeKind::Source, meta, Vec::new());
        _ = node.value.set(value);
        node
    }

    /// A node that stands for an array that is not there: what is made of it can be made again of others, but not computed.
    pub fn placeholder(meta: Meta) -> NodeRef {
        Node::new(NodeKind::Source, meta, Vec::new())
    }

    /// Axis sizes.
    pub fn shape(&self) -> &Shape {
        &self.meta.shape
    }

    /// Element type.
    pub fn dtype(&self) -> DType {
        self.meta.dtype
    }

    /// What it is computed from.
    pub fn inputs(&self) -> Vec<NodeRef> {
        self.inputs.lock().map(|inputs| inputs.clone()).unwrap_or_default()
    }

    /// Visits what it is computed from without copying the list.
    pub fn for_each_input(&self, visit: impl FnMut(&NodeRef)) {
        if let Ok(inputs) = self.inputs.lock() {
            inputs.iter().for_each(visit);
        }
    }

    /// Its value, once computed.
    pub fn value(&self) -> Option<&Arc<dyn Any + Send + Sync>> {
        self.value.get()
    }

    /// Gives the node its value; the first one stays.
    pub fn set_value(&self, value: Arc<dyn Any + Send + Sync>) {
        _ = self.value.set(value);
        if !self.traced
            && let Ok(mut inputs) = self.inputs.lock()
        {
            drop_inputs(std::mem::take(&mut *inputs));
        }
    }
}

/// Frees a graph without recursion: a chain of a million nodes must not overflow the stack.
fn drop_inputs(mut pending: Vec<NodeRef>) {
    while let Some(node) = pending.pop() {
        if let Some(mut node) = Arc::into_inner(node)
            && let Ok(inputs) = node.inputs.get_mut()
        {
            pending.append(inputs);
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        if let Ok(inputs) = self.inputs.get_mut()
            && !inputs.is_empty()
        {
            drop_inputs(std::mem::take(inputs));
        }
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{}", self.kind, self.meta.shape)
    }
}

impl fmt::Debug for NodeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NodeKind::Source => f.write_str("source"),
            NodeKind::Constant(value) => write!(f, "constant {}", value.to_f64()),
            NodeKind::Scalar(value) => write!(f, "scalar {}", value.to_f64()),
            NodeKind::Iota => f.write_str("iota"),
            NodeKind::Map(op) => f.write_str(op.name()),
            NodeKind::View(view) => write!(f, "{view:?}"),
            NodeKind::Op(op) => f.write_str(op.signature().name),
        }
    }
}
