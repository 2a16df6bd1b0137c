//! Whether arrays are equal, or nearly so.

use super::float;
use super::floats::operand;
use crate::array::{Array, Operand};
use tilework_core::dtype::DType;

/// How far apart two numbers may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closeness {
    /// Times the size of the second number.
    pub relative: f64,
    /// At least.
    pub absolute: f64,
    /// Whether NaN is close to NaN.
    pub nan: NanEquality,
}

/// Whether NaN equals NaN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NanEquality {
    /// It equals nothing.
    #[default]
    Never,
    /// It equals itself.
    Equal,
}

impl Default for Closeness {
    fn default() -> Closeness {
        Closeness { relative: 1e-5, absolute: 1e-8, nan: NanEquality::Never }
    }
}

impl Array {
    /// Whether `|x − y| ≤ absolute + relative·|y|`; infinities are close to themselves only.
    pub fn isclose(&self, other: impl Operand, closeness: &Closeness) -> Array {
        let other = operand(self, &other);
        let dtype = self.dtype().promote(other.dtype()).float();
        let (x, y) = (self.cast(dtype), other.cast(dtype));
        let near = (&x - &y).abs().le(y.abs() * closeness.relative + closeness.absolute);
        let close = near.and(y.is_finite()).and(x.is_finite()).or(x.eq(&y));
        match closeness.nan {
            NanEquality::Never => close,
            NanEquality::Equal => close.or(x.is_nan().and(y.is_nan())),
        }
    }

    /// Whether all elements are close, see [`Array::isclose`].
    pub fn allclose(&self, other: impl Operand, closeness: &Closeness) -> Array {
        self.isclose(other, closeness).all([])
    }

    /// Whether both have one shape and equal elements.
    pub fn array_equal(&self, other: &Array, nan: NanEquality) -> Array {
        if self.check().is_ok() && other.check().is_ok() && self.shape() != other.shape() {
            return self.device().full_of((), 0.0, DType::Bool);
        }
        let equal = self.eq(other);
        let equal = match nan {
            NanEquality::Never => equal,
            NanEquality::Equal => equal.or(float(self).is_nan().and(float(other).is_nan())),
        };
        equal.all([])
    }

    /// Whether both broadcast to one shape and have equal elements there.
    pub fn array_equiv(&self, other: &Array) -> Array {
        let equal = self.eq(other);
        if equal.check().is_err() && self.check().is_ok() && other.check().is_ok() {
            return self.device().full_of((), 0.0, DType::Bool);
        }
        equal.all([])
    }
}
