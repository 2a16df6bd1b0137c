//! Exponentials: `exp`, `exp2`, `expm1`, and the extended forms that other families build on.

use super::split::{limit, round_int, scale};

const LOG2_E: f32 = 1.442695;
/// ln 2 in two pieces; the first has 14 bits, so that its product with any exponent is exact.
const LN2_HEAD: f32 = 0.69311523;
const LN2_TAIL: f32 = 3.1946183e-05;

/// Adding it leaves the nearest integer in the low bits of a float.
const ROUND: f32 = 12_582_912.0;

/// The same, with the bias of exponents in the low bits as well.
const ROUND_BIASED: f32 = ROUND + 127.0;

/// e^x.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    exp_times(x, 0.0, 1.0, 0)
}

/// Up to here, in either direction, e^x is a normal number.
pub const EXP_MODERATE: f32 = 87.0;

/// e^x for x <= 0, or NaN; results below the smallest normal float are 0. About half the work of [`exp`].
#[inline(always)]
pub fn exp_nonpositive(x: f32) -> f32 {
    let y = exp_moderate(x);
    if x < -EXP_MODERATE { 0.0 } else { y }
}

/// e^x for |x| <= [`EXP_MODERATE`], or NaN.
#[inline(always)]
pub fn exp_moderate(x: f32) -> f32 {
    let shifted = x * LOG2_E + ROUND_BIASED;
    let whole = shifted - ROUND_BIASED;
    let r = (x - whole * LN2_HEAD) - whole * LN2_TAIL;
    // The polynomial of `exp_times` in pairs of terms: as many operations, but half of them wait for nothing.
    let square = r * r;
    let high = 0.0013820775 * square + (0.008369248 * r + 0.04166828);
    let p = high * square + (0.16666517 * r + 0.49999994);
    let grown = square * p + r;
    let power = f32::from_bits(shifted.to_bits() << 23);
    grown * power + power
}

/// 2^x.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn exp2(x: f32) -> f32 {
    exp2_sum(limit(x, -160.0, 130.0), 0.0)
}

/// e^x - 1, accurate near zero.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn expm1(x: f32) -> f32 {
    // Below -20 the result is -1 to the last bit.
    let (r, k) = reduce(limit(x, -20.0, 90.0), 0.0);
    let grown = expm1_poly(r);
    // e^x - 1 = 2^k * (grown + (1 - 2^-k)), where 2^-k no longer counts from k = 127 on.
    let inverse = 127i32.wrapping_sub(k);
    let inverse = f32::from_bits((if inverse < 0 { 0 } else { inverse } as u32) << 23);
    let y = scale((1.0 - inverse) + grown, k);
    if x.abs() < 2.9e-8 { x } else { y }
}

/// `factor * 2^bias * e^(hi + lo)` for a small `lo`. The factor joins before the last rounding, which saves an error.
#[inline(always)]
pub(super) fn exp_times(hi: f32, lo: f32, factor: f32, bias: i32) -> f32 {
    let (r, k) = reduce(limit(hi, -150.0, 90.0), lo);
    let p = 0.0013820775;
    let p = p * r + 0.008369248;
    let p = p * r + 0.04166828;
    let p = p * r + 0.16666517;
    let p = p * r + 0.49999994;
    let grown = r * r * p + r;
    scale(factor * grown + factor, k.wrapping_add(bias))
}

/// e^x - 1 for 0 <= x <= 20, where nothing can overflow and the scaling is one addition to the exponent.
#[inline(always)]
pub(super) fn expm1_moderate(x: f32) -> f32 {
    let shifted = x * LOG2_E + ROUND;
    let whole = shifted - ROUND;
    let r = (x - whole * LN2_HEAD) - whole * LN2_TAIL;
    let exponent = shifted.to_bits() << 23;
    let inverse = f32::from_bits(1f32.to_bits().wrapping_sub(exponent));
    // As in `expm1`: 2^k * (grown + (1 - 2^-k)).
    let y = (1.0 - inverse) + expm1_poly(r);
    f32::from_bits(y.to_bits().wrapping_add(exponent))
}

/// e^r - 1 for |r| <= ln 2 / 2.
#[inline(always)]
fn expm1_poly(r: f32) -> f32 {
    let p = 0.00019766072;
    let p = p * r + 0.0013933225;
    let p = p * r + 0.008333542;
    let p = p * r + 0.041666485;
    let p = p * r + 0.16666666;
    let p = p * r + 0.5;
    r * r * p + r
}

/// 2^(hi + lo) for -200 <= hi <= 200 and a small `lo`.
#[inline(always)]
pub(super) fn exp2_sum(hi: f32, lo: f32) -> f32 {
    let (p, k) = exp2_parts(hi, lo);
    scale(p, k)
}

/// The same as a factor near 1 and an exponent.
#[inline(always)]
pub(super) fn exp2_parts(hi: f32, lo: f32) -> (f32, i32) {
    let (whole, k) = round_int(hi + lo);
    let r = (hi - whole) + lo;
    let p = 0.00015331966;
    let p = p * r + 0.0013392963;
    let p = p * r + 0.0096185;
    let p = p * r + 0.055503562;
    let p = p * r + 0.24022648;
    let p = p * r + 0.6931472;
    (r * p + 1.0, k)
}

/// `hi + lo = k * ln 2 + r` with |r| <= ln 2 / 2.
#[inline(always)]
fn reduce(hi: f32, lo: f32) -> (f32, i32) {
    let (whole, k) = round_int((hi + lo) * LOG2_E);
    let r = (hi - whole * LN2_HEAD) + (lo - whole * LN2_TAIL);
    (r, k)
}
