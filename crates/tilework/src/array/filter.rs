//! Results whose size depends on the data. Their size has to be read back before they can exist, so these methods are `async`;
//! everything else about them stays on the device and lazy.
//!
//! The k-th of the chosen elements is the first place where the running count of choices exceeds k, which a search in that row
//! of counts finds: nothing is scattered, and elements keep their order.

use super::Array;
use tilework_core::dtype::DType;
use tilework_core::{Error, Result};
use tilework_ops::ops::searchsorted::Side;

/// What [`Array::unique`] finds.
#[derive(Clone, Debug)]
pub struct Unique {
    /// The distinct elements in ascending order; NaN is one of them, the last.
    pub values: Array,
    /// How often each occurs (int32).
    pub counts: Array,
    /// Where each occurs first, in row-major order (int32).
    pub indices: Array,
    /// For each element of the array, in its shape, the position (int32) of its value in `values`.
    pub inverse: Array,
}

/// Whether NaN is one value or many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nans {
    Same,
    #[cfg_attr(not(feature = "numpy"), allow(dead_code, reason = "the library asks for it"))]
    Distinct,
}

impl Array {
    /// Where elements are not 0 (false), in row-major order: one row of positions (int32) per axis.
    ///
    /// NaN is not 0. An error for a single number, which has no axes.
    pub async fn nonzero(&self) -> Result<Vec<Array>> {
        let sizes = self.node()?.shape().to_vec();
        if sizes.is_empty() {
            return Err(Error::shape("nonzero", "a single number has no positions"));
        }
        let places = chosen(&self.flatten().cast(DType::Bool)).await?;
        let axis_positions = |axis: usize| {
            let n_inner: usize = sizes[axis + 1..].iter().product();
            places.floor_div(n_inner.max(1) as i32) % sizes[axis].max(1) as i32
        };
        Ok((0..sizes.len()).map(axis_positions).collect())
    }

    /// The parts of `axis` for which `mask` is true, in order. `mask` has one truth value for each of them.
    pub async fn compress(&self, mask: &Array, axis: isize) -> Result<Array> {
        let axis_index = self.node()?.shape().axis("compress", axis)?;
        let size = self.shape()[axis_index];
        if mask.node()?.shape()[..] != [size] {
            let message = format!("{:?} does not say which of the {size} parts of axis {axis} to keep", mask.shape());
            return Err(Error::shape("compress", message));
        }
        Ok(self.take(&chosen(&mask.cast(DType::Bool)).await?, axis))
    }

    /// The elements for which `mask`, of the same shape, is true: one row, in row-major order.
    pub async fn masked(&self, mask: &Array) -> Result<Array> {
        if self.node()?.shape() != mask.node()?.shape() {
            let message = format!("{:?} is not the shape of the mask, {:?}", self.shape(), mask.shape());
            return Err(Error::shape("masked", message));
        }
        self.flatten().compress(&mask.flatten(), 0).await
    }

    /// The distinct elements in ascending order, how often each occurs and where each element went.
    ///
    /// 0 and −0 are one value, written as the first of them; all NaN are one value, the last.
    pub async fn unique(&self) -> Result<Unique> {
        self.unique_of(Nans::Same).await
    }

    pub(crate) async fn unique_of(&self, nans: Nans) -> Result<Unique> {
        let flat = self.flatten();
        let n = flat.size();
        let order = flat.argsort(0);
        order.eval().await?;
        let sorted = flat.take(&order, 0);
        let is_first = if n == 0 { sorted.cast(DType::Bool) } else { is_first_of_its_kind(&sorted, nans) };
        let starts = chosen(&is_first).await?;
        let device = self.device();
        let ends = device.concat(&[&starts, &device.full_of([1], n as f64, DType::I32)], 0);
        let kind = is_first.cast(DType::I32).cumsum(0) - 1;
        Ok(Unique {
            values: sorted.take(&starts, 0),
            indices: order.take(&starts, 0),
            counts: ends.slice(0, 1..) - &starts,
            // The order of the order is where each element went.
            inverse: kind.take(&order.argsort(0), 0).reshape(self.shape()),
        })
    }
}

/// Whether each element of a sorted row differs from the one before it; true for the first.
fn is_first_of_its_kind(sorted: &Array, nans: Nans) -> Array {
    let (here, before) = (sorted.slice(0, 1..), sorted.slice(0, ..-1));
    let mut is_new = here.ne(&before);
    if sorted.dtype().is_float() && nans == Nans::Same {
        is_new = is_new.and(here.is_nan().and(before.is_nan()).not());
    }
    sorted.device().concat(&[&sorted.device().full_of([1], 1.0, DType::Bool), &is_new], 0)
}

/// The positions (int32) at which a row of truth values is true.
async fn chosen(flags: &Array) -> Result<Array> {
    let counts = flags.cast(DType::I32).cumsum(0);
    counts.eval().await?;
    let n_chosen = if counts.size() == 0 { 0.0 } else { counts.slice(0, -1..).item().await? };
    let numbers = flags.device().arange(n_chosen as usize) + 1;
    Ok(counts.searchsorted(&numbers, Side::Left))
}
