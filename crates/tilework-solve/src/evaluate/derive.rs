//! From a group's expression to the expressions a solver wants: cost, gradient, Jacobian, Gauss-Newton blocks, Hessian.
//!
//! All of them are built symbolically in one graph, so that whatever they share with the residual is computed once, and every one is a
//! kernel of its own for the CPU and the GPU alike. Derivatives are by *columns*: the tangent directions of those arguments
//! that move.

use crate::graph::Scalar;
use crate::loss::Loss;
use crate::problem::{Group, LeafRef, Term};
use tilework_core::dtype::Scalar as Kind;
use tilework_core::expr::{Graph, Id, Node, Signature, gradient, signature};
use tilework_vm::Program;

/// What a kernel computes for each instance, in the order of its roots. With `n` columns:
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Wanted {
    /// `[cost]`.
    Cost,
    /// `[residuals]`.
    Residuals,
    /// `[cost, gradient (n)]`.
    Gradient,
    /// `[residuals (m), Jacobian (m × n)]`.
    Jacobian,
    /// `[Jacobian (m × n)]` with rows weighted by the square root of the loss's slope; nothing for an energy.
    Weighted,
    /// `[cost, gradient (n), upper triangle of the Gauss-Newton matrix (n(n + 1)/2)]`.
    Normal,
    /// The same with exact second derivatives.
    Hessian,
}

impl Wanted {
    /// Whether an energy has no such thing.
    pub(crate) fn is_of_residuals(self) -> bool {
        matches!(self, Wanted::Residuals | Wanted::Jacobian | Wanted::Weighted)
    }
}

/// The directions a group's derivatives are taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    /// First column of each argument; `None` if it never moves.
    pub(crate) first: Vec<Option<usize>>,
    /// Columns of each argument.
    pub(crate) dims: Vec<usize>,
    /// All columns.
    pub(crate) n: usize,
}

impl Columns {
    /// The columns of a group whose arguments move where `is_active` says so.
    pub(crate) fn new(group: &Group, is_active: &[bool]) -> Columns {
        let dims: Vec<usize> = group.args.iter().map(|arg| arg.tangent_dim()).collect();
        let mut n = 0;
        let first = dims
            .iter()
            .zip(is_active)
            .map(|(&dim, &active)| {
                let at = active.then_some(n);
                n += if active { dim } else { 0 };
                at
            })
            .collect();
        Columns { first, dims, n }
    }

    /// Position of the pair of columns `i ≤ j` in a packed upper triangle.
    pub(crate) fn packed(&self, i: usize, j: usize) -> usize {
        i * self.n - i * (i + 1) / 2 + j
    }
}

/// One expression to run over all instances of a group.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub(crate) expr: Signature,
    pub(crate) program: Program,
    /// Where leaf `k` comes from.
    pub(crate) leaves: Vec<LeafRef>,
}

impl Kernel {
    pub(crate) fn n_roots(&self) -> usize {
        self.expr.roots.len()
    }
}

/// Derives a kernel of `group`.
pub(crate) fn derive(group: &Group, columns: &Columns, wanted: Wanted) -> Kernel {
    let graph = Graph::new();
    let derivation = Derivation::new(&graph, group, columns);
    let roots: Vec<Id> = derivation.roots(wanted).iter().map(|root| root.id()).collect();
    let (expr, slots, _) = signature(&graph, &roots);
    let leaves = slots.iter().map(|&slot| derivation.leaves[slot as usize]).collect();
    Kernel { program: Program::new(&expr), expr, leaves }
}

struct Derivation<'g, 'a> {
    graph: &'g Graph,
    group: &'a Group,
    columns: &'a Columns,
    /// By leaf slot of `graph`.
    leaves: Vec<LeafRef>,
    /// By argument, its numbers.
    params: Vec<Vec<Scalar<'g>>>,
    roots: Vec<Scalar<'g>>,
}

impl<'g, 'a> Derivation<'g, 'a> {
    fn new(graph: &'g Graph, group: &'a Group, columns: &'a Columns) -> Self {
        let mut leaves = group.leaves.clone();
        let mut slot_of = |leaf: LeafRef| match leaves.iter().position(|&known| known == leaf) {
            Some(slot) => slot as u32,
            None => {
                leaves.push(leaf);
                leaves.len() as u32 - 1
            }
        };
        let mut number = |arg, component| graph.leaf(slot_of(LeafRef::Param { arg, component }), Kind::Num);
        let params = group
            .args
            .iter()
            .enumerate()
            .map(|(arg, kind)| (0..kind.dim).map(|component| number(arg, component)).collect())
            .collect();
        let roots = rebuilt(graph, &group.expr);
        Derivation { graph, group, columns, leaves, params, roots }
    }

    fn roots(&self, wanted: Wanted) -> Vec<Scalar<'g>> {
        match wanted {
            Wanted::Cost => vec![self.cost()],
            Wanted::Residuals => self.roots.clone(),
            Wanted::Gradient => [vec![self.cost()], self.slopes(self.cost())].concat(),
            Wanted::Jacobian => {
                let rows = self.roots.iter().flat_map(|&root| self.slopes(root));
                self.roots.iter().copied().chain(rows).collect()
            }
            Wanted::Weighted => self.weighted(),
            Wanted::Normal => self.normal(),
            Wanted::Hessian => {
                let slopes = self.slopes(self.cost());
                let rows = slopes.iter().enumerate().flat_map(|(i, &slope)| self.slopes(slope).split_off(i));
                let upper: Vec<Scalar<'g>> = rows.collect();
                [vec![self.cost()], slopes, upper].concat()
            }
        }
    }

    /// What an instance adds to the cost.
    fn cost(&self) -> Scalar<'g> {
        match self.group.term {
            Term::Energy => self.roots[0],
            Term::Residuals(loss) => loss.rho(self.squared_norm()) * 0.5,
        }
    }

    fn squared_norm(&self) -> Scalar<'g> {
        sum(self.graph, self.roots.iter().map(|&root| root * root))
    }

    /// Derivatives of `root` by all columns.
    fn slopes(&self, root: Scalar<'g>) -> Vec<Scalar<'g>> {
        let moving = || self.columns.first.iter().enumerate().filter(|(_, first)| first.is_some());
        let numbers: Vec<Scalar<'g>> = moving().flat_map(|(arg, _)| self.params[arg].iter().copied()).collect();
        let mut ambient = gradient(root, &numbers).into_iter();
        let mut slopes = Vec::with_capacity(self.columns.n);
        for (arg, _) in moving() {
            let kind = self.group.args[arg];
            let own: Vec<Scalar<'g>> = ambient.by_ref().take(kind.dim).collect();
            match kind.manifold.basis(&self.params[arg]) {
                None => slopes.extend(own),
                Some(basis) => slopes.extend((0..kind.tangent_dim()).map(|col| {
                    let terms =
                        own.iter().zip(&basis).filter_map(|(&slope, row)| row[col].map(|entry| times(slope, entry)));
                    sum(self.graph, terms)
                })),
            }
        }
        slopes
    }

    /// How much the loss weighs the squares of an instance's residuals; none if they are taken as they are.
    fn weight(&self, loss: Loss) -> Option<Scalar<'g>> {
        // The slope of the loss by a stand-in for the squared norm, then by the norm itself.
        let s = self.squared_norm();
        (!loss.is_squared()).then(|| gradient(loss.rho(s), &[s])[0])
    }

    /// The Jacobian as least squares see it.
    fn weighted(&self) -> Vec<Scalar<'g>> {
        let Term::Residuals(loss) = self.group.term else { return Vec::new() };
        let slopes: Vec<Scalar<'g>> = self.roots.iter().flat_map(|&root| self.slopes(root)).collect();
        match self.weight(loss) {
            None => slopes,
            Some(weight) => {
                let factor = weight.maximum(weight.zero()).sqrt();
                slopes.into_iter().map(|slope| times(factor, slope)).collect()
            }
        }
    }

    /// Cost, gradient and Gauss-Newton matrix; an energy has no such matrix, and gives zeros.
    fn normal(&self) -> Vec<Scalar<'g>> {
        let n = self.columns.n;
        let Term::Residuals(loss) = self.group.term else {
            let zeros = vec![self.graph.num(0.0); n * (n + 1) / 2];
            return [vec![self.cost()], self.slopes(self.cost()), zeros].concat();
        };
        let rows: Vec<Vec<Scalar<'g>>> = self.roots.iter().map(|&root| self.slopes(root)).collect();
        let dot = |i: usize, j: usize| sum(self.graph, rows.iter().map(|row| times(row[i], row[j])));
        let along = |i: usize| sum(self.graph, rows.iter().zip(&self.roots).map(|(row, &root)| times(row[i], root)));
        let weight = self.weight(loss);
        let weighted = |value: Scalar<'g>| weight.map_or(value, |weight| weight * value);
        let mut out = vec![self.cost()];
        out.extend((0..n).map(|i| weighted(along(i))));
        out.extend((0..n).flat_map(|i| (i..n).map(move |j| (i, j))).map(|(i, j)| weighted(dot(i, j))));
        out
    }
}

/// The expressions of a signature, built again in `graph` with the same leaf slots.
pub(super) fn rebuilt<'g>(graph: &'g Graph, expr: &Signature) -> Vec<Scalar<'g>> {
    let mut built: Vec<Scalar<'g>> = Vec::with_capacity(expr.nodes.len());
    for node in &expr.nodes {
        let made = match *node {
            Node::Leaf { slot, scalar } => graph.leaf(slot, scalar),
            Node::Param { slot, scalar } => graph.param(slot, scalar),
            Node::Const(value) => graph.constant(value),
            Node::Op { op, .. } => {
                let args: Vec<Scalar<'g>> = node.args().iter().map(|arg| built[arg.index()]).collect();
                graph.apply(op, &args)
            }
        };
        built.push(made);
    }
    expr.roots.iter().map(|&root| built[root as usize]).collect()
}

/// Whether an expression is 0 whatever its arguments.
fn is_zero(x: Scalar<'_>) -> bool {
    x.constant().is_some_and(|value| value.to_f64() == 0.0)
}

/// A product that is 0 if a factor is: a derivative that does not exist stays out of sums, whatever it would be multiplied by.
fn times<'g>(a: Scalar<'g>, b: Scalar<'g>) -> Scalar<'g> {
    if is_zero(a) || is_zero(b) { a.zero() } else { a * b }
}

/// The sum of terms, without those that are 0 whatever their arguments; 0 if there are none.
fn sum<'g>(graph: &'g Graph, terms: impl Iterator<Item = Scalar<'g>>) -> Scalar<'g> {
    terms.filter(|&term| !is_zero(term)).reduce(|sum, term| sum + term).unwrap_or_else(|| graph.num(0.0))
}
