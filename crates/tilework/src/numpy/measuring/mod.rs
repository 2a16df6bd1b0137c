//! Statistics, element-wise functions, calculus on samples, polynomials and windows.
//!
//! Everything here is made of public methods of [`Array`], so that types, devices and derivatives follow from those.

mod bits;
mod closeness;
mod convolve;
mod cumulative;
mod differences;
mod floats;
mod histograms;
mod integers;
mod interpolate;
mod missing;
mod moments;
mod polyfit;
mod polynomials;
mod quantiles;
mod special;
mod windows;

pub use closeness::{Closeness, NanEquality};
pub use convolve::ConvolveMode;
pub use differences::{EdgeOrder, GradientOptions, SampleSpacing};
pub use histograms::{Bins, Histogram, Histogram2d, HistogramOptions, HistogramScale};
pub use interpolate::InterpOptions;
pub use moments::{CovOptions, Variables};
pub use polynomials::PolyDiv;
pub use quantiles::{Fractions, QuantileMethod, QuantileOptions};

use crate::array::{Array, Operand};
use tilework_core::Result;
use tilework_core::dtype::DType;
use tilework_core::shape::{KeepAxes, Shape};

/// An array, or one that carries the mistake.
fn settled(x: &Array, result: Result<Array>) -> Array {
    result.unwrap_or_else(|error| Array::new(x.device(), Err(error)))
}

/// Integers and truth values become floats.
fn float(x: &Array) -> Array {
    x.cast(x.dtype().float())
}

impl Array {
    /// [`Array::select`] in which a number takes the type of the array on the other side.
    fn either(&self, if_true: impl Operand, if_false: impl Operand) -> Array {
        settled(self, chosen(self, &if_true, &if_false))
    }
}

fn chosen(condition: &Array, if_true: &dyn Operand, if_false: &dyn Operand) -> Result<Array> {
    // A number takes the type it is told, an array has its own.
    let dtype_of = |operand: &dyn Operand| -> Result<Option<DType>> {
        let dtype = operand.to_node(DType::I32)?.dtype();
        Ok((operand.to_node(DType::F64)?.dtype() == dtype).then_some(dtype))
    };
    let hint = match (dtype_of(if_true)?, dtype_of(if_false)?) {
        (Some(a), Some(b)) => a.promote(b),
        (Some(dtype), None) | (None, Some(dtype)) => dtype,
        (None, None) => DType::F32,
    };
    let typed = |operand: &dyn Operand| Array::new(condition.device(), operand.to_node(hint));
    Ok(condition.select(typed(if_true), typed(if_false)))
}

/// The reduced axes of an array as one last axis.
struct Rows {
    /// `[outer.., n]`.
    values: Array,
    /// Sizes of the axes that stay.
    outer: Vec<usize>,
    /// Sizes of all axes, 1 for the reduced ones.
    kept: Vec<usize>,
    /// Elements of a row.
    n: usize,
}

impl Rows {
    fn new(op: &str, x: &Array, axes: &[isize]) -> Result<Rows> {
        let shape = Shape::clone(x.node()?.shape());
        let axes = shape.axes(op, axes)?;
        let order = (0..shape.rank()).filter(|axis| !axes.contains(axis)).chain(axes.iter().copied());
        let order: Vec<isize> = order.map(|axis| axis as isize).collect();
        let outer = shape.reduced(&axes, KeepAxes::No).to_vec();
        let n = axes.iter().map(|&axis| shape[axis]).product();
        let values = x.permute(order).reshape([&outer[..], &[n]].concat());
        Ok(Rows { values, kept: shape.reduced(&axes, KeepAxes::Yes).to_vec(), outer, n })
    }

    /// The shape of a result with one number for each row.
    fn sizes(&self, keep: KeepAxes) -> &[usize] {
        if keep == KeepAxes::Yes { &self.kept } else { &self.outer }
    }
}
