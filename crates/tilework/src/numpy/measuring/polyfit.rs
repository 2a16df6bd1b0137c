//! Polynomials through points, by least squares.
//!
//! Columns of powers are made orthogonal one after the other (modified Gram and Schmidt, with the values as further columns, which is as
//! stable as Householder's way): this is made of operations that every device has, and differentiable.

use super::differences::along;
use super::settled;
use crate::array::Array;
use crate::linalg::{self, TriangularSolve};
use tilework_core::{Error, Result};

/// More columns than this have no digits left in double precision.
const MAX_DEGREE: usize = 63;

impl Array {
    /// The coefficients, highest power first, of the polynomial of degree `degree` that fits best the values `y` (or columns of them) at
    /// these places; distances are multiplied by `weights` before they are squared.
    pub fn polyfit(&self, y: &Array, degree: usize, weights: Option<&Array>) -> Array {
        settled(self, polyfit(self, y, degree, weights))
    }
}

fn polyfit(x: &Array, y: &Array, degree: usize, weights: Option<&Array>) -> Result<Array> {
    let n = x.node()?.shape().n_elements();
    let fits = x.ndim() == 1 && n > 0 && (1..=2).contains(&y.node()?.shape().rank()) && y.shape()[0] == n;
    if !fits {
        return Err(Error::shape(
            "polyfit",
            format!("needs places in a row with values, got {:?} and {:?}", x.shape(), y.shape()),
        ));
    }
    if degree > MAX_DEGREE || degree >= n {
        return Err(Error::argument("polyfit", format!("{n} points do not determine a polynomial of degree {degree}")));
    }
    let dtype = x.dtype().promote(y.dtype()).float();
    let (x, is_vector) = (x.cast(dtype), y.ndim() == 1);
    let values = if is_vector { along(y, 0, 2) } else { y.clone() }.cast(dtype);
    let mut columns = whole_powers(&x, degree);
    let mut values = values;
    if let Some(weights) = weights {
        if weights.node()?.shape()[..] != [n] {
            return Err(Error::shape("polyfit", format!("weights {:?} for {n} points", weights.shape())));
        }
        let weights = along(&weights.cast(dtype), 0, 2);
        (columns, values) = (columns * &weights, values * &weights);
    }
    let scale = columns.square().sum_keep([0]).sqrt();
    let coefficients = least_squares(&(columns / &scale), &values, degree + 1) / scale.reshape([degree + 1, 1]);
    Ok(if is_vector { coefficients.reshape([degree + 1]) } else { coefficients })
}

/// `x` to the powers `degree` to 0, as columns.
fn whole_powers(x: &Array, degree: usize) -> Array {
    let mut powers = vec![x.full_like(1.0)];
    for k in 0..degree {
        powers.push(&powers[k] * x);
    }
    x.device().stack(&powers.iter().rev().collect::<Vec<_>>(), -1)
}

fn least_squares(columns: &Array, values: &Array, n: usize) -> Array {
    let device = columns.device();
    let mut rest = device.concat(&[columns, values], 1);
    let mut rows = Vec::with_capacity(n);
    for k in 0..n as isize {
        let column = rest.slice(1, k..k + 1);
        let direction = &column / column.square().sum_keep([0]).sqrt();
        let products = (&rest * &direction).sum_keep([0]);
        rest = &rest - &direction * &products;
        rows.push(products);
    }
    let all = device.concat(&rows.iter().collect::<Vec<_>>(), 0);
    linalg::triangular_solve(&all.slice(1, ..n as isize), &all.slice(1, n as isize..), TriangularSolve::upper())
}
