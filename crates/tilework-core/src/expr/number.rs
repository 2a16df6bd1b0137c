//! What a scalar op needs of a number, so that one row of the table has one meaning for every type.
//!
//! [`Number`] is implemented by all of them, [`Real`] by `f32` and `f64`, [`Integer`] by integers of 32 and 64 bits. The `f64` instance is
//! the definition; the `f32` instance uses the same polynomials as the WGSL, so that CPU and GPU agree.

use crate::math;

/// Arithmetic shared by floats and integers. Integers wrap; integer division by zero gives 0, as in NumPy.
pub trait Number: Copy + PartialOrd + 'static {
    /// Sum.
    fn add(self, other: Self) -> Self;
    /// Difference.
    fn sub(self, other: Self) -> Self;
    /// Product.
    fn mul(self, other: Self) -> Self;
    /// Negation.
    fn neg(self) -> Self;
    /// Absolute value.
    fn abs(self) -> Self;
    /// −1, 0 or 1 (NaN for NaN).
    fn sign(self) -> Self;
    /// The smaller; NaN if either is NaN.
    fn min(self, other: Self) -> Self;
    /// The larger; NaN if either is NaN.
    fn max(self, other: Self) -> Self;
    /// Remainder with the sign of the divisor.
    fn rem(self, other: Self) -> Self;
    /// Quotient rounded towards −∞.
    fn floor_div(self, other: Self) -> Self;
}

/// Functions of floating-point numbers.
pub trait Real: Number {
    /// Quotient.
    fn div(self, other: Self) -> Self;
    /// Converts a constant.
    fn of(value: f64) -> Self;
    /// True for NaN, by bits.
    fn is_nan(self) -> bool;
    /// True for ±∞, by bits.
    fn is_inf(self) -> bool;
    /// Magnitude of `self`, sign of `sign`.
    fn copysign(self, sign: Self) -> Self;
    /// Next integer below.
    fn floor(self) -> Self;
    /// Next integer above.
    fn ceil(self) -> Self;
    /// Nearest integer, ties to even.
    fn round(self) -> Self;
    /// Next integer towards zero.
    fn trunc(self) -> Self;
    /// To the nearest number of half precision; ties to even.
    fn round_half(self) -> Self;
    /// To the nearest bfloat16; ties to even.
    fn round_bfloat(self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// `1/√x`.
    fn rsqrt(self) -> Self;
    /// Cube root.
    fn cbrt(self) -> Self;
    /// `x^y` with the special cases of C99.
    fn pow(self, y: Self) -> Self;
    /// `√(x² + y²)` without overflow.
    fn hypot(self, y: Self) -> Self;
    /// `e^x`.
    fn exp(self) -> Self;
    /// `2^x`.
    fn exp2(self) -> Self;
    /// `e^x − 1`.
    fn expm1(self) -> Self;
    /// Natural logarithm.
    fn log(self) -> Self;
    /// Logarithm to base 2.
    fn log2(self) -> Self;
    /// Logarithm to base 10.
    fn log10(self) -> Self;
    /// `ln(1 + x)`.
    fn log1p(self) -> Self;
    /// Sine of radians.
    fn sin(self) -> Self;
    /// Cosine of radians.
    fn cos(self) -> Self;
    /// Tangent of radians.
    fn tan(self) -> Self;
    /// Inverse sine.
    fn asin(self) -> Self;
    /// Inverse cosine.
    fn acos(self) -> Self;
    /// Inverse tangent.
    fn atan(self) -> Self;
    /// Angle of the point `(x, self)`.
    fn atan2(self, x: Self) -> Self;
    /// Hyperbolic sine.
    fn sinh(self) -> Self;
    /// Hyperbolic cosine.
    fn cosh(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// Inverse hyperbolic sine.
    fn asinh(self) -> Self;
    /// Inverse hyperbolic cosine.
    fn acosh(self) -> Self;
    /// Inverse hyperbolic tangent.
    fn atanh(self) -> Self;
    /// Error function.
    fn erf(self) -> Self;
    /// `1 − erf(x)`.
    fn erfc(self) -> Self;
    /// `1/(1 + e^−x)`.
    fn sigmoid(self) -> Self;
    /// `ln(1 + e^x)`.
    fn softplus(self) -> Self;
    /// `x·sigmoid(x)`.
    fn silu(self) -> Self;
    /// `x·Φ(x)`, exact form.
    fn gelu(self) -> Self;
    /// The tanh form of GELU.
    fn gelu_tanh(self) -> Self;
}

/// Bit operations. A shift by the width of the type or more gives 0 (−1 for a negative signed value shifted right), as in NumPy.
pub trait Integer: Number {
    /// Bitwise and.
    fn bit_and(self, other: Self) -> Self;
    /// Bitwise or.
    fn bit_or(self, other: Self) -> Self;
    /// Bitwise exclusive or.
    fn bit_xor(self, other: Self) -> Self;
    /// Bitwise complement.
    fn bit_not(self) -> Self;
    /// Left shift.
    fn shift_left(self, by: Self) -> Self;
    /// Right shift; arithmetic for signed values.
    fn shift_right(self, by: Self) -> Self;
}

macro_rules! float_number {
    ($float:ident) => {
        impl Number for $float {
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self - other
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self * other
            }
            #[inline(always)]
            fn neg(self) -> Self {
                -self
            }
            #[inline(always)]
            fn abs(self) -> Self {
                $float::abs(self)
            }
            #[inline(always)]
            fn sign(self) -> Self {
                if self > 0.0 {
                    1.0
                } else if self < 0.0 {
                    -1.0
                } else {
                    self
                }
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                let smaller = if self < other { self } else { other };
                if self != self { self } else { smaller }
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                let larger = if self > other { self } else { other };
                if self != self { self } else { larger }
            }
            #[inline(always)]
            fn rem(self, other: Self) -> Self {
                let remainder = self % other;
                let shifted = if (remainder < 0.0) != (other < 0.0) { remainder + other } else { remainder };
                // A zero remainder takes the sign of the divisor, as in NumPy.
                if remainder == 0.0 { (0.0 as $float).copysign(other) } else { shifted }
            }
            #[inline(always)]
            fn floor_div(self, other: Self) -> Self {
                // NumPy's rule: take the exact remainder out first, so that the quotient is an integer before rounding.
                let remainder = self % other;
                let exact = (self - remainder) / other;
                let below = if remainder != 0.0 && (remainder < 0.0) != (other < 0.0) { exact - 1.0 } else { exact };
                let nearest = $float::round_ties_even(below);
                let signed = if nearest == 0.0 { (0.0 as $float).copysign(self / other) } else { nearest };
                if other == 0.0 { self / other } else { signed }
            }
        }
    };
}
float_number!(f32);
float_number!(f64);

macro_rules! integer_number {
    ($int:ident, $unsigned:ident, $abs:expr, $sign:expr, $rem:expr, $floor_div:expr, $shift_right:expr) => {
        impl Number for $int {
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn neg(self) -> Self {
                self.wrapping_neg()
            }
            #[inline(always)]
            fn abs(self) -> Self {
                $abs(self)
            }
            #[inline(always)]
            fn sign(self) -> Self {
                $sign(self)
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                Ord::min(self, other)
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                Ord::max(self, other)
            }
            #[inline(always)]
            fn rem(self, other: Self) -> Self {
                if other == 0 { 0 } else { $rem(self, other) }
            }
            #[inline(always)]
            fn floor_div(self, other: Self) -> Self {
                if other == 0 { 0 } else { $floor_div(self, other) }
            }
        }
        impl Integer for $int {
            #[inline(always)]
            fn bit_and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn bit_or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn bit_xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn bit_not(self) -> Self {
                !self
            }
            #[inline(always)]
            fn shift_left(self, by: Self) -> Self {
                if (by as $unsigned) < $int::BITS as $unsigned { self << by } else { 0 }
            }
            #[inline(always)]
            fn shift_right(self, by: Self) -> Self {
                $shift_right(self, by as $unsigned)
            }
        }
    };
}
macro_rules! signed_number {
    ($int:ident, $unsigned:ident) => {
        integer_number!(
            $int,
            $unsigned,
            $int::wrapping_abs,
            $int::signum,
            |a: $int, b: $int| {
                let remainder = a.wrapping_rem(b);
                if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder }
            },
            |a: $int, b: $int| {
                let (quotient, remainder) = (a.wrapping_div(b), a.wrapping_rem(b));
                if remainder != 0 && (remainder < 0) != (b < 0) { quotient - 1 } else { quotient }
            },
            |a: $int, by: $unsigned| a >> Ord::min(by, $int::BITS as $unsigned - 1)
        );
    };
}
signed_number!(i32, u32);
signed_number!(i64, u64);

macro_rules! unsigned_number {
    ($int:ident) => {
        integer_number!(
            $int,
            $int,
            |a: $int| a,
            |a: $int| $int::from(a != 0),
            |a: $int, b: $int| a % b,
            |a: $int, b: $int| a / b,
            |a: $int, by: $int| if by < $int::BITS as $int { a >> by } else { 0 }
        );
    };
}
unsigned_number!(u32);
unsigned_number!(u64);

/// Implements the functions of one argument by naming where each lives.
macro_rules! real {
    ($float:ident: $($name:ident => $body:expr),* ; $($name2:ident => $body2:expr),* $(,)?) => {
        impl Real for $float {
            #[inline(always)]
            fn div(self, other: Self) -> Self { self / other }
            #[inline(always)]
            fn of(value: f64) -> Self { value as $float }
            #[inline(always)]
            fn is_nan(self) -> bool { $float::is_nan(self) }
            #[inline(always)]
            fn is_inf(self) -> bool { $float::is_infinite(self) }
            $(#[inline(always)] fn $name(self) -> Self { $body(self) })*
            $(#[inline(always)] fn $name2(self, other: Self) -> Self { $body2(self, other) })*
        }
    };
}
real! { f32:
    floor => f32::floor, ceil => f32::ceil, round => f32::round_ties_even, trunc => f32::trunc, round_half => crate::half::round,
    round_bfloat => crate::half::round_bfloat, sqrt => f32::sqrt,
    rsqrt => math::rsqrt, cbrt => math::cbrt, exp => math::exp, exp2 => math::exp2, expm1 => math::expm1, log => math::log,
    log2 => math::log2, log10 => math::log10, log1p => math::log1p, sin => math::sin, cos => math::cos, tan => math::tan,
    asin => math::asin, acos => math::acos, atan => math::atan, sinh => math::sinh, cosh => math::cosh, tanh => math::tanh,
    asinh => math::asinh, acosh => math::acosh, atanh => math::atanh, erf => math::erf, erfc => math::erfc,
    sigmoid => math::sigmoid, softplus => math::softplus, silu => math::silu, gelu => math::gelu, gelu_tanh => math::gelu_tanh;
    copysign => f32::copysign, pow => math::pow, hypot => math::hypot, atan2 => math::atan2,
}
real! { f64:
    floor => f64::floor, ceil => f64::ceil, round => f64::round_ties_even, trunc => f64::trunc, round_half => crate::half::round_f64,
    round_bfloat => crate::half::round_bfloat_f64, sqrt => f64::sqrt,
    rsqrt => |x: f64| 1.0 / x.sqrt(), cbrt => libm::cbrt, exp => libm::exp, exp2 => libm::exp2, expm1 => libm::expm1,
    log => libm::log, log2 => libm::log2, log10 => libm::log10, log1p => libm::log1p, sin => libm::sin, cos => libm::cos,
    tan => libm::tan, asin => libm::asin, acos => libm::acos, atan => libm::atan, sinh => libm::sinh, cosh => libm::cosh,
    tanh => libm::tanh, asinh => libm::asinh, acosh => |x: f64| if x < 1.0 { f64::NAN } else { libm::acosh(x) }, atanh => libm::atanh, erf => libm::erf,
    erfc => libm::erfc, sigmoid => |x: f64| 1.0 / (1.0 + libm::exp(-x)),
    softplus => |x: f64| f64::max(x, 0.0) + libm::log1p(libm::exp(-x.abs())),
    // The limits at −∞ are −0, where the plain formulas give −∞/∞ or −∞·0.
    silu => |x: f64| if x == f64::NEG_INFINITY { -0.0 } else { x / (1.0 + libm::exp(-x)) },
    gelu => |x: f64| if x == f64::NEG_INFINITY { -0.0 } else { 0.5 * x * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2) },
    // 1 + tanh(u) = 2/(1 + e^−2u): no cancellation in the negative tail.
    gelu_tanh => |x: f64| {
        if x == f64::NEG_INFINITY { -0.0 } else { x / (1.0 + libm::exp(-2.0 * SQRT_2_OVER_PI * (x + 0.044715 * x * x * x))) }
    };
    copysign => f64::copysign, pow => libm::pow, hypot => libm::hypot, atan2 => libm::atan2,
}

/// `√(2/π)`, from the tanh form of GELU (Hendrycks & Gimpel 2016).
pub(crate) const SQRT_2_OVER_PI: f64 = 0.797_884_560_802_865_4;
