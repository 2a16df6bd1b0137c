//! Products by name, derivatives of whole functions, and random draws.

mod linear;
mod random;

pub(super) use linear::FUNCTIONS as LINEAR;
pub(super) use random::FUNCTIONS as RANDOM;

use super::{AXIS, Function, says};
use crate::linalg::{self, Diagonals};
use tilework_core::{Error, Result};
use tilework_ops::attrs::{AttrKind, Attribute, Given};

const OFFSET: Attribute = Attribute::optional("offset", AttrKind::Number, "columns to the right of the main diagonal");
const SUBSCRIPTS: Attribute = Attribute::required("subscripts", AttrKind::Text, "labels of axes, as \"ij,jk->ik\"");
const FIRST_AXES: Attribute = Attribute::optional("axes", AttrKind::Axes, "axes of x");
const OTHER_AXES: Attribute = Attribute::optional("other_axes", AttrKind::Axes, "axes of the other");
const N: Attribute = Attribute::optional(
    "n",
    AttrKind::Size,
    "instead of axes: how many, the last of x and the first of the other; 2 unless told",
);
const MATRIX_AXES: Attribute =
    Attribute::optional("axes", AttrKind::Axes, "those of rows and columns, the last two unless told");

#[rustfmt::skip] // One row per function.
pub(super) static FUNCTIONS: &[Function] = &[
    Function::one("einsum", &["operands…"], &[SUBSCRIPTS],
        says!("The sum of products that the subscripts describe: \"ij,jk->ik\" is the matrix product, \"ii\" the trace, and ... stands for axes that broadcast. Contracted two at a time in a greedy order."),
        |c, g| Ok(c.device.einsum(subscripts(g)?, &c.list()))),
    Function::one("einsum_path", &["operands…"], &[SUBSCRIPTS],
        says!("The order in which einsum contracts: a row for each step with the positions of two operands, which are taken from the list and whose product is added to its end."),
        |c, g| {
            let path = c.device.einsum_path(subscripts(g)?, &c.list())?;
            let places: Vec<i32> = path.iter().flatten().map(|&place| i32::try_from(place).unwrap_or(i32::MAX)).collect();
            Ok(c.device.array(places, [path.len(), 2]))
        }),
    Function::one("dot", &["x", "other"], &[],
        says!("The sum of products over the last axis of x and the last but one of the other (its only one, if it is a vector); with a single number, the product."),
        |c, _| Ok(c.x().dot(&c.arrays[1]))),
    Function::one("vdot", &["x", "other"], &[], says!("The sum of products of all elements of two arrays of equally many, in row-major order."),
        |c, _| Ok(c.x().vdot(&c.arrays[1]))),
    Function::one("vecdot", &["x", "other"], &[AXIS], says!("The sum of products of vectors along an axis, the last unless told; the other axes broadcast."),
        |c, g| Ok(c.x().vecdot(&c.arrays[1], g.integer("axis")?.unwrap_or(-1)))),
    Function::one("inner", &["x", "other"], &[], says!("The sum of products over the last axis of both."), |c, _| Ok(c.x().inner(&c.arrays[1]))),
    Function::one("outer", &["x", "other"], &[], says!("All products of an element of one with an element of the other."), |c, _| Ok(linalg::outer(c.x(), &c.arrays[1]))),
    Function::one("kron", &["x", "other"], &[], says!("Every element of x times all of the other: sizes of axes multiply."), |c, _| Ok(linalg::kron(c.x(), &c.arrays[1]))),
    Function::one("matvec", &["x", "vectors"], &[], says!("Matrices times vectors; the axes before those of the matrix and the vector broadcast."), |c, _| Ok(c.x().matvec(&c.arrays[1]))),
    Function::one("vecmat", &["x", "matrices"], &[], says!("Vectors times matrices; the axes before those of the vector and the matrix broadcast."), |c, _| Ok(c.x().vecmat(&c.arrays[1]))),
    Function::one("cross", &["x", "other"], &[AXIS], says!("The vector product of vectors of three elements along an axis, the last unless told; the other axes broadcast."),
        |c, g| Ok(linalg::cross_along(c.x(), &c.arrays[1], g.integer("axis")?.unwrap_or(-1)))),
    Function::one("tensordot", &["x", "other"],
        &[FIRST_AXES, OTHER_AXES,
          N],
        says!("The sum of products over axes of x and as many of the other; the remaining axes follow, those of x first."),
        |c, g| {
            let (axes, other_axes) = (g.integers("axes")?, g.integers("other_axes")?);
            let n = g.size_if_given("n")?.or((axes.is_empty() && other_axes.is_empty()).then_some(2));
            let Some(n) = n else { return Ok(linalg::tensordot(c.x(), &c.arrays[1], axes, other_axes)) };
            if n > c.x().ndim() || n > c.arrays[1].ndim() {
                let message = format!("{n} axes of {:?} and {:?}", c.x().shape(), c.arrays[1].shape());
                return Err(Error::shape("tensordot", message));
            }
            let n = n as isize;
            Ok(linalg::tensordot(c.x(), &c.arrays[1], (-n..0).collect::<Vec<_>>(), (0..n).collect::<Vec<_>>()))
        }),
    Function::one("multi_dot", &["arrays…"], &[], says!("The product of all matrices in the order that takes the fewest multiplications; the first and the last may be vectors."),
        |c, _| Ok(linalg::multi_dot(c.device, &c.list()))),
    Function::one("trace", &["x"], &[OFFSET, MATRIX_AXES],
        says!("The sum of a diagonal of the matrices in two axes."),
        |c, g| {
            let axes = match *g.integers("axes")? {
                [] => [-2, -1],
                [rows, columns] => [rows, columns],
                ref axes => return Err(Error::argument("trace", format!("needs two axes, got {axes:?}"))),
            };
            Ok(linalg::trace_of(c.x(), Diagonals { offset: g.integer("offset")?.unwrap_or(0), axes }))
        }),
];

fn subscripts<'a>(given: &Given<'a>) -> Result<&'a str> {
    given.text("subscripts")?.ok_or_else(|| Error::argument("einsum", "needs the attribute \"subscripts\""))
}
