//! Whole numbers, choices by weight, and orders.

use super::{Random, above_zero, size_of_axis};
use crate::array::{Array, Operand};
use tilework_core::dtype::DType;
use tilework_core::shape::{IntoSizes, Shape};
use tilework_core::{Error, Result};
use tilework_ops::graph;
use tilework_ops::ops::random_binomial_counts::RandomBinomial;
use tilework_ops::ops::random_poisson_counts::RandomPoisson;
use tilework_ops::ops::searchsorted::Side;

impl Random {
    /// How many tries it takes until one of probability `p` succeeds, as int32; 0 unless `p` is in (0, 1].
    pub fn geometric(&mut self, shape: impl IntoSizes, p: impl Operand) -> Array {
        let sizes = shape.into_sizes();
        let p = self.parameter("geometric", &sizes, &p);
        let tries = (above_zero(&self.bits(sizes)).log() / (-&p).log1p()).floor() + 1.0;
        p.gt(0.0).and(p.le(1.0)).select(tries.minimum(2_147_483_520.0), 0.0).cast(DType::I32)
    }

    /// Poisson: how many events there are where `rate` are expected, as int32. A rate that is negative or NaN gives −1, one above
    /// 2147000000 the largest int32.
    pub fn poisson(&mut self, shape: impl IntoSizes, rate: impl Operand) -> Array {
        let rate = self.parameter("poisson", &shape.into_sizes(), &rate);
        let state = self.state();
        rate.then(|rate| graph::apply(RandomPoisson, &[state.graph_node()?, rate.clone()]))
    }

    /// Binomial: how many of `n` tries succeed, each with probability `p`, as int32. An `n` that is negative and a `p` that is not in
    /// [0, 1] give −1.
    pub fn binomial(&mut self, shape: impl IntoSizes, n: impl Operand, p: impl Operand) -> Array {
        let sizes = shape.into_sizes();
        let p = self.parameter("binomial", &sizes, &p);
        let n = n.to_node(DType::I32).and_then(|node| {
            let cannot = |error: Error| Error::new(error.kind(), "binomial", error.message());
            graph::expand(&graph::cast(&node, DType::I32), &Shape::new("binomial", sizes)?).map_err(cannot)
        });
        let state = self.state();
        p.then(|p| graph::apply(RandomBinomial, &[state.graph_node()?, n?, p.clone()]))
    }

    /// Elements of `axis` of `array` picked with the probabilities `p`, one for each, with replacement; `shape` takes the axis'
    /// place. Probabilities are divided by their sum.
    pub fn choice_weighted(&mut self, array: &Array, shape: impl IntoSizes, p: &Array, axis: isize) -> Array {
        if let Err(error) = weights_fit("choice", array, p, axis) {
            return Array::new(&self.device, Err(error));
        }
        let steps = p.to_f32().cumsum(0);
        let end = steps.slice(0, -1..);
        let sizes = shape.into_sizes();
        let n: usize = sizes.iter().product();
        let draw = self.uniform([n]) * end;
        // Rounding may reach the end, where the last position that has a probability is meant.
        let last = steps.searchsorted(&steps.slice(0, -1..), Side::Left);
        array.take(&steps.searchsorted(&draw, Side::Right).minimum(last).reshape(sizes), axis)
    }

    /// `n` elements of `axis` of `array`, no position twice, each next one picked with the probabilities `p` of those that are left
    /// (by the order of exponential numbers divided by `p`: Efraimidis and Spirakis, 2006). Needs at least `n` that are above 0:
    /// others come last.
    pub fn choice_weighted_distinct(&mut self, array: &Array, n: usize, p: &Array, axis: isize) -> Array {
        let fits = weights_fit("choice", array, p, axis).and_then(|()| {
            let message = || format!("{n} of {} positions cannot be different", p.size());
            if n <= p.size() { Ok(()) } else { Err(Error::argument("choice", message())) }
        });
        if let Err(error) = fits {
            return Array::new(&self.device, Err(error));
        }
        let p = p.to_f32();
        let times = -above_zero(&self.bits([p.size()])).log() / &p;
        let times = p.gt(0.0).select(times, f64::INFINITY);
        array.take(&times.argsort(0).slice(0, ..n as isize), axis)
    }

    /// The array with the elements along `axis` in a random order, another one for every row.
    pub fn permuted(&mut self, array: &Array, axis: isize) -> Array {
        if let Err(error) = size_of_axis("permuted", array, axis) {
            return Array::new(&self.device, Err(error));
        }
        let last = array.swap_axes(axis, -1);
        let n = last.shape()[last.ndim() - 1];
        let order = self.bits(last.shape()).argsort(-1).reshape([last.size()]);
        let row = self.device.arange(last.size()).floor_div(n.max(1) as f64) * n as f64;
        let moved = last.flatten().take(&(row + order), 0).reshape(last.shape());
        moved.swap_axes(axis, -1)
    }

    /// Random bytes, as uint32 of 0 to 255.
    pub fn bytes(&mut self, n: usize) -> Array {
        self.bits([n]).shift_right(24)
    }
}

fn weights_fit(op: &str, array: &Array, p: &Array, axis: isize) -> Result<()> {
    let size = size_of_axis(op, array, axis)?;
    p.check()?;
    if p.shape() != [size] || size == 0 {
        let message = format!("{:?} is not a probability for each of {size} positions", p.shape());
        return Err(Error::shape(op, message));
    }
    Ok(())
}
