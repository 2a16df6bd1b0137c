//! Linear algebra: the parts of a factorization all at once, norms over any axes.

use crate::array::Array;
use crate::call::extended::linear::{limit, order};
use crate::call::library::{AXES, Function, KEEP_AXES, says};
use crate::linalg::{self, Order, QrMode, Vectors};
use tilework_core::{Error, Result};
use tilework_ops::attrs::{AttrKind, Attribute, Given};

const ORDER: Attribute = Attribute::optional("order", AttrKind::Text, "fro, nuc, inf, -inf or a number");
const RCOND: Attribute =
    Attribute::optional("rcond", AttrKind::Number, "singular values up to this times the largest count as 0");
const VECTORS: Attribute = Attribute::optional(
    "vectors",
    AttrKind::Choice(&["full", "reduced"]),
    "square matrices of vectors (full, unless told), or as many as there are values",
);
const MODE: Attribute = Attribute::optional(
    "mode",
    AttrKind::Choice(&["reduced", "complete"]),
    "how many columns q has; reduced unless told",
);
const N: Attribute =
    Attribute::optional("n", AttrKind::Size, "how many axes are one side of the matrix; 2 unless told");
const ONE_AXIS: Attribute = Attribute::optional("axis", AttrKind::Axis, "a single axis");
const TOL: Attribute = Attribute::optional("tol", AttrKind::Number, "singular values up to this count as 0");
const COUNT: Attribute = Attribute::required("n", AttrKind::Number, "how often; negative for the inverse");

#[rustfmt::skip] // One row per function.
pub(in crate::call::library) static FUNCTIONS: &[Function] = &[
    Function::many("svd", &["x"], &[VECTORS],
        &["u", "s", "vh"], says!("Singular vectors and values, descending: u times the diagonal s times vh is the matrix."),
        |c, g| {
            let choices = [("reduced", Vectors::Reduced), ("full", Vectors::Full)];
            let parts = linalg::svd(c.x(), g.choice("vectors", &choices, Some(Vectors::Full))?);
            together(vec![parts.u, parts.s, parts.vh])
        }),
    Function::one("svdvals", &["x"], &[], says!("Singular values, descending."), |c, _| Ok(linalg::svdvals(c.x()))),
    Function::many("qr", &["x"], &[MODE],
        &["q", "r"], says!("Orthonormal columns times an upper triangle whose diagonal is not negative."),
        |c, g| {
            let modes = [("reduced", QrMode::Reduced), ("complete", QrMode::Complete)];
            let parts = linalg::qr(c.x(), g.choice("mode", &modes, Some(QrMode::Reduced))?);
            together(vec![parts.q, parts.r])
        }),
    Function::many("lu", &["x"], &[], &["p", "l", "u"], says!("A permutation times a lower times an upper triangle, by partial pivoting."),
        |c, _| { let parts = linalg::lu(c.x()); together(vec![parts.p, parts.l, parts.u]) }),
    Function::many("eigh", &["x"], &[], &["eigenvalues", "eigenvectors"], says!("Eigenvalues, ascending, and eigenvectors of symmetric matrices, of which the lower triangle is read."),
        |c, _| { let parts = linalg::eigh(c.x()); together(vec![parts.eigenvalues, parts.eigenvectors]) }),
    Function::one("eigvalsh", &["x"], &[], says!("Eigenvalues of symmetric matrices, ascending."), |c, _| Ok(linalg::eigvalsh(c.x()))),
    Function::many("eig", &["x"], &[], &["eigenvalues", "eigenvectors"], says!("Complex eigenvalues and eigenvectors of square matrices."),
        |c, _| { let parts = linalg::eig(c.x()); together(vec![parts.eigenvalues, parts.eigenvectors]) }),
    Function::one("eigvals", &["x"], &[], says!("Complex eigenvalues of square matrices."), |c, _| Ok(linalg::eigvals(c.x()))),
    Function::many("slogdet", &["x"], &[], &["sign", "logabsdet"], says!("Sign of the determinant and logarithm of its absolute value."),
        |c, _| { let parts = linalg::slogdet(c.x()); together(vec![parts.sign, parts.logabsdet]) }),
    Function::one("det", &["x"], &[], says!("Determinants."), |c, _| Ok(linalg::det(c.x()))),
    Function::one("inv", &["x"], &[], says!("Inverses; infinities or NaN for singular matrices."), |c, _| Ok(linalg::inv(c.x()))),
    Function::one("pinv", &["x"], &[RCOND], says!("Pseudoinverses."), |c, g| Ok(linalg::pinv(c.x(), limit(g, "rcond")?))),
    Function::one("solve", &["x", "b"], &[], says!("What the matrices have to be multiplied by to give b, which is a vector if it has one axis."), |c, _| Ok(linalg::solve(c.x(), &c.arrays[1]))),
    Function::one("cholesky", &["x"], &[], says!("The lower triangle whose product with its transpose is the symmetric positive definite matrix; NaN if it is not."), |c, _| Ok(linalg::cholesky(c.x()))),
    Function::many("lstsq", &["x", "b"], &[RCOND], &["solution", "residuals", "rank", "s"],
        says!("The solution in the sense of least squares, sums of squared residuals, the rank and the singular values."),
        |c, g| {
            let parts = linalg::lstsq(c.x(), &c.arrays[1], limit(g, "rcond")?);
            together(vec![parts.x, parts.residuals, parts.rank, parts.s])
        }),
    Function::one("tensorsolve", &["x", "b"], &[AXES], says!("What x has to be multiplied by, summed over all axes of the solution, to give b."),
        |c, g| Ok(linalg::tensorsolve(c.x(), &c.arrays[1], g.integers("axes")?))),
    Function::one("tensorinv", &["x"], &[N],
        says!("The inverse for tensordot."), |c, g| Ok(linalg::tensorinv(c.x(), g.size_if_given("n")?.unwrap_or(2)))),
    Function::one("norm", &["x"], &[ORDER, AXES, KEEP_AXES], says!("The norm of all elements, of vectors along one axis or of matrices in two."),
        |c, g| Ok(linalg::norm_over(c.x(), given_order(g)?, g.integers("axes")?, g.keep_axes()?))),
    Function::one("vector_norm", &["x"], &[ORDER, AXES, KEEP_AXES, ONE_AXIS],
        says!("The norm of the vectors that all elements along axes make; of order 2 and over all axes unless told."),
        |c, g| {
            let axes = g.integer("axis")?.map_or(g.integers("axes"), |axis| Ok(vec![axis]))?;
            Ok(linalg::vector_norm_over(c.x(), given_order(g)?.unwrap_or_default(), axes, g.keep_axes()?))
        }),
    Function::one("matrix_norm", &["x"], &[ORDER, KEEP_AXES], says!("The norm of the matrices in the last two axes; that of Frobenius unless told."),
        |c, g| Ok(linalg::matrix_norm_over(c.x(), given_order(g)?.unwrap_or_default(), [-2, -1], g.keep_axes()?))),
    Function::one("cond", &["x"], &[ORDER], says!("Condition numbers; by the 2-norm unless told."),
        |c, g| Ok(linalg::cond(c.x(), given_order(g)?.unwrap_or(Order::P(2.0))))),
    Function::one("matrix_rank", &["x"], &[TOL],
        says!("How many singular values are not 0."),
        |c, g| Ok(linalg::matrix_rank(c.x(), limit(g, "tol")?))),
    Function::one("matrix_power", &["x"], &[COUNT],
        says!("The matrix product of n copies."),
        |c, g| {
            let n = i32::try_from(g.axis("n")?).map_err(|_| Error::argument("matrix_power", "the power is too large"))?;
            Ok(linalg::matrix_power(c.x(), n))
        }),
];

/// The parts, or the mistake that all of them carry.
fn together(parts: Vec<Array>) -> Result<Vec<Array>> {
    parts.iter().try_for_each(Array::check)?;
    Ok(parts)
}

/// The order, if one was given.
fn given_order(given: &Given<'_>) -> Result<Option<Order>> {
    let is_absent = given.text("order").is_ok_and(|text| text.is_none());
    if is_absent { Ok(None) } else { order(given).map(Some) }
}
