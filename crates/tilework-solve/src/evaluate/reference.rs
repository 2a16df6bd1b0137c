//! What evaluating means, slow and obvious: walk the expression for every instance, operation by operation, and add up. Fast paths are
//! tested against it, and measured against it.

use super::derive::rebuilt;
use super::{Compiled, Wanted};
use crate::problem::LeafRef;
use tilework_core::expr::{Graph, Value, eval_f64};

impl Compiled {
    /// Cost and gradient at `x`.
    pub(crate) fn gradient_by_walking(&mut self, x: &[f64]) -> (f64, Vec<f64>) {
        self.prepare(Wanted::Gradient);
        let (mut cost, mut gradient) = (0.0, vec![0.0; self.layout.n_tangents]);
        for compiled in &self.groups {
            let kernel = compiled.kernel(Wanted::Gradient);
            let graph = Graph::new();
            let roots: Vec<_> = rebuilt(&graph, &kernel.expr).iter().map(|root| root.id()).collect();
            for instance in 0..compiled.group.n_instances {
                let leaf = |slot: u32| match kernel.leaves[slot as usize] {
                    LeafRef::Param { arg, component } => {
                        Value::num(x[compiled.offsets[arg][instance] as usize + component])
                    }
                    LeafRef::Datum { column } => Value::num(compiled.group.data[column][instance]),
                };
                let values = eval_f64(&graph, &roots, &leaf, &|_| Value::num(0.0));
                cost += values[0].to_f64();
                for (arg, first) in compiled.columns.first.iter().enumerate() {
                    let block = self.layout.blocks[compiled.group.blocks[arg][instance] as usize];
                    let Some(first) = first.filter(|_| block.is_free()) else { continue };
                    for component in 0..compiled.columns.dims[arg] {
                        gradient[block.tangent as usize + component] += values[1 + first + component].to_f64();
                    }
                }
            }
        }
        (cost, gradient)
    }
}
