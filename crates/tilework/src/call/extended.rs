//! Methods of operations beyond the core: a module without those operations is without these rows.

use super::{Method, method};
use tilework_ops::ops::rope::{FREQUENCY_ATTRIBUTES, RopeFrequencies};
use tilework_ops::ops::sort::Order;

#[rustfmt::skip] // One row per method.
pub(super) static METHODS: &[Method] = &[
    method("rope_frequencies", 0, FREQUENCY_ATTRIBUTES, |c, g| Ok(c.device.rope_frequencies(&RopeFrequencies::from_attributes(g)?))),
    Method { name: "concat", n_inputs: None, attributes: &["axis"], run: |c, g| Ok(c.device.concat(&c.list(), g.axis("axis")?)) },
    Method { name: "stack", n_inputs: None, attributes: &["axis"], run: |c, g| Ok(c.device.stack(&c.list(), g.axis("axis")?)) },
    method("dot", 2, &[], |c, _| Ok(c.x().dot(&c.arrays[1]))),
    method("vdot", 2, &[], |c, _| Ok(c.x().vdot(&c.arrays[1]))),
    method("argmin", 1, &["axis"], |c, g| Ok(g.integer("axis")?.map_or_else(|| c.x().argmin_flat(), |axis| c.x().argmin(axis)))),
    method("argmax", 1, &["axis"], |c, g| Ok(g.integer("axis")?.map_or_else(|| c.x().argmax_flat(), |axis| c.x().argmax(axis)))),
    method("take", 2, &["axis"], |c, g| Ok(c.x().take(&c.arrays[1], g.axis("axis")?))),
    method("cumsum", 1, &["axis"], |c, g| Ok(c.x().cumsum(g.axis("axis")?))),
    method("cumprod", 1, &["axis"], |c, g| Ok(c.x().cumprod(g.axis("axis")?))),
    method("cummax", 1, &["axis"], |c, g| Ok(c.x().cummax(g.axis("axis")?))),
    method("cummin", 1, &["axis"], |c, g| Ok(c.x().cummin(g.axis("axis")?))),
    method("argsort", 1, &["axis", "order"], |c, g| {
        let orders = [("ascending", Order::Ascending), ("descending", Order::Descending)];
        Ok(c.x().argsort_in(g.axis("axis")?, g.choice("order", &orders, Some(Order::Ascending))?))
    }),
    method("histogram", 1, &["n_bins", "low", "high"], |c, g| {
        Ok(c.x().histogram(g.size("n_bins")?, g.number("low")?, g.number("high")?))
    }),
];
