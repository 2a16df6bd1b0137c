//! Element-wise functions of floats that are no rows of the scalar table.

use crate::array::{Array, Operand};
use std::f64::consts::{LN_2, PI};

/// An operand as an array that meets `x`.
pub(super) fn operand(x: &Array, other: &impl Operand) -> Array {
    Array::new(x.device(), other.to_node(x.dtype()))
}

impl Array {
    /// Remainder with the sign of the dividend, as C has it; `rem` has that of the divisor. Integers divided by 0 give 0.
    pub fn fmod(&self, divisor: impl Operand) -> Array {
        let b = operand(self, &divisor);
        if self.dtype().promote(b.dtype()).is_float() {
            return self.abs().rem(b.abs()).copysign(self);
        }
        let rest = self.rem(&b);
        let has_other_sign = rest.ne(0).and(rest.lt(0).ne(self.lt(0)));
        has_other_sign.either(&rest - &b, &rest)
    }

    /// The larger of two; a number wins against NaN.
    pub fn fmax(&self, other: impl Operand) -> Array {
        numbers_first(self, &operand(self, &other), |a, b| a.maximum(b))
    }

    /// The smaller of two; a number wins against NaN.
    pub fn fmin(&self, other: impl Operand) -> Array {
        numbers_first(self, &operand(self, &other), |a, b| a.minimum(b))
    }

    /// `ln(e^x + e^y)` without leaving the range of floats.
    pub fn logaddexp(&self, other: impl Operand) -> Array {
        let (a, b) = (super::float(self), super::float(&operand(self, &other)));
        let both = a.maximum(&b) + (&a - &b).abs().neg().softplus();
        // The difference of equal infinities is none.
        a.eq(&b).either(&a + LN_2, &both)
    }

    /// `log2(2^x + 2^y)` without leaving the range of floats.
    pub fn logaddexp2(&self, other: impl Operand) -> Array {
        let (a, b) = (super::float(self), super::float(&operand(self, &other)));
        let both = a.maximum(&b) + ((&a - &b).abs() * -LN_2).softplus() * (1.0 / LN_2);
        a.eq(&b).either(&a + 1.0, &both)
    }

    /// Radians of degrees.
    pub fn deg2rad(&self) -> Array {
        super::float(self) * (PI / 180.0)
    }

    /// Degrees of radians.
    pub fn rad2deg(&self) -> Array {
        super::float(self) * (180.0 / PI)
    }

    /// To `decimals` places after the point, ties to even; before it if negative. Integers stay integers.
    pub fn around(&self, decimals: i32) -> Array {
        let factor = 10f64.powi(decimals.unsigned_abs().min(300) as i32);
        match (self.dtype().is_float(), decimals) {
            (true, 0) => self.round(),
            (true, 1..) => (self * factor).round() / factor,
            (true, _) => (self / factor).round() * factor,
            (false, 0..) => self.clone(),
            (false, _) if decimals < -9 => self.full_like(0.0),
            (false, _) => self.rounded_to(factor as i32),
        }
    }

    /// Integers to the nearest multiple of `unit`, ties to even multiples.
    fn rounded_to(&self, unit: i32) -> Array {
        let (low, rest) = (self.floor_div(unit), self.rem(unit));
        let is_odd = low.rem(2).eq(1);
        let goes_up = rest.gt(unit / 2).or(rest.eq(unit / 2).and(&is_odd));
        (low + goes_up) * unit
    }

    /// Rounding that leaves integers and truth values as they are.
    pub(crate) fn rounded_by(&self, round: fn(&Array) -> Array) -> Array {
        if self.dtype().is_float() { round(self) } else { self.clone() }
    }

    /// 0 below 0, 1 above it, and `at_zero` there. NaN stays NaN.
    pub fn heaviside(&self, at_zero: impl Operand) -> Array {
        let at_zero = operand(self, &at_zero);
        let x = self.cast(self.dtype().promote(at_zero.dtype()).float());
        let step = x.lt(0.0).either(0.0, x.gt(0.0).either(1.0, at_zero.cast(x.dtype())));
        x.is_nan().either(&x, &step)
    }

    /// The element itself.
    pub fn positive(&self) -> Array {
        self.clone()
    }

    /// Whether there is a minus sign, on zeros and NaN too.
    pub fn signbit(&self) -> Array {
        if self.dtype().is_float() { self.full_like(1.0).copysign(self).lt(0.0) } else { self.lt(0) }
    }

    /// Whether an element is −∞.
    pub fn isneginf(&self) -> Array {
        super::float(self).eq(f64::NEG_INFINITY)
    }

    /// Whether an element is ∞.
    pub fn isposinf(&self) -> Array {
        super::float(self).eq(f64::INFINITY)
    }

    /// Fraction and whole part, both with the sign of the element.
    pub fn modf(&self) -> [Array; 2] {
        let x = super::float(self);
        let whole = x.trunc();
        // ∞ − ∞ would be NaN.
        let fraction = x.is_inf().either(0.0, &x - &whole);
        [fraction.copysign(&x), whole]
    }
}

fn numbers_first(a: &Array, b: &Array, choose: fn(&Array, &Array) -> Array) -> Array {
    if !a.dtype().promote(b.dtype()).is_float() {
        return choose(a, b);
    }
    a.is_nan().either(b, b.is_nan().either(a, choose(a, b)))
}
