//! Linear algebra by name. A factorization has several parts, of which `part` names one.

use crate::array::Array;
use crate::call::{Method, method};
use crate::linalg::{self, Order, QrMode, Vectors};
use tilework_core::{Error, Result};
use tilework_ops::attrs::Given;
use tilework_ops::ops::triangular_solve;

#[rustfmt::skip] // One row per method.
pub(crate) static METHODS: &[Method] = &[
    method("cholesky", 1, &[], |c, _| Ok(linalg::cholesky(c.x()))),
    method("triangular_solve", 2, &["side", "form", "diagonal"], |c, g| {
        Ok(linalg::triangular_solve(c.x(), &c.arrays[1], triangular_solve::given(g)?))
    }),
    method("cho_solve", 2, &[], |c, _| Ok(linalg::cho_solve(c.x(), &c.arrays[1]))),
    method("solve", 2, &[], |c, _| Ok(linalg::solve(c.x(), &c.arrays[1]))),
    method("solve_positive_definite", 2, &[], |c, _| Ok(linalg::solve_positive_definite(c.x(), &c.arrays[1]))),
    method("lstsq", 2, &["part", "rcond"], |c, g| {
        let parts = linalg::lstsq(c.x(), &c.arrays[1], limit(g, "rcond")?);
        pick(g, &[("x", parts.x), ("residuals", parts.residuals), ("rank", parts.rank), ("s", parts.s)])
    }),
    method("inv", 1, &[], |c, _| Ok(linalg::inv(c.x()))),
    method("pinv", 1, &["rcond"], |c, g| Ok(linalg::pinv(c.x(), limit(g, "rcond")?))),
    method("det", 1, &[], |c, _| Ok(linalg::det(c.x()))),
    method("slogdet", 1, &["part"], |c, g| {
        let parts = linalg::slogdet(c.x());
        pick(g, &[("logabsdet", parts.logabsdet), ("sign", parts.sign)])
    }),
    method("lu", 1, &["part"], |c, g| {
        let parts = linalg::lu(c.x());
        pick(g, &[("p", parts.p), ("l", parts.l), ("u", parts.u)])
    }),
    method("qr", 1, &["part", "mode"], |c, g| {
        let modes = [("reduced", QrMode::Reduced), ("complete", QrMode::Complete)];
        let parts = linalg::qr(c.x(), g.choice("mode", &modes, Some(QrMode::Reduced))?);
        pick(g, &[("q", parts.q), ("r", parts.r)])
    }),
    method("svd", 1, &["part", "vectors"], |c, g| {
        let choices = [("reduced", Vectors::Reduced), ("full", Vectors::Full)];
        let parts = linalg::svd(c.x(), g.choice("vectors", &choices, Some(Vectors::Full))?);
        pick(g, &[("u", parts.u), ("s", parts.s), ("vh", parts.vh)])
    }),
    method("svdvals", 1, &[], |c, _| Ok(linalg::svdvals(c.x()))),
    method("eigh", 1, &["part"], |c, g| eigen(linalg::eigh(c.x()), g)),
    method("eigvalsh", 1, &[], |c, _| Ok(linalg::eigvalsh(c.x()))),
    method("eig", 1, &["part"], |c, g| eigen(linalg::eig(c.x()), g)),
    method("eigvals", 1, &[], |c, _| Ok(linalg::eigvals(c.x()))),
    method("norm", 1, &["order"], |c, g| Ok(linalg::norm(c.x(), order(g)?))),
    method("vector_norm", 1, &["order", "axis"], |c, g| {
        Ok(linalg::vector_norm(c.x(), order(g)?, g.integer("axis")?.unwrap_or(-1)))
    }),
    method("matrix_norm", 1, &["order"], |c, g| Ok(linalg::matrix_norm(c.x(), order(g)?))),
    method("cond", 1, &["order"], |c, g| {
        let order = if g.text("order").is_ok_and(|text| text.is_none()) { Order::P(2.0) } else { order(g)? };
        Ok(linalg::cond(c.x(), order))
    }),
    method("matrix_rank", 1, &["tol"], |c, g| Ok(linalg::matrix_rank(c.x(), limit(g, "tol")?))),
    method("matrix_power", 1, &["n"], |c, g| {
        let n = i32::try_from(g.axis("n")?).map_err(|_| Error::argument("matrix_power", "the power is too large"))?;
        Ok(linalg::matrix_power(c.x(), n))
    }),
    method("trace", 1, &[], |c, _| Ok(linalg::trace(c.x()))),
    method("outer", 2, &[], |c, _| Ok(linalg::outer(c.x(), &c.arrays[1]))),
    method("kron", 2, &[], |c, _| Ok(linalg::kron(c.x(), &c.arrays[1]))),
    method("cross", 2, &[], |c, _| Ok(linalg::cross(c.x(), &c.arrays[1]))),
    method("tensordot", 2, &["axes", "other_axes"], |c, g| {
        Ok(linalg::tensordot(c.x(), &c.arrays[1], g.integers("axes")?, g.integers("other_axes")?))
    }),
];

/// The part that was asked for, the first unless told.
fn pick(given: &Given<'_>, parts: &[(&str, Array)]) -> Result<Array> {
    let indices: Vec<(&str, usize)> = parts.iter().enumerate().map(|(index, (name, _))| (*name, index)).collect();
    Ok(parts[given.choice("part", &indices, Some(0))?].1.clone())
}

fn eigen(parts: linalg::Eigen, given: &Given<'_>) -> Result<Array> {
    pick(given, &[("values", parts.eigenvalues), ("vectors", parts.eigenvectors)])
}

pub(in crate::call) fn limit(given: &Given<'_>, name: &str) -> Result<Option<f64>> {
    let limit = given.number_or(name, f64::NAN)?;
    Ok(if limit.is_nan() { None } else { Some(limit) })
}

/// A name, or a number as text or as it is.
pub(in crate::call) fn order(given: &Given<'_>) -> Result<Order> {
    let Ok(text) = given.text("order") else { return Ok(Order::P(given.number("order")?)) };
    match text {
        None | Some("fro") => Ok(Order::Fro),
        Some("nuc") => Ok(Order::Nuc),
        Some("inf") => Ok(Order::Inf),
        Some("-inf") => Ok(Order::NegInf),
        Some(text) => text.parse().map(Order::P).map_err(|_| {
            Error::argument(given.op(), format!("order must be fro, nuc, inf, -inf or a number, not \"{text}\""))
        }),
    }
}
