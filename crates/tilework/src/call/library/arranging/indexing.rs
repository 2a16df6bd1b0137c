//! Elements picked and replaced by position or by truth.

use super::super::{AXES, AXIS, KEEP_AXES};
use super::{BOUNDS, Function, SHAPE, bounds, later, like, positions_in, says};
use crate::call::Call;
use crate::numpy::arranging::parse_index;
use crate::{Array, DType, Index, TakeOptions};
use tilework_core::{Error, Result};
use tilework_ops::attrs::{AttrKind, Attribute, Given};

const INDEX: Attribute = Attribute::required(
    "index",
    AttrKind::Text,
    "entries as Python has them, such as \"1, ::2, ..., None, @1\", where @k is input k: positions or a mask",
);

#[rustfmt::skip] // One row per function.
pub(super) static FUNCTIONS: &[Function] = &[
    Function::one("get", &["x", "arrays…"], &[INDEX], says!("The elements an index names, in NumPy's way; for masks see get_later."), |c, g| Ok(c.x().get(index(c, g)?))),
    Function::later("get_later", &["x", "arrays…"], &[INDEX], &["y"], says!("Like get, also through masks."), |c, g| later(async move { c.x().get_later(index(c, g)?).await })),
    Function::one("set", &["x", "arrays…", "values"], &[INDEX], says!("A copy in which the elements an index names are values, the last input, which broadcast."),
        |c, g| Ok(c.x().set(index(c, g)?, &c.inputs[c.inputs.len() - 1]))),
    Function::one("add_at", &["x", "arrays…", "values"], &[INDEX], says!("A copy in which values, the last input, were added to the elements an index names, as often as it names them."),
        |c, g| Ok(c.x().add_at(index(c, g)?, &c.inputs[c.inputs.len() - 1]))),
    Function::one("take", &["x", "indices"], &[AXIS, BOUNDS], says!("Elements at positions of an axis, or of all elements in one row."),
        |c, g| Ok(c.x().take_with(&positions_in(c, 1), TakeOptions { axis: g.integer("axis")?, bounds: bounds(g)? }))),
    Function::one("take_along_axis", &["x", "indices"], &[AXIS], says!("For every place of indices, the element it names along an axis and that lies there otherwise."),
        |c, g| Ok(c.x().take_along_axis(&positions_in(c, 1), g.integer("axis")?))),
    Function::one("put", &["x", "indices", "values"], &[BOUNDS], says!("A copy in which the elements at row-major positions are values, repeated as often as needed."),
        |c, g| Ok(c.x().put(&positions_in(c, 1), &c.inputs[2], bounds(g)?))),
    Function::one("put_along_axis", &["x", "indices", "values"], &[AXIS], says!("A copy in which, for every place of indices, the element it names along an axis is that of values there."),
        |c, g| Ok(c.x().put_along_axis(&positions_in(c, 1), &c.inputs[2], g.integer("axis")?))),
    Function::one("place", &["x", "mask", "values"], &[], says!("A copy in which the k-th element for which mask is true is the k-th of values, repeated as often as needed."),
        |c, _| Ok(c.x().place(&c.arrays[1], &c.inputs[2]))),
    Function::one("putmask", &["x", "mask", "values"], &[], says!("A copy in which elements for which mask is true are those of values at the same place, repeated as often as needed."),
        |c, _| Ok(c.x().putmask(&c.arrays[1], &c.inputs[2]))),
    Function::later("compress", &["x", "condition"], &[AXIS], &["y"], says!("The parts of an axis, or of all elements in one row, for which condition is true."),
        |c, g| later(async move { c.x().compress_with(&c.arrays[1], g.integer("axis")?).await })),
    Function::later("extract", &["x", "condition"], &[], &["y"], says!("The elements for which condition is true, in row-major order."), |c, _| later(c.x().extract(&c.arrays[1]))),
    Function::one("choose", &["x", "choices…"], &[BOUNDS], says!("At every place the element of the choice that x names there."),
        |c, g| Ok(c.x().choose(&c.list()[1..], bounds(g)?))),
    Function::one("select_first", &["condition", "choice", "more…"], &[], says!("The element of the first choice whose condition holds: conditions and choices in turn, then what is there where none holds, 0 unless given. NumPy's select."), select_first),
    Function::one("piecewise", &["x", "condition", "value", "more…"], &[], says!("Elements of the type of x, of the value of the last condition that holds: conditions and values in turn, then what is there where none holds, 0 unless given."), piecewise),
    Function::one("where", &["condition", "a", "b"], &[], says!("a where condition holds, else b."), |c, _| Ok(c.x().cast(DType::Bool).select(&c.inputs[1], &c.inputs[2]))),
    Function::later("nonzero", &["x"], &[], &["positions…"], says!("Where elements are not 0: one row of positions for each axis."), |c, _| Box::pin(c.x().nonzero())),
    Function::later("argwhere", &["x"], &[], &["positions"], says!("Where elements are not 0: a row of positions for each of them."), |c, _| later(c.x().argwhere())),
    Function::later("flatnonzero", &["x"], &[], &["positions"], says!("Where elements in row-major order are not 0."), |c, _| later(c.x().flatnonzero())),
    Function::one("count_nonzero", &["x"], &[AXES, KEEP_AXES], says!("How many elements are not 0."), |c, g| Ok(c.x().count_nonzero(g.integers_or_one("axes")?, g.keep_axes()?))),
    Function::one("ravel_multi_index", &["positions…"], &[SHAPE, BOUNDS], says!("Row-major positions in a shape of the elements with these positions along its axes."), |c, g| {
        let positions: Vec<Array> = (0..c.inputs.len()).map(|k| positions_in(c, k)).collect();
        Ok(c.device.ravel_multi_index(&positions.iter().collect::<Vec<_>>(), g.required_counts("shape")?, bounds(g)?))
    }),
    Function::many("unravel_index", &["indices"], &[SHAPE], &["positions…"], says!("Positions along the axes of a shape of the elements with these row-major positions."),
        |c, g| positions_in(c, 0).unravel_index(g.required_counts("shape")?)),
];

fn index(call: &Call<'_>, given: &Given<'_>) -> Result<Vec<Index>> {
    match given.text("index")? {
        Some(text) => parse_index(call.name, text, &call.arrays),
        None => Err(super::needs(given, "the attribute \"index\"")),
    }
}

/// Inputs in turn: conditions and values, and perhaps one more.
fn pairs(inputs: &[Array]) -> (Vec<&Array>, Vec<&Array>) {
    let conditions = inputs.chunks_exact(2).map(|pair| &pair[0]).collect();
    (conditions, inputs.chunks_exact(2).map(|pair| &pair[1]).collect())
}

fn select_first(call: &Call<'_>, _given: &Given<'_>) -> Result<Array> {
    let (conditions, choices) = pairs(&call.arrays);
    match call.inputs.len() % 2 {
        1 => Ok(call.device.select_first(&conditions, &choices, &call.inputs[call.inputs.len() - 1])),
        _ => Ok(call.device.select_first(&conditions, &choices, 0)),
    }
}

fn piecewise(call: &Call<'_>, _given: &Given<'_>) -> Result<Array> {
    let x = call.x();
    let (conditions, values) = pairs(&call.arrays[1..]);
    if conditions.is_empty() {
        return Err(Error::argument("piecewise", "needs a condition and a value"));
    }
    let n = call.inputs.len();
    let otherwise = if n.is_multiple_of(2) { like(call, n - 1, x.dtype()) } else { x.full_like(0.0) };
    let start = otherwise.cast(x.dtype()).broadcast_to(x.shape());
    let step = |whole: Array, (condition, value): (&Array, &Array)| {
        condition.cast(DType::Bool).select(value.cast(x.dtype()), &whole)
    };
    Ok(conditions.into_iter().zip(values).fold(start, step))
}
