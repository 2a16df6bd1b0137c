//! Rows of polynomials.

use crate::call::Call;
use crate::call::library::{Awaited, Function, says};
use tilework_ops::attrs::{AttrKind, Attribute, Given};

const DEGREE: Attribute = Attribute::required("deg", AttrKind::Size, "degree of the polynomial");
const TIMES: Attribute = Attribute::optional("m", AttrKind::Size, "how many times; 1 unless told");

#[rustfmt::skip] // One row per function.
pub(in crate::call::library) static FUNCTIONS: &[Function] = &[
    Function::one("polyfit", &["x", "y", "w?"], &[DEGREE], says!("Coefficients, highest power first, of the polynomial that fits values best in the sense of least squares."), |c, g| {
        Ok(c.x().polyfit(&c.arrays[1], g.size("deg")?, c.optional(2)))
    }),
    Function::one("polyval", &["p", "x"], &[], says!("Values of a polynomial."), |c, _| Ok(c.x().polyval(&c.arrays[1]))),
    Function::one("polyadd", &["p", "q"], &[], says!("Sum of two polynomials."), |c, _| Ok(c.x().polyadd(&c.arrays[1]))),
    Function::one("polysub", &["p", "q"], &[], says!("Difference of two polynomials."), |c, _| Ok(c.x().polysub(&c.arrays[1]))),
    Function::one("polymul", &["p", "q"], &[], says!("Product of two polynomials."), |c, _| Ok(c.x().polymul(&c.arrays[1]))),
    Function::many("polydiv", &["u", "v"], &[], &["quotient", "remainder"], says!("Quotient and remainder of two polynomials; the remainder has one coefficient less than the divisor."), |c, _| {
        c.x().polydiv(&c.arrays[1]).map(|parts| vec![parts.quotient, parts.remainder])
    }),
    Function::one("polyder", &["p"], &[TIMES], says!("Derivative of a polynomial."), |c, g| Ok(c.x().polyder(g.size_if_given("m")?.unwrap_or(1)))),
    Function::one("polyint", &["p", "k?"], &[TIMES], says!("Integral of a polynomial, with constants of integration."), |c, g| {
        Ok(c.x().polyint(g.size_if_given("m")?.unwrap_or(1), c.optional(1)))
    }),
    Function::one("poly", &["roots"], &[], says!("The polynomial with these roots."), |c, _| Ok(c.x().poly())),
    Function::later("roots", &["p"], &[], &["roots"], says!("Complex roots of a polynomial, by real, then imaginary part, in a last axis of size 2."), roots),
];

fn roots<'a>(call: &'a Call<'a>, _given: &'a Given<'a>) -> Awaited<'a> {
    Box::pin(async move { Ok(vec![call.x().roots().await?]) })
}
