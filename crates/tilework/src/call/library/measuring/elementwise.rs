//! Rows of element-wise functions: NumPy's names for rows of the scalar table, and what is made of several of those.

use super::{number_if_given, pair};
use crate::array::Array;
use crate::call::Call;
use crate::call::library::{Function, says};
use crate::numpy::{Closeness, NanEquality};
use tilework_core::dtype::DType;
use tilework_core::expr::ScalarOp;
use tilework_core::{Error, Result};
use tilework_ops::attrs::{AttrKind, Attribute, Given};

macro_rules! aliases {
    (@inputs 1) => { &["x"] };
    (@inputs 2) => { &["x", "y"] };
    (@run 1 $op:ident) => { |c, _| Ok(c.x().map(ScalarOp::$op, &[])) };
    (@run 2 $op:ident) => { |c, _| pair(c).map(|(x, y)| x.map(ScalarOp::$op, &[&y])) };
    ($($name:literal $n:tt $op:ident $says:literal;)*) => {
        &[$(Function::one($name, aliases!(@inputs $n), &[], says!($says), aliases!(@run $n $op)),)*]
    };
}

/// Other names of operations.
pub(in crate::call::library) static ALIASES: &[Function] = aliases! {
    "subtract" 2 Sub "Difference.";
    "multiply" 2 Mul "Product.";
    "divide" 2 Div "Quotient, of floats.";
    "true_divide" 2 Div "Quotient, of floats.";
    "floor_divide" 2 FloorDiv "Quotient rounded down. Integers divided by 0 give 0.";
    "remainder" 2 Rem "Remainder with the sign of the divisor.";
    "mod" 2 Rem "Remainder with the sign of the divisor.";
    "negative" 1 Neg "The element with the other sign.";
    "absolute" 1 Abs "Absolute value.";
    "fabs" 1 Abs "Absolute value.";
    "float_power" 2 Pow "Power, of floats.";
    "reciprocal" 1 Recip "One over the element, of floats.";
    "arcsin" 1 Asin "Inverse sine.";
    "arccos" 1 Acos "Inverse cosine.";
    "arctan" 1 Atan "Inverse tangent.";
    "arctan2" 2 Atan2 "Angle of the point (y, x), from -pi to pi.";
    "arcsinh" 1 Asinh "Inverse hyperbolic sine.";
    "arccosh" 1 Acosh "Inverse hyperbolic cosine.";
    "arctanh" 1 Atanh "Inverse hyperbolic tangent.";
    "equal" 2 Eq "Whether both are equal.";
    "not_equal" 2 Ne "Whether they differ.";
    "less" 2 Lt "Whether the first is smaller.";
    "less_equal" 2 Le "Whether the first is not larger.";
    "greater" 2 Gt "Whether the first is larger.";
    "greater_equal" 2 Ge "Whether the first is not smaller.";
    "logical_and" 2 And "Whether both are true (not 0).";
    "logical_or" 2 Or "Whether one is true (not 0).";
    "logical_xor" 2 Xor "Whether exactly one is true (not 0).";
    "logical_not" 1 Not "Whether the element is false (0).";
    "isnan" 1 IsNan "Whether it is NaN.";
    "isinf" 1 IsInf "Whether it is infinite.";
    "isfinite" 1 IsFinite "Whether it is neither infinite nor NaN.";
    "bitwise_left_shift" 2 ShiftLeft "Bits moved up; zeros follow.";
    "left_shift" 2 ShiftLeft "Bits moved up; zeros follow.";
    "bitwise_right_shift" 2 ShiftRight "Bits moved down; the sign follows.";
    "right_shift" 2 ShiftRight "Bits moved down; the sign follows.";
};

const CLOSENESS: &[Attribute] = &[
    Attribute::optional("rtol", AttrKind::Number, "distance relative to the second number; 1e-5 unless told"),
    Attribute::optional("atol", AttrKind::Number, "absolute distance; 1e-8 unless told"),
    EQUAL_NAN,
];
const EQUAL_NAN: Attribute = Attribute::optional("equal_nan", AttrKind::Truth, "whether NaN equals NaN");
const BOUNDS: &[Attribute] = &[
    Attribute::optional("min", AttrKind::Number, "lowest result, if there is no array of them"),
    Attribute::optional("max", AttrKind::Number, "highest result, if there is no array of them"),
];
const DECIMALS: Attribute =
    Attribute::optional("decimals", AttrKind::Axis, "places after the point; before it if negative");

#[rustfmt::skip] // One row per function.
pub(in crate::call::library) static FUNCTIONS: &[Function] = &[
    Function::one("positive", &["x"], &[], says!("The element itself."), |c, _| Ok(c.x().clone())),
    Function::one("fmod", &["x", "y"], &[], says!("Remainder with the sign of the dividend."), |c, _| two(c, |x, y| x.fmod(y))),
    Function::many("divmod", &["x", "y"], &[], &["quotient", "remainder"], says!("Quotient rounded down, and remainder with the sign of the divisor."), |c, _| {
        pair(c).map(|(x, y)| vec![x.floor_div(&y), x.rem(&y)])
    }),
    Function::one("power", &["x", "y"], &[], says!("Power. Integers to a negative power are truncated."), |c, _| two(c, |x, y| x.power(y))),
    Function::one("logaddexp", &["x", "y"], &[], says!("Logarithm of the sum of exponentials."), |c, _| two(c, |x, y| x.logaddexp(y))),
    Function::one("logaddexp2", &["x", "y"], &[], says!("Logarithm to base 2 of the sum of powers of 2."), |c, _| two(c, |x, y| x.logaddexp2(y))),
    Function::one("fmax", &["x", "y"], &[], says!("The larger one; a number wins against NaN."), |c, _| two(c, |x, y| x.fmax(y))),
    Function::one("fmin", &["x", "y"], &[], says!("The smaller one; a number wins against NaN."), |c, _| two(c, |x, y| x.fmin(y))),
    Function::one("deg2rad", &["x"], &[], says!("Radians of degrees."), |c, _| Ok(c.x().deg2rad())),
    Function::one("radians", &["x"], &[], says!("Radians of degrees."), |c, _| Ok(c.x().deg2rad())),
    Function::one("rad2deg", &["x"], &[], says!("Degrees of radians."), |c, _| Ok(c.x().rad2deg())),
    Function::one("degrees", &["x"], &[], says!("Degrees of radians."), |c, _| Ok(c.x().rad2deg())),
    Function::one("rint", &["x"], &[], says!("Nearest integer, ties to even, as a float."), |c, _| Ok(c.x().round())),
    Function::one("fix", &["x"], &[], says!("Next integer towards zero; integers stay."), |c, _| Ok(c.x().rounded_by(Array::trunc))),
    Function::one("floor", &["x"], &[], says!("Next integer below; integers stay."), |c, _| Ok(c.x().rounded_by(Array::floor))),
    Function::one("ceil", &["x"], &[], says!("Next integer above; integers stay."), |c, _| Ok(c.x().rounded_by(Array::ceil))),
    Function::one("trunc", &["x"], &[], says!("Next integer towards zero; integers stay."), |c, _| Ok(c.x().rounded_by(Array::trunc))),
    Function::one("round", &["x"], &[DECIMALS], says!("To a number of decimals, ties to even; integers stay integers."), around),
    Function::one("around", &["x"], &[DECIMALS], says!("To a number of decimals, ties to even; integers stay integers."), around),
    Function::one("clip", &["x", "low?", "high?"], BOUNDS, says!("Not below the lowest, not above the highest; each may be left out."), clip),
    Function::one("heaviside", &["x", "at_zero"], &[], says!("0 below 0, 1 above, and the second argument at 0."), |c, _| two(c, |x, y| x.heaviside(y))),
    Function::one("signbit", &["x"], &[], says!("Whether there is a minus sign."), |c, _| Ok(c.x().signbit())),
    Function::one("isneginf", &["x"], &[], says!("Whether it is minus infinity."), |c, _| Ok(c.x().isneginf())),
    Function::one("isposinf", &["x"], &[], says!("Whether it is infinity."), |c, _| Ok(c.x().isposinf())),
    Function::one("nextafter", &["x", "y"], &[], says!("The next float in the direction of the second argument."), |c, _| two(c, |x, y| x.nextafter(y))),
    Function::one("spacing", &["x"], &[], says!("Distance to the next float away from 0."), |c, _| Ok(c.x().spacing())),
    Function::many("frexp", &["x"], &[], &["mantissa", "exponent"], says!("Mantissa from 1/2 up to 1, and exponent of 2."), |c, _| Ok(c.x().frexp().to_vec())),
    Function::one("ldexp", &["x", "exponent"], &[], says!("The element times 2 to a whole power."), |c, _| two(c, |x, y| x.ldexp(y))),
    Function::many("modf", &["x"], &[], &["fraction", "whole"], says!("Fraction and whole part."), |c, _| Ok(c.x().modf().to_vec())),
    Function::one("sinc", &["x"], &[], says!("sin(pi x)/(pi x), 1 at 0."), |c, _| Ok(c.x().sinc())),
    Function::one("i0", &["x"], &[], says!("Modified Bessel function of the first kind, order 0."), |c, _| Ok(c.x().i0())),
    Function::one("gcd", &["x", "y"], &[], says!("Greatest common divisor."), |c, _| two(c, |x, y| x.gcd(y))),
    Function::one("lcm", &["x", "y"], &[], says!("Least common multiple."), |c, _| two(c, |x, y| x.lcm(y))),
    Function::one("bitwise_count", &["x"], &[], says!("How many bits of the absolute value are 1."), |c, _| Ok(c.x().bitwise_count())),
    Function::one("bitwise_and", &["x", "y"], &[], says!("Bits that are 1 in both."), |c, _| bits(c, ScalarOp::BitAnd, ScalarOp::And)),
    Function::one("bitwise_or", &["x", "y"], &[], says!("Bits that are 1 in one of them."), |c, _| bits(c, ScalarOp::BitOr, ScalarOp::Or)),
    Function::one("bitwise_xor", &["x", "y"], &[], says!("Bits that differ."), |c, _| bits(c, ScalarOp::BitXor, ScalarOp::Xor)),
    Function::one("bitwise_invert", &["x"], &[], says!("All bits turned over."), |c, _| invert(c)),
    Function::one("bitwise_not", &["x"], &[], says!("All bits turned over."), |c, _| invert(c)),
    Function::one("invert", &["x"], &[], says!("All bits turned over."), |c, _| invert(c)),
    Function::one("isclose", &["x", "y"], CLOSENESS, says!("Whether both are nearly equal."), |c, g| pair(c).and_then(|(x, y)| Ok(x.isclose(&y, &closeness(g)?)))),
    Function::one("allclose", &["x", "y"], CLOSENESS, says!("Whether all elements are nearly equal."), |c, g| pair(c).and_then(|(x, y)| Ok(x.allclose(&y, &closeness(g)?)))),
    Function::one("array_equal", &["x", "y"], &[EQUAL_NAN], says!("Whether shapes and all elements are equal."), |c, g| pair(c).and_then(|(x, y)| Ok(x.array_equal(&y, nan(g)?)))),
    Function::one("array_equiv", &["x", "y"], &[], says!("Whether both broadcast to the same elements."), |c, _| two(c, Array::array_equiv)),
];

fn two(call: &Call<'_>, run: impl FnOnce(&Array, &Array) -> Array) -> Result<Array> {
    pair(call).map(|(x, y)| run(&x, &y))
}

fn around(call: &Call<'_>, given: &Given<'_>) -> Result<Array> {
    let decimals = given.integer("decimals")?.unwrap_or(0).clamp(-400, 400) as i32;
    Ok(call.x().around(decimals))
}

fn clip(call: &Call<'_>, given: &Given<'_>) -> Result<Array> {
    let x = call.x();
    let (low, high) = (number_if_given(given, "min")?, number_if_given(given, "max")?);
    let above = match (call.inputs.get(1), low) {
        (Some(low), _) => x.maximum(low),
        (None, Some(low)) => x.maximum(low),
        (None, None) => x.clone(),
    };
    Ok(match (call.inputs.get(2), high) {
        (Some(high), _) => above.minimum(high),
        (None, Some(high)) => above.minimum(high),
        (None, None) => above,
    })
}

fn nan(given: &Given<'_>) -> Result<NanEquality> {
    Ok(if given.truth_or("equal_nan", false)? { NanEquality::Equal } else { NanEquality::Never })
}

fn closeness(given: &Given<'_>) -> Result<Closeness> {
    Ok(Closeness {
        relative: given.number_or("rtol", 1e-5)?,
        absolute: given.number_or("atol", 1e-8)?,
        nan: nan(given)?,
    })
}

/// An operation on bits, or on truth values if all inputs are such.
fn bits(call: &Call<'_>, of_bits: ScalarOp, of_truths: ScalarOp) -> Result<Array> {
    let (x, y) = pair(call)?;
    let dtype = x.dtype().promote(y.dtype());
    if dtype.is_float() {
        return Err(Error::dtype(
            call.name,
            format!("needs integers or truth values, got {} and {}", x.dtype(), y.dtype()),
        ));
    }
    Ok(x.map(if dtype == DType::Bool { of_truths } else { of_bits }, &[&y]))
}

fn invert(call: &Call<'_>) -> Result<Array> {
    let x = call.x();
    match x.dtype() {
        DType::Bool => Ok(x.not()),
        dtype if dtype.is_float() => {
            Err(Error::dtype(call.name, format!("needs integers or truth values, got {dtype}")))
        }
        _ => Ok(x.bit_not()),
    }
}
