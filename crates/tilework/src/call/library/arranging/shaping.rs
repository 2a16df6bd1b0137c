//! Other shapes and orders of the same elements, and borders around them.

use super::super::AXIS;
use super::{Function, SHAPE, like, says, whole, whole_or, wholes};
use crate::call::Call;
use crate::{Array, Pad, PadMode, Parity};
use tilework_core::{Error, Result};
use tilework_ops::attrs::{AttrKind, Attribute, Given};

const INFERRED: Attribute =
    Attribute::required("shape", AttrKind::Axes, "sizes of the axes; one may be -1, for whatever is left");
const WIDTHS: Attribute = Attribute::required(
    "widths",
    AttrKind::Sizes,
    "one number for all borders, two for before and after every axis, or two for each axis",
);

#[rustfmt::skip] // One row per function.
pub(super) static FUNCTIONS: &[Function] = &[
    Function::many("broadcast_arrays", &["x…"], &[], &["y…"], says!("The arrays in the shape to which all of them broadcast."), |c, _| c.device.broadcast_arrays(&c.list())),
    Function::one("reshape", &["x"], &[INFERRED], says!("The same elements in row-major order under another shape, of which one size may be -1."),
        |c, g| if g.has("shape") { Ok(c.x().reshape_to(g.integers_or_one("shape")?)) } else { Err(super::needs(g, "the attribute \"shape\"")) }),
    Function::one("resize", &["x"], &[SHAPE], says!("The elements in another shape of any size: repeated from the start, or cut off."), |c, g| Ok(c.x().resize(g.required_counts("shape")?))),
    Function::one("ravel", &["x"], &[], says!("One axis."), |c, _| Ok(c.x().flatten())),
    Function::one("expand_dims", &["x"], const { &[AXIS, wholes("axes", "several positions of the result, instead")] }, says!("New axes of size 1 at positions of the result."),
        |c, g| Ok(if g.has("axes") { c.x().expand_all(g.integers("axes")?) } else { c.x().expand_dims(g.axis("axis")?) })),
    Function::one("moveaxis", &["x"], const { &[wholes("source", "axes to move"), wholes("destination", "where each goes")] }, says!("Axes moved to other positions; the others keep their order."),
        |c, g| Ok(c.x().moveaxis(g.integers_or_one("source")?, g.integers_or_one("destination")?))),
    Function::one("rollaxis", &["x"], const { &[AXIS, whole("start", "0 unless told")] }, says!("An axis moved back until it lies before the one at start."),
        |c, g| Ok(c.x().rollaxis(g.axis("axis")?, whole_or(g, "start", 0)?))),
    Function::one("swapaxes", &["x"], const { &[whole("axis1", "an axis"), whole("axis2", "another")] }, says!("Two axes exchanged."), |c, g| Ok(c.x().swap_axes(g.axis("axis1")?, g.axis("axis2")?))),
    Function::one("permute_dims", &["x"], const { &[wholes("axes", "axes in their new order; reversed unless told")] }, says!("Axes in another order."),
        |c, g| Ok(if g.has("axes") { c.x().permute(g.integers("axes")?) } else { c.x().t() })),
    Function::one("matrix_transpose", &["x"], &[], says!("The last two axes exchanged."), |c, _| Ok(c.x().matrix_transpose())),
    Function::one("atleast_1d", &["x"], &[], says!("With at least one axis."), |c, _| Ok(c.x().atleast_1d())),
    Function::one("atleast_2d", &["x"], &[], says!("With at least two axes; a row becomes a matrix of one row."), |c, _| Ok(c.x().atleast_2d())),
    Function::one("atleast_3d", &["x"], &[], says!("With at least three axes."), |c, _| Ok(c.x().atleast_3d())),
    Function::one("fliplr", &["x"], &[], says!("The second axis in reverse."), |c, _| Ok(c.x().fliplr())),
    Function::one("flipud", &["x"], &[], says!("The first axis in reverse."), |c, _| Ok(c.x().flipud())),
    Function::one("roll", &["x"], const { &[wholes("shift", "how far, for each axis or for all"), wholes("axes", "which axes; in row-major order without any")] },
        says!("Elements moved along axes, those that leave at one end coming back at the other."), |c, g| Ok(c.x().roll(g.integers_or_one("shift")?, g.integers_or_one("axes")?))),
    Function::one("rot90", &["x"], const { &[whole("k", "how many quarter turns; 1 unless told"), wholes("axes", "the plane; 0 and 1 unless told")] }, says!("Turned by quarters in the plane of two axes."), rot90),
    Function::one("repeat", &["x"], const { &[Attribute::required("repeats", AttrKind::Sizes, "how often, for all elements or for each of the axis"), AXIS] },
        says!("Each element several times, along an axis or in row-major order."), repeat),
    Function::one("tile", &["x"], const { &[Attribute::required("reps", AttrKind::Sizes, "how often along each axis")] }, says!("The whole array several times along its axes."),
        |c, g| Ok(c.x().tile(g.required_counts("reps")?))),
    Function::one("pad", &["x", "values?"], const { &[WIDTHS, Attribute::optional("mode", AttrKind::Choice(MODES), "what the borders hold; constant unless told"),
        Attribute::optional("parity", AttrKind::Choice(&["even", "odd"]), "for reflect and symmetric: as it is, or as twice the edge minus it; even unless told"),
        Attribute::optional("stat_length", AttrKind::Size, "for maximum, minimum, mean and median: how many elements next to the edge; all unless told")] },
        says!("With borders. values, for constant and linear_ramp, are 0 unless given and broadcast to [n_axes, 2]."), pad),
];

const MODES: &[&str] = &[
    "constant",
    "edge",
    "linear_ramp",
    "maximum",
    "mean",
    "median",
    "minimum",
    "reflect",
    "symmetric",
    "wrap",
    "empty",
];

fn rot90(call: &Call<'_>, given: &Given<'_>) -> Result<Array> {
    let axes = match given.integers("axes")?[..] {
        [] => [0, 1],
        [a, b] => [a, b],
        _ => return Err(Error::argument("rot90", "needs two axes")),
    };
    Ok(call.x().rot90(whole_or(given, "k", 1)?, axes))
}

fn repeat(call: &Call<'_>, given: &Given<'_>) -> Result<Array> {
    let axis = given.integer("axis")?;
    Ok(match given.required_counts("repeats")?[..] {
        [n] => call.x().repeat(n, axis),
        ref counts => call.x().repeat_each(counts, axis),
    })
}

fn pad(call: &Call<'_>, given: &Given<'_>) -> Result<Array> {
    let x = call.x();
    x.check()?;
    let counts = given.required_counts("widths")?;
    let widths = match counts[..] {
        [width] => vec![(width, width)],
        _ if counts.len().is_multiple_of(2) => counts.chunks(2).map(|pair| (pair[0], pair[1])).collect(),
        _ => return Err(Error::argument("pad", format!("widths {counts:?} are no pairs"))),
    };
    let values = || {
        if call.arrays.len() > 1 { like(call, 1, x.dtype()) } else { call.device.full_of((), 0.0, x.dtype()) }
    };
    let parity = given.choice("parity", &[("even", Parity::Even), ("odd", Parity::Odd)], Some(Parity::Even))?;
    let length = given.size_if_given("stat_length")?;
    let mode = match given.text("mode")?.unwrap_or("constant") {
        "constant" => PadMode::Constant(values()),
        "linear_ramp" => PadMode::LinearRamp(values()),
        "edge" => PadMode::Edge,
        "reflect" => PadMode::Reflect(parity),
        "symmetric" => PadMode::Symmetric(parity),
        "wrap" => PadMode::Wrap,
        "maximum" => PadMode::Maximum(length),
        "minimum" => PadMode::Minimum(length),
        "mean" => PadMode::Mean(length),
        "median" => PadMode::Median(length),
        "empty" => PadMode::Empty,
        other => return Err(Error::argument("pad", format!("there is no mode \"{other}\""))),
    };
    Ok(x.pad(&Pad { widths, mode }))
}
