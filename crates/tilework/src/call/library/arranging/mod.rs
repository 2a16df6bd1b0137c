//! Making, cutting, joining, ordering and indexing arrays.

mod creation;
mod indexing;
mod joining;
mod ordering;
mod shaping;

use super::{Awaited, Function, says};
use crate::array::Array;
use crate::call::{Call, Input};
use tilework_core::dtype::DType;
use tilework_core::{Error, Result};
use tilework_ops::attrs::{AttrKind, Attribute, Given};

/// Every table.
pub(super) static TABLES: [&[Function]; 5] =
    [creation::FUNCTIONS, shaping::FUNCTIONS, joining::FUNCTIONS, indexing::FUNCTIONS, ordering::FUNCTIONS];

const fn size(name: &'static str, doc: &'static str) -> Attribute {
    Attribute::required(name, AttrKind::Size, doc)
}

const fn whole(name: &'static str, doc: &'static str) -> Attribute {
    Attribute::optional(name, AttrKind::Axis, doc)
}

const fn wholes(name: &'static str, doc: &'static str) -> Attribute {
    Attribute::optional(name, AttrKind::Axes, doc)
}

const fn number(name: &'static str, doc: &'static str) -> Attribute {
    Attribute::optional(name, AttrKind::Number, doc)
}

const fn truth(name: &'static str, doc: &'static str) -> Attribute {
    Attribute::optional(name, AttrKind::Truth, doc)
}

const SHAPE: Attribute = Attribute::required("shape", AttrKind::Sizes, "sizes of the axes");
const DTYPE: Attribute = Attribute::optional("dtype", AttrKind::Text, "element type");
const K: Attribute = whole("k", "diagonal: 0 is the main one, positive ones lie above it");
const BOUNDS: Attribute = Attribute::optional(
    "mode",
    AttrKind::Choice(&["nearest", "clip", "wrap"]),
    "what happens to positions out of range: they are moved to the nearest end, also those before the start, or start again; nearest unless told",
);

fn dtype_or(given: &Given<'_>, default: DType) -> Result<DType> {
    Ok(crate::call::dtype(given)?.unwrap_or(default))
}

/// A whole number, or `default` if it was left out.
fn whole_or(given: &Given<'_>, name: &str, default: isize) -> Result<isize> {
    Ok(given.integer(name)?.unwrap_or(default))
}

/// Input `index`; a number that stands for a position is an integer.
fn positions_in(call: &Call<'_>, index: usize) -> Array {
    match call.inputs[index] {
        Input::Number(number) if number.fract() == 0.0 => call.device.full_of((), number, DType::I32),
        _ => call.arrays[index].clone(),
    }
}

/// Input `index`; a number takes the type `dtype`, unless it is a fraction that integers could not hold.
fn like(call: &Call<'_>, index: usize, dtype: DType) -> Array {
    match &call.inputs[index] {
        Input::Array(array) => array.clone(),
        number => Array::new(call.device, crate::array::Operand::to_node(number, dtype)),
    }
}

/// The answer of a function that has one result.
fn later<'a>(answer: impl Future<Output = Result<Array>> + 'a) -> Awaited<'a> {
    Box::pin(async move { Ok(vec![answer.await?]) })
}

fn bounds(given: &Given<'_>) -> Result<crate::Bounds> {
    use crate::Bounds;
    let choices = [("nearest", Bounds::Nearest), ("clip", Bounds::Clip), ("wrap", Bounds::Wrap)];
    given.choice("mode", &choices, Some(Bounds::Nearest))
}

fn needs(given: &Given<'_>, what: &str) -> Error {
    Error::argument(given.op(), format!("needs {what}"))
}
