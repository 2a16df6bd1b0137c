//! Groups: one expression, many instances.

use super::Problem;
use crate::loss::Loss;
use crate::manifold::Manifold;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use tilework_core::expr::{Graph, Id, Signature, signature};
use tilework_core::{Error, Result};

/// What the roots of a group's expression are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Term {
    /// Residuals: they cost half of the loss of their squared norm.
    Residuals(Loss),
    /// One number that is a cost by itself.
    Energy,
}

/// Where a leaf of a group's expression comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LeafRef {
    /// Number `component` of the block that is argument `arg`.
    Param {
        /// Which argument.
        arg: usize,
        /// Which of its numbers.
        component: usize,
    },
    /// Number `column` of the instance's own.
    Datum {
        /// Which column.
        column: usize,
    },
}

/// What an argument of a group is, the same for all its instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ArgKind {
    pub(crate) dim: usize,
    pub(crate) manifold: Manifold,
}

impl ArgKind {
    pub(crate) fn tangent_dim(self) -> usize {
        self.manifold.tangent_dim(self.dim)
    }
}

/// One expression with its instances.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) term: Term,
    /// Residuals, or the energy. Leaves are numbered as in `leaves`.
    pub(crate) expr: Signature,
    pub(crate) leaves: Vec<LeafRef>,
    pub(crate) args: Vec<ArgKind>,
    /// By argument, the block of each instance.
    pub(crate) blocks: Vec<Vec<u32>>,
    /// By column, the number of each instance.
    pub(crate) data: Vec<Vec<f64>>,
    pub(crate) n_instances: usize,
}

impl Group {
    /// Residuals of one instance; an energy has none.
    pub(crate) fn n_residuals(&self) -> usize {
        match self.term {
            Term::Residuals(_) => self.expr.roots.len(),
            Term::Energy => 0,
        }
    }

    /// The instances of a range, as a group.
    fn part(&self, range: Range<usize>) -> Group {
        Group {
            name: self.name.clone(),
            term: self.term,
            expr: self.expr.clone(),
            leaves: self.leaves.clone(),
            args: self.args.clone(),
            blocks: self.blocks.iter().map(|blocks| blocks[range.clone()].to_vec()).collect(),
            data: self.data.iter().map(|numbers| numbers[range.clone()].to_vec()).collect(),
            n_instances: range.len(),
        }
    }
}

/// What makes two groups the same kernel.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct GroupKey {
    expr: Signature,
    leaves: Vec<LeafRef>,
    args: Vec<ArgKind>,
    term: Option<[u64; 3]>,
}

/// Where a leaf of an expression that is being added comes from, in the caller's own numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Source {
    /// A number of the caller's argument.
    Param { arg: usize, component: usize },
    /// The caller's column.
    Datum { column: usize },
}

/// An expression in canonical numbering, with what its arguments and columns were called by the caller.
pub(super) struct Canonical {
    expr: Signature,
    leaves: Vec<LeafRef>,
    pub(super) args: Vec<usize>,
    pub(super) columns: Vec<usize>,
}

/// An expression larger than this would overflow registers of 16 bits when differentiated, and no driver would compile it.
const MAX_NODES: usize = 20_000;

/// Numbers arguments and columns in the order the expression meets them, so that equal maths gives equal results.
pub(super) fn canonical(op: &str, graph: &Graph, roots: &[Id], sources: &[Source]) -> Result<Canonical> {
    let (expr, slots, _) = signature(graph, roots);
    if expr.nodes.len() > MAX_NODES {
        let message = format!("an expression of {} operations is too large (at most {MAX_NODES})", expr.nodes.len());
        return Err(Error::argument(op, message));
    }
    let (mut args, mut columns) = (Vec::new(), Vec::new());
    let leaves = slots
        .into_iter()
        .map(|slot| match sources[slot as usize] {
            Source::Param { arg, component } => LeafRef::Param { arg: number(&mut args, arg), component },
            Source::Datum { column } => LeafRef::Datum { column: number(&mut columns, column) },
        })
        .collect();
    Ok(Canonical { expr, leaves, args, columns })
}

/// The position of `item` among those known, which it joins.
fn number(known: &mut Vec<usize>, item: usize) -> usize {
    known.iter().position(|&k| k == item).unwrap_or_else(|| {
        known.push(item);
        known.len() - 1
    })
}

impl Problem {
    /// The group of an expression, made if there is none yet.
    pub(super) fn group(&mut self, name: &str, term: Term, found: Canonical, args: Vec<ArgKind>) -> &mut Group {
        let term_key = match term {
            Term::Residuals(loss) => Some(loss.bits()),
            Term::Energy => None,
        };
        let key = GroupKey { expr: found.expr, leaves: found.leaves, args, term: term_key };
        if let Some(&known) = self.keys.get(&key) {
            return Arc::make_mut(&mut self.groups[known]);
        }
        let group = Group {
            name: self.unused_name(name),
            term,
            expr: key.expr.clone(),
            leaves: key.leaves.clone(),
            blocks: vec![Vec::new(); key.args.len()],
            args: key.args.clone(),
            data: vec![Vec::new(); found.columns.len()],
            n_instances: 0,
        };
        self.keys.insert(key, self.groups.len());
        self.groups.push(Arc::new(group));
        let last = self.groups.len() - 1;
        Arc::make_mut(&mut self.groups[last])
    }

    /// The same problem with groups of at most `max_instances`; `None` if it is like that already.
    pub(crate) fn cut(&self, max_instances: usize) -> Option<Problem> {
        if self.groups.iter().all(|group| group.n_instances <= max_instances) {
            return None;
        }
        let parts = |group: &Arc<Group>| -> Vec<Arc<Group>> {
            let starts = (0..group.n_instances).step_by(max_instances);
            starts.map(|start| Arc::new(group.part(start..group.n_instances.min(start + max_instances)))).collect()
        };
        Some(Problem {
            sets: self.sets.clone(),
            values: self.values.clone(),
            bounds: self.bounds.clone(),
            groups: self.groups.iter().flat_map(parts).collect(),
            keys: HashMap::new(),
        })
    }

    /// `name`, numbered if a group is already called so.
    fn unused_name(&self, name: &str) -> String {
        let taken: HashMap<&str, ()> = self.groups.iter().map(|group| (group.name.as_str(), ())).collect();
        if !taken.contains_key(name) {
            return name.to_owned();
        }
        let mut names = (2..).map(|number| format!("{name} {number}"));
        names.find(|name| !taken.contains_key(name.as_str())).unwrap_or_default()
    }
}
