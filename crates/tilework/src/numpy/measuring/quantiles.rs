//! Medians, quantiles and percentiles: rows are sorted once, then one or two places of each are read.
//!
//! Where the places are is arithmetic on the fraction and the number of elements. It is done in double precision at once if the fraction
//! is a number, and on the device if it is an array; [`Position`] lets both share the formulas.

use super::{Rows, float, settled};
use crate::array::Array;
use tilework_core::dtype::DType;
use tilework_core::shape::KeepAxes;
use tilework_core::{Error, Result};

/// How a quantile between two elements is found. The first nine are those of Hyndman and Fan (1996).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are NumPy's")]
pub enum QuantileMethod {
    InvertedCdf,
    AveragedInvertedCdf,
    ClosestObservation,
    InterpolatedInvertedCdf,
    Hazen,
    Weibull,
    #[default]
    Linear,
    MedianUnbiased,
    NormalUnbiased,
    Lower,
    Higher,
    Midpoint,
    Nearest,
}

impl QuantileMethod {
    /// Every method with its name in NumPy.
    pub const ALL: [(&'static str, QuantileMethod); 13] = [
        ("linear", QuantileMethod::Linear),
        ("lower", QuantileMethod::Lower),
        ("higher", QuantileMethod::Higher),
        ("midpoint", QuantileMethod::Midpoint),
        ("nearest", QuantileMethod::Nearest),
        ("inverted_cdf", QuantileMethod::InvertedCdf),
        ("averaged_inverted_cdf", QuantileMethod::AveragedInvertedCdf),
        ("closest_observation", QuantileMethod::ClosestObservation),
        ("interpolated_inverted_cdf", QuantileMethod::InterpolatedInvertedCdf),
        ("hazen", QuantileMethod::Hazen),
        ("weibull", QuantileMethod::Weibull),
        ("median_unbiased", QuantileMethod::MedianUnbiased),
        ("normal_unbiased", QuantileMethod::NormalUnbiased),
    ];

    /// Whether it always gives one of the elements, so that integers stay integers.
    fn is_discrete(self) -> bool {
        use QuantileMethod as Q;
        matches!(self, Q::InvertedCdf | Q::ClosestObservation | Q::Lower | Q::Higher | Q::Nearest)
    }
}

/// Which quantiles are asked for.
#[derive(Clone, Copy)]
pub enum Fractions<'a> {
    /// One.
    One(f64),
    /// Several, whose shape comes first in that of the result.
    Many(&'a Array),
}

impl From<f64> for Fractions<'_> {
    fn from(q: f64) -> Self {
        Fractions::One(q)
    }
}

impl<'a> From<&'a Array> for Fractions<'a> {
    fn from(q: &'a Array) -> Self {
        Fractions::Many(q)
    }
}

/// What is rarely said of a quantile.
#[derive(Clone, Copy, Debug, Default)]
pub struct QuantileOptions {
    /// How to choose between two elements.
    pub method: QuantileMethod,
    /// Whether reduced axes stay, with size 1.
    pub keep: KeepAxes,
}

impl Array {
    /// The middle element along `axes` (all of them if none is named), or the mean of the two middle ones; NaN if there is a NaN, or
    /// nothing.
    pub fn median(&self, axes: impl AsRef<[isize]>) -> Array {
        settled(self, median(self, axes.as_ref(), KeepAxes::No))
    }

    /// Like [`Array::median`], leaving the reduced axes in place with size 1.
    pub fn median_keep(&self, axes: impl AsRef<[isize]>) -> Array {
        settled(self, median(self, axes.as_ref(), KeepAxes::Yes))
    }

    /// The value below which the fraction `q` (0 to 1) of the elements along `axes` lies: `x.quantile(0.9, [0], &options)`. All axes if
    /// none is named; NaN if there is a NaN. Several fractions are an array, whose shape comes first in the result's.
    pub fn quantile<'a>(
        &self,
        q: impl Into<Fractions<'a>>,
        axes: impl AsRef<[isize]>,
        options: &QuantileOptions,
    ) -> Array {
        settled(self, quantile("quantile", self, q.into(), axes.as_ref(), options))
    }

    /// [`Array::quantile`] of fractions in percent.
    pub fn percentile<'a>(
        &self,
        q: impl Into<Fractions<'a>>,
        axes: impl AsRef<[isize]>,
        options: &QuantileOptions,
    ) -> Array {
        settled(self, of_percents(q.into(), |q| quantile("percentile", self, q, axes.as_ref(), options)))
    }

    /// [`Array::median`] of what is not NaN; NaN where there is nothing else.
    pub fn nanmedian(&self, axes: impl AsRef<[isize]>, keep: KeepAxes) -> Array {
        let options = QuantileOptions { keep, ..QuantileOptions::default() };
        settled(self, nanquantile("nanmedian", self, Fractions::One(0.5), axes.as_ref(), &options))
    }

    /// [`Array::quantile`] of what is not NaN; NaN where there is nothing else.
    pub fn nanquantile<'a>(
        &self,
        q: impl Into<Fractions<'a>>,
        axes: impl AsRef<[isize]>,
        options: &QuantileOptions,
    ) -> Array {
        settled(self, nanquantile("nanquantile", self, q.into(), axes.as_ref(), options))
    }

    /// [`Array::percentile`] of what is not NaN; NaN where there is nothing else.
    pub fn nanpercentile<'a>(
        &self,
        q: impl Into<Fractions<'a>>,
        axes: impl AsRef<[isize]>,
        options: &QuantileOptions,
    ) -> Array {
        settled(self, of_percents(q.into(), |q| nanquantile("nanpercentile", self, q, axes.as_ref(), options)))
    }
}

fn of_percents<'a>(q: Fractions<'a>, run: impl FnOnce(Fractions<'_>) -> Result<Array>) -> Result<Array> {
    match q {
        Fractions::One(q) => run(Fractions::One(q / 100.0)),
        Fractions::Many(q) => run(Fractions::Many(&(float(q) / 100.0))),
    }
}

fn median(x: &Array, axes: &[isize], keep: KeepAxes) -> Result<Array> {
    let rows = Rows::new("median", &float(x), axes)?;
    if rows.n == 0 {
        return Ok(x.device().full_of(rows.sizes(keep), f64::NAN, x.dtype().float()));
    }
    let sorted = rows.values.sort(-1);
    let (low, high) = (((rows.n - 1) / 2) as isize, (rows.n / 2) as isize);
    let lower = sorted.index(-1, low);
    let middle = if low == high { lower } else { (lower + sorted.index(-1, high)) * 0.5 };
    Ok(nan_where_last_is(&sorted, &middle).reshape(rows.sizes(keep)))
}

/// NaN sorts last: where the last element is one, so is the result.
fn nan_where_last_is(sorted: &Array, result: &Array) -> Array {
    if sorted.dtype().is_float() { sorted.index(-1, -1).is_nan().either(f64::NAN, result) } else { result.clone() }
}

fn checked(op: &str, q: f64) -> Result<f64> {
    if (0.0..=1.0).contains(&q) {
        return Ok(q);
    }
    Err(Error::argument(op, format!("a fraction lies from 0 to 1 (0 to 100 in percent), {q} does not")))
}

fn quantile(op: &str, x: &Array, q: Fractions<'_>, axes: &[isize], options: &QuantileOptions) -> Result<Array> {
    let x = if options.method.is_discrete() { x.clone() } else { float(x) };
    let rows = Rows::new(op, &x, axes)?;
    let dtype = x.dtype().float();
    if rows.n == 0 {
        return Err(Error::shape(op, format!("{:?} has no elements along axes {axes:?}", x.shape())));
    }
    let sorted = rows.values.sort(-1);
    let outer = rows.sizes(options.keep);
    match q {
        Fractions::One(q) => {
            let place = Place::new(options.method, &(rows.n as f64), &checked(op, q)?);
            let at = |position: f64| sorted.index(-1, position.clamp(0.0, rows.n as f64 - 1.0) as isize);
            let result = if options.method.is_discrete() {
                at(place.low)
            } else {
                let weight = x.device().full_of((), place.weight, dtype);
                between(&at(place.low), &at(place.high), &weight)
            };
            Ok(nan_where_last_is(&sorted, &result).reshape(outer))
        }
        Fractions::Many(q) => {
            let flat = q.flatten().cast(dtype);
            let place = Place::new(options.method, &x.device().full_of((), rows.n as f64, dtype), &flat);
            let at = |position: &Array| sorted.take(&position.clamp(0.0, rows.n as f64 - 1.0).cast(DType::I32), -1);
            let result = if options.method.is_discrete() {
                at(&place.low)
            } else {
                between(&at(&place.low), &at(&place.high), &place.weight)
            };
            let last =
                if x.dtype().is_float() { sorted.slice(-1, -1..).is_nan().either(f64::NAN, &result) } else { result };
            Ok(fractions_first(&last, q.shape(), outer))
        }
    }
}

/// `[outer.., fractions]` with the axes of the fractions first.
fn fractions_first(result: &Array, fractions: &[usize], outer: &[usize]) -> Array {
    let last = result.ndim() as isize - 1;
    let order: Vec<isize> = std::iter::once(last).chain(0..last).collect();
    result.permute(order).reshape([fractions, outer].concat())
}

fn nanquantile(op: &str, x: &Array, q: Fractions<'_>, axes: &[isize], options: &QuantileOptions) -> Result<Array> {
    if !x.dtype().is_float() {
        return quantile(op, x, q, axes, options);
    }
    let rows = Rows::new(op, x, axes)?;
    if rows.n == 0 {
        return Err(Error::shape(op, format!("{:?} has no elements along axes {axes:?}", x.shape())));
    }
    let (flat, sizes) = match q {
        Fractions::One(q) => (x.device().full_of([1], checked(op, q)?, x.dtype()), Vec::new()),
        Fractions::Many(q) => (q.flatten().cast(x.dtype()), q.shape().to_vec()),
    };
    let sorted = rows.values.sort(-1);
    let counts = rows.values.is_nan().not().cast(DType::I32).sum_keep([-1]).cast(x.dtype());
    let place = Place::new(options.method, &counts, &flat);
    let n_outer: usize = rows.outer.iter().product();
    let starts = (x.device().arange(n_outer) * rows.n as i32).reshape([&rows.outer[..], &[1]].concat());
    let all = sorted.flatten();
    let at = |position: &Array| {
        let inside = position.minimum(&(&counts - 1.0)).maximum(0.0).cast(DType::I32);
        let places = inside + &starts;
        let sizes = places.shape().to_vec();
        all.take(&places.flatten(), 0).reshape(sizes)
    };
    let result = if options.method.is_discrete() {
        at(&place.low)
    } else {
        between(&at(&place.low), &at(&place.high), &place.weight)
    };
    Ok(fractions_first(&counts.eq(0.0).either(f64::NAN, &result), &sizes, rows.sizes(options.keep)))
}

/// `a` moved towards `b` by a fraction of the way, from the nearer end. Where that is no way at all, it is `a` itself, even next to an
/// infinity.
fn between(a: &Array, b: &Array, weight: &Array) -> Array {
    let way = b - a;
    let near_b = weight.ge(0.5).either(b - &way * (1.0 - weight), a + &way * weight);
    weight.eq(0.0).or(a.eq(b)).either(a, &near_b)
}

/// Two neighbors in a sorted row, and how far the quantile lies between them.
struct Place<P> {
    low: P,
    high: P,
    weight: P,
}

impl<P: Position> Place<P> {
    fn new(method: QuantileMethod, n: &P, q: &P) -> Place<P> {
        use QuantileMethod as Q;
        // The plotting position n·q + a + q·(1 − a − b) − 1 of Hyndman and Fan, counted from 0.
        let plotted = |a: f64, b: f64| n.times(q).plus(&q.scaled(1.0 - a - b)).shifted(a - 1.0);
        let linear = || n.shifted(-1.0).times(q);
        match method {
            Q::Linear => Place::around(&linear()),
            Q::InterpolatedInvertedCdf => Place::around(&n.times(q).shifted(-1.0)),
            Q::Hazen => Place::around(&plotted(0.5, 0.5)),
            Q::Weibull => Place::around(&plotted(0.0, 0.0)),
            Q::MedianUnbiased => Place::around(&plotted(1.0 / 3.0, 1.0 / 3.0)),
            Q::NormalUnbiased => Place::around(&plotted(0.375, 0.375)),
            Q::Lower => Place::at(&linear().floored()),
            Q::Higher => Place::at(&linear().scaled(-1.0).floored().scaled(-1.0)),
            Q::Nearest => Place::at(&linear().rounded()),
            Q::Midpoint => {
                let around = Place::around(&linear());
                let half = around.weight.if_zero(&around.weight.scaled(0.0), &around.weight.scaled(0.0).shifted(0.5));
                Place { weight: half, ..around }
            }
            Q::AveragedInvertedCdf => {
                let around = Place::around(&n.times(q).shifted(-1.0));
                let zero = around.weight.scaled(0.0);
                Place { weight: around.weight.if_zero(&zero.shifted(0.5), &zero.shifted(1.0)), ..around }
            }
            Q::InvertedCdf => {
                let around = Place::around(&n.times(q).shifted(-1.0));
                Place::at(&around.weight.if_zero(&around.low, &around.high))
            }
            Q::ClosestObservation => {
                let around = Place::around(&n.times(q).shifted(-1.5));
                // Exactly between two elements, the one with the odd position (counted from 0) is taken.
                let half = around.low.scaled(0.5);
                let parity = half.plus(&half.floored().scaled(-1.0));
                let odd = parity.if_zero(&around.high, &around.low);
                Place::at(&around.weight.if_zero(&odd, &around.high))
            }
        }
    }

    fn at(position: &P) -> Place<P> {
        Place { low: position.clone(), high: position.clone(), weight: position.scaled(0.0) }
    }

    fn around(position: &P) -> Place<P> {
        let low = position.floored();
        Place { high: low.shifted(1.0), weight: position.plus(&low.scaled(-1.0)), low }
    }
}

/// Arithmetic on places: numbers, or arrays on a device.
trait Position: Clone {
    fn plus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    fn scaled(&self, by: f64) -> Self;
    fn shifted(&self, by: f64) -> Self;
    fn floored(&self) -> Self;
    /// To the nearest integer, ties to even.
    fn rounded(&self) -> Self;
    fn if_zero(&self, then: &Self, otherwise: &Self) -> Self;
}

impl Position for f64 {
    fn plus(&self, other: &f64) -> f64 {
        self + other
    }
    fn times(&self, other: &f64) -> f64 {
        self * other
    }
    fn scaled(&self, by: f64) -> f64 {
        self * by
    }
    fn shifted(&self, by: f64) -> f64 {
        self + by
    }
    fn floored(&self) -> f64 {
        self.floor()
    }
    fn rounded(&self) -> f64 {
        self.round_ties_even()
    }
    fn if_zero(&self, then: &f64, otherwise: &f64) -> f64 {
        if *self == 0.0 { *then } else { *otherwise }
    }
}

impl Position for Array {
    fn plus(&self, other: &Array) -> Array {
        self + other
    }
    fn times(&self, other: &Array) -> Array {
        self * other
    }
    fn scaled(&self, by: f64) -> Array {
        self * by
    }
    fn shifted(&self, by: f64) -> Array {
        self + by
    }
    fn floored(&self) -> Array {
        self.floor()
    }
    fn rounded(&self) -> Array {
        self.round()
    }
    fn if_zero(&self, then: &Array, otherwise: &Array) -> Array {
        self.eq(0.0).either(then, otherwise)
    }
}
