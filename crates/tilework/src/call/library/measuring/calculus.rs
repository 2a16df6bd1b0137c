//! Rows of calculus on samples, and of windows.

use super::{given_array, number_if_given};
use crate::array::Array;
use crate::call::library::{AXES, AXIS, Function, says};
use crate::call::{Call, Input};
use crate::numpy::{ConvolveMode, EdgeOrder, GradientOptions, InterpOptions, SampleSpacing};
use tilework_core::{Error, Result};
use tilework_ops::attrs::{AttrKind, Attribute, Given};

const ORDER: Attribute = Attribute::optional("n", AttrKind::Size, "how many times; 1 unless told");
const EDGE_ORDER: Attribute =
    Attribute::optional("edge_order", AttrKind::Size, "1 or 2: slopes at the ends from two or three samples");
const SAMPLE_GAP: Attribute = Attribute::optional("dx", AttrKind::Number, "distance of samples; 1 unless told");
const MODE: Attribute = Attribute::optional(
    "mode",
    AttrKind::Choice(&["full", "same", "valid"]),
    "wherever rows overlap, as many as the longer row has, or where the shorter lies within the longer",
);
const N_POINTS: Attribute = Attribute::required("n", AttrKind::Size, "number of points");
const BETA: Attribute = Attribute::required("beta", AttrKind::Number, "how narrow it is");
const ENDS: &[Attribute] = &[
    Attribute::optional("left", AttrKind::Number, "value left of all points; that of the first unless told"),
    Attribute::optional("right", AttrKind::Number, "value right of all points; that of the last unless told"),
    Attribute::optional("period", AttrKind::Number, "after which coordinates repeat"),
];

#[rustfmt::skip] // One row per function.
pub(in crate::call::library) static FUNCTIONS: &[Function] = &[
    Function::one("diff", &["x", "prepend?", "append?"], &[ORDER, AXIS], says!("Differences of neighbors along an axis, the last unless told. An empty array stands for an input that is left out."), |c, g| {
        let (n, axis) = (g.size_if_given("n")?.unwrap_or(1), g.integer("axis")?.unwrap_or(-1));
        let number = |index: usize| typed(c, index);
        let (before, after) = (number(1), number(2));
        Ok(c.x().diff_between(before.as_ref(), after.as_ref(), n, axis))
    }),
    Function::one("ediff1d", &["x", "to_begin?", "to_end?"], &[], says!("Differences of neighbors of the flattened array, with other numbers before and after."), |c, _| {
        Ok(c.x().ediff1d(given_array(c, 1), given_array(c, 2)))
    }),
    Function::many("gradient", &["x", "spacing…"], &[AXES, EDGE_ORDER], &["slopes…"], says!("Slopes along each axis. A spacing is a number or an array of coordinates: one for all axes, or one for each."), gradient),
    Function::one("interp", &["x", "xp", "fp"], ENDS, says!("Linear interpolation between points at ascending coordinates."), |c, g| {
        let options = InterpOptions { left: number_if_given(g, "left")?, right: number_if_given(g, "right")?, period: number_if_given(g, "period")? };
        Ok(c.x().interp(&c.arrays[1], &c.arrays[2], &options))
    }),
    Function::one("trapezoid", &["x", "at?"], &[SAMPLE_GAP, AXIS], says!("Integral by trapezoids along an axis, the last unless told, between samples at coordinates or a distance apart."), |c, g| {
        let axis = g.integer("axis")?.unwrap_or(-1);
        Ok(match c.optional(1) {
            Some(at) => c.x().trapezoid_at(at, axis),
            None => c.x().trapezoid(g.number_or("dx", 1.0)?, axis),
        })
    }),
    Function::one("convolve", &["x", "v"], &[MODE], says!("Convolution of two rows; full unless told."), |c, g| {
        Ok(c.x().convolve(&c.arrays[1], g.choice("mode", &ConvolveMode::ALL, Some(ConvolveMode::Full))?))
    }),
    Function::one("correlate", &["x", "v"], &[MODE], says!("Correlation of two rows; valid unless told."), |c, g| {
        Ok(c.x().correlate(&c.arrays[1], g.choice("mode", &ConvolveMode::ALL, Some(ConvolveMode::Valid))?))
    }),
    Function::one("bartlett", &[], &[N_POINTS], says!("A triangle."), |c, g| Ok(c.device.bartlett(g.size("n")?))),
    Function::one("blackman", &[], &[N_POINTS], says!("Blackman's window."), |c, g| Ok(c.device.blackman(g.size("n")?))),
    Function::one("hamming", &[], &[N_POINTS], says!("Hamming's window."), |c, g| Ok(c.device.hamming(g.size("n")?))),
    Function::one("hann", &[], &[N_POINTS], says!("The same as hanning."), |c, g| Ok(c.device.hanning(g.size("n")?))),
    Function::one("hanning", &[], &[N_POINTS], says!("Hann's window."), |c, g| Ok(c.device.hanning(g.size("n")?))),
    Function::one("kaiser", &[], &[N_POINTS, BETA], says!("Kaiser's window."), |c, g| Ok(c.device.kaiser(g.size("n")?, g.number("beta")?))),
];

/// Input `index`, if it was given; a number in the type of the first input.
fn typed(call: &Call<'_>, index: usize) -> Option<Array> {
    match call.inputs.get(index) {
        Some(&Input::Number(number)) => Some(call.device.full_of((), number, call.x().dtype())),
        _ => given_array(call, index).cloned(),
    }
}

fn gradient(call: &Call<'_>, given: &Given<'_>) -> Result<Vec<Array>> {
    let edges = match given.integer("edge_order")?.unwrap_or(1) {
        1 => EdgeOrder::First,
        2 => EdgeOrder::Second,
        order => return Err(Error::argument("gradient", format!("edge_order is 1 or 2, not {order}"))),
    };
    let spacing = call.inputs[1..].iter().map(|input| match input {
        Input::Number(h) => SampleSpacing::Even(*h),
        Input::Array(coordinates) => SampleSpacing::Coordinates(coordinates.clone()),
    });
    call.x().gradient(&GradientOptions { spacing: spacing.collect(), axes: given.integers("axes")?, edges })
}
