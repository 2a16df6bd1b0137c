//! Adding many instances of one residual function at once.

use super::group::{ArgKind, Canonical, Source, Term, canonical};
use super::{Params, Problem};
use crate::graph::{Quaternion, Scalar, Vec2, Vec3, Vec4};
use crate::loss::Loss;
use tilework_core::dtype::Scalar as Kind;
use tilework_core::expr::{Graph, Id};
use tilework_core::{Error, Result};

/// Instances of one residual function: what each of them reads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Family<'a> {
    /// Name in telemetry and errors.
    pub name: &'a str,
    /// Argument `k` of instance `i` is block `indices[i]` of the set.
    pub params: &'a [(Params, &'a [u32])],
    /// Datum `k` of instance `i` is `values[i·dim..][..dim]`, given with its `dim`.
    pub data: &'a [(usize, &'a [f64])],
    /// How much residuals count.
    pub loss: Loss,
}

/// What a residual function sees of an instance: expressions instead of numbers.
#[derive(Debug)]
pub struct Instance<'g> {
    graph: &'g Graph,
    params: Vec<Vec<Scalar<'g>>>,
    data: Vec<Vec<Scalar<'g>>>,
}

impl<'g> Instance<'g> {
    /// The graph the expressions belong to.
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// A number that is part of the function.
    pub fn num(&self, value: f64) -> Scalar<'g> {
        self.graph.num(value)
    }

    /// The numbers of argument `k`; none if there is no such argument.
    pub fn param(&self, k: usize) -> &[Scalar<'g>] {
        self.params.get(k).map_or(&[], Vec::as_slice)
    }

    /// The numbers of datum `k`; none if there is no such datum.
    pub fn datum(&self, k: usize) -> &[Scalar<'g>] {
        self.data.get(k).map_or(&[], Vec::as_slice)
    }

    /// Argument `k` as a vector; numbers that it does not have are 0.
    pub fn vec2(&self, k: usize) -> Vec2<'g> {
        let [x, y] = self.first(self.param(k));
        Vec2 { x, y }
    }

    /// Argument `k` as a vector; numbers that it does not have are 0.
    pub fn vec3(&self, k: usize) -> Vec3<'g> {
        let [x, y, z] = self.first(self.param(k));
        Vec3 { x, y, z }
    }

    /// Argument `k` as a vector; numbers that it does not have are 0.
    pub fn vec4(&self, k: usize) -> Vec4<'g> {
        let [x, y, z, w] = self.first(self.param(k));
        Vec4 { x, y, z, w }
    }

    /// Argument `k` as a quaternion `w, x, y, z`; numbers that it does not have are 0.
    pub fn quaternion(&self, k: usize) -> Quaternion<'g> {
        let [w, x, y, z] = self.first(self.param(k));
        Quaternion { w, x, y, z }
    }

    /// The first numbers of a list, with zeros where it is too short.
    pub fn first<const N: usize>(&self, numbers: &[Scalar<'g>]) -> [Scalar<'g>; N] {
        std::array::from_fn(|k| numbers.get(k).copied().unwrap_or(self.graph.num(0.0)))
    }
}

impl Problem {
    /// Adds one residual function for many instances. `residual` is called once, with expressions; the kernel made of it runs
    /// over all of them.
    pub fn add_residuals(
        &mut self,
        family: Family<'_>,
        residual: impl for<'g> FnOnce(&Instance<'g>) -> Vec<Scalar<'g>>,
    ) -> Result<()> {
        family.loss.check()?;
        self.add(family, Term::Residuals(family.loss), residual)
    }

    /// Adds an energy for many instances: the cost grows by the sum of it. Its loss is not used.
    pub fn add_energy(
        &mut self,
        family: Family<'_>,
        energy: impl for<'g> FnOnce(&Instance<'g>) -> Scalar<'g>,
    ) -> Result<()> {
        self.add(family, Term::Energy, |instance| vec![energy(instance)])
    }

    fn add(
        &mut self,
        family: Family<'_>,
        term: Term,
        function: impl for<'g> FnOnce(&Instance<'g>) -> Vec<Scalar<'g>>,
    ) -> Result<()> {
        let n_instances = self.checked_instances(&family)?;
        let graph = Graph::new();
        let mut sources = Vec::new();
        let instance = self.instance(&graph, &family, &mut sources)?;
        let roots: Vec<Id> = function(&instance).iter().map(|root| root.cast(Kind::Num).id()).collect();
        if roots.is_empty() {
            return Err(Error::argument(family.name, "the function gave no residual"));
        }
        let found = canonical(family.name, &graph, &roots, &sources)?;
        self.append(&family, term, n_instances, found)
    }

    /// The expressions of an instance, and where each leaf slot comes from.
    fn instance<'g>(&self, graph: &'g Graph, family: &Family<'_>, sources: &mut Vec<Source>) -> Result<Instance<'g>> {
        let mut leaf = |source: Source| {
            sources.push(source);
            graph.leaf(sources.len() as u32 - 1, Kind::Num)
        };
        let mut params = Vec::new();
        for (arg, &(set, _)) in family.params.iter().enumerate() {
            let dim = self.set(family.name, set)?.dim;
            params.push((0..dim).map(|component| leaf(Source::Param { arg, component })).collect());
        }
        let mut first_column = 0;
        let mut data = Vec::new();
        for &(dim, _) in family.data {
            data.push((0..dim).map(|k| leaf(Source::Datum { column: first_column + k })).collect());
            first_column += dim;
        }
        Ok(Instance { graph, params, data })
    }

    /// How many instances a family has, all its lists agreeing.
    fn checked_instances(&self, family: &Family<'_>) -> Result<usize> {
        let name = family.name;
        let mut counts = Vec::new();
        for (arg, &(set, indices)) in family.params.iter().enumerate() {
            let n_blocks = self.set(name, set)?.n_blocks;
            if let Some(&index) = indices.iter().find(|index| **index as usize >= n_blocks) {
                let message = format!("argument {arg} wants block {index} of {n_blocks}");
                return Err(Error::shape(name, message));
            }
            counts.push(indices.len());
        }
        for (k, &(dim, values)) in family.data.iter().enumerate() {
            if dim == 0 || !values.len().is_multiple_of(dim) {
                return Err(Error::shape(name, format!("datum {k}: {} numbers, {dim} to an instance", values.len())));
            }
            if let Some(at) = values.iter().position(|value| !value.is_finite()) {
                let message = format!("datum {k} of instance {} is {}", at / dim, values[at]);
                return Err(Error::argument(name, message));
            }
            counts.push(values.len() / dim);
        }
        let n_instances = counts.first().copied().unwrap_or(0);
        if counts.iter().any(|&count| count != n_instances) {
            return Err(Error::shape(name, format!("lists of instances differ in length: {counts:?}")));
        }
        if n_instances > u32::MAX as usize / 1024 {
            return Err(Error::argument(name, format!("{n_instances} instances are too many")));
        }
        Ok(n_instances)
    }

    fn append(&mut self, family: &Family<'_>, term: Term, n_instances: usize, found: Canonical) -> Result<()> {
        let (used_args, used_columns) = (found.args.clone(), found.columns.clone());
        let sets: Vec<Params> = used_args.iter().map(|&arg| family.params[arg].0).collect();
        let kinds = sets.iter().map(|&set| self.arg_kind(family.name, set)).collect::<Result<Vec<_>>>()?;
        let first_blocks: Vec<u32> = sets.iter().map(|set| self.sets[set.0].first_block as u32).collect();
        let column_of = columns(family.data);
        let group = self.group(family.name, term, found, kinds);
        for (position, &arg) in used_args.iter().enumerate() {
            let indices = family.params[arg].1;
            group.blocks[position].extend(indices.iter().map(|index| index + first_blocks[position]));
        }
        for (position, &column) in used_columns.iter().enumerate() {
            let (datum, k) = column_of[column];
            let (dim, values) = family.data[datum];
            group.data[position].extend(values.iter().skip(k).step_by(dim));
        }
        group.n_instances += n_instances;
        Ok(())
    }

    pub(super) fn arg_kind(&self, op: &str, params: Params) -> Result<ArgKind> {
        let set = self.set(op, params)?;
        Ok(ArgKind { dim: set.dim, manifold: set.manifold })
    }
}

/// The datum and the number within it behind each column.
fn columns(data: &[(usize, &[f64])]) -> Vec<(usize, usize)> {
    data.iter().enumerate().flat_map(|(datum, &(dim, _))| (0..dim).map(move |k| (datum, k))).collect()
}
