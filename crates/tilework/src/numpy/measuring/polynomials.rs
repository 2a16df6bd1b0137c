//! Polynomials as rows of coefficients, the highest power first. Leading zeros are coefficients like others: how many there are is only
//! known once they are computed, so results are not trimmed.

use super::convolve::ConvolveMode;
use super::differences::along;
use super::{float, settled};
use crate::array::Array;
use crate::linalg::{self, TriangularSolve};
use tilework_core::dtype::DType;
use tilework_core::{Error, Result};

/// `u = quotient·v + remainder`.
#[derive(Clone)]
pub struct PolyDiv {
    /// The quotient.
    pub quotient: Array,
    /// The remainder: one coefficient less than the divisor has, at least one.
    pub remainder: Array,
}

fn row(op: &str, p: &Array) -> Result<usize> {
    match p.node()?.shape()[..] {
        [n] => Ok(n),
        _ => Err(Error::shape(op, format!("needs a row of coefficients, got {:?}", p.shape()))),
    }
}

impl Array {
    /// Values at `x` of the polynomial with these coefficients, by Horner's rule.
    pub fn polyval(&self, x: &Array) -> Array {
        settled(self, row("polyval", self).map(|n| polyval(self, x, n)))
    }

    /// Sum of two polynomials.
    pub fn polyadd(&self, other: &Array) -> Array {
        settled(self, aligned("polyadd", self, other).map(|[a, b]| a + b))
    }

    /// Difference of two polynomials.
    pub fn polysub(&self, other: &Array) -> Array {
        settled(self, aligned("polysub", self, other).map(|[a, b]| a - b))
    }

    /// Product of two polynomials.
    pub fn polymul(&self, other: &Array) -> Array {
        let checked = row("polymul", self).and_then(|_| row("polymul", other));
        settled(self, checked.map(|_| self.convolve(other, ConvolveMode::Full)))
    }

    /// Quotient and remainder of two polynomials. The first coefficient of the divisor must not be 0.
    pub fn polydiv(&self, divisor: &Array) -> Result<PolyDiv> {
        polydiv(self, divisor)
    }

    /// The `m`-th derivative of a polynomial.
    pub fn polyder(&self, m: usize) -> Array {
        settled(self, row("polyder", self).and_then(|n| polyder(self, m, n)))
    }

    /// The `m`-th integral of a polynomial, with `constants` of integration, the first of the first integral: zeros unless told, one for
    /// all, or `m` of them.
    pub fn polyint(&self, m: usize, constants: Option<&Array>) -> Array {
        settled(self, polyint(self, m, constants))
    }

    /// The polynomial with these roots, whose first coefficient is 1.
    pub fn poly(&self) -> Array {
        settled(self, row("poly", self).map(|_| product_of_roots(&float(self))))
    }

    /// The complex roots of a polynomial, by real, then imaginary part: the eigenvalues of its companion matrix.
    /// How many there are depends on leading zeros, so the coefficients are read first. Zeros at the end give roots 0, which come last.
    pub async fn roots(&self) -> Result<Array> {
        row("roots", self)?;
        let p = float(self);
        let places = p.with_host(|host| (0..host.len()).filter(|&i| host.f64_at(i) != 0.0).collect::<Vec<_>>()).await?;
        let device = p.device();
        let (Some(&first), Some(&last)) = (places.first(), places.last()) else {
            return Ok(device.full_of([0], 0.0, p.dtype().complex()));
        };
        let (n, n_zeros) = (last - first, p.size() - 1 - last);
        let zeros = device.full_of([n_zeros], 0.0, p.dtype().complex());
        if n == 0 {
            return Ok(zeros);
        }
        let (first, last) = (first as isize, last as isize);
        let top = (p.slice(0, first + 1..last + 1) / p.slice(0, first..first + 1)).neg().reshape([1, n]);
        let below = device.eye(n).cast(p.dtype()).slice(0, ..n as isize - 1);
        let values = linalg::eigvals(&device.concat(&[&top, &below], 0));
        Ok(if n_zeros == 0 { values } else { device.concat(&[&values, &zeros], 0) })
    }
}

/// Horner's rule; of many coefficients, in blocks, because each step waits for the one before and a graph should not be that deep.
fn polyval(p: &Array, x: &Array, n: usize) -> Array {
    let dtype = p.dtype().promote(x.dtype());
    let (p, x) = (p.cast(dtype), x.cast(dtype));
    if n <= N_STEPS {
        let at = |k: usize| p.index(0, k as isize);
        let first = if n == 0 { x.full_like(0.0) } else { at(0).broadcast_to(x.shape()) };
        return (1..n).fold(first, |y, k| y * &x + at(k));
    }
    let n_blocks = n.div_ceil(N_STEPS);
    let zeros = p.device().full_of([n_blocks * N_STEPS - n], 0.0, dtype);
    let blocks = p.device().concat(&[&zeros, &p], 0).reshape([n_blocks, N_STEPS]);
    let values: Vec<Array> = (0..n_blocks as isize).map(|k| polyval(&blocks.index(0, k), &x, N_STEPS)).collect();
    let power = (0..N_STEPS.ilog2()).fold(x, |x, _| x.square());
    values.into_iter().reduce(|y, value| y * &power + value).unwrap_or(power)
}

/// Steps of Horner's rule in a block; a power of two.
const N_STEPS: usize = 256;

fn polyder(p: &Array, m: usize, n: usize) -> Result<Array> {
    if m >= n {
        return Ok(p.slice(0, ..0));
    }
    if m > MAX_ORDER {
        return Err(Error::argument("polyder", format!("differentiates up to {MAX_ORDER} times, not {m}")));
    }
    let derived = (0..m).fold(p.clone(), |p, _| {
        let n = p.size();
        let powers = p.device().arange(n - 1) * -1 + (n as i32 - 1);
        p.slice(0, ..-1) * powers.cast(number_type(&p))
    });
    derived.check().map(|()| derived)
}

/// Products of halves, so that the graph stays flat.
fn product_of_roots(roots: &Array) -> Array {
    let (device, dtype, n) = (roots.device(), roots.dtype(), roots.size() as isize);
    if n <= 16 {
        let zero = device.full_of([1], 0.0, dtype);
        return (0..n).fold(device.full_of([1], 1.0, dtype), |p, k| {
            device.concat(&[&p, &zero], 0) - device.concat(&[&zero, &p], 0) * roots.index(0, k)
        });
    }
    let half = |range: crate::array::Range| product_of_roots(&roots.slice(0, range));
    half((..n / 2).into()).convolve(&half((n / 2..).into()), ConvolveMode::Full)
}

/// The type of this array's elements, integers for truth values.
fn number_type(x: &Array) -> DType {
    if x.dtype() == DType::Bool { DType::I32 } else { x.dtype() }
}

/// Both with equally many coefficients, by zeros in front.
fn aligned(op: &str, a: &Array, b: &Array) -> Result<[Array; 2]> {
    let n = row(op, a)?.max(row(op, b)?);
    let fill = |p: &Array| {
        let zeros = p.device().full_of([n - p.size()], 0.0, p.dtype());
        if p.size() == n { p.clone() } else { p.device().concat(&[&zeros, p], 0) }
    };
    Ok([fill(a), fill(b)])
}

fn polyint(p: &Array, m: usize, constants: Option<&Array>) -> Result<Array> {
    row("polyint", p)?;
    if m > MAX_ORDER {
        return Err(Error::argument("polyint", format!("integrates up to {MAX_ORDER} times, not {m}")));
    }
    let mut y = float(p);
    let n_constants = constants.map_or(Ok(0), |given| given.check().map(|()| given.size()))?;
    if constants.is_some() && n_constants != 1 && n_constants != m {
        return Err(Error::shape("polyint", format!("{n_constants} constants for {m} integrals")));
    }
    for k in 0..m {
        let n = y.size();
        let powers = (y.device().arange(n) * -1 + n as i32).cast(y.dtype());
        let constant = match constants {
            None => y.device().full_of([1], 0.0, y.dtype()),
            Some(given) => {
                let at = if n_constants == 1 { 0 } else { k as isize };
                given.flatten().slice(0, at..at + 1).cast(y.dtype())
            }
        };
        y = y.device().concat(&[&(&y / powers), &constant], 0);
    }
    y.check().map(|()| y)
}

/// Derivatives and integrals take one step each.
const MAX_ORDER: usize = 64;

/// The quotient solves a triangular system: coefficient k of `u` is the sum of `v_i·q_(k−i)`, in which the last `q` is that of k.
fn polydiv(u: &Array, v: &Array) -> Result<PolyDiv> {
    let (n_u, n_v) = (row("polydiv", u)?, row("polydiv", v)?);
    if n_v == 0 || n_u == 0 {
        return Err(Error::shape("polydiv", "a polynomial needs coefficients"));
    }
    let dtype = u.dtype().promote(v.dtype()).float();
    let (u, v) = (u.cast(dtype), v.cast(dtype));
    let device = u.device();
    if n_u < n_v {
        return Ok(PolyDiv { quotient: device.full_of([1], 0.0, dtype), remainder: u });
    }
    let n = n_u - n_v + 1;
    let index = device.arange(n);
    let offset = along(&index, 0, 2) - along(&index, 1, 2);
    let is_there = offset.ge(0).and(offset.lt(n_v as i32));
    let factors = is_there.either(v.take(&offset.clamp(0, n_v as i32 - 1).cast(DType::I32), 0), 0.0);
    let quotient = linalg::triangular_solve(&factors, &u.slice(0, ..n as isize), TriangularSolve::lower());
    let remainder = if n_v == 1 {
        device.full_of([1], 0.0, dtype)
    } else {
        (&u - quotient.convolve(&v, ConvolveMode::Full)).slice(0, n as isize..)
    };
    Ok(PolyDiv { quotient, remainder })
}
