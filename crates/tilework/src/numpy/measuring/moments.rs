//! Averages, spreads, covariances.

use super::{float, settled};
use crate::array::Array;
use tilework_core::shape::{KeepAxes, Shape};
use tilework_core::{Error, Result};

/// What the variables of a covariance are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variables {
    /// Every row is a variable, its elements are observations.
    #[default]
    Rows,
    /// Every column is a variable.
    Columns,
}

/// What is rarely said of a covariance.
#[derive(Clone, Default)]
pub struct CovOptions {
    /// More variables, with as many observations.
    pub others: Option<Array>,
    /// Which axis counts variables.
    pub variables: Variables,
    /// What is taken off the number of observations (NumPy's `ddof`): 1 unless told.
    pub correction: Option<f64>,
    /// How often each observation was made.
    pub frequencies: Option<Array>,
    /// How much each observation weighs.
    pub weights: Option<Array>,
}

impl Array {
    /// Mean along `axes` (all of them if none is named) weighted by `weights`: of this array's shape, or one for each element of a single
    /// axis.
    pub fn average(&self, weights: Option<&Array>, axes: impl AsRef<[isize]>, keep: KeepAxes) -> Array {
        let axes = axes.as_ref();
        let mean = |x: &Array| if keep == KeepAxes::Yes { x.mean_keep(axes) } else { x.mean(axes) };
        match weights {
            None => mean(self),
            Some(weights) => settled(self, weighted(self, weights, axes, keep).map(|(average, _)| average)),
        }
    }

    /// The sum of the weights that [`Array::average`] divides by: the number of elements without weights.
    pub fn average_weights(&self, weights: Option<&Array>, axes: impl AsRef<[isize]>, keep: KeepAxes) -> Array {
        let ones = float(self).full_like(1.0);
        settled(self, weighted(self, weights.unwrap_or(&ones), axes.as_ref(), keep).map(|(_, sum)| sum))
    }

    /// Largest minus smallest element along `axes`; all of them if none is named.
    pub fn ptp(&self, axes: impl AsRef<[isize]>, keep: KeepAxes) -> Array {
        let axes = axes.as_ref();
        match keep {
            KeepAxes::Yes => self.max_keep(axes) - self.min_keep(axes),
            KeepAxes::No => self.max(axes) - self.min(axes),
        }
    }

    /// Covariances of variables with each other; a single number for one variable.
    pub fn cov(&self, options: &CovOptions) -> Array {
        settled(self, covariance(self, options))
    }

    /// Covariances divided by the deviations of both variables, from −1 to 1.
    pub fn corrcoef(&self, options: &CovOptions) -> Array {
        settled(self, covariance(self, options).map(|c| normalized(&c)))
    }
}

fn normalized(c: &Array) -> Array {
    let &[n, _] = c.shape() else { return c / c.abs() };
    let places = c.device().arange(n) * (n as i32 + 1);
    let deviation = c.flatten().take(&places, 0).sqrt();
    let scaled = c / deviation.reshape([n, 1]) / deviation.reshape([1, n]);
    // NaN stays NaN: rounding alone may lead outside.
    scaled.clamp(-1.0, 1.0)
}

/// Weights in a shape that broadcasts against `x`.
fn spread_weights(op: &str, x: &Array, weights: &Array, axes: &[isize]) -> Result<Array> {
    if weights.node()?.shape() == x.node()?.shape() {
        return Ok(weights.clone());
    }
    let shape = Shape::clone(x.node()?.shape());
    let axes = axes.iter().map(|&axis| shape.axis(op, axis)).collect::<Result<Vec<_>>>()?;
    let fits = weights.ndim() == axes.len() && axes.iter().zip(weights.shape()).all(|(&axis, &n)| shape[axis] == n);
    if !fits || axes.is_empty() {
        let message = format!("weights {:?} fit neither {shape} nor its axes {axes:?}", weights.shape());
        return Err(Error::shape(op, message));
    }
    // Axes may be named in any order; those of the weights are brought into that of the array.
    let mut order: Vec<isize> = (0..axes.len() as isize).collect();
    order.sort_by_key(|&k| axes[k as usize]);
    let sizes: Vec<usize> = (0..shape.rank()).map(|axis| if axes.contains(&axis) { shape[axis] } else { 1 }).collect();
    Ok(weights.permute(order).reshape(sizes))
}

fn weighted(x: &Array, weights: &Array, axes: &[isize], keep: KeepAxes) -> Result<(Array, Array)> {
    let dtype = x.dtype().promote(weights.dtype()).float();
    let x = x.cast(dtype);
    let spread = spread_weights("average", &x, weights, axes)?.cast(dtype).broadcast_to(x.shape());
    let sum = |x: &Array| if keep == KeepAxes::Yes { x.sum_keep(axes) } else { x.sum(axes) };
    let total = sum(&spread);
    Ok((sum(&(&x * &spread)) / &total, total))
}

/// Variables as rows.
fn variables(x: &Array, which: Variables) -> Result<Array> {
    match (x.node()?.shape().rank(), which) {
        (0, _) => Ok(x.reshape([1, 1])),
        (1, _) => Ok(x.expand_dims(0)),
        (2, Variables::Rows) => Ok(x.clone()),
        (2, Variables::Columns) => Ok(x.t()),
        _ => Err(Error::shape("cov", format!("{:?} has more than two axes", x.shape()))),
    }
}

fn covariance(x: &Array, options: &CovOptions) -> Result<Array> {
    let mut rows = variables(&float(x), options.variables)?;
    if let Some(others) = &options.others {
        rows = x.device().concat(&[&rows, &variables(&float(others), options.variables)?], 0);
    }
    let &[n_variables, n] = rows.node()?.shape().as_ref() else { return Err(Error::shape("cov", "needs rows")) };
    let dtype = rows.dtype();
    let row = |given: &Option<Array>| match given {
        Some(given) if given.shape() != [n] => {
            Err(Error::shape("cov", format!("weights {:?} for {n} observations", given.shape())))
        }
        Some(given) => given.node().map(|_| Some(given.cast(dtype))),
        None => Ok(None),
    };
    let (frequencies, importance) = (row(&options.frequencies)?, row(&options.weights)?);
    let correction = options.correction.unwrap_or(1.0);
    let weights = match (&frequencies, &importance) {
        (None, None) => None,
        (Some(one), None) | (None, Some(one)) => Some(one.clone()),
        (Some(f), Some(a)) => Some(f * a),
    };
    let (center, divisor) = match &weights {
        None => (rows.mean_keep([1]), x.device().full_of((), n as f64 - correction, dtype)),
        Some(weights) => {
            let total = weights.sum([]);
            // Weights that are no frequencies take off more: ddof·Σ(w·a)/Σw.
            let taken = importance.as_ref().map(|a| (weights * a).sum([]) / &total * correction);
            let divisor = taken.map_or_else(|| &total - correction, |taken| &total - taken);
            ((&rows * weights).sum_keep([1]) / &total, divisor)
        }
    };
    let distance = &rows - center;
    let right = weights.map_or_else(|| distance.clone(), |weights| &distance * weights);
    // A division by nothing is NaN or infinite in NumPy; a GPU need not give that.
    let is_positive = divisor.gt(0.0);
    let product = distance.matmul(&right.t()) / is_positive.either(&divisor, 1.0);
    let result = is_positive.either(&product, f64::NAN);
    Ok(if n_variables == 1 { result.reshape(()) } else { result })
}
