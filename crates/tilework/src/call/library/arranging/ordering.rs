//! Sorting, searching, sets and bits.

use super::super::{AXIS, KEEP_AXES};
use super::{Function, later, like, says, truth, wholes};
use crate::call::Call;
use crate::{Array, BitOrder, Order, Side, SortOptions};
use tilework_core::{Error, Result};
use tilework_ops::attrs::{AttrKind, Attribute, Given};

const LAST_AXIS: Attribute = Attribute::optional("axis", AttrKind::Axis, "axis; the last unless told");
const FLAT: Attribute =
    Attribute::optional("flat", AttrKind::Truth, "whether all elements are one row, instead of an axis");
const DESCENDING: Attribute = truth("descending", "whether the largest comes first");
const STABLE: Attribute = truth("stable", "accepted, and always so");
const ORDER: Attribute =
    Attribute::optional("order", AttrKind::Choice(&["ascending", "descending"]), "the same as descending, by name");
const OUTPUT: Attribute = Attribute::optional(
    "output",
    AttrKind::Choice(&["values", "indices"]),
    "the elements, or their positions along the axis; values unless told",
);
const KTH: Attribute = wholes("kth", "which positions of the sorted axis");
const SIDE: Attribute = Attribute::optional(
    "side",
    AttrKind::Choice(&["left", "right"]),
    "before or after equal elements; left unless told",
);
const BIT_ORDER: Attribute =
    Attribute::optional("bitorder", AttrKind::Choice(&["big", "little"]), "which bit comes first; big unless told");
const INVERT: Attribute = truth("invert", "where it is not, instead");

#[rustfmt::skip] // One row per function.
pub(super) static FUNCTIONS: &[Function] = &[
    Function::one("argmin", &["x"], &[AXIS, KEEP_AXES], says!("Position of the smallest element along an axis, or of all in row-major order."), |c, g| Ok(c.x().argmin_with(g.integer("axis")?, g.keep_axes()?))),
    Function::one("argmax", &["x"], &[AXIS, KEEP_AXES], says!("Position of the largest element along an axis, or of all in row-major order."), |c, g| Ok(c.x().argmax_with(g.integer("axis")?, g.keep_axes()?))),
    Function::one("sort", &["x"], &[LAST_AXIS, FLAT, DESCENDING, STABLE, ORDER, OUTPUT], says!("Elements along an axis in order. Equal elements keep their order; NaN comes last in either order."), |c, g| {
        let sort = g.choice("output", &[("values", Array::sort_with as fn(&Array, SortOptions) -> Array), ("indices", Array::argsort_with)], Some(Array::sort_with))?;
        Ok(sort(c.x(), options(g)?))
    }),
    Function::one("argsort", &["x"], &[LAST_AXIS, FLAT, DESCENDING, STABLE, ORDER], says!("The positions along an axis of the elements in order, the first of equals first."), |c, g| Ok(c.x().argsort_with(options(g)?))),
    Function::one("lexsort", &["keys…"], &[LAST_AXIS], says!("The positions that sort by the last of the keys, equals of it by the one before it, and so on."), |c, g| Ok(c.device.lexsort(&c.list(), g.integer("axis")?.unwrap_or(-1)))),
    Function::one("partition", &["x"], &[KTH, LAST_AXIS, FLAT], says!("Elements along an axis so that those at kth are where a sort puts them: all are sorted."), |c, g| Ok(c.x().partition(&g.integers_or_one("kth")?, options_axis(g)?))),
    Function::one("argpartition", &["x"], &[KTH, LAST_AXIS, FLAT], says!("The positions of the elements of partition."), |c, g| Ok(c.x().argpartition(&g.integers_or_one("kth")?, options_axis(g)?))),
    Function::one("searchsorted", &["sorted", "queries", "sorter?"], &[SIDE], says!("Position in an ascending row, in the order of sorter if there is one, where each query belongs, as int32."), searchsorted),
    Function::later("unique", &["x"], &[], &["values"], says!("The distinct elements in ascending order; NaN is one value, the last."), |c, _| later(async move { Ok(c.x().unique().await?.values) })),
    Function::later("unique_values", &["x"], &[], &["values"], says!("The distinct elements in ascending order, every NaN on its own."), |c, _| later(async move { Ok(c.x().unique_all().await?.values) })),
    Function::later("unique_counts", &["x"], &[], &["values", "counts"], says!("The distinct elements in ascending order, and how often each occurs."), |c, _| Box::pin(async move {
        let found = c.x().unique_all().await?;
        Ok(vec![found.values, found.counts])
    })),
    Function::later("unique_inverse", &["x"], &[], &["values", "inverse"], says!("The distinct elements in ascending order, and where each element is among them."), |c, _| Box::pin(async move {
        let found = c.x().unique_all().await?;
        Ok(vec![found.values, found.inverse])
    })),
    Function::later("unique_all", &["x"], &[], &["values", "indices", "inverse", "counts"], says!("The distinct elements in ascending order, where each occurs first, where each element is among them, and how often each occurs."), |c, _| Box::pin(async move {
        let found = c.x().unique_all().await?;
        Ok(vec![found.values, found.indices, found.inverse, found.counts])
    })),
    Function::one("isin", &["x", "others"], &[INVERT], says!("Where each element is also one of others. NaN is none of them."), isin),
    Function::one("in1d", &["x", "others"], &[INVERT], says!("Like isin, in one row."), |c, g| Ok(isin(c, g)?.flatten())),
    Function::later("intersect1d", &["x", "other"], &[], &["y"], says!("The distinct elements of both, in ascending order."), |c, _| later(c.x().intersect1d(&c.arrays[1]))),
    Function::later("union1d", &["x", "other"], &[], &["y"], says!("The distinct elements of either, in ascending order."), |c, _| later(c.x().union1d(&c.arrays[1]))),
    Function::later("setdiff1d", &["x", "other"], &[], &["y"], says!("The distinct elements that are not in other, in ascending order."), |c, _| later(c.x().setdiff1d(&c.arrays[1]))),
    Function::later("setxor1d", &["x", "other"], &[], &["y"], says!("The distinct elements that are in one of both only, in ascending order."), |c, _| later(c.x().setxor1d(&c.arrays[1]))),
    Function::one("packbits", &["x"], &[AXIS, BIT_ORDER], says!("Eight elements as the bits of one byte, an int32; zeros are added at the end."), |c, g| Ok(c.x().packbits(g.integer("axis")?, bit_order(g)?))),
    Function::one("unpackbits", &["x"], &[AXIS, BIT_ORDER], says!("The bits of bytes, as int32."), |c, g| Ok(c.x().unpackbits(g.integer("axis")?, bit_order(g)?))),
];

fn options_axis(given: &Given<'_>) -> Result<Option<isize>> {
    Ok(if given.truth_or("flat", false)? { None } else { Some(given.integer("axis")?.unwrap_or(-1)) })
}

fn options(given: &Given<'_>) -> Result<SortOptions> {
    let named = given.choice(
        "order",
        &[("ascending", Order::Ascending), ("descending", Order::Descending)],
        Some(Order::Ascending),
    )?;
    given.truth_or("stable", true)?;
    let order = if given.truth_or("descending", false)? { Order::Descending } else { named };
    Ok(SortOptions { axis: options_axis(given)?, order })
}

fn searchsorted(call: &Call<'_>, given: &Given<'_>) -> Result<Array> {
    let side = given.choice("side", &[("left", Side::Left), ("right", Side::Right)], Some(Side::Left))?;
    if call.x().ndim() != 1 {
        call.x().check()?;
        return Err(Error::shape("searchsorted", format!("needs an ascending row, got {:?}", call.x().shape())));
    }
    let queries = like(call, 1, call.x().dtype());
    Ok(match call.optional(2) {
        Some(sorter) => call.x().searchsorted_by(sorter, &queries, side),
        None => call.x().searchsorted(&queries, side),
    })
}

fn isin(call: &Call<'_>, given: &Given<'_>) -> Result<Array> {
    let found = call.x().isin(&like(call, 1, call.x().dtype()));
    Ok(if given.truth_or("invert", false)? { found.not() } else { found })
}

fn bit_order(given: &Given<'_>) -> Result<BitOrder> {
    given.choice("bitorder", &[("big", BitOrder::Big), ("little", BitOrder::Little)], Some(BitOrder::Big))
}
