//! Arrays put together and taken apart.

use super::super::AXIS;
use super::{Function, later, like, says, wholes};
use crate::call::Call;
use crate::{Array, Ends, Range};
use tilework_core::{Error, Result};
use tilework_ops::attrs::{AttrKind, Attribute, Given};

const PARTS: Attribute = Attribute::optional("sections", AttrKind::Size, "how many parts");
const CUTS: Attribute = wholes("indices", "where to cut, instead");
const POSITIONS: Attribute = wholes("positions", "positions in the axis");
const FLAT: Attribute = Attribute::optional(
    "flat",
    AttrKind::Truth,
    "whether all elements are joined in one row, instead of along an axis",
);

#[rustfmt::skip] // One row per function.
pub(super) static FUNCTIONS: &[Function] = &[
    Function::one("concat", &["x…"], &[AXIS, FLAT], says!("Arrays joined along an axis, the first unless told; their types are converted to a common one."), concat),
    Function::one("concatenate", &["x…"], &[AXIS, FLAT], says!("The same as concat."), concat),
    Function::one("hstack", &["x…"], &[], says!("Joined side by side: along the second axis, rows along their only one."), |c, _| Ok(c.device.hstack(&c.list()))),
    Function::one("vstack", &["x…"], &[], says!("Joined one above the other: along the first axis, rows as matrices of one row."), |c, _| Ok(c.device.vstack(&c.list()))),
    Function::one("dstack", &["x…"], &[], says!("Joined along the third axis."), |c, _| Ok(c.device.dstack(&c.list()))),
    Function::one("column_stack", &["x…"], &[], says!("Rows as columns of a matrix; matrices are joined side by side."), |c, _| Ok(c.device.column_stack(&c.list()))),
    Function::one("block", &["x…"], const { &[Attribute::optional("rows", AttrKind::Sizes, "how many of the arrays are in each row of blocks; all in one unless told")] },
        says!("A matrix of blocks: each row of them is joined along the last axis, the results along the one before it."), block),
    Function::one("append", &["x", "values"], &[AXIS], says!("With values at the end of an axis; without one, all elements in one row."),
        |c, g| Ok(c.x().append(&like(c, 1, c.x().dtype()), g.integer("axis")?))),
    Function::one("insert", &["x", "values"], const { &[Attribute::optional("position", AttrKind::Axis, "where all values go"), wholes("positions", "where each goes, instead"), AXIS] },
        says!("With values before elements of an axis, or of all elements in one row."), insert),
    Function::one("delete", &["x"], const { &[POSITIONS, Attribute::optional("start", AttrKind::Axis, "start of a range, instead"),
        Attribute::optional("stop", AttrKind::Axis, "its end"), Attribute::optional("step", AttrKind::Axis, "its step"), AXIS] },
        says!("Without the elements at positions of an axis, or of all elements in one row."), delete),
    Function::many("unstack", &["x"], &[AXIS], &["y…"], says!("The parts of an axis, the first unless told, which disappears."), |c, g| c.x().unstack(g.integer("axis")?.unwrap_or(0))),
    Function::many("split", &["x"], &[PARTS, CUTS, AXIS], &["y…"], says!("Parts of equal size along an axis, or those between positions."), |c, g| {
        let axis = g.integer("axis")?.unwrap_or(0);
        split(c, g, axis, Array::split)
    }),
    Function::many("array_split", &["x"], &[PARTS, CUTS, AXIS], &["y…"], says!("Parts along an axis whose sizes differ by one at most, or those between positions."), |c, g| {
        let axis = g.integer("axis")?.unwrap_or(0);
        split(c, g, axis, Array::array_split)
    }),
    Function::many("hsplit", &["x"], &[PARTS, CUTS], &["y…"], says!("Parts along the second axis, of a row along its only one."), |c, g| split(c, g, isize::from(c.x().ndim() > 1), Array::split)),
    Function::many("vsplit", &["x"], &[PARTS, CUTS], &["y…"], says!("Parts along the first axis of a matrix."), |c, g| { expect_rank(c, 2)?; split(c, g, 0, Array::split) }),
    Function::many("dsplit", &["x"], &[PARTS, CUTS], &["y…"], says!("Parts along the third axis."), |c, g| { expect_rank(c, 3)?; split(c, g, 2, Array::split) }),
    Function::later("trim_zeros", &["x"], const { &[Attribute::optional("trim", AttrKind::Choice(&["fb", "f", "b"]), "where: at the front, the back or both; both unless told")] }, &["y"],
        says!("Without the zeros before the first and after the last other element, along every axis."), |c, g| later(async move {
            c.x().trim_zeros(g.choice("trim", &[("fb", Ends::Both), ("f", Ends::Front), ("b", Ends::Back)], Some(Ends::Both))?).await
        })),
];

fn concat(call: &Call<'_>, given: &Given<'_>) -> Result<Array> {
    let axis = if given.truth_or("flat", false)? { None } else { Some(given.integer("axis")?.unwrap_or(0)) };
    Ok(call.device.concatenate(&call.list(), axis))
}

fn block(call: &Call<'_>, given: &Given<'_>) -> Result<Array> {
    let counts = if given.has("rows") { given.counts("rows")? } else { vec![call.arrays.len()] };
    if counts.iter().try_fold(0usize, |sum, &n| sum.checked_add(n)) != Some(call.arrays.len()) {
        return Err(Error::argument("block", format!("{} arrays are not {counts:?} in rows", call.arrays.len())));
    }
    let mut rest = &call.arrays[..];
    let rows: Vec<Vec<Array>> = counts
        .iter()
        .map(|&n| {
            let (row, after) = rest.split_at(n);
            rest = after;
            row.to_vec()
        })
        .collect();
    Ok(call.device.block(&rows))
}

fn insert(call: &Call<'_>, given: &Given<'_>) -> Result<Array> {
    let (axis, values) = (given.integer("axis")?, like(call, 1, call.x().dtype()));
    Ok(match given.integer("position")? {
        Some(position) => call.x().insert(position, &values, axis),
        None => call.x().insert_each(&given.integers("positions")?, &values, axis),
    })
}

fn delete(call: &Call<'_>, given: &Given<'_>) -> Result<Array> {
    let axis = given.integer("axis")?;
    if given.has("positions") {
        return Ok(call.x().delete(&given.integers_or_one("positions")?, axis));
    }
    let step = given.integer("step")?.unwrap_or(1);
    Ok(call.x().delete_range(Range { start: given.integer("start")?, stop: given.integer("stop")?, step }, axis))
}

fn expect_rank(call: &Call<'_>, n_axes: usize) -> Result<()> {
    call.x().check()?;
    if call.x().ndim() >= n_axes {
        return Ok(());
    }
    Err(Error::shape(call.name, format!("needs at least {n_axes} axes, got {:?}", call.x().shape())))
}

type Split = fn(&Array, usize, isize) -> Result<Vec<Array>>;

fn split(call: &Call<'_>, given: &Given<'_>, axis: isize, equal: Split) -> Result<Vec<Array>> {
    if given.has("indices") {
        return call.x().split_at(&given.integers("indices")?, axis);
    }
    equal(call.x(), given.size("sections")?, axis)
}
