//! Running results that may begin with the neutral element.

use super::settled;
use crate::array::Array;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

impl Array {
    /// Running sums along `axis`, which may be left out where there is only one.
    pub fn cumulative_sum(&self, axis: Option<isize>) -> Array {
        settled(self, running("cumulative_sum", self, axis).map(|(x, axis)| x.cumsum(axis)))
    }

    /// Running products along `axis`, which may be left out where there is only one.
    pub fn cumulative_prod(&self, axis: Option<isize>) -> Array {
        settled(self, running("cumulative_prod", self, axis).map(|(x, axis)| x.cumprod(axis)))
    }

    /// [`Array::cumulative_sum`] after a 0, so that there is one element more.
    pub fn cumulative_sum_from_zero(&self, axis: Option<isize>) -> Array {
        settled(self, running("cumulative_sum", self, axis).map(|(x, axis)| after(&x.cumsum(axis), 0.0, axis)))
    }

    /// [`Array::cumulative_prod`] after a 1, so that there is one element more.
    pub fn cumulative_prod_from_one(&self, axis: Option<isize>) -> Array {
        settled(self, running("cumulative_prod", self, axis).map(|(x, axis)| after(&x.cumprod(axis), 1.0, axis)))
    }
}

fn running(op: &str, x: &Array, axis: Option<isize>) -> Result<(Array, isize)> {
    let shape = Shape::clone(x.node()?.shape());
    match axis {
        Some(axis) => shape.axis(op, axis).map(|axis| (x.clone(), axis as isize)),
        None if shape.rank() == 1 => Ok((x.clone(), 0)),
        None => Err(Error::argument(op, format!("needs the attribute \"axis\" for {shape}, which has not one axis"))),
    }
}

fn after(x: &Array, neutral: f64, axis: isize) -> Array {
    let mut sizes = x.shape().to_vec();
    if let Some(size) = sizes.get_mut(axis as usize) {
        *size = 1;
    }
    x.device().concat(&[&x.device().full_of(sizes, neutral, x.dtype()), x], axis)
}
