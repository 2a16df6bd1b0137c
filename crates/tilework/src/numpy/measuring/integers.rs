//! Element-wise functions of integers. A kernel cannot loop as often as an element needs, so loops run as often as any element of the type
//! could need, and steps that are not needed change nothing.

use super::floats::operand;
use super::settled;
use crate::array::{Array, Operand};
use tilework_core::dtype::DType;
use tilework_core::{Error, Result};

/// Bits of an element of an integer type; truth values are counted as integers.
fn bits(dtype: DType) -> usize {
    if dtype.is_integer() { dtype.size_bytes() * 8 } else { 32 }
}

fn whole(op: &str, x: &Array) -> Result<Array> {
    if x.node()?.dtype().is_float() {
        return Err(Error::dtype(op, format!("needs integers, got {}", x.dtype())));
    }
    Ok(if x.dtype() == DType::Bool { x.cast(DType::I32) } else { x.clone() })
}

fn gcd(op: &str, a: &Array, b: &Array) -> Result<Array> {
    let dtype = whole(op, a)?.dtype().promote(whole(op, b)?.dtype());
    let (mut a, mut b) = (a.cast(dtype).abs(), b.cast(dtype).abs());
    // Euclid's algorithm takes the most steps for neighbors in Fibonacci's sequence: 1.44 for each bit.
    let n_steps = bits(dtype) * 3 / 2;
    for _ in 0..n_steps {
        let is_done = b.eq(0);
        (a, b) = (is_done.either(&a, &b), is_done.either(&b, a.rem(&b)));
    }
    a.check().map(|()| a)
}

impl Array {
    /// Greatest common divisor of two integers, not negative.
    pub fn gcd(&self, other: impl Operand) -> Array {
        settled(self, gcd("gcd", self, &operand(self, &other)))
    }

    /// Least common multiple of two integers, not negative; 0 if one of them is.
    pub fn lcm(&self, other: impl Operand) -> Array {
        let other = operand(self, &other);
        // A division by 0 gives 0.
        settled(self, gcd("lcm", self, &other).map(|divisor| (self.floor_div(divisor) * &other).abs()))
    }

    /// `x^y`: of integers an integer, which wraps around; of floats as `pow`. Integers to a negative power are truncated, where NumPy
    /// refuses them.
    pub fn power(&self, exponent: impl Operand) -> Array {
        let exponent = operand(self, &exponent);
        if self.dtype().promote(exponent.dtype()).is_float() {
            return self.pow(&exponent);
        }
        settled(self, integer_power(self, &exponent))
    }

    /// How many bits of the absolute value are 1, as int32.
    pub fn bitwise_count(&self) -> Array {
        settled(self, bitwise_count(self))
    }
}

fn integer_power(x: &Array, exponent: &Array) -> Result<Array> {
    let dtype = whole("power", x)?.dtype().promote(whole("power", exponent)?.dtype());
    let (mut base, exponent) = (x.cast(dtype), exponent.cast(dtype));
    // 1 and −1 are their own inverses; anything else is truncated to 0.
    let inverse = base.abs().eq(1).either(&base, 0);
    let is_negative = exponent.lt(0);
    base = is_negative.either(&inverse, &base);
    let mut rest = is_negative.either(exponent.neg(), &exponent);
    let mut power = base.full_like(1.0);
    for _ in 0..bits(dtype) {
        power = rest.bit_and(1).eq(1).either(&power * &base, &power);
        base = base.square();
        rest = rest.shift_right(1);
    }
    power.check().map(|()| power)
}

fn bitwise_count(x: &Array) -> Result<Array> {
    let x = whole("bitwise_count", x)?.abs();
    let half = |x: &Array| -> Array {
        // Sums of neighboring bits, then of pairs, then of fours, then all bytes at once.
        let x = x.cast(DType::U32);
        let pairs = &x - x.shift_right(1).bit_and(0x5555_5555u32);
        let fours = pairs.bit_and(0x3333_3333u32) + pairs.shift_right(2).bit_and(0x3333_3333u32);
        let bytes = (&fours + fours.shift_right(4)).bit_and(0x0f0f_0f0fu32);
        (bytes * 0x0101_0101).shift_right(24).cast(DType::I32)
    };
    if x.dtype().size_bytes() <= 4 {
        return Ok(half(&x));
    }
    let low = x.bit_and(f64::from(u32::MAX));
    Ok(half(&low) + half(&x.shift_right(32)))
}
