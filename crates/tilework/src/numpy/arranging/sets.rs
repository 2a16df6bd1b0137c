//! Rows as sets. Results have sizes that depend on the data, so that most of these functions are `async`.

use crate::array::{Array, Unique};
use tilework_core::Result;
use tilework_core::dtype::DType;
use tilework_ops::ops::searchsorted::Side;

impl Array {
    /// Where each element is also one of `others`. NaN is none of them.
    pub fn isin(&self, others: &Array) -> Array {
        if others.check().is_err() {
            return others.clone();
        }
        if others.size() == 0 {
            return self.cast(DType::Bool).and(false);
        }
        let dtype = self.dtype().promote(others.dtype());
        let dtype = if dtype == DType::Bool { DType::I32 } else { dtype };
        let (x, sorted) = (self.cast(dtype), others.cast(dtype).flatten().sort(0));
        // The first place that is not smaller holds the element, if any does; beyond the end the last one does not.
        let place = sorted.searchsorted(&x, Side::Left).minimum(super::small(others.size() as isize - 1));
        sorted.take(&place, 0).eq(&x)
    }

    /// The distinct elements of both, in ascending order.
    pub async fn intersect1d(&self, other: &Array) -> Result<Array> {
        let values = self.cast(self.dtype().promote(other.dtype())).unique().await?.values;
        values.compress(&values.isin(other), 0).await
    }

    /// The distinct elements of either, in ascending order.
    pub async fn union1d(&self, other: &Array) -> Result<Array> {
        Ok(self.device().concatenate(&[self, other], None).unique().await?.values)
    }

    /// The distinct elements that are not in `other`, in ascending order.
    pub async fn setdiff1d(&self, other: &Array) -> Result<Array> {
        let values = self.unique().await?.values;
        values.compress(&values.isin(other).not(), 0).await
    }

    /// The distinct elements that are in one of both only, in ascending order.
    pub async fn setxor1d(&self, other: &Array) -> Result<Array> {
        let (own, others) = (self.setdiff1d(other).await?, other.setdiff1d(self).await?);
        Ok(self.device().concat(&[&own, &others], 0).sort(0))
    }

    /// Like [`Array::unique`], with every NaN a value of its own, as the array API wants it.
    pub async fn unique_all(&self) -> Result<Unique> {
        self.unique_of(crate::array::Nans::Distinct).await
    }
}
