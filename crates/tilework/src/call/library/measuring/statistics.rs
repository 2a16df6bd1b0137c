//! Rows of statistics.

use super::{given_array, number_if_given};
use crate::array::Array;
use crate::call::library::{AXES, AXIS, Awaited, Function, KEEP_AXES, says};
use crate::call::{Call, Input};
use crate::numpy::{
    Bins, CovOptions, Fractions, HistogramOptions, HistogramScale, QuantileMethod, QuantileOptions, Variables,
};
use tilework_core::shape::KeepAxes;
use tilework_core::{Error, Result};
use tilework_ops::attrs::{AttrKind, Attribute, Given};
use tilework_ops::ops::searchsorted::Side;

pub(super) const METHOD: Attribute = Attribute::optional(
    "method",
    AttrKind::Choice(&[
        "linear",
        "lower",
        "higher",
        "midpoint",
        "nearest",
        "inverted_cdf",
        "averaged_inverted_cdf",
        "closest_observation",
        "interpolated_inverted_cdf",
        "hazen",
        "weibull",
        "median_unbiased",
        "normal_unbiased",
    ]),
    "how to choose between two elements; linear unless told",
);
const LOW: Attribute = Attribute::optional("low", AttrKind::Number, "lowest edge; the smallest element unless told");
const HIGH: Attribute = Attribute::optional("high", AttrKind::Number, "highest edge; the largest element unless told");
const DENSITY: Attribute = Attribute::optional("density", AttrKind::Truth, "densities instead of counts");
const INITIAL: Attribute =
    Attribute::optional("include_initial", AttrKind::Truth, "whether the neutral element comes first");
const COVARIANCE: &[Attribute] = &[
    Attribute::optional("rowvar", AttrKind::Truth, "whether rows are variables, and not columns; yes unless told"),
    Attribute::optional("bias", AttrKind::Truth, "whether sums are divided by the number of observations itself"),
    Attribute::optional("ddof", AttrKind::Number, "what is taken off the number of observations; goes before bias"),
];

#[rustfmt::skip] // One row per function.
pub(in crate::call::library) static FUNCTIONS: &[Function] = &[
    Function::one("median", &["x"], &[AXES, KEEP_AXES], says!("The middle element, or the mean of the two middle ones; NaN if there is a NaN."), |c, g| {
        Ok(if g.keep_axes()? == KeepAxes::Yes { c.x().median_keep(g.integers("axes")?) } else { c.x().median(g.integers("axes")?) })
    }),
    Function::one("quantile", &["x", "q"], &[AXES, KEEP_AXES, METHOD], says!("The value below which a fraction of the elements lies. Several fractions are an array, whose shape comes first."), |c, g| {
        Ok(c.x().quantile(fractions(c), g.integers("axes")?, &quantile(g)?))
    }),
    Function::one("percentile", &["x", "q"], &[AXES, KEEP_AXES, METHOD], says!("Quantiles of fractions in percent."), |c, g| {
        Ok(c.x().percentile(fractions(c), g.integers("axes")?, &quantile(g)?))
    }),
    Function::one("average", &["x", "weights?"], &[AXES, KEEP_AXES], says!("Mean, weighted if there are weights: one for each element, or for each of an axis."), |c, g| {
        Ok(c.x().average(c.optional(1), g.integers("axes")?, g.keep_axes()?))
    }),
    Function::one("ptp", &["x"], &[AXES, KEEP_AXES], says!("Largest minus smallest element."), |c, g| Ok(c.x().ptp(g.integers("axes")?, g.keep_axes()?))),
    Function::one("cov", &["x", "y?", "fweights?", "aweights?"], COVARIANCE, says!("Covariances of variables. An empty array stands for an input that is left out."), |c, g| Ok(c.x().cov(&covariance(c, g)?))),
    Function::one("corrcoef", &["x", "y?"], CORRELATION, says!("Correlations of variables, from -1 to 1."), |c, g| Ok(c.x().corrcoef(&covariance(c, g)?))),
    Function::one("cumulative_sum", &["x"], &[AXIS, INITIAL], says!("Running sums."), |c, g| {
        let sum = if g.truth_or("include_initial", false)? { Array::cumulative_sum_from_zero } else { Array::cumulative_sum };
        Ok(sum(c.x(), g.integer("axis")?))
    }),
    Function::one("cumulative_prod", &["x"], &[AXIS, INITIAL], says!("Running products."), |c, g| {
        let product = if g.truth_or("include_initial", false)? { Array::cumulative_prod_from_one } else { Array::cumulative_prod };
        Ok(product(c.x(), g.integer("axis")?))
    }),
    Function::many("histogram", &["x", "bins?", "weights?"], &[LOW, HIGH, DENSITY], &["counts", "edges"], says!("How many elements fall into each bin, and the edges of the bins: a number of bins (10 unless told) or an array of edges. The last bin holds its upper edge."), |c, g| {
        let result = c.x().histogram_of(&bins(c, 1)?, &histogram(c, g, 2)?);
        Ok(vec![result.counts, result.edges])
    }),
    Function::one("histogram_bin_edges", &["x", "bins?"], &[LOW, HIGH], says!("The edges of the bins of a histogram."), |c, g| Ok(c.x().histogram_bin_edges(&bins(c, 1)?, range(g, "low", "high")?))),
    Function::many("histogram2d", &["x", "y", "x_bins?", "y_bins?", "weights?"], HISTOGRAM_2D, &["counts", "x_edges", "y_edges"], says!("How many points fall into each bin of a grid. One number of bins or array of edges is for both axes."), |c, g| {
        let x_bins = bins(c, 2)?;
        let y_bins = if c.inputs.len() > 3 { bins(c, 3)? } else { x_bins.clone() };
        let ranges = [range(g, "x_low", "x_high")?, range(g, "y_low", "y_high")?];
        let result = c.x().histogram2d(&c.arrays[1], [&x_bins, &y_bins], ranges, &histogram(c, g, 4)?);
        Ok(vec![result.counts, result.x_edges, result.y_edges])
    }),
    Function::many("histogramdd", &["x", "weights?", "bins…"], &[DENSITY], &["counts", "edges…"], says!("How many rows of an array [points, axes] fall into each bin of a grid: numbers of bins or arrays of edges, one for each axis or one for all. An empty array stands for weights that are left out."), |c, g| {
        let bins = if c.inputs.len() < 3 { vec![Bins::Count(10)] } else { (2..c.inputs.len()).map(|k| bins(c, k)).collect::<Result<_>>()? };
        let options = HistogramOptions { weights: given_array(c, 1).cloned(), ..histogram(c, g, usize::MAX)? };
        let (counts, edges) = c.x().histogramdd(&bins, &[], &options)?;
        Ok(std::iter::once(counts).chain(edges).collect())
    }),
    Function::later("bincount", &["x", "weights?"], &[MIN_LENGTH, N_BINS], &["counts"], says!("How often each integer from 0 on occurs, or the sum of the weights there. The number of results is read from the data unless n_bins says it."), bincount),
    Function::one("digitize", &["x", "bins"], &[RIGHT], says!("The number of the bin each element falls into, for ascending or descending edges; 0 is before the first edge."), |c, g| {
        Ok(c.x().digitize(&c.arrays[1], if g.truth_or("right", false)? { Side::Right } else { Side::Left }))
    }),
];

const CORRELATION: &[Attribute] = &[COVARIANCE[0]];
const RIGHT: Attribute =
    Attribute::optional("right", AttrKind::Truth, "whether a bin holds its right edge, and not its left one");
const MIN_LENGTH: Attribute = Attribute::optional("minlength", AttrKind::Size, "how many counts there are at least");
const N_BINS: Attribute =
    Attribute::optional("n_bins", AttrKind::Size, "how many counts there are; larger integers are left out");
const HISTOGRAM_2D: &[Attribute] = &[
    Attribute::optional("x_low", AttrKind::Number, "lowest edge of the first axis"),
    Attribute::optional("x_high", AttrKind::Number, "highest edge of the first axis"),
    Attribute::optional("y_low", AttrKind::Number, "lowest edge of the second axis"),
    Attribute::optional("y_high", AttrKind::Number, "highest edge of the second axis"),
    DENSITY,
];

fn bincount<'a>(call: &'a Call<'a>, given: &'a Given<'a>) -> Awaited<'a> {
    Box::pin(async move {
        let weights = call.optional(1);
        if let Some(n_bins) = given.size_if_given("n_bins")? {
            let x = call.x();
            return Ok(vec![
                weights.map_or_else(|| x.bincount(n_bins), |weights| x.bincount_weighted(weights, n_bins)),
            ]);
        }
        let min_length = given.size_if_given("minlength")?.unwrap_or(0);
        Ok(vec![call.x().bincount_all(weights, min_length).await?])
    })
}

pub(super) fn fractions<'a>(call: &'a Call<'_>) -> Fractions<'a> {
    match &call.inputs[1] {
        Input::Number(q) => Fractions::One(*q),
        Input::Array(q) => Fractions::Many(q),
    }
}

pub(super) fn quantile(given: &Given<'_>) -> Result<QuantileOptions> {
    let method = given.choice("method", &QuantileMethod::ALL, Some(QuantileMethod::Linear))?;
    Ok(QuantileOptions { method, keep: given.keep_axes()? })
}

fn covariance(call: &Call<'_>, given: &Given<'_>) -> Result<CovOptions> {
    let biased = if given.truth_or("bias", false).unwrap_or(false) { Some(0.0) } else { None };
    Ok(CovOptions {
        others: given_array(call, 1).cloned(),
        variables: if given.truth_or("rowvar", true)? { Variables::Rows } else { Variables::Columns },
        correction: number_if_given(given, "ddof")?.or(biased),
        frequencies: given_array(call, 2).cloned(),
        weights: given_array(call, 3).cloned(),
    })
}

/// A number of bins or edges; ten bins unless told.
fn bins(call: &Call<'_>, index: usize) -> Result<Bins> {
    match call.inputs.get(index) {
        None => Ok(Bins::Count(10)),
        Some(Input::Array(edges)) => Ok(Bins::Edges(edges.clone())),
        Some(&Input::Number(n)) if n >= 1.0 && n.fract() == 0.0 && n < 1e9 => Ok(Bins::Count(n as usize)),
        Some(Input::Number(n)) => Err(Error::argument(call.name, format!("{n} is no number of bins"))),
    }
}

fn range(given: &Given<'_>, low: &str, high: &str) -> Result<Option<(f64, f64)>> {
    match (number_if_given(given, low)?, number_if_given(given, high)?) {
        (None, None) => Ok(None),
        (Some(low), Some(high)) => Ok(Some((low, high))),
        _ => Err(Error::argument(given.op(), format!("a range has both ends, \"{low}\" and \"{high}\""))),
    }
}

fn histogram(call: &Call<'_>, given: &Given<'_>, weights: usize) -> Result<HistogramOptions> {
    let is_density = given.truth_or("density", false)?;
    Ok(HistogramOptions {
        range: if weights == 2 { range(given, "low", "high")? } else { None },
        weights: call.optional(weights).cloned(),
        scale: if is_density { HistogramScale::Density } else { HistogramScale::Count },
    })
}
