//! What is to be minimized: parameters, and residuals or energies over them.
//!
//! Parameters come in sets of *blocks* (the points of a mesh, the cameras of a scene), all blocks of a set having one dimension and one
//! manifold. Residuals come in *groups*: one expression, evaluated for many instances that differ in the blocks and numbers they
//! read. A group is one kernel, whoever added its instances: expressions of the same shape meet by their signature.
//!
//! The cost is `½·Σ ρ(‖r‖²)` over the instances of residuals plus the sum of all energies.

mod add;
mod group;
mod recorder;

pub use add::{Family, Instance};
pub(crate) use group::{Group, LeafRef, Term};
pub use recorder::Recorder;

use crate::manifold::Manifold;
use group::GroupKey;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;
use tilework_core::{Error, Result};

/// Handle to a set of parameter blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Params(pub(crate) usize);

/// Blocks of one dimension.
#[derive(Clone, Debug)]
pub(crate) struct ParamSet {
    pub(crate) dim: usize,
    pub(crate) manifold: Manifold,
    /// Number of its first block among all.
    pub(crate) first_block: usize,
    /// Position of its first number among all.
    pub(crate) first_value: usize,
    pub(crate) n_blocks: usize,
    pub(crate) is_fixed: Vec<bool>,
}

/// Parameters, residuals and energies.
#[derive(Debug, Default)]
pub struct Problem {
    pub(crate) sets: Vec<ParamSet>,
    /// The numbers of all sets, one set after the other.
    pub(crate) values: Vec<f64>,
    /// Lower and upper bound of numbers that have any, by position in `values`.
    pub(crate) bounds: HashMap<usize, (f64, f64)>,
    /// Shared with whatever was compiled of them.
    pub(crate) groups: Vec<Arc<Group>>,
    keys: HashMap<GroupKey, usize>,
}

impl Problem {
    /// Nothing yet.
    pub fn new() -> Problem {
        Problem::default()
    }

    /// Adds a set of blocks of `dim` numbers each, `values` holding one block after the other.
    pub fn add_params(&mut self, dim: usize, values: &[f64]) -> Result<Params> {
        if dim == 0 || !values.len().is_multiple_of(dim) {
            let message = format!("{} numbers do not make blocks of {dim}", values.len());
            return Err(Error::shape("add_params", message));
        }
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            let message = format!("number {} of block {} is {}", at % dim, at / dim, values[at]);
            return Err(Error::argument("add_params", message));
        }
        let n_blocks = values.len() / dim;
        if (self.values.len() + values.len()) > (u32::MAX / 2) as usize {
            return Err(Error::argument("add_params", format!("{} numbers are too many", values.len())));
        }
        self.sets.push(ParamSet {
            dim,
            manifold: Manifold::Euclidean,
            first_block: self.n_blocks(),
            first_value: self.values.len(),
            n_blocks,
            is_fixed: vec![false; n_blocks],
        });
        self.values.extend_from_slice(values);
        Ok(Params(self.sets.len() - 1))
    }

    /// Says where the blocks of a set live. Their values are moved there: a quaternion is normalized. Must come before the
    /// residuals that use the set.
    pub fn set_manifold(&mut self, params: Params, manifold: Manifold) -> Result<()> {
        let set = self.set("set_manifold", params)?;
        manifold.check(set.dim)?;
        let blocks = set.first_block..set.first_block + set.n_blocks;
        let is_used =
            |group: &Arc<Group>| group.blocks.iter().flatten().any(|block| blocks.contains(&(*block as usize)));
        if self.groups.iter().any(is_used) {
            return Err(Error::argument("set_manifold", "these parameters already have residuals"));
        }
        let set = &mut self.sets[params.0];
        set.manifold = manifold;
        let range = set.first_value..set.first_value + set.n_blocks * set.dim;
        for (block, x) in self.values[range].chunks_exact_mut(set.dim).enumerate() {
            if !manifold.project(x) {
                let message = format!("block {block} is {x:?}, which is no point of {manifold:?}");
                return Err(Error::argument("set_manifold", message));
            }
        }
        Ok(())
    }

    /// Blocks that stay as they are.
    pub fn set_fixed(&mut self, params: Params, blocks: &[usize]) -> Result<()> {
        let set = self.set("set_fixed", params)?;
        if let Some(block) = blocks.iter().find(|block| **block >= set.n_blocks) {
            return Err(Error::argument("set_fixed", format!("block {block} of {}", set.n_blocks)));
        }
        let set = &mut self.sets[params.0];
        blocks.iter().for_each(|&block| set.is_fixed[block] = true);
        Ok(())
    }

    /// All blocks of a set are free again.
    pub fn set_free(&mut self, params: Params) -> Result<()> {
        self.set("set_free", params)?;
        self.sets[params.0].is_fixed.fill(false);
        Ok(())
    }

    /// Keeps number `component` of block `block` within `bounds`. Only for parameters that move freely.
    pub fn set_bounds(
        &mut self,
        params: Params,
        block: usize,
        component: usize,
        bounds: RangeInclusive<f64>,
    ) -> Result<()> {
        let set = self.set("set_bounds", params)?;
        let (low, high) = (*bounds.start(), *bounds.end());
        if block >= set.n_blocks || component >= set.dim {
            let message =
                format!("number {component} of block {block}; there are {} blocks of {}", set.n_blocks, set.dim);
            return Err(Error::argument("set_bounds", message));
        }
        if set.manifold != Manifold::Euclidean {
            return Err(Error::argument("set_bounds", format!("blocks on {:?} have no bounds", set.manifold)));
        }
        if low.is_nan() || high.is_nan() || low > high {
            return Err(Error::argument("set_bounds", format!("no number is within {low} and {high}")));
        }
        let at = set.first_value + block * set.dim + component;
        self.bounds.insert(at, (low, high));
        self.values[at] = self.values[at].clamp(low, high);
        Ok(())
    }

    /// The numbers of a set, block after block.
    pub fn values(&self, params: Params) -> &[f64] {
        match self.sets.get(params.0) {
            Some(set) => &self.values[set.first_value..][..set.n_blocks * set.dim],
            None => &[],
        }
    }

    /// The numbers of all sets, one set after the other: what evaluators take.
    pub fn all_values(&self) -> &[f64] {
        &self.values
    }

    /// Replaces the numbers of a set.
    pub fn set_values(&mut self, params: Params, values: &[f64]) -> Result<()> {
        let set = self.set("set_values", params)?;
        let (first, n_values, manifold, dim) = (set.first_value, set.n_blocks * set.dim, set.manifold, set.dim);
        if values.len() != n_values {
            return Err(Error::shape("set_values", format!("{} numbers for {n_values}", values.len())));
        }
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            return Err(Error::argument("set_values", format!("number {at} is {}", values[at])));
        }
        let mut moved = values.to_vec();
        if let Some(block) = moved.chunks_exact_mut(dim).position(|x| !manifold.project(x)) {
            return Err(Error::argument("set_values", format!("block {block} is no point of {manifold:?}")));
        }
        self.values[first..][..n_values].copy_from_slice(&moved);
        Ok(())
    }

    /// Groups of instances: kernels the problem compiles to.
    pub fn n_groups(&self) -> usize {
        self.groups.len()
    }

    /// Instances of all groups.
    pub fn n_instances(&self) -> usize {
        self.groups.iter().map(|group| group.n_instances).sum()
    }

    /// Residuals of all instances; energies do not count.
    pub fn n_residuals(&self) -> usize {
        self.groups.iter().map(|group| group.n_residuals() * group.n_instances).sum()
    }

    pub(crate) fn has_energies(&self) -> bool {
        self.groups.iter().any(|group| group.term == Term::Energy && group.n_instances > 0)
    }

    /// Parameter blocks of all sets.
    pub fn n_blocks(&self) -> usize {
        self.sets.last().map_or(0, |set| set.first_block + set.n_blocks)
    }

    pub(crate) fn set(&self, op: &str, params: Params) -> Result<&ParamSet> {
        self.sets
            .get(params.0)
            .ok_or_else(|| Error::argument(op, format!("there is no set of parameters number {}", params.0)))
    }
}
