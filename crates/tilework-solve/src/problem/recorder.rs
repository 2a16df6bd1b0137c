//! Adding instances one by one, each with a call of the function.
//!
//! Convenient where instances differ in kind (constraints of a sketch, rings of different sizes): whatever turns out to be the same
//! maths becomes one group.

use super::group::{Source, Term, canonical};
use super::{Params, Problem};
use crate::graph::Scalar;
use crate::loss::Loss;
use std::cell::RefCell;
use std::collections::HashMap;
use tilework_core::dtype::Scalar as Kind;
use tilework_core::expr::{Graph, Id};
use tilework_core::{Error, Result};

/// What a function that is called for every instance makes its expressions from.
pub struct Recorder<'g> {
    graph: &'g Graph,
    problem: &'g Problem,
    taken: RefCell<Taken<'g>>,
}

/// What an instance has taken so far.
#[derive(Default)]
struct Taken<'g> {
    sources: Vec<Source>,
    /// The blocks, by their number among all.
    blocks: Vec<u32>,
    sets: Vec<Params>,
    data: Vec<f64>,
    params: HashMap<u32, Vec<Scalar<'g>>>,
    error: Option<Error>,
}

impl std::fmt::Debug for Recorder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Recorder({} nodes)", self.graph.len())
    }
}

impl<'g> Recorder<'g> {
    /// The graph the expressions belong to.
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// A number that is part of the function: other numbers make other kernels.
    pub fn num(&self, value: f64) -> Scalar<'g> {
        self.graph.num(value)
    }

    /// A number of this instance: other numbers share the kernel.
    pub fn data(&self, value: f64) -> Scalar<'g> {
        let mut taken = self.taken.borrow_mut();
        if !value.is_finite() {
            taken.error.get_or_insert(Error::argument("data", format!("a number of the instance is {value}")));
        }
        let column = taken.data.len();
        taken.data.push(value);
        taken.sources.push(Source::Datum { column });
        self.graph.leaf(taken.sources.len() as u32 - 1, Kind::Num)
    }

    /// The numbers of a block. What does not exist is an error of the whole recording, and zeros here.
    pub fn param(&self, params: Params, block: usize) -> Vec<Scalar<'g>> {
        let mut taken = self.taken.borrow_mut();
        let set = match self.problem.set("param", params) {
            Ok(set) if block < set.n_blocks => set,
            Ok(set) => {
                let message = format!("block {block} of {}", set.n_blocks);
                taken.error.get_or_insert(Error::shape("param", message));
                return vec![self.graph.num(0.0); set.dim];
            }
            Err(error) => {
                taken.error.get_or_insert(error);
                return Vec::new();
            }
        };
        let global = (set.first_block + block) as u32;
        if let Some(known) = taken.params.get(&global) {
            return known.clone();
        }
        let arg = taken.blocks.len();
        taken.blocks.push(global);
        taken.sets.push(params);
        let mut leaf = |component: usize| {
            taken.sources.push(Source::Param { arg, component });
            self.graph.leaf(taken.sources.len() as u32 - 1, Kind::Num)
        };
        let leaves: Vec<Scalar<'g>> = (0..set.dim).map(&mut leaf).collect();
        taken.params.insert(global, leaves.clone());
        leaves
    }
}

/// One recorded instance, ready to join its group.
struct Recorded {
    graph: Graph,
    roots: Vec<Id>,
    sources: Vec<Source>,
    blocks: Vec<u32>,
    sets: Vec<Params>,
    data: Vec<f64>,
}

impl Problem {
    /// Adds residuals by calling `residual` once for every instance. Instances of equal maths become one group.
    pub fn record_residuals(
        &mut self,
        n_instances: usize,
        loss: Loss,
        residual: impl for<'g> Fn(&Recorder<'g>, usize) -> Vec<Scalar<'g>>,
    ) -> Result<()> {
        loss.check()?;
        self.record("recorded residuals", Term::Residuals(loss), n_instances, residual)
    }

    /// Adds an energy by calling `energy` once for every instance.
    pub fn record_energy(
        &mut self,
        n_instances: usize,
        energy: impl for<'g> Fn(&Recorder<'g>, usize) -> Scalar<'g>,
    ) -> Result<()> {
        self.record("recorded energy", Term::Energy, n_instances, |recorder, instance| vec![energy(recorder, instance)])
    }

    fn record(
        &mut self,
        name: &str,
        term: Term,
        n_instances: usize,
        function: impl for<'g> Fn(&Recorder<'g>, usize) -> Vec<Scalar<'g>>,
    ) -> Result<()> {
        // Nothing is added before all of it is known to be right.
        let recorded =
            (0..n_instances).map(|instance| self.recorded(instance, &function)).collect::<Result<Vec<_>>>()?;
        for instance in recorded {
            self.join(name, term, instance)?;
        }
        Ok(())
    }

    fn recorded(
        &self,
        instance: usize,
        function: &impl for<'g> Fn(&Recorder<'g>, usize) -> Vec<Scalar<'g>>,
    ) -> Result<Recorded> {
        let graph = Graph::new();
        let recorder = Recorder { graph: &graph, problem: self, taken: RefCell::default() };
        let roots: Vec<Id> = function(&recorder, instance).iter().map(|root| root.cast(Kind::Num).id()).collect();
        let taken = recorder.taken.into_inner();
        if let Some(error) = taken.error {
            return Err(Error::new(error.kind(), error.op(), format!("instance {instance}: {}", error.message())));
        }
        if roots.is_empty() {
            return Err(Error::argument("record", format!("instance {instance} gave no residual")));
        }
        let Taken { sources, blocks, sets, data, .. } = taken;
        Ok(Recorded { graph, roots, sources, blocks, sets, data })
    }

    fn join(&mut self, name: &str, term: Term, instance: Recorded) -> Result<()> {
        let found = canonical(name, &instance.graph, &instance.roots, &instance.sources)?;
        let kinds =
            found.args.iter().map(|&arg| self.arg_kind(name, instance.sets[arg])).collect::<Result<Vec<_>>>()?;
        let (args, columns) = (found.args.clone(), found.columns.clone());
        let group = self.group(name, term, found, kinds);
        for (position, arg) in args.into_iter().enumerate() {
            group.blocks[position].push(instance.blocks[arg]);
        }
        for (position, column) in columns.into_iter().enumerate() {
            group.data[position].push(instance.data[column]);
        }
        group.n_instances += 1;
        Ok(())
    }
}
