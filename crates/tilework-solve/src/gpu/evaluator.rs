//! A problem evaluated on a GPU.

use super::kernels::{GroupSlots, Target, push_group};
use super::lists::{Lists, n_partials, push_partial_sums};
use super::number;
use super::passes::{Passes, Ready, upload};
use super::tables::{Place, Tables};
use crate::evaluate::{Compiled, FIXED, Wanted};
use crate::problem::Problem;
use crate::residuals::Triplets;
use std::collections::HashMap;
use tilework_core::emit::Precision;
use tilework_core::{Error, Result};
use tilework_gpu::{Buffer, Gpu};

/// What a plan gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Answer {
    Residuals,
    Cost,
    Gradient,
    Jacobian,
    Multiply,
    Transposed,
    Diagonal,
}

impl Answer {
    /// What groups compute for it.
    fn wanted(self) -> Wanted {
        match self {
            Answer::Residuals => Wanted::Residuals,
            Answer::Cost => Wanted::Cost,
            Answer::Gradient => Wanted::Gradient,
            Answer::Jacobian => Wanted::Jacobian,
            Answer::Multiply | Answer::Transposed | Answer::Diagonal => Wanted::Weighted,
        }
    }
}

/// A problem whose residuals and derivatives are computed on a GPU, one dispatch for all instances of a group. Sums are gathered by lists
/// in a fixed order: the same numbers on every run.
///
/// `x` holds the numbers of all parameters, set after set, as in the problem.
#[derive(Debug)]
pub struct GpuEvaluator {
    gpu: Gpu,
    precision: Precision,
    compiled: Compiled,
    tables: Tables,
    lists: Lists,
    data: Buffer,
    plans: HashMap<Answer, Ready>,
}

impl GpuEvaluator {
    /// Derives nothing yet, but uploads the lists and numbers of all instances.
    ///
    /// Fails with `TooLarge` if a list does not fit into one buffer of the device.
    pub fn new(gpu: &Gpu, problem: &Problem, precision: Precision) -> Result<GpuEvaluator> {
        number::check(gpu, precision)?;
        let compiled = Compiled::new(problem);
        let tables = Tables::new(&compiled, problem.values.len())?;
        Ok(GpuEvaluator {
            lists: Lists::upload(gpu, &compiled, &tables)?,
            data: upload(gpu, &precision.to_bytes(&tables.data))?,
            gpu: gpu.clone(),
            precision,
            compiled,
            tables,
            plans: HashMap::new(),
        })
    }

    /// Directions in which parameters may move: the length of a gradient.
    pub fn n_directions(&self) -> usize {
        self.tables.n_directions
    }

    /// Residuals of all instances.
    pub fn n_residuals(&self) -> usize {
        self.tables.n_rows
    }

    /// All residuals: group after group, instance after instance.
    pub async fn residuals(&mut self, x: &[f64]) -> Result<Vec<f64>> {
        let found = self.run(Answer::Residuals, x, None).await?;
        Ok(self.by_instance(&found))
    }

    /// The cost.
    pub async fn cost(&mut self, x: &[f64]) -> Result<f64> {
        let partial = self.run(Answer::Cost, x, None).await?;
        Ok(partial.iter().sum())
    }

    /// The cost and its derivatives by all directions.
    pub async fn gradient(&mut self, x: &[f64]) -> Result<(f64, Vec<f64>)> {
        let mut found = self.run(Answer::Gradient, x, None).await?;
        let partial = found.split_off(self.tables.n_directions);
        Ok((partial.iter().sum(), found))
    }

    /// The derivatives of all residuals, not weighted by losses.
    pub async fn jacobian(&mut self, x: &[f64]) -> Result<Triplets> {
        let found = self.run(Answer::Jacobian, x, None).await?;
        let slopes = &found[self.tables.end.first_residual..];
        let mut entries = Vec::new();
        for (group, place) in self.tables.places.iter().enumerate() {
            self.jacobian_of(group, *place, slopes, &mut entries);
        }
        Ok(Triplets { n_rows: self.n_residuals(), n_cols: self.n_directions(), entries })
    }

    /// `J·v` for a step `v`, rows weighted by the square roots of the slopes of losses, in the order of [`Self::residuals`].
    pub async fn multiply(&mut self, x: &[f64], v: &[f64]) -> Result<Vec<f64>> {
        check_len("multiply", v.len(), self.n_directions())?;
        let found = self.run(Answer::Multiply, x, Some(v.to_vec())).await?;
        Ok(self.by_instance(&found))
    }

    /// `Jᵀ·u` for numbers `u` in the order of [`Self::residuals`], weighted likewise.
    pub async fn multiply_transposed(&mut self, x: &[f64], u: &[f64]) -> Result<Vec<f64>> {
        check_len("multiply_transposed", u.len(), self.n_residuals())?;
        let mut by_root = vec![0.0; u.len()];
        self.each_residual(|instance_major, root_major| by_root[root_major] = u[instance_major]);
        self.run(Answer::Transposed, x, Some(by_root)).await
    }

    /// The blocks of `JᵀJ` on the diagonal, weighted likewise: upper triangles by rows, block after block. Blocks of more than 12
    /// directions are cut.
    pub async fn diagonal_blocks(&mut self, x: &[f64]) -> Result<Vec<f64>> {
        self.run(Answer::Diagonal, x, None).await
    }

    async fn run(&mut self, answer: Answer, x: &[f64], vector: Option<Vec<f64>>) -> Result<Vec<f64>> {
        check_len("evaluate", x.len(), self.tables.n_values)?;
        if !self.plans.contains_key(&answer) {
            self.compiled.prepare(answer.wanted());
            let ready = self.plan(answer)?;
            self.plans.insert(answer, ready);
        }
        let x = upload(&self.gpu, &self.precision.to_bytes(x))?;
        let vector = vector.map(|vector| upload(&self.gpu, &self.precision.to_bytes(&vector))).transpose()?;
        let plan = &self.plans[&answer];
        let outputs = plan.run(&self.gpu, std::iter::once(x).chain(vector).collect())?;
        let mut found = Vec::new();
        for (output, &n_bytes) in outputs.iter().zip(&plan.output_bytes) {
            let bytes = self.gpu.read(output, 0, n_bytes as u64).await?;
            found.extend(self.precision.from_bytes(&bytes));
        }
        Ok(found)
    }

    fn plan(&self, answer: Answer) -> Result<Ready> {
        let mut passes = Passes::new(self.gpu.caps());
        let n_bytes = self.precision.size_bytes();
        let (end, n_directions) = (self.tables.end, self.tables.n_directions);
        let n_instances = end.first_instance;
        let x = passes.input(self.tables.n_values * n_bytes);
        match answer {
            Answer::Residuals => {
                let out = passes.output(end.first_residual * n_bytes);
                self.push_groups(&mut passes, answer, x, out);
            }
            Answer::Cost => {
                let costs = passes.temp(n_instances * n_bytes);
                self.push_groups(&mut passes, answer, x, costs);
                let out = passes.output(n_partials(n_instances) * n_bytes);
                push_partial_sums(&mut passes, self.precision, n_instances, costs, out);
            }
            Answer::Gradient => {
                let parts = passes.temp((n_instances + end.first_gradient) * n_bytes);
                self.push_groups(&mut passes, answer, x, parts);
                let gradient = passes.output(n_directions * n_bytes);
                self.lists.push_gradient(&mut passes, self.precision, parts, gradient);
                let out = passes.output(n_partials(n_instances) * n_bytes);
                push_partial_sums(&mut passes, self.precision, n_instances, parts, out);
            }
            Answer::Jacobian => {
                let out = passes.output((end.first_residual + end.first_jacobian) * n_bytes);
                self.push_groups(&mut passes, answer, x, out);
            }
            Answer::Multiply | Answer::Transposed | Answer::Diagonal => self.push_product(&mut passes, answer, x),
        }
        passes.prepare(&self.gpu)
    }

    fn push_product<'a>(&'a self, passes: &mut Passes<'a>, answer: Answer, x: usize) {
        let (n_bytes, n_rows) = (self.precision.size_bytes(), self.n_residuals());
        let n_directions = self.n_directions();
        let jacobian = passes.temp(self.tables.end.first_jacobian * n_bytes);
        self.push_groups(passes, answer, x, jacobian);
        if answer == Answer::Multiply {
            let (vector, out) = (passes.input(n_directions * n_bytes), passes.output(n_rows * n_bytes));
            self.lists.push_multiply(passes, self.precision, [jacobian, vector, out], None);
        } else if answer == Answer::Transposed {
            let (vector, out) = (passes.input(n_rows * n_bytes), passes.output(n_directions * n_bytes));
            self.lists.push_transposed(passes, self.precision, [jacobian, vector, out], None);
        } else {
            let out = passes.output(self.lists.blocks.n_upper * n_bytes);
            self.lists.push_diagonal(passes, self.precision, jacobian, out);
        }
    }

    fn push_groups<'a>(&'a self, passes: &mut Passes<'a>, answer: Answer, x: usize, out: usize) {
        let offsets = passes.constant(&self.lists.offsets);
        let slots = GroupSlots { x, offsets, data: passes.constant(&self.data), out };
        push_groups(passes, &self.compiled, &self.tables, answer.wanted(), self.precision, slots);
    }

    /// Calls `visit` with the position of every residual by instances and by roots.
    fn each_residual(&self, mut visit: impl FnMut(usize, usize)) {
        for place in &self.tables.places {
            for instance in 0..place.n_instances {
                for root in 0..place.n_residuals {
                    let at = place.first_residual;
                    visit(at + instance * place.n_residuals + root, at + root * place.n_instances + instance);
                }
            }
        }
    }

    fn by_instance(&self, by_root: &[f64]) -> Vec<f64> {
        let mut found = vec![0.0; by_root.len()];
        self.each_residual(|instance_major, root_major| found[instance_major] = by_root[root_major]);
        found
    }

    fn jacobian_of(&self, group: usize, place: Place, slopes: &[f64], entries: &mut Vec<(u32, u32, f64)>) {
        let columns = &self.compiled.groups[group].columns;
        for instance in 0..place.n_instances {
            for root in 0..place.n_residuals {
                let row = place.first_residual + instance * place.n_residuals + root;
                for (arg, first) in columns.first.iter().enumerate() {
                    let tangent = self.tables.tangents[place.first_offset + arg * place.n_instances + instance];
                    let Some(first) = first.filter(|_| tangent != FIXED) else { continue };
                    for component in 0..columns.dims[arg] {
                        let column = root * place.n_columns + first + component;
                        let at = place.first_jacobian + column * place.n_instances + instance;
                        entries.push((row as u32, tangent + component as u32, slopes[at]));
                    }
                }
            }
        }
    }
}

/// Adds the passes that evaluate `wanted` for all groups. Costs and residuals of all groups come first in the output.
pub(crate) fn push_groups(
    passes: &mut Passes<'_>,
    compiled: &Compiled,
    tables: &Tables,
    wanted: Wanted,
    precision: Precision,
    slots: GroupSlots,
) {
    for (group, place) in compiled.groups.iter().zip(&tables.places) {
        let target = match wanted {
            Wanted::Cost => Target { n_lead: 1, first_lead: place.first_instance, first: 0 },
            Wanted::Residuals => Target { n_lead: usize::MAX, first_lead: place.first_residual, first: 0 },
            Wanted::Gradient => Target {
                n_lead: 1,
                first_lead: place.first_instance,
                first: tables.end.first_instance + place.first_gradient,
            },
            Wanted::Jacobian => Target {
                n_lead: place.n_residuals,
                first_lead: place.first_residual,
                first: tables.end.first_residual + place.first_jacobian,
            },
            _ => Target { n_lead: 0, first_lead: 0, first: place.first_jacobian },
        };
        if wanted.is_of_residuals() && place.n_residuals == 0 {
            continue;
        }
        push_group(passes, group, wanted, precision, *place, slots, target);
    }
}

fn check_len(op: &str, len: usize, wanted: usize) -> Result<()> {
    if len == wanted { Ok(()) } else { Err(Error::shape(op, format!("{len} numbers for {wanted}"))) }
}
