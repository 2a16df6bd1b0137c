//! Rows of functions that leave NaN out.

use super::statistics::{METHOD, fractions, quantile};
use super::{CORRECTION, number_if_given};
use crate::call::library::{AXES, AXIS, Function, KEEP_AXES, says};
use tilework_ops::attrs::{AttrKind, Attribute};

const SUBSTITUTES: &[Attribute] = &[
    Attribute::optional("nan", AttrKind::Number, "what stands for NaN; 0 unless told"),
    Attribute::optional("posinf", AttrKind::Number, "what stands for infinity; the largest finite number unless told"),
    Attribute::optional(
        "neginf",
        AttrKind::Number,
        "what stands for minus infinity; the lowest finite number unless told",
    ),
];

#[rustfmt::skip] // One row per function.
pub(in crate::call::library) static FUNCTIONS: &[Function] = &[
    Function::one("nansum", &["x"], &[AXES, KEEP_AXES], says!("Sum of what is not NaN."), |c, g| Ok(c.x().nansum(g.integers("axes")?, g.keep_axes()?))),
    Function::one("nanprod", &["x"], &[AXES, KEEP_AXES], says!("Product of what is not NaN."), |c, g| Ok(c.x().nanprod(g.integers("axes")?, g.keep_axes()?))),
    Function::one("nanmin", &["x"], &[AXES, KEEP_AXES], says!("Smallest of what is not NaN."), |c, g| Ok(c.x().nanmin(g.integers("axes")?, g.keep_axes()?))),
    Function::one("nanmax", &["x"], &[AXES, KEEP_AXES], says!("Largest of what is not NaN."), |c, g| Ok(c.x().nanmax(g.integers("axes")?, g.keep_axes()?))),
    Function::one("nanmean", &["x"], &[AXES, KEEP_AXES], says!("Mean of what is not NaN."), |c, g| Ok(c.x().nanmean(g.integers("axes")?, g.keep_axes()?))),
    Function::one("nanvar", &["x"], &[AXES, KEEP_AXES, CORRECTION], says!("Variance of what is not NaN."), |c, g| Ok(c.x().nanvar(g.integers("axes")?, g.number_or("correction", 0.0)?, g.keep_axes()?))),
    Function::one("nanstd", &["x"], &[AXES, KEEP_AXES, CORRECTION], says!("Standard deviation of what is not NaN."), |c, g| Ok(c.x().nanstd(g.integers("axes")?, g.number_or("correction", 0.0)?, g.keep_axes()?))),
    Function::one("nanmedian", &["x"], &[AXES, KEEP_AXES], says!("Median of what is not NaN."), |c, g| Ok(c.x().nanmedian(g.integers("axes")?, g.keep_axes()?))),
    Function::one("nanquantile", &["x", "q"], &[AXES, KEEP_AXES, METHOD], says!("Quantiles of what is not NaN."), |c, g| Ok(c.x().nanquantile(fractions(c), g.integers("axes")?, &quantile(g)?))),
    Function::one("nanpercentile", &["x", "q"], &[AXES, KEEP_AXES, METHOD], says!("Percentiles of what is not NaN."), |c, g| Ok(c.x().nanpercentile(fractions(c), g.integers("axes")?, &quantile(g)?))),
    Function::one("nanargmin", &["x"], &[AXIS], says!("Position of the smallest element that is not NaN; 0 where all are."), |c, g| Ok(c.x().nanargmin(g.integer("axis")?))),
    Function::one("nanargmax", &["x"], &[AXIS], says!("Position of the largest element that is not NaN; 0 where all are."), |c, g| Ok(c.x().nanargmax(g.integer("axis")?))),
    Function::one("nancumsum", &["x"], &[AXIS], says!("Running sums in which NaN counts as 0; of the flattened array without an axis."), |c, g| Ok(c.x().nancumsum(g.integer("axis")?))),
    Function::one("nancumprod", &["x"], &[AXIS], says!("Running products in which NaN counts as 1; of the flattened array without an axis."), |c, g| Ok(c.x().nancumprod(g.integer("axis")?))),
    Function::one("nan_to_num", &["x"], SUBSTITUTES, says!("Other numbers in the place of NaN and infinities."), |c, g| {
        Ok(c.x().nan_to_num(g.number_or("nan", 0.0)?, number_if_given(g, "posinf")?, number_if_given(g, "neginf")?))
    }),
];
