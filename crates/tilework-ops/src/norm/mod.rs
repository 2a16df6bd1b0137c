//! What layer, root-mean-square and group normalisation share: rows are centered (or not), divided by the root of their mean
//! square, then weighted and shifted by column or by channel.
//!
//! The variance is the mean of squared differences to the mean, never the difference of two means, which cancels. A NaN or
//! infinity makes its row NaN.

mod cpu;
mod gpu;
mod gradient;

pub(crate) use cpu::normalize;
pub(crate) use gpu::{KERNELS, plan};
pub(crate) use gradient::{Rules, gradient};

use crate::op::Meta;
use tilework_core::{Error, Result};

/// Default of `epsilon`.
pub(crate) const EPSILON: f64 = 1e-5;

/// What is subtracted before squares are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Center {
    Mean,
    Zero,
}

/// Which weight belongs to an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Affine {
    /// That of its column.
    Columns,
    /// That of its channel: row `r` is group `r % n_groups`, and `n_spatial` neighbouring columns are a channel.
    Channels { n_groups: usize, n_spatial: usize },
}

/// A normalisation of rows.
#[derive(Clone, Debug)]
pub(crate) struct RowNorm {
    pub(crate) name: &'static str,
    pub(crate) center: Center,
    pub(crate) affine: Affine,
    pub(crate) epsilon: f64,
    /// The axis that is normalised, where there is more than one inner position.
    pub(crate) axis: usize,
    /// Rows are (outer, inner): element `c` of row `(o, i)` is at `(o·n_cols + c)·n_inner + i`.
    pub(crate) n_outer: usize,
    pub(crate) n_cols: usize,
    pub(crate) n_inner: usize,
}

impl RowNorm {
    /// Which weight element `col` of row `row` is multiplied with.
    pub(crate) fn weight(&self, row: usize, col: usize) -> usize {
        match self.affine {
            Affine::Columns => col,
            Affine::Channels { n_groups, n_spatial } => ((row % n_groups) * self.n_cols + col) / n_spatial,
        }
    }
}

/// Checks a float `x` and up to `max_parameters` arrays of `n_weights` elements after it.
pub(crate) fn check_inputs(name: &'static str, inputs: &[Meta], max_parameters: usize, n_weights: usize) -> Result<()> {
    let (x, parameters) = (&inputs[0], &inputs[1..]);
    if parameters.len() > max_parameters {
        return Err(Error::argument(
            name,
            format!("takes at most {} inputs, got {}", 1 + max_parameters, inputs.len()),
        ));
    }
    if !x.dtype.is_float() {
        return Err(Error::dtype(name, format!("needs floats, got {}", x.dtype)));
    }
    for (parameter, role) in parameters.iter().zip(["weight", "bias"]) {
        if parameter.dtype != x.dtype {
            return Err(Error::dtype(name, format!("{role} is {} and x is {}", parameter.dtype, x.dtype)));
        }
        if parameter.shape[..] != [n_weights] {
            let (got, of) = (&parameter.shape, &x.shape);
            return Err(Error::shape(name, format!("{role} of {of} must have shape [{n_weights}], got {got}")));
        }
    }
    Ok(())
}

/// The words of an epsilon in a key.
pub(crate) fn epsilon_words(epsilon: f64) -> [u32; 2] {
    let bits = epsilon.to_bits();
    [bits as u32, (bits >> 32) as u32]
}
