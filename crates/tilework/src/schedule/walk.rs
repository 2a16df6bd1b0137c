//! Flattening a graph and spelling it as a key.

use std::hash::Hasher;
use std::sync::Arc;
use tilework_core::expr::Value;
use tilework_core::pictures::{HAS_PICTURES, Texels};
use tilework_core::words::{WordHasher, WordMap};
use tilework_ops::{Meta, NodeKind, NodeRef, View};

/// What belongs to each of some words. The first few are looked for one by one, which for a graph of a few nodes takes less time than
/// hashing them.
#[derive(Debug)]
struct Few<V> {
    few: Vec<(u64, V)>,
    all: WordMap<u64, V>,
}

impl<V> Default for Few<V> {
    fn default() -> Few<V> {
        Few { few: Vec::new(), all: WordMap::default() }
    }
}

impl<V: Copy> Few<V> {
    const MAX: usize = 12;

    fn get(&self, word: u64) -> Option<V> {
        // Modules for browsers are to stay small.
        if cfg!(target_arch = "wasm32") {
            return self.all.get(&word).copied();
        }
        let found = self.few.iter().find(|(known, _)| *known == word).map(|&(_, value)| value);
        if found.is_some() || self.all.is_empty() { found } else { self.all.get(&word).copied() }
    }

    fn insert(&mut self, word: u64, value: V) {
        if cfg!(not(target_arch = "wasm32")) && self.few.len() < Self::MAX {
            self.few.push((word, value));
        } else {
            self.all.insert(word, value);
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn clear(&mut self) {
        self.few.clear();
        if !self.all.is_empty() {
            self.all.clear();
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn len(&self) -> usize {
        self.few.len() + self.all.len()
    }
}

/// A graph below some outputs, inputs before users, with its key.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// Everything that decides the schedule, as words: equal keys are equal work.
    pub(crate) key: Vec<u32>,
    /// Nodes that already have a value, in the order the schedule numbers its inputs.
    pub(crate) inputs: Vec<NodeRef>,
    /// Numbers that vary between runs, in the order the schedule numbers its scalars.
    pub(crate) scalars: Vec<Value>,
    order: Vec<NodeRef>,
    /// Positions in `order` by address.
    index: Few<u32>,
    /// Nodes by the hash of their spelling, with where it begins: equal work is found once.
    known: Few<(u32, usize)>,
    outputs: Vec<u32>,
    /// Nodes still to be added, and whether their inputs have been.
    stack: Vec<(NodeRef, bool)>,
}

/// More nodes than this are walked in memory that is not kept: emptying it would take longer than a small walk.
#[cfg(not(target_arch = "wasm32"))]
const MAX_KEPT_NODES: usize = 256;

impl Walk {
    /// Walks everything that `outputs` still need.
    pub(crate) fn new(outputs: &[NodeRef]) -> Walk {
        let mut walk = Walk::default();
        walk.over(outputs);
        walk
    }

    /// The same in the memory of an earlier walk, which was cleared.
    pub(crate) fn over(&mut self, outputs: &[NodeRef]) {
        for output in outputs {
            self.stack.push((output.clone(), false));
            while let Some((node, inputs_done)) = self.stack.pop() {
                let address = address_of(&node);
                if self.index.get(address).is_some() {
                    continue;
                }
                if !inputs_done && node.value().is_none() && self.waits(&node, outputs) {
                    let stack = &mut self.stack;
                    stack.push((node.clone(), true));
                    node.for_each_input(|input| stack.push((input.clone(), false)));
                    continue;
                }
                self.add(node, address, outputs);
            }
            self.outputs.extend(self.index.get(address_of(output)));
        }
        self.key.push(u32::MAX);
        self.key.extend(&self.outputs);
    }

    /// Adds the inputs of `node` that have values or are numbers. Whether others have to be added before it.
    fn waits(&mut self, node: &NodeRef, outputs: &[NodeRef]) -> bool {
        let mut waits = false;
        node.for_each_input(|input| {
            let address = address_of(input);
            if self.index.get(address).is_some() {
                return;
            }
            if input.value().is_some() || matches!(input.kind, NodeKind::Constant(_) | NodeKind::Scalar(_)) {
                self.add(input.clone(), address, outputs);
            } else {
                waits = true;
            }
        });
        waits
    }

    /// Leaves its memory alone; false if there is too much of it.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn clear(&mut self) -> bool {
        if self.index.len() > MAX_KEPT_NODES {
            return false;
        }
        self.key.clear();
        self.inputs.clear();
        self.scalars.clear();
        self.order.clear();
        self.index.clear();
        self.known.clear();
        self.outputs.clear();
        true
    }

    fn add(&mut self, node: NodeRef, address: u64, outputs: &[NodeRef]) {
        let shape = node.shape();
        let head = (node.dtype() as u32) << 8 | (shape.rank() as u32) << 16;
        let has_value = node.value().is_some();
        let begin = self.key.len();
        self.key.push(head | if has_value { 0 } else { tag(&node.kind) });
        self.key.extend(shape.iter().map(|&size| size as u32));
        if has_value {
            // A texture is read by other kernels than a buffer, and each width by kernels of its own.
            if HAS_PICTURES && let Some(texels) = texels(&node) {
                self.key[begin] |= TEXTURE;
                self.key.push(texels.width());
            }
            self.inputs.push(node.clone());
        } else {
            self.encode(&node);
            // Data and varying numbers are told apart by position, outputs by who asked for them; all else by spelling.
            if !matches!(node.kind, NodeKind::Scalar(_) | NodeKind::Source)
                && !outputs.iter().any(|output| address_of(output) == address)
                && let Some(index) = self.same(begin)
            {
                self.key.truncate(begin);
                self.index.insert(address, index);
                return;
            }
        }
        self.index.insert(address, self.order.len() as u32);
        self.order.push(node);
    }

    /// The node that was spelled like the one whose spelling begins at `begin`; otherwise remembers this one.
    fn same(&mut self, begin: usize) -> Option<u32> {
        let words = &self.key[begin..];
        let mut hasher = WordHasher::default();
        words.iter().for_each(|&word| hasher.write_u64(u64::from(word)));
        match self.known.get(hasher.finish()) {
            Some((index, at)) if self.key[at..begin].starts_with(words) => Some(index),
            Some(_) => None,
            None => {
                self.known.insert(hasher.finish(), (self.order.len() as u32, begin));
                None
            }
        }
    }

    fn encode(&mut self, node: &NodeRef) {
        let key = &mut self.key;
        match &node.kind {
            NodeKind::Source | NodeKind::Iota => {}
            NodeKind::Constant(value) => {
                let bits = value.to_f64().to_bits();
                key.extend([bits as u32, (bits >> 32) as u32]);
            }
            NodeKind::Scalar(value) => self.scalars.push(*value),
            NodeKind::Map(op) => key.push(*op as u32),
            NodeKind::View(View::Permute(order)) => key.extend(order.iter().map(|&axis| axis as u32)),
            NodeKind::View(View::Slice { axis, start, step, len }) => {
                key.extend([*axis as u32, *start as u32, *step as u32, *len as u32]);
            }
            NodeKind::View(View::Expand | View::Reshape) => {}
            NodeKind::Op(op) => {
                // The address of its static name tells operations apart without comparing text.
                let name = op.signature().name.as_ptr() as usize as u64;
                key.extend([name as u32, (name >> 32) as u32]);
                op.encode(key);
            }
        }
        let index = &self.index;
        let mut n_inputs = 0;
        node.for_each_input(|input| {
            key.extend(index.get(address_of(input)));
            n_inputs += 1;
        });
        key.push(n_inputs);
    }

    /// The graph without its nodes, for scheduling.
    pub(crate) fn flatten(&self) -> Flat {
        let (mut n_inputs, mut n_scalars) = (0, 0);
        let nodes = self.order.iter().map(|node| {
            let mut inputs = Vec::new();
            let kind = if node.value().is_some() {
                n_inputs += 1;
                FlatKind::Input(n_inputs - 1)
            } else {
                node.for_each_input(|input| {
                    inputs.extend(self.index.get(address_of(input)).map(|index| index as usize))
                });
                match node.kind {
                    NodeKind::Scalar(_) => {
                        n_scalars += 1;
                        FlatKind::Scalar(n_scalars - 1)
                    }
                    ref kind => FlatKind::Node(kind.clone()),
                }
            };
            FlatNode { kind, meta: node.meta.clone(), inputs, texels: texels(node) }
        });
        Flat { nodes: nodes.collect(), outputs: self.outputs.iter().map(|&index| index as usize).collect() }
    }
}

/// Where a node is: nothing else is there while the walk holds it.
fn address_of(node: &NodeRef) -> u64 {
    Arc::as_ptr(node).addr() as u64
}

/// What kernels know of a value that is a texture.
fn texels(node: &NodeRef) -> Option<Texels> {
    match crate::value::Value::of(node) {
        Some(crate::value::Value::Page(value)) => value.texels(),
        _ => None,
    }
}

/// Marks a texture in the first word of an input's spelling.
const TEXTURE: u32 = 1 << 24;

fn tag(kind: &NodeKind) -> u32 {
    match kind {
        NodeKind::Source => 1,
        NodeKind::Constant(_) => 2,
        NodeKind::Scalar(_) => 3,
        NodeKind::Iota => 4,
        NodeKind::Map(_) => 5,
        NodeKind::View(View::Expand) => 6,
        NodeKind::View(View::Permute(_)) => 7,
        NodeKind::View(View::Reshape) => 8,
        NodeKind::View(View::Slice { .. }) => 9,
        NodeKind::Op(_) => 10,
    }
}

/// How a flattened node is computed.
#[derive(Clone, Debug)]
pub(crate) enum FlatKind {
    /// It has a value: the run's input of this number.
    Input(usize),
    /// The run's scalar of this number.
    Scalar(usize),
    /// As the graph says.
    Node(NodeKind),
}

/// A node by index.
#[derive(Clone, Debug)]
pub(crate) struct FlatNode {
    pub(crate) kind: FlatKind,
    pub(crate) meta: Meta,
    pub(crate) inputs: Vec<usize>,
    /// What kernels know of it if it is a texture.
    pub(crate) texels: Option<Texels>,
}

/// A graph by index, inputs before users.
#[derive(Clone, Debug)]
pub(crate) struct Flat {
    pub(crate) nodes: Vec<FlatNode>,
    pub(crate) outputs: Vec<usize>,
}
