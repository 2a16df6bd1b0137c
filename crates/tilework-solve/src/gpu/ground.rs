//! What every solver on a device stands on: the cost and its gradient at a point, and the point a step leads to.

use super::evaluator::push_groups;
use super::kernels::GroupSlots;
use super::lists::{Lists, PARTIALS, REDUCE, n_partials, push_copy, push_partial_sums};
use super::number::{self, element};
use super::passes::{Passes, SINGLE, upload};
use super::plus::Movers;
use super::tables::Tables;
use crate::evaluate::{Compiled, Wanted};
use tilework_core::Result;
use tilework_core::emit::{Element, Precision};
use tilework_gpu::{Buffer, Gpu};

pub(crate) const REDUCE_MAX: &str = tilework_core::wgsl!("wgsl/reduce_max.wgsl");
const MEASURE_VALUES: &str = tilework_core::wgsl!("wgsl/measure_values.wgsl");
const SELECT: &str = tilework_core::wgsl!("wgsl/select.wgsl");

/// A problem on a device.
#[derive(Debug)]
pub(crate) struct Ground {
    pub(crate) compiled: Compiled,
    pub(crate) tables: Tables,
    pub(crate) lists: Lists,
    movers: Vec<Movers>,
    /// Of parameters, costs and gradients.
    pub(crate) precision: Precision,
    data: Buffer,
}

impl Ground {
    pub(crate) fn new(gpu: &Gpu, mut compiled: Compiled, n_values: usize, precision: Precision) -> Result<Ground> {
        number::check(gpu, precision)?;
        compiled.prepare(Wanted::Gradient);
        let tables = Tables::new(&compiled, n_values)?;
        Ok(Ground {
            lists: Lists::upload(gpu, &compiled, &tables)?,
            movers: Movers::upload(gpu, &compiled)?,
            data: upload(gpu, &precision.to_bytes(&tables.data))?,
            compiled,
            tables,
            precision,
        })
    }

    /// Adds what groups compute of `wanted`, which must have been prepared, in `precision`; `data` are the instances' numbers in it.
    pub(crate) fn push_groups<'a>(
        &'a self,
        passes: &mut Passes<'a>,
        wanted: Wanted,
        (precision, data): (Precision, Option<&'a Buffer>),
        x: usize,
        out: usize,
    ) {
        let data = passes.constant(data.unwrap_or(&self.data));
        let slots = GroupSlots { x, offsets: passes.constant(&self.lists.offsets), data, out };
        push_groups(passes, &self.compiled, &self.tables, wanted, precision, slots);
    }

    /// Gradient at `x` into a slot of its own, and partial sums of the cost.
    pub(crate) fn push_gradient<'a>(&'a self, passes: &mut Passes<'a>, x: usize) -> (usize, usize) {
        let bytes = self.precision.size_bytes();
        let n_instances = self.tables.end.first_instance;
        let parts = passes.temp((n_instances + self.tables.end.first_gradient) * bytes);
        self.push_groups(passes, Wanted::Gradient, (self.precision, None), x, parts);
        let gradient = passes.temp(self.tables.n_directions * bytes);
        self.lists.push_gradient(passes, self.precision, parts, gradient);
        let costs = passes.temp(n_partials(n_instances) * bytes);
        push_partial_sums(passes, self.precision, n_instances, parts, costs);
        (gradient, costs)
    }

    /// The point that `step` leads to from `x`, and how far it is.
    pub(crate) fn push_trial<'a>(
        &'a self,
        passes: &mut Passes<'a>,
        x: usize,
        step: (usize, Element),
    ) -> (usize, usize) {
        let (n, numbers) = (self.tables.n_values, element(self.precision));
        let trial = passes.temp(n * self.precision.size_bytes());
        push_copy(passes, self.precision, n, x, (trial, false));
        for movers in &self.movers {
            movers.push(passes, self.precision, x, step, trial);
        }
        let measures = passes.temp(2 * PARTIALS * 4);
        let builder = number::kernel(self.precision, "measure the way")
            .param("n", n as u32)
            .load("x", x, numbers)
            .load("trial", trial, numbers)
            .store("measures", measures, SINGLE);
        passes.push(builder.file(REDUCE).file(MEASURE_VALUES), n_partials(n));
        (trial, measures)
    }

    /// Adds the pass that takes `n` numbers of slot `trial` if `status` says that the step was accepted, and of slot `old` if not.
    pub(crate) fn push_select(&self, passes: &mut Passes<'_>, n: usize, status: usize, [old, trial, next]: [usize; 3]) {
        let numbers = element(self.precision);
        let builder = number::kernel(self.precision, "take or leave")
            .prelude(&super::status::wgsl())
            .param("n", n as u32)
            .load("x", old, numbers)
            .load("trial", trial, numbers)
            .load("status", status, SINGLE)
            .store("next", next, numbers);
        passes.push(builder.file(SELECT), n.div_ceil(super::lists::LANES));
    }
}
