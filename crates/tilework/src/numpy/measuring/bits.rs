//! How floats are made up: exponents, mantissas, neighbors. There is no operation on the bits of a float, so exponents are found by a
//! logarithm whose rounding two comparisons with powers of two put right; those powers are exact.

use super::float;
use super::floats::operand;
use crate::array::{Array, Operand};
use tilework_core::dtype::DType;

/// What a type of floats can hold.
#[derive(Clone, Copy)]
pub(super) struct Format {
    /// Bits of the mantissa, without the first, which is always 1.
    digits: i32,
    /// Exponent of the smallest number with all of them.
    lowest: i32,
    /// Largest finite number.
    pub(super) largest: f64,
}

impl Format {
    pub(super) fn of(dtype: DType) -> Format {
        match dtype.name() {
            "float64" => Format { digits: 52, lowest: -1022, largest: f64::MAX },
            "float16" => Format { digits: 10, lowest: -14, largest: 65504.0 },
            "bfloat16" => Format { digits: 7, lowest: -126, largest: 3.3895313892515355e38 },
            _ => Format { digits: 23, lowest: -126, largest: f64::from(f32::MAX) },
        }
    }
}

/// Two to a whole power (as floats), in parts that are in range.
fn times_power(x: &Array, exponent: &Array) -> Array {
    let third = (exponent / 3.0).trunc();
    let rest = exponent - &third * 2.0;
    let power = third.exp2();
    x * &power * &power * rest.exp2()
}

/// The whole number e with `2^e ≤ |x| < 2^(e+1)`, as floats; that of 1 for 0 and what is not finite.
fn exponent_of(x: &Array) -> Array {
    let size = x.abs();
    let usual = size.gt(0.0).and(size.is_finite());
    let size = usual.either(&size, 1.0);
    // Numbers below the smallest normal one are brought into range, where powers are exact.
    let format = Format::of(x.dtype());
    let is_small = size.lt(2f64.powi(format.lowest));
    let lift = f64::from(format.digits + 1);
    let lifted = is_small.either(&size * lift.exp2(), &size);
    let guess = lifted.log2().floor().clamp(f64::from(format.lowest), f64::from(-format.lowest) + 1.0);
    let one = x.full_like(1.0);
    let mantissa = times_power(&lifted, &guess.neg());
    let right = mantissa.lt(1.0).either(&guess - &one, mantissa.ge(2.0).either(&guess + &one, &guess));
    is_small.either(&right - lift, &right)
}

impl Array {
    /// Mantissa from ½ up to 1, and exponent (int32), so that `x = mantissa·2^exponent`. 0, NaN and infinities are their own mantissa.
    pub fn frexp(&self) -> [Array; 2] {
        let x = float(self);
        let is_usual = x.is_finite().and(x.ne(0.0));
        let exponent = exponent_of(&x) + 1.0;
        let mantissa = times_power(&x, &exponent.neg());
        [is_usual.either(&mantissa, &x), is_usual.either(&exponent, 0.0).cast(DType::I32)]
    }

    /// `x·2^exponent`, for whole exponents.
    pub fn ldexp(&self, exponent: impl Operand) -> Array {
        let exponent = operand(self, &exponent);
        let x = float(self);
        let limit = f64::from(4 * (Format::of(x.dtype()).digits - Format::of(x.dtype()).lowest));
        let exponent = exponent.cast(x.dtype()).clamp(-limit, limit);
        // In two halves: each stays within what three parts can do.
        let half = (&exponent / 2.0).trunc();
        times_power(&times_power(&x, &half), &(exponent - half))
    }

    /// Distance to the next number away from 0, with the sign of the element. NaN for what is not finite.
    pub fn spacing(&self) -> Array {
        let x = float(self);
        let format = Format::of(x.dtype());
        let exponent = x.eq(0.0).either(f64::from(format.lowest), exponent_of(&x)).maximum(f64::from(format.lowest));
        let gap = times_power(&x.full_like(1.0), &(exponent - f64::from(format.digits)));
        x.is_finite().either(x.lt(0.0).either(gap.neg(), &gap), f64::NAN)
    }

    /// The next number after each element in the direction of `towards`.
    pub fn nextafter(&self, towards: impl Operand) -> Array {
        let goal = operand(self, &towards);
        let dtype = self.dtype().promote(goal.dtype()).float();
        let (x, goal) = (self.cast(dtype), goal.cast(dtype));
        let format = Format::of(dtype);
        let (exponent, lowest) = (exponent_of(&x), f64::from(format.lowest));
        let size = x.abs();
        // Below a power of two the numbers lie twice as close.
        let is_power = times_power(&size, &exponent.neg()).eq(1.0).and(exponent.gt(lowest));
        let is_inward = x.gt(0.0).ne(x.lt(&goal));
        let closer = is_inward.and(&is_power).either(&exponent - 1.0, &exponent).maximum(lowest);
        let gap = times_power(&x.full_like(1.0), &(closer - f64::from(format.digits)));
        let smallest = times_power(&x.full_like(1.0), &x.full_like(lowest - f64::from(format.digits)));
        let from_zero = smallest.copysign(&goal);
        let step = x.lt(&goal).either(&gap, gap.neg());
        let largest = x.full_like(format.largest).copysign(&x);
        let moved = x.is_inf().either(&largest, &x + step);
        let next = x.eq(0.0).either(&from_zero, &moved);
        let same = x.eq(&goal).either(&goal, &next);
        x.is_nan().or(goal.is_nan()).either(f64::NAN, &same)
    }
}
