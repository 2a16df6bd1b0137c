//! Composites: functions made of table rows, which therefore need no row, no kernel and no derivative of their own.

use super::number::SQRT_2_OVER_PI;
use super::{Expr, Value};
use std::f64::consts::{FRAC_1_SQRT_2, TAU};

impl<'g> Expr<'g> {
    /// The constant 0 of this expression's type.
    pub fn zero(self) -> Expr<'g> {
        self.graph.constant(Value::from_f64(0.0, self.scalar()))
    }

    /// The constant 1 of this expression's type.
    pub fn one(self) -> Expr<'g> {
        self.graph.constant(Value::from_f64(1.0, self.scalar()))
    }

    /// `x²`.
    pub fn square(self) -> Expr<'g> {
        self * self
    }

    /// `x` where positive, else 0. NaN stays NaN; the slope at 0 is 0.
    pub fn relu(self) -> Expr<'g> {
        self.le(self.zero()).select(self.zero(), self)
    }

    /// `x` where positive, else `slope·x`.
    pub fn leaky_relu(self, slope: Expr<'g>) -> Expr<'g> {
        self.le(self.zero()).select(self * slope, self)
    }

    /// `x` where positive, else `alpha·(e^x − 1)`.
    pub fn elu(self, alpha: Expr<'g>) -> Expr<'g> {
        // The branch not taken must stay finite: e^x of a large positive x would be infinite. A selection, not a minimum, whose
        // tie at 0 would halve the slope there.
        let is_left = self.le(self.zero());
        is_left.select(alpha * is_left.select(self, self.zero()).expm1(), self)
    }

    /// `min(max(x, low), high)`; NaN stays NaN.
    pub fn clamp(self, low: Expr<'g>, high: Expr<'g>) -> Expr<'g> {
        self.maximum(low).minimum(high)
    }

    /// `d·p` with 0·∞ and 0·NaN equal to 0: an adjoint that is zero stays zero at a pole. Elsewhere its slope by d is p, also where
    /// d is 0, which second derivatives need.
    #[inline(never)]
    pub(super) fn by(self, partial: Expr<'g>) -> Expr<'g> {
        match self.constant() {
            Some(Value::Num(_)) => self * partial,
            _ => self * self.eq(self.zero()).and(partial.is_finite().not()).select(partial.zero(), partial),
        }
    }

    /// `1/√(1 − x²)`, the slope of asin; 0 at ±1 and outside, where it has no finite value.
    pub(super) fn edge_slope(self) -> Expr<'g> {
        // (1 − x)(1 + x) keeps the digits that 1 − x² loses near ±1.
        let inside = (1.0 - self) * (1.0 + self);
        inside.gt(inside.zero()).select(inside.rsqrt(), inside.zero())
    }

    /// `self/(x² + y²)`, 0 at the origin.
    pub(super) fn over_norm(self, x: Expr<'g>, y: Expr<'g>) -> Expr<'g> {
        let norm = x * x + y * y;
        norm.gt(norm.zero()).select(self / norm, norm.zero())
    }

    /// Derivative of GELU: `Φ(x) + x·φ(x)`.
    pub(super) fn gelu_slope(self) -> Expr<'g> {
        let cumulative = 0.5 * (self * -FRAC_1_SQRT_2).erfc();
        cumulative + self * (self * self * -0.5).exp() * (1.0 / TAU.sqrt())
    }

    /// Derivative of the tanh form of GELU.
    pub(super) fn gelu_tanh_slope(self) -> Expr<'g> {
        // y = x·s with s = sigmoid(2u), u = √(2/π)(x + 0.044715x³): y' = s + x·s·(1 − s)·2u'.
        let square = self * self;
        let u = self * (square * 0.044715 + 1.0) * SQRT_2_OVER_PI;
        let s = (u * 2.0).sigmoid();
        let slope_u = (square * (3.0 * 0.044715) + 1.0) * SQRT_2_OVER_PI;
        s + self * s * (u * -2.0).sigmoid() * slope_u * 2.0
    }
}
