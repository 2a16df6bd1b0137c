//! Reductions that leave NaN out. Integers have none, so for them these are the plain reductions.

use super::{float, settled};
use crate::array::Array;
use tilework_core::dtype::DType;
use tilework_core::shape::KeepAxes;

/// `x` with `value` in the place of NaN.
fn filled(x: &Array, value: f64) -> Array {
    if x.dtype().is_float() { x.is_nan().either(value, x) } else { x.clone() }
}

type Reduction = fn(&Array, Vec<isize>) -> Array;

fn reduced(x: &Array, axes: &[isize], keep: KeepAxes, plain: [Reduction; 2]) -> Array {
    plain[usize::from(keep == KeepAxes::Yes)](x, axes.to_vec())
}

/// How many elements are not NaN, in the type of the floats that they are.
fn counts(x: &Array, axes: &[isize], keep: KeepAxes) -> Array {
    let there = if x.dtype().is_float() { x.is_nan().not() } else { x.cast(DType::Bool).full_like(1.0) };
    reduced(&there.cast(DType::I32), axes, keep, [Array::sum, Array::sum_keep]).cast(x.dtype().float())
}

impl Array {
    /// Sum of what is not NaN; 0 for nothing.
    pub fn nansum(&self, axes: impl AsRef<[isize]>, keep: KeepAxes) -> Array {
        reduced(&filled(self, 0.0), axes.as_ref(), keep, [Array::sum, Array::sum_keep])
    }

    /// Product of what is not NaN; 1 for nothing.
    pub fn nanprod(&self, axes: impl AsRef<[isize]>, keep: KeepAxes) -> Array {
        reduced(&filled(self, 1.0), axes.as_ref(), keep, [Array::prod, Array::prod_keep])
    }

    /// Smallest of what is not NaN; NaN where there is nothing else. An error for no elements.
    pub fn nanmin(&self, axes: impl AsRef<[isize]>, keep: KeepAxes) -> Array {
        self.nan_extreme(axes.as_ref(), keep, f64::INFINITY, [Array::min, Array::min_keep])
    }

    /// Largest of what is not NaN; NaN where there is nothing else. An error for no elements.
    pub fn nanmax(&self, axes: impl AsRef<[isize]>, keep: KeepAxes) -> Array {
        self.nan_extreme(axes.as_ref(), keep, f64::NEG_INFINITY, [Array::max, Array::max_keep])
    }

    fn nan_extreme(&self, axes: &[isize], keep: KeepAxes, neutral: f64, plain: [Reduction; 2]) -> Array {
        let extreme = reduced(&filled(self, neutral), axes, keep, plain);
        if !self.dtype().is_float() {
            return extreme;
        }
        let is_empty = reduced(&self.is_nan(), axes, keep, [Array::all, Array::all_keep]);
        is_empty.either(f64::NAN, &extreme)
    }

    /// Mean of what is not NaN; NaN where there is nothing else.
    pub fn nanmean(&self, axes: impl AsRef<[isize]>, keep: KeepAxes) -> Array {
        let (x, axes) = (float(self), axes.as_ref());
        let (sum, n) = (x.nansum(axes, keep), counts(&x, axes, keep));
        // 0/0 need not be NaN on a GPU.
        n.eq(0.0).either(f64::NAN, sum / n.maximum(1.0))
    }

    /// Sum of squared distances from the mean over the number of elements that are not NaN minus `correction`; NaN where that is not
    /// above 0.
    pub fn nanvar(&self, axes: impl AsRef<[isize]>, correction: f64, keep: KeepAxes) -> Array {
        let (x, axes) = (float(self), axes.as_ref());
        let distance = &x - x.nanmean(axes, KeepAxes::Yes);
        let sum = distance.square().nansum(axes, keep);
        let freedom = counts(&x, axes, keep) - correction;
        let is_positive = freedom.gt(0.0);
        is_positive.either(sum / is_positive.either(&freedom, 1.0), f64::NAN)
    }

    /// Square root of [`Array::nanvar`].
    pub fn nanstd(&self, axes: impl AsRef<[isize]>, correction: f64, keep: KeepAxes) -> Array {
        self.nanvar(axes, correction, keep).sqrt()
    }

    /// Position (int32) of the smallest element that is not NaN, along `axis` or in the flattened array. Where all are NaN it is 0.
    pub fn nanargmin(&self, axis: Option<isize>) -> Array {
        let x = filled(self, f64::INFINITY);
        axis.map_or_else(|| x.argmin_flat(), |axis| x.argmin(axis))
    }

    /// Position (int32) of the largest element that is not NaN, along `axis` or in the flattened array. Where all are NaN it is 0.
    pub fn nanargmax(&self, axis: Option<isize>) -> Array {
        let x = filled(self, f64::NEG_INFINITY);
        axis.map_or_else(|| x.argmax_flat(), |axis| x.argmax(axis))
    }

    /// Running sums in which NaN counts as 0, along `axis` or of the flattened array.
    pub fn nancumsum(&self, axis: Option<isize>) -> Array {
        let x = filled(self, 0.0);
        axis.map_or_else(|| x.flatten().cumsum(0), |axis| x.cumsum(axis))
    }

    /// Running products in which NaN counts as 1, along `axis` or of the flattened array.
    pub fn nancumprod(&self, axis: Option<isize>) -> Array {
        let x = filled(self, 1.0);
        axis.map_or_else(|| x.flatten().cumprod(0), |axis| x.cumprod(axis))
    }

    /// Another number in the place of NaN and of the infinities: 0 and the largest finite numbers of the type, unless told.
    pub fn nan_to_num(&self, nan: f64, positive: Option<f64>, negative: Option<f64>) -> Array {
        if !self.dtype().is_float() {
            return settled(self, self.check().map(|()| self.clone()));
        }
        let largest = super::bits::Format::of(self.dtype()).largest;
        let numbers = self.is_nan().either(nan, self);
        let low = self.eq(f64::NEG_INFINITY).either(negative.unwrap_or(-largest), &numbers);
        self.eq(f64::INFINITY).either(positive.unwrap_or(largest), &low)
    }
}
