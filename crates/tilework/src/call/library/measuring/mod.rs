//! Statistics, element-wise functions, calculus on samples, polynomials, windows, complex numbers and their transforms.

mod calculus;
mod complex;
mod elementwise;
mod missing;
mod polynomials;
mod statistics;

pub(super) use calculus::FUNCTIONS as CALCULUS;
pub(super) use complex::FUNCTIONS as COMPLEX;
pub(super) use elementwise::{ALIASES, FUNCTIONS as ELEMENTWISE};
pub(super) use missing::FUNCTIONS as MISSING;
pub(super) use polynomials::FUNCTIONS as POLYNOMIALS;
pub(super) use statistics::FUNCTIONS as STATISTICS;

use crate::array::{Array, Operand};
use crate::call::{Call, Input};
use tilework_core::Result;
use tilework_core::dtype::DType;
use tilework_ops::attrs::{AttrKind, Attribute, Given};

/// How much is taken off the number of elements in a variance.
const CORRECTION: Attribute =
    Attribute::optional("correction", AttrKind::Number, "what is taken off the number of elements; 0 unless told");

/// The first two inputs; a number takes the type of the array it meets.
fn pair(call: &Call<'_>) -> Result<(Array, Array)> {
    let dtype = |input: &Input| match input {
        Input::Array(array) => array.dtype(),
        Input::Number(_) => DType::F32,
    };
    let [a, b, ..] = call.inputs else { return Ok((call.x().clone(), call.x().clone())) };
    let of = |input: &Input, other: &Input| Array::new(call.device, input.to_node(dtype(other)));
    Ok((of(a, b), of(b, a)))
}

/// Input `index`, if it was given and is not empty: an empty array stands for none where another input follows.
fn given_array<'a>(call: &'a Call<'_>, index: usize) -> Option<&'a Array> {
    call.optional(index).filter(|array| array.size() > 0 || array.check().is_err())
}

/// A number that may be left out.
fn number_if_given(given: &Given<'_>, name: &str) -> Result<Option<f64>> {
    let value = given.number_or(name, f64::NAN)?;
    Ok((!value.is_nan()).then_some(value))
}
