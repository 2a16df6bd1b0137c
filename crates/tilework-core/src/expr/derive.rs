//! Reverse-mode differentiation, symbolically: the gradient is an expression of the same graph.
//!
//! One sweep over the nodes from the root backwards; each operation hands its adjoint to its arguments by the rule in its
//! table row. Because nodes are hash-consed, whatever the forward expression and its gradient have in common is computed
//! once. Differentiating again gives second derivatives.

use super::table::{ScalarOp, scalar_table};
use super::{Expr, Id, Node};
use crate::dtype::Scalar;

/// Derivatives of `root` with respect to each node of `wanted` (0 where it does not depend on it).
pub fn gradient<'g>(root: Expr<'g>, wanted: &[Expr<'g>]) -> Vec<Expr<'g>> {
    let graph = root.graph();
    let one = graph.num(1.0);
    let mut adjoints: Vec<Option<Expr<'g>>> = vec![None; root.id().index() + 1];
    let depends = depends_on(root, wanted);
    adjoints[root.id().index()] = Some(one);
    for index in (0..=root.id().index()).rev() {
        let (Some(adjoint), true) = (adjoints[index], depends[index]) else { continue };
        let id = Id(index as u32);
        let Node::Op { op, .. } = graph.node(id) else { continue };
        let node = graph.node(id);
        let args: Vec<Expr<'g>> = node.args().iter().map(|&arg| graph.expr(arg)).collect();
        if wanted.iter().any(|w| w.id() == id) {
            continue;
        }
        for (arg, given) in args.iter().zip(vjp(op, &args, graph.expr(id), adjoint)) {
            let slot = &mut adjoints[arg.id().index()];
            if arg.scalar() == Scalar::Num && depends[arg.id().index()] {
                *slot = Some(slot.map_or(given, |sum| sum + given));
            }
        }
    }
    wanted.iter().map(|w| adjoints.get(w.id().index()).copied().flatten().unwrap_or(graph.num(0.0))).collect()
}

/// Which nodes up to `root` depend on a wanted node: only those need adjoints.
fn depends_on<'g>(root: Expr<'g>, wanted: &[Expr<'g>]) -> Vec<bool> {
    let graph = root.graph();
    let mut depends = vec![false; root.id().index() + 1];
    for index in 0..depends.len() {
        let id = Id(index as u32);
        depends[index] =
            wanted.iter().any(|w| w.id() == id) || graph.node(id).args().iter().any(|arg| depends[arg.index()]);
    }
    depends
}

macro_rules! define_rules {
    ($d:ident $r:ident; $($Variant:ident $name:ident($($arg:ident),*) $kind:ident { $meaning:expr } { $($rule:expr),* };)*) => {
        /// What each argument of `op` receives when the result's adjoint is `adjoint`; empty if there is no derivative.
        #[allow(unused_variables, reason = "a rule names only what it needs")]
        pub fn vjp<'g>(op: ScalarOp, args: &[Expr<'g>], result: Expr<'g>, adjoint: Expr<'g>) -> Vec<Expr<'g>> {
            let ($d, $r) = (adjoint, result);
            match op {
                $(ScalarOp::$Variant => {
                    let mut args = args.iter().copied();
                    $(let $arg = args.next().unwrap_or(result);)*
                    vec![$($rule),*]
                })*
                ScalarOp::Select => {
                    let zero = adjoint.zero();
                    vec![zero, args[0].select(adjoint, zero), args[0].select(zero, adjoint)]
                }
                _ => Vec::new(),
            }
        }
    };
}
scalar_table!(define_rules);
