//! Copies in which some elements are replaced.

use super::index::places_along;
use super::pick::matched;
use super::{Bounds, along, carried, expect_countable, positions, small};
use crate::array::{Array, Operand};
use tilework_core::dtype::DType;
use tilework_core::{Error, Result};

impl Array {
    /// A copy in which the elements at row-major positions `indices` are `values`, repeated as often as needed. The last of equal
    /// positions wins.
    pub fn put(&self, indices: &Array, values: impl Operand, bounds: Bounds) -> Array {
        let put = self.check().and_then(|()| {
            expect_countable("put", self.shape())?;
            let indices = positions("put", indices)?.flatten();
            let values = values_for("put", self, &values)?;
            if indices.size() == 0 || values.size() == 0 {
                return Ok(self.clone());
            }
            if self.size() == 0 {
                return Err(Error::shape("put", format!("{:?} has no places", self.shape())));
            }
            let places = bounds.apply(&indices, self.size());
            let values = values.resize([indices.size()]);
            Ok(self.flatten().scatter(&places, &values, 0).reshape(self.shape()))
        });
        carried(self.device(), put)
    }

    /// A copy in which, for every place of `indices`, the element that the index names along `axis` is that of `values` there. Both
    /// broadcast. The last of equal positions wins.
    pub fn put_along_axis(&self, indices: &Array, values: impl Operand, axis: Option<isize>) -> Array {
        let put = along("put_along_axis", self, axis).and_then(|(x, at)| {
            let indices = positions("put_along_axis", indices)?;
            let indices = if axis.is_none() { indices.flatten() } else { indices };
            let (wide, indices) = matched("put_along_axis", &x, &indices, at)?;
            if wide.shape() != x.shape() {
                let message = format!("indices {:?} are larger than {:?}", indices.shape(), x.shape());
                return Err(Error::shape("put_along_axis", message));
            }
            let values =
                Array::new(x.device(), values.to_node(x.dtype())).cast(x.dtype()).broadcast_to(indices.shape());
            values.check()?;
            if indices.size() == 0 {
                return Ok(self.clone());
            }
            let places = places_along(&indices, x.shape(), at)?;
            Ok(x.flatten().scatter(&places.flatten(), values.flatten(), 0).reshape(self.shape()))
        });
        carried(self.device(), put)
    }

    /// A copy in which the k-th element for which `mask` is true is the k-th of `values`, repeated as often as needed.
    pub fn place(&self, mask: &Array, values: impl Operand) -> Array {
        carried(self.device(), self.check().and_then(|()| masked(self, "place", mask, &values)))
    }

    /// A copy in which elements for which `mask` is true are those of `values` at the same row-major place, repeated as often as
    /// needed.
    pub fn putmask(&self, mask: &Array, values: impl Operand) -> Array {
        carried(self.device(), self.check().and_then(|()| masked(self, "putmask", mask, &values)))
    }
}

fn values_for(op: &str, x: &Array, values: &dyn Operand) -> Result<Array> {
    let values = Array::new(x.device(), values.to_node(x.dtype())).cast(x.dtype()).flatten();
    values.check().map_err(|error| Error::new(error.kind(), op, error.message()))?;
    Ok(values)
}

fn masked(x: &Array, op: &str, mask: &Array, values: &dyn Operand) -> Result<Array> {
    mask.check()?;
    if mask.size() != x.size() {
        let message = format!("a mask of shape {:?} does not fit {:?}", mask.shape(), x.shape());
        return Err(Error::shape(op, message));
    }
    expect_countable(op, x.shape())?;
    let values = values_for(op, x, values)?;
    if values.size() == 0 || x.size() == 0 {
        return Ok(x.clone());
    }
    let mask = mask.flatten().cast(DType::Bool);
    let number =
        if op == "place" { (mask.cast(DType::I32).cumsum(0) - 1).maximum(0) } else { x.device().arange(x.size()) };
    let new = values.take(&(number % small(values.size() as isize)), 0);
    Ok(mask.select(&new, x.flatten()).reshape(x.shape()))
}
