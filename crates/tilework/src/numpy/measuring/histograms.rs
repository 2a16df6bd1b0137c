//! Histograms. Which bin an element falls into is found by a search among the edges, which may come from the data without being read.

use super::differences::along;
use super::{float, settled};
use crate::array::Array;
use crate::device::Device;
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
use tilework_ops::ops::scatter_add::ScatterAdd;
use tilework_ops::ops::searchsorted::Side;

/// The bins of a histogram.
#[derive(Clone)]
pub enum Bins {
    /// As many, of equal width.
    Count(usize),
    /// Between these ascending edges.
    Edges(Array),
}

/// What a histogram says of a bin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistogramScale {
    /// How many elements are in it, or what they weigh.
    #[default]
    Count,
    /// The density there, whose integral over all bins is 1.
    Density,
}

/// What is rarely said of a histogram.
#[derive(Clone, Default)]
pub struct HistogramOptions {
    /// Lowest and highest edge of bins of equal width; those of the data unless told.
    pub range: Option<(f64, f64)>,
    /// What each element weighs.
    pub weights: Option<Array>,
    /// What is said of a bin.
    pub scale: HistogramScale,
}

/// Counts and edges.
#[derive(Clone)]
pub struct Histogram {
    /// For every bin, int32 or the type of the weights; floats for densities.
    pub counts: Array,
    /// One more than there are bins.
    pub edges: Array,
}

/// Counts of pairs, and the edges along both axes.
#[derive(Clone)]
pub struct Histogram2d {
    /// `[bins of x, bins of y]`, as floats.
    pub counts: Array,
    /// Edges of the first axis.
    pub x_edges: Array,
    /// Edges of the second axis.
    pub y_edges: Array,
}

impl Array {
    /// How many elements fall into each bin, and the edges of the bins. A bin holds its lower edge and not its upper one, except the last,
    /// which holds both. The range of the data is found on the device.
    pub fn histogram_of(&self, bins: &Bins, options: &HistogramOptions) -> Histogram {
        histogram(self, bins, options).unwrap_or_else(|error| {
            let failed = Array::new(self.device(), Err(error));
            Histogram { counts: failed.clone(), edges: failed }
        })
    }

    /// The edges that [`Array::histogram_of`] uses.
    pub fn histogram_bin_edges(&self, bins: &Bins, range: Option<(f64, f64)>) -> Array {
        settled(self, edges_of("histogram_bin_edges", self, bins, range))
    }

    /// How many of the points (this, `y`) fall into each bin of a grid.
    pub fn histogram2d(
        &self,
        y: &Array,
        bins: [&Bins; 2],
        ranges: [Option<(f64, f64)>; 2],
        options: &HistogramOptions,
    ) -> Histogram2d {
        histogram2d(self, y, bins, ranges, options).unwrap_or_else(|error| {
            let failed = Array::new(self.device(), Err(error));
            Histogram2d { counts: failed.clone(), x_edges: failed.clone(), y_edges: failed }
        })
    }

    /// How many rows of this array `[points, axes]` fall into each bin of a grid, and the edges along each axis. `bins` and `ranges` are one
    /// for each axis or one for all; without ranges those of the data are taken.
    pub fn histogramdd(
        &self,
        bins: &[Bins],
        ranges: &[Option<(f64, f64)>],
        options: &HistogramOptions,
    ) -> Result<(Array, Vec<Array>)> {
        let &[_, n_axes] = self.node()?.shape().as_ref() else {
            return Err(Error::shape("histogramdd", format!("needs [points, axes], got {:?}", self.shape())));
        };
        let columns: Vec<Array> = (0..n_axes as isize).map(|k| self.index(1, k)).collect();
        grid("histogramdd", &columns, bins, ranges, options)
    }

    /// Sums of `weights` by integer: element k of the result is the sum of those where this array is k, for k below `n_bins`.
    pub fn bincount_weighted(&self, weights: &Array, n_bins: usize) -> Array {
        settled(self, summed_by("bincount", self, weights, n_bins))
    }

    /// How often each integer from 0 to the largest occurs, or the sum of `weights` there; at least `min_length` of them. The largest has
    /// to be read first.
    pub async fn bincount_all(&self, weights: Option<&Array>, min_length: usize) -> Result<Array> {
        let dtype = self.node()?.dtype();
        if self.ndim() != 1 || dtype.is_float() {
            let message = format!("needs a row of integers, got {dtype}{:?}", self.shape());
            return Err(if dtype.is_float() {
                Error::dtype("bincount", message)
            } else {
                Error::shape("bincount", message)
            });
        }
        let x = if dtype == DType::Bool { self.cast(DType::I32) } else { self.clone() };
        let n_bins = if x.size() == 0 {
            min_length
        } else {
            let ends = x.device().stack(&[&x.min([]), &x.max([])], 0);
            let ends = ends.with_host(|host| [host.f64_at(0), host.f64_at(1)]).await?;
            if ends[0] < 0.0 {
                return Err(Error::argument(
                    "bincount",
                    format!("counts from 0, but {} is among the elements", ends[0]),
                ));
            }
            min_length.max((ends[1] as usize).saturating_add(1))
        };
        match weights {
            None => Ok(x.cast(DType::I32).bincount(n_bins)),
            Some(weights) => summed_by("bincount", &x, weights, n_bins),
        }
    }

    /// For every element the number (int32) of the bin between `edges` it falls into: 0 below the first edge. Edges ascend or descend. A
    /// bin holds its edge on the `closed` side.
    pub fn digitize(&self, edges: &Array, closed: Side) -> Array {
        settled(self, digitize(self, edges, closed))
    }
}

fn digitize(x: &Array, edges: &Array, closed: Side) -> Result<Array> {
    let &[n] = edges.node()?.shape().as_ref() else {
        return Err(Error::shape("digitize", format!("needs a row of edges, got {:?}", edges.shape())));
    };
    let side = if closed == Side::Right { Side::Left } else { Side::Right };
    let ascending = edges.searchsorted(x, side);
    if n < 2 {
        return Ok(ascending);
    }
    let descending = edges.flip([0]).searchsorted(x, side) * -1 + n as i32;
    Ok(edges.index(0, 0).gt(edges.index(0, -1)).either(&descending, &ascending))
}

fn edges_of(op: &str, x: &Array, bins: &Bins, range: Option<(f64, f64)>) -> Result<Array> {
    let dtype = x.node()?.dtype().float();
    let n = match bins {
        Bins::Edges(edges) if edges.ndim() != 1 || edges.size() < 1 => {
            edges.check()?;
            return Err(Error::shape(op, format!("needs a row of edges, got {:?}", edges.shape())));
        }
        Bins::Edges(edges) => return Ok(edges.clone()),
        Bins::Count(0) => return Err(Error::argument(op, "needs at least one bin")),
        Bins::Count(n) => *n,
    };
    let device = x.device();
    let (low, high) = match range {
        Some((low, high)) if low > high || !(high - low).is_finite() => {
            return Err(Error::argument(op, format!("needs a finite, ascending range, got {low} to {high}")));
        }
        Some((low, high)) if low == high => number_pair(device, low - 0.5, high + 0.5, dtype),
        Some((low, high)) => number_pair(device, low, high, dtype),
        None if x.size() == 0 => number_pair(device, 0.0, 1.0, dtype),
        None => {
            let (low, high) = (x.min([]).cast(dtype), x.max([]).cast(dtype));
            let is_point = low.eq(&high);
            (is_point.either(&low - 0.5, &low), is_point.either(&high + 0.5, &high))
        }
    };
    let counted = n.checked_add(1).ok_or_else(|| Error::argument(op, "too many bins"))?;
    let index = device.arange(counted);
    let step = (&high - &low) / n as f64;
    let inner = index.cast(dtype) * step + low;
    // The last edge is the highest element itself, not what rounding makes of it.
    let edges = index.eq(n as i32).either(&high, &inner);
    edges.check().map(|()| edges)
}

fn number_pair(device: &Device, low: f64, high: f64, dtype: DType) -> (Array, Array) {
    (device.full_of((), low, dtype), device.full_of((), high, dtype))
}

/// For every element the number of its bin; the number of bins for those that are in none.
fn bin_of(x: &Array, edges: &Array) -> Array {
    let n_bins = edges.size() as i32 - 1;
    let last = edges.index(0, -1);
    let after = edges.searchsorted(x, Side::Right);
    let bin = x.eq(&last).either(n_bins - 1, &after - 1);
    bin.lt(0).or(bin.ge(n_bins)).either(n_bins, &bin)
}

/// Sums of weights by integer index; indices out of range are left out.
fn summed_by(op: &str, index: &Array, weights: &Array, n_bins: usize) -> Result<Array> {
    if index.node()?.shape() != weights.node()?.shape() {
        let message = format!("{:?} elements with weights {:?}", index.shape(), weights.shape());
        return Err(Error::shape(op, message));
    }
    let n_all = n_bins.checked_add(1).ok_or_else(|| Error::argument(op, "too many bins"))?;
    let index = index.flatten().cast(DType::I32);
    let outside = index.lt(0).or(index.ge(n_bins as i32));
    let place = outside.either(n_bins as i32, &index);
    let sums = index.device().apply(Arc::new(ScatterAdd::new(0, n_all)), &[&float(weights).flatten(), &place]);
    Ok(sums.slice(0, ..n_bins as isize))
}

fn counted(op: &str, bin: &Array, n_bins: usize, weights: Option<&Array>) -> Result<Array> {
    match weights {
        None => Ok(bin.flatten().bincount(n_bins)),
        Some(weights) => summed_by(op, bin, weights, n_bins),
    }
}

fn histogram(x: &Array, bins: &Bins, options: &HistogramOptions) -> Result<Histogram> {
    let edges = edges_of("histogram", x, bins, options.range)?;
    let n_bins = edges.size() - 1;
    let counts = counted("histogram", &bin_of(x, &edges), n_bins, options.weights.as_ref())?;
    if options.scale == HistogramScale::Count {
        return Ok(Histogram { counts, edges });
    }
    let counts = counts.cast(float(&edges).dtype());
    let total = counts.sum([]);
    let density = counts / widths(&edges) / total;
    Ok(Histogram { counts: density, edges })
}

fn widths(edges: &Array) -> Array {
    float(edges).slice(0, 1..) - float(edges).slice(0, ..-1)
}

fn histogram2d(
    x: &Array,
    y: &Array,
    bins: [&Bins; 2],
    ranges: [Option<(f64, f64)>; 2],
    options: &HistogramOptions,
) -> Result<Histogram2d> {
    if x.node()?.shape() != y.node()?.shape() || x.ndim() != 1 {
        let message = format!("needs two rows of one length, got {:?} and {:?}", x.shape(), y.shape());
        return Err(Error::shape("histogram2d", message));
    }
    let columns = [x.clone(), y.clone()];
    let (counts, edges) = grid("histogram2d", &columns, &bins.map(Bins::clone), &ranges, options)?;
    Ok(Histogram2d { counts, x_edges: edges[0].clone(), y_edges: edges[1].clone() })
}

/// Counts of points in a grid of bins, whose coordinates are rows of one length.
fn grid(
    op: &str,
    columns: &[Array],
    bins: &[Bins],
    ranges: &[Option<(f64, f64)>],
    options: &HistogramOptions,
) -> Result<(Array, Vec<Array>)> {
    let n_axes = columns.len();
    if n_axes == 0 || ![1, n_axes].contains(&bins.len()) || ![0, 1, n_axes].contains(&ranges.len()) {
        let message = format!("{} bins and {} ranges were given for {n_axes} axes", bins.len(), ranges.len());
        return Err(Error::argument(op, message));
    }
    let one_or_each = |n: usize, k: usize| if n > 1 { k } else { 0 };
    let mut edges = Vec::with_capacity(n_axes);
    for (k, column) in columns.iter().enumerate() {
        let range = ranges.get(one_or_each(ranges.len(), k)).copied().flatten();
        edges.push(edges_of(op, column, &bins[one_or_each(bins.len(), k)], range)?);
    }
    let sizes: Vec<usize> = edges.iter().map(|edges| edges.size() - 1).collect();
    let n = Shape::new(op, &sizes[..])?.n_elements();
    let mut place = columns[0].full_like(0.0).cast(DType::I32);
    let mut outside = place.ne(0);
    for ((column, edges), &n_bins) in columns.iter().zip(&edges).zip(&sizes) {
        let bin = bin_of(column, edges);
        outside = outside.or(bin.eq(n_bins as i32));
        place = place * n_bins as i32 + bin;
    }
    let place = outside.either(-1, &place);
    let dtype = edges.iter().fold(columns[0].dtype(), |dtype, edges| dtype.promote(edges.dtype())).float();
    let mut counts = counted(op, &place, n, options.weights.as_ref())?.reshape(&sizes[..]).cast(dtype);
    if options.scale == HistogramScale::Density {
        let total = counts.sum([]);
        for (axis, edges) in edges.iter().enumerate() {
            counts = counts / along(&widths(edges), axis, n_axes);
        }
        counts = counts / total;
    }
    Ok((counts, edges))
}
