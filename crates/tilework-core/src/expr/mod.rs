//! Scalar expressions: a hash-consed graph of [`ScalarOp`]s.
//!
//! Everything element-wise in Tilework is one of these graphs: a chain of array operations, the activation after a matmul, a
//! residual and its gradient. A [`Graph`] owns the nodes; an [`Expr`] is a small copyable handle into it with operators and
//! one method per row of the table. Building an expression folds constants and shares equal sub-expressions at once, so that
//! a graph is never larger than it needs to be, and never fails: arguments are converted to the type an operation wants.
//!
//! Constants that change what a kernel *is* are [`Node::Const`]; numbers that vary from run to run are [`Node::Param`] (read
//! from a uniform block); data is [`Node::Leaf`].

mod derive;
mod functions;
mod number;
mod operators;
mod signature;
mod simplify;
pub mod table;

pub use derive::{gradient, vjp};
pub use number::{Integer, Number, Real};
pub use signature::{Signature, signature};
pub use table::{Kind, ScalarOp};

pub use simplify::eval_f64;

use crate::dtype::Scalar;
use crate::words::WordMap;
use std::cell::RefCell;

/// A node of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub u32);

impl Id {
    /// As an index into the graph's nodes.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A constant of any scalar type. Floats are kept as `f64` bits: equal constants share a node, and −0 differs from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Truth value.
    Bool(bool),
    /// Signed integer.
    Int(i32),
    /// Unsigned integer.
    Uint(u32),
    /// Signed 64-bit integer.
    Long(i64),
    /// Unsigned 64-bit integer.
    Ulong(u64),
    /// Float, as the bits of an `f64`.
    Num(u64),
}

impl Value {
    /// A float constant.
    pub fn num(value: f64) -> Value {
        Value::Num(value.to_bits())
    }

    /// Its type.
    pub fn scalar(self) -> Scalar {
        match self {
            Value::Bool(_) => Scalar::Bool,
            Value::Int(_) => Scalar::Int,
            Value::Uint(_) => Scalar::Uint,
            Value::Long(_) => Scalar::Long,
            Value::Ulong(_) => Scalar::Ulong,
            Value::Num(_) => Scalar::Num,
        }
    }

    /// As a float: truth values are 0 and 1.
    pub fn to_f64(self) -> f64 {
        match self {
            Value::Bool(value) => f64::from(u8::from(value)),
            Value::Int(value) => f64::from(value),
            Value::Uint(value) => f64::from(value),
            Value::Long(value) => value as f64,
            Value::Ulong(value) => value as f64,
            Value::Num(bits) => f64::from_bits(bits),
        }
    }

    /// As an integer wide enough for all of them; floats are truncated.
    pub fn to_i128(self) -> i128 {
        match self {
            Value::Long(value) => i128::from(value),
            Value::Ulong(value) => i128::from(value),
            other => other.to_f64() as i128,
        }
    }

    /// As a constant of type `scalar`, converted as the cast operations do: integers by their bits, floats by their value.
    pub fn cast(self, scalar: Scalar) -> Value {
        let bits = match self {
            Value::Int(value) => i64::from(value),
            Value::Uint(value) => i64::from(value),
            Value::Long(value) => value,
            Value::Ulong(value) => value as i64,
            Value::Bool(_) | Value::Num(_) => return Value::from_f64(self.to_f64(), scalar),
        };
        match scalar {
            Scalar::Int => Value::Int(bits as i32),
            Scalar::Uint => Value::Uint(bits as u32),
            Scalar::Long => Value::Long(bits),
            Scalar::Ulong => Value::Ulong(bits as u64),
            Scalar::Bool | Scalar::Num => Value::from_f64(self.to_f64(), scalar),
        }
    }

    /// `value` as a constant of type `scalar`, converted as the cast operations do.
    pub fn from_f64(value: f64, scalar: Scalar) -> Value {
        match scalar {
            Scalar::Bool => Value::Bool(value != 0.0),
            Scalar::Int => Value::Int(value as i32),
            Scalar::Uint => Value::Uint(value as u32),
            Scalar::Long => Value::Long(value as i64),
            Scalar::Ulong => Value::Ulong(value as u64),
            Scalar::Num => Value::num(value),
        }
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// Data of input `slot`, read at the element being computed.
    Leaf {
        /// Which input.
        slot: u32,
        /// Its type.
        scalar: Scalar,
    },
    /// A number that is the same for all elements and varies between runs.
    Param {
        /// Which parameter.
        slot: u32,
        /// Its type.
        scalar: Scalar,
    },
    /// A number that is part of the expression.
    Const(Value),
    /// An operation; unused arguments repeat the first.
    Op {
        /// Which.
        op: ScalarOp,
        /// Its arguments, already of the type it wants.
        args: [Id; 3],
        /// Type of its arguments (see [`ScalarOp::operand_type`]).
        operand: Scalar,
    },
}

impl Node {
    /// The arguments of an operation; none for leaves and constants.
    pub fn args(&self) -> &[Id] {
        match self {
            Node::Op { op, args, .. } => &args[..op.arity()],
            _ => &[],
        }
    }

    /// Type of the node's value.
    pub fn scalar(&self) -> Scalar {
        match self {
            Node::Leaf { scalar, .. } | Node::Param { scalar, .. } => *scalar,
            Node::Const(value) => value.scalar(),
            Node::Op { op, operand, .. } => op.result_type(*operand),
        }
    }
}

/// Owner of expression nodes. A node's arguments always come before it.
#[derive(Debug, Default)]
pub struct Graph {
    nodes: RefCell<Vec<Node>>,
    index: RefCell<WordMap<Node, Id>>,
}

impl Graph {
    /// An empty graph.
    pub fn new() -> Graph {
        Graph::default()
    }

    /// Data of input `slot`.
    pub fn leaf(&self, slot: u32, scalar: Scalar) -> Expr<'_> {
        self.intern(Node::Leaf { slot, scalar })
    }

    /// A number that varies between runs.
    pub fn param(&self, slot: u32, scalar: Scalar) -> Expr<'_> {
        self.intern(Node::Param { slot, scalar })
    }

    /// A float constant.
    pub fn num(&self, value: f64) -> Expr<'_> {
        self.constant(Value::num(value))
    }

    /// A constant.
    pub fn constant(&self, value: Value) -> Expr<'_> {
        self.intern(Node::Const(value))
    }

    /// An operation on arguments of any type: they are converted to what it wants, constants are folded and an equal
    /// node is shared. Missing arguments repeat the first and surplus ones are ignored.
    pub fn apply<'g>(&'g self, op: ScalarOp, args: &[Expr<'g>]) -> Expr<'g> {
        let arity = op.arity();
        let first = args.first().copied().unwrap_or_else(|| self.num(0.0));
        let mut padded = [first; 3];
        for (to, from) in padded.iter_mut().zip(args) {
            *to = *from;
        }
        let types = padded.map(|arg| arg.scalar());
        if op.kind() == Kind::Cast(types[0]) {
            return first;
        }
        let operand = op.operand_type(&types[..arity]);
        for (i, arg) in padded.iter_mut().enumerate().take(arity) {
            *arg = match op.kind() {
                Kind::Cast(_) => *arg,
                Kind::Select if i == 0 => arg.cast(Scalar::Bool),
                _ => arg.cast(operand),
            };
        }
        for unused in arity..3 {
            padded[unused] = padded[0];
        }
        simplify::simplified(self, op, &padded[..arity]).unwrap_or_else(|| {
            let args = padded.map(|arg| arg.id);
            let swapped = Node::Op { op, args: [args[1], args[0], args[1]], operand };
            if is_commutative(op)
                && let Some(&id) = self.index.borrow().get(&swapped)
            {
                return Expr { graph: self, id };
            }
            self.intern(Node::Op { op, args, operand })
        })
    }

    /// The node behind an id of this graph.
    pub fn node(&self, id: Id) -> Node {
        self.nodes.borrow()[id.index()]
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.borrow().len()
    }

    /// True if nothing was built yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A handle to node `id`.
    pub fn expr(&self, id: Id) -> Expr<'_> {
        Expr { graph: self, id }
    }

    /// Nodes reachable from `roots`, arguments before users.
    pub fn reachable(&self, roots: &[Id]) -> Vec<Id> {
        let nodes = self.nodes.borrow();
        let mut wanted = vec![false; nodes.len()];
        for root in roots {
            wanted[root.index()] = true;
        }
        for i in (0..nodes.len()).rev() {
            if wanted[i] {
                for arg in nodes[i].args() {
                    wanted[arg.index()] = true;
                }
            }
        }
        (0..nodes.len()).filter(|&i| wanted[i]).map(|i| Id(i as u32)).collect()
    }

    fn intern(&self, node: Node) -> Expr<'_> {
        let id = *self.index.borrow_mut().entry(node).or_insert_with(|| {
            let mut nodes = self.nodes.borrow_mut();
            nodes.push(node);
            Id(nodes.len() as u32 - 1)
        });
        Expr { graph: self, id }
    }
}

fn is_commutative(op: ScalarOp) -> bool {
    use ScalarOp::*;
    matches!(op, Add | Mul | Minimum | Maximum | Hypot | Eq | Ne | And | Or | Xor | BitAnd | BitOr | BitXor)
}

/// A handle to a node of a [`Graph`], with operators and one method per scalar operation.
#[derive(Clone, Copy)]
pub struct Expr<'g> {
    graph: &'g Graph,
    id: Id,
}

impl<'g> Expr<'g> {
    /// The node's id in its graph.
    pub fn id(self) -> Id {
        self.id
    }

    /// The graph it belongs to.
    pub fn graph(self) -> &'g Graph {
        self.graph
    }

    /// Type of its value.
    pub fn scalar(self) -> Scalar {
        self.graph.node(self.id).scalar()
    }

    /// The constant it is, if it is one.
    pub fn constant(self) -> Option<Value> {
        match self.graph.node(self.id) {
            Node::Const(value) => Some(value),
            _ => None,
        }
    }

    /// Converted to `to`; itself if it has that type already.
    pub fn cast(self, to: Scalar) -> Expr<'g> {
        let op = match to {
            from if from == self.scalar() => return self,
            Scalar::Bool => ScalarOp::ToBool,
            Scalar::Int => ScalarOp::ToInt,
            Scalar::Uint => ScalarOp::ToUint,
            Scalar::Long => ScalarOp::ToLong,
            Scalar::Ulong => ScalarOp::ToUlong,
            Scalar::Num => ScalarOp::ToNum,
        };
        self.graph.apply(op, &[self])
    }

    /// `if_true` where this holds, else `if_false`.
    pub fn select(self, if_true: Expr<'g>, if_false: Expr<'g>) -> Expr<'g> {
        self.graph.apply(ScalarOp::Select, &[self, if_true, if_false])
    }
}

impl std::fmt::Debug for Expr<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.graph.node(self.id) {
            Node::Leaf { slot, .. } => write!(f, "x{slot}"),
            Node::Param { slot, .. } => write!(f, "p{slot}"),
            Node::Const(value) => write!(f, "{}", value.to_f64()),
            node @ Node::Op { op, .. } => {
                let args: Vec<_> = node.args().iter().map(|&arg| self.graph.expr(arg)).collect();
                let mut call = f.debug_tuple(op.name());
                args.iter().for_each(|arg| _ = call.field(arg));
                call.finish()
            }
        }
    }
}

#[cfg(test)]
mod tests;
