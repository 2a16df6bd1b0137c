//! Continuous distributions, by what turns even, exponential, normal and gamma numbers into them.
//!
//! Parameters are numbers or arrays that broadcast to the shape of the draw. Where NumPy raises an error that depends on a parameter,
//! the elements with such parameters are NaN, because parameters may be arrays on a device.

use super::{Random, STEP, above_zero};
use crate::array::{Array, Operand};
use tilework_core::dtype::DType;
use tilework_core::shape::{IntoSizes, Shape};
use tilework_core::{Error, Result};
use tilework_ops::graph;

impl Random {
    /// A parameter in the shape of the draw, as 32-bit floats.
    pub(super) fn parameter(&self, op: &str, sizes: &[usize], parameter: &dyn Operand) -> Array {
        let node = parameter.to_node(DType::F32).and_then(|node| {
            let shape = Shape::new(op, sizes)?;
            let cannot = |error: Error| Error::new(error.kind(), op, error.message());
            graph::expand(&graph::cast(&node, DType::F32), &shape).map_err(cannot)
        });
        Array::new(&self.device, node)
    }

    /// Exponential with mean 1, never 0 where `log` follows.
    fn standard_exponential(&mut self, sizes: &[usize]) -> Array {
        -above_zero(&self.bits(sizes)).log()
    }

    /// Even over (0, 1), both ends left out.
    fn open_uniform(&mut self, sizes: &[usize]) -> Array {
        (self.bits(sizes).shift_right(8).to_f32() + 0.5) * STEP
    }

    /// Beta: `X/(X + Y)` of two gamma numbers.
    pub fn beta(&mut self, shape: impl IntoSizes, a: impl Operand, b: impl Operand) -> Array {
        let sizes = shape.into_sizes();
        let (a, b) = (self.parameter("beta", &sizes, &a), self.parameter("beta", &sizes, &b));
        let (x, y) = (self.gamma(&a), self.gamma(&b));
        let total = &x + y;
        // Both are 0 only if both shapes are tiny; then the number is at one of the ends.
        let end = self.uniform(sizes.as_slice()).lt(&a / (&a + &b)).cast(DType::F32);
        total.eq(0.0).select(end, x / &total)
    }

    /// Chi-square with `df` degrees of freedom.
    pub fn chisquare(&mut self, shape: impl IntoSizes, df: impl Operand) -> Array {
        let df = self.parameter("chisquare", &shape.into_sizes(), &df);
        self.gamma(&(df * 0.5)) * 2.0
    }

    /// Student's t with `df` degrees of freedom.
    pub fn standard_t(&mut self, shape: impl IntoSizes, df: impl Operand) -> Array {
        let sizes = shape.into_sizes();
        let df = self.parameter("standard_t", &sizes, &df);
        let normal = self.normal(sizes, 0.0, 1.0);
        normal / (self.gamma(&(&df * 0.5)) * 2.0 / &df).sqrt()
    }

    /// Fisher's F: the ratio of two chi-square numbers, each divided by its degrees of freedom.
    pub fn f(&mut self, shape: impl IntoSizes, above: impl Operand, below: impl Operand) -> Array {
        let sizes = shape.into_sizes();
        let (above, below) = (self.parameter("f", &sizes, &above), self.parameter("f", &sizes, &below));
        let (x, y) = (self.gamma(&(&above * 0.5)), self.gamma(&(&below * 0.5)));
        (x * below) / (y * above)
    }

    /// Laplace: an exponential number of either sign.
    pub fn laplace(&mut self, shape: impl IntoSizes, center: impl Operand, scale: impl Operand) -> Array {
        let sizes = shape.into_sizes();
        let half = self.open_uniform(&sizes) - 0.5;
        let draw = -half.sign() * (half.abs() * -2.0 + 1.0).log();
        self.placed("laplace", &sizes, draw, &center, &scale)
    }

    /// Logistic.
    pub fn logistic(&mut self, shape: impl IntoSizes, center: impl Operand, scale: impl Operand) -> Array {
        let sizes = shape.into_sizes();
        let u = self.open_uniform(&sizes);
        let draw = u.log() - (-&u + 1.0).log();
        self.placed("logistic", &sizes, draw, &center, &scale)
    }

    /// Gumbel: the largest of many.
    pub fn gumbel(&mut self, shape: impl IntoSizes, center: impl Operand, scale: impl Operand) -> Array {
        let sizes = shape.into_sizes();
        let draw = -(-self.open_uniform(&sizes).log()).log();
        self.placed("gumbel", &sizes, draw, &center, &scale)
    }

    /// Center plus scale times a draw; NaN for a scale below 0.
    fn placed(&self, op: &str, sizes: &[usize], draw: Array, center: &dyn Operand, scale: &dyn Operand) -> Array {
        let (center, scale) = (self.parameter(op, sizes, center), self.parameter(op, sizes, scale));
        scale.lt(0.0).select(f64::NAN, draw * &scale + center)
    }

    /// The exponential of a normal number with this mean and standard deviation.
    pub fn lognormal(&mut self, shape: impl IntoSizes, mean: impl Operand, deviation: impl Operand) -> Array {
        let sizes = shape.into_sizes();
        let draw = self.normal(sizes.as_slice(), 0.0, 1.0);
        self.placed("lognormal", &sizes, draw, &mean, &deviation).exp()
    }

    /// Pareto of the second kind (Lomax) with shape `a`, as NumPy's `pareto`.
    pub fn pareto(&mut self, shape: impl IntoSizes, a: impl Operand) -> Array {
        let sizes = shape.into_sizes();
        let a = self.positive("pareto", &sizes, &a);
        (self.standard_exponential(&sizes) / a).expm1()
    }

    /// The density `a·x^(a − 1)` over [0, 1].
    pub fn power(&mut self, shape: impl IntoSizes, a: impl Operand) -> Array {
        let sizes = shape.into_sizes();
        let a = self.positive("power", &sizes, &a);
        (-self.standard_exponential(&sizes) / a).exp()
    }

    /// Rayleigh: the length of a vector of two normal numbers.
    pub fn rayleigh(&mut self, shape: impl IntoSizes, scale: impl Operand) -> Array {
        let sizes = shape.into_sizes();
        let draw = (self.standard_exponential(&sizes) * 2.0).sqrt();
        self.placed("rayleigh", &sizes, draw, &0.0, &scale)
    }

    /// Weibull with shape `a` and scale 1.
    pub fn weibull(&mut self, shape: impl IntoSizes, a: impl Operand) -> Array {
        let sizes = shape.into_sizes();
        let a = self.positive("weibull", &sizes, &a);
        self.standard_exponential(&sizes).pow(a.recip())
    }

    /// Cauchy: the ratio of two normal numbers.
    pub fn standard_cauchy(&mut self, shape: impl IntoSizes) -> Array {
        ((self.open_uniform(&shape.into_sizes()) - 0.5) * std::f64::consts::PI).tan()
    }

    /// Triangular between `left` and `right` with its peak at `mode`; NaN unless they are in this order.
    pub fn triangular(&mut self, shape: impl IntoSizes, corners: [&dyn Operand; 3]) -> Array {
        let sizes = shape.into_sizes();
        let [left, mode, right] = corners.map(|corner| self.parameter("triangular", &sizes, corner));
        let u = self.uniform(sizes);
        let (width, rise) = (&right - &left, &mode - &left);
        let below = &left + (&u * &width * &rise).sqrt();
        let above = &right - ((-&u + 1.0) * &width * (&right - &mode)).sqrt();
        let draw = (&u * &width).le(&rise).select(below, above);
        left.le(&mode).and(mode.le(&right)).select(draw, f64::NAN)
    }

    /// A parameter that has to be above 0, else NaN.
    fn positive(&self, op: &str, sizes: &[usize], parameter: &dyn Operand) -> Array {
        let parameter = self.parameter(op, sizes, parameter);
        parameter.gt(0.0).select(&parameter, f64::NAN)
    }

    /// Dirichlet: shares that sum to 1 along a last axis, one for each element of the row `alpha`.
    pub fn dirichlet(&mut self, shape: impl IntoSizes, alpha: &Array) -> Array {
        let sizes = [shape.into_sizes(), alpha.shape().to_vec()].concat();
        if alpha.check().is_ok() && alpha.ndim() != 1 {
            let message = format!("needs a row of parameters, got {:?}", alpha.shape());
            return Array::new(&self.device, Err(Error::shape("dirichlet", message)));
        }
        let draws = self.gamma(&alpha.broadcast_to(sizes));
        let total = draws.sum_keep([-1]);
        draws / total
    }

    /// Vectors along a last axis, normal with this mean and symmetric positive definite covariance (NaN if it is not), through its
    /// Cholesky factor.
    pub fn multivariate_normal(&mut self, shape: impl IntoSizes, mean: &Array, covariance: &Array) -> Array {
        let n = mean.size();
        if let Err(error) = multivariate_shapes(mean, covariance) {
            return Array::new(&self.device, Err(error));
        }
        let sizes = shape.into_sizes();
        let normal = self.normal([&sizes[..], &[n]].concat(), 0.0, 1.0);
        let factor = crate::linalg::cholesky(&covariance.to_f32());
        let rows = normal.reshape([sizes.iter().product::<usize>(), n]).matmul(&factor.t());
        rows.reshape([&sizes[..], &[n]].concat()) + mean.to_f32()
    }
}

fn multivariate_shapes(mean: &Array, covariance: &Array) -> Result<()> {
    mean.check()?;
    covariance.check()?;
    if mean.ndim() == 1 && covariance.shape() == [mean.size(), mean.size()] {
        return Ok(());
    }
    let message = format!("a mean {:?} and a covariance {:?} do not fit", mean.shape(), covariance.shape());
    Err(Error::shape("multivariate_normal", message))
}
