//! Recordings: residual functions that were recorded elsewhere (in JavaScript) and arrive as words.
//!
//! A recording is one array of 32-bit words, little-endian like every WebAssembly memory:
//!
//! | words | what |
//! |---|---|
//! | 1 | [`MAGIC`] |
//! | 1 | [`fingerprint`] of the operations its writer knew: codes are positions in that list |
//! | 1 | how many graphs follow |
//! | 1 | how many numbers follow at once |
//! | 2 each | the numbers, as 64-bit floats; they begin on a multiple of 8 bytes |
//! | ... | the graphs, one after the other |
//!
//! A graph is one function with all instances of it that its writer found:
//!
//! | words | what |
//! |---|---|
//! | 1 | term: 0 residuals, 1 an energy |
//! | 2 | loss: its position in [`LOSSES`], and which number is its `delta`; the next one is the shape of Barron's |
//! | 5 | how many arguments, columns of data, instances, nodes and roots |
//! | 1 | which number is the first datum: column `k` of instance `i` is `first + k·instances + i` |
//! | 1 each | the set of every argument |
//! | 1 each | blocks: that of argument `k` of instance `i` is at `k·instances + i` |
//! | 2 to 4 each | nodes, see below |
//! | 1 each | roots: positions of nodes |
//!
//! A node is a code and what it needs: 0 a number of the function (which number), 1 a number of a block (argument, component), 2 a
//! datum (column), and [`FIRST_OP`]` + k` operation `k` of the table (positions of its arguments, which come before it).
//!
//! Nothing in a recording is trusted: whatever does not fit is an error that says where, and then nothing was added.

mod decode;
mod reader;
#[cfg(test)]
mod tests;

use crate::evaluate::Layout;
use crate::loss::Loss;
use crate::manifold::Manifold;
use crate::problem::{Family, Instance, Params, Problem};
use decode::{Decoded, Node};
use std::ops::Range;
use tilework_core::expr::{Expr, ScalarOp};
use tilework_core::{Error, Result};

/// The first word of every recording.
pub const MAGIC: u32 = u32::from_le_bytes(*b"TWR1");
/// Code of the first operation of the table.
pub const FIRST_OP: u32 = 16;
/// Losses in the order of their codes, with the numbers they have.
pub const LOSSES: &[(&str, usize)] = &[
    ("squared", 0),
    ("huber", 1),
    ("soft-l1", 1),
    ("cauchy", 1),
    ("arctan", 1),
    ("tukey", 1),
    ("geman-mcclure", 1),
    ("welsch", 1),
    ("barron", 2),
];

/// Manifolds with the names programs know them by.
pub const MANIFOLDS: &[(&str, Manifold)] = &[
    ("euclidean", Manifold::Euclidean),
    ("sphere", Manifold::Sphere),
    ("quaternion", Manifold::Quaternion),
    ("so2", Manifold::So2),
    ("so3", Manifold::So3),
    ("se2", Manifold::Se2),
    ("se3", Manifold::Se3),
];

/// What tells lists of operations apart: FNV-1a over names and numbers of arguments.
pub fn fingerprint() -> u32 {
    let words = ScalarOp::ALL.iter().map(|op| format!("{}/{};", op.name(), op.arity()));
    let bytes: Vec<u8> = words.flat_map(String::into_bytes).collect();
    bytes.iter().fold(0x811c_9dc5, |hash: u32, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Where the instances of a graph went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Added {
    /// The group they joined.
    pub group: usize,
    /// The number of the first of them within the group.
    pub first: usize,
    /// How many there are.
    pub n_instances: usize,
}

impl Problem {
    /// Adds all that a recording holds, or nothing and an error. Gives where each of its graphs went.
    pub fn add_recording(&mut self, name: &str, words: &[u32]) -> Result<Vec<Added>> {
        let graphs = decode::graphs(self, name, words)?;
        graphs.iter().map(|graph| self.add_decoded(name, graph)).collect()
    }

    /// Where the numbers of a set are among those of all sets; nowhere if there is no such set.
    pub fn numbers_of(&self, params: Params) -> Range<usize> {
        self.sets.get(params.0).map_or(0..0, |set| set.first_value..set.first_value + set.n_blocks * set.dim)
    }

    /// The number that each direction of a gradient moves, among those of all sets. Blocks on curved manifolds have fewer directions than
    /// numbers; theirs are counted from the first.
    pub fn moving_numbers(&self) -> Vec<u32> {
        let layout = Layout::new(self);
        let free = layout.free.iter().map(|&block| layout.blocks[block as usize]);
        free.flat_map(|block| (0..block.tangent_dim).map(move |k| block.value + k)).collect()
    }

    fn add_decoded(&mut self, name: &str, graph: &Decoded<'_>) -> Result<Added> {
        let before: Vec<usize> = self.groups.iter().map(|group| group.n_instances).collect();
        let params: Vec<(Params, &[u32])> = graph.args.iter().map(|&(set, blocks)| (Params(set), blocks)).collect();
        // A function of no argument and no datum still has instances, which a column that nobody reads counts.
        let unread = vec![0.0; graph.n_instances];
        let mut data: Vec<(usize, &[f64])> = graph.columns().map(|column| (1, column)).collect();
        data.push((1, &unread));
        let family = Family { name, params: &params, data: &data, loss: graph.loss.unwrap_or(Loss::Squared) };
        match graph.loss {
            Some(_) => self.add_residuals(family, |instance| rebuilt(instance, graph))?,
            // An energy has one root; `decode` has made sure.
            None => self.add_energy(family, |instance| rebuilt(instance, graph)[0])?,
        }
        let before_of = |number: usize| before.get(number).copied().unwrap_or(0);
        let mut groups = self.groups.iter().enumerate();
        let found = groups.find(|(number, group)| group.n_instances > before_of(*number));
        let added = |group| Added { group, first: before_of(group), n_instances: graph.n_instances };
        found.map(|(number, _)| added(number)).ok_or_else(|| Error::argument(name, "a function without instances"))
    }
}

/// The roots of a recorded function, as expressions of an instance.
fn rebuilt<'g>(instance: &Instance<'g>, graph: &Decoded<'_>) -> Vec<Expr<'g>> {
    let mut built: Vec<Expr<'g>> = Vec::with_capacity(graph.nodes.len());
    for node in &graph.nodes {
        let made = match *node {
            Node::Number(value) => instance.num(value),
            Node::Param { arg, component } => instance.param(arg)[component],
            Node::Datum { column } => instance.datum(column)[0],
            Node::Op { op, args } => {
                let args = args.map(|arg| built[arg as usize]);
                instance.graph().apply(op, &args[..op.arity()])
            }
        };
        built.push(made);
    }
    graph.roots.iter().map(|&root| built[root as usize]).collect()
}
