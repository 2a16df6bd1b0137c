//! Logarithms: `log`, `log2`, `log10`, `log1p`.
//!
//! All of them write x = 2^e * (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2) and evaluate ln(1 + f) = f + f^2 * (...), where
//! `f` is exact. So the only sizable rounding is that of the last sum.

use super::split::{head, pow2};

/// The bits of sqrt(1/2).
const SQRT_HALF_BITS: u32 = 0x3f35_04f3;
/// ln 2 in two pieces; the first has 14 bits, so that its product with any exponent is exact.
const LN2_HEAD: f32 = 0.69311523;
const LN2_TAIL: f32 = 3.1946183e-05;
/// log2(e) with a head of 12 bits.
const LOG2_E: f32 = 1.442695;
const LOG2_E_HEAD: f32 = 1.4423828;
const LOG2_E_TAIL: f32 = 0.0003122284;
/// log10(e) with a head of 12 bits.
const LOG10_E: f32 = 0.4342945;
const LOG10_E_HEAD: f32 = 0.4342041;
const LOG10_E_TAIL: f32 = 9.038034e-05;
/// log10(2) with a head of 14 bits.
const LOG10_2_HEAD: f32 = 0.3010254;
const LOG10_2_TAIL: f32 = 4.605039e-06;

/// The natural logarithm.
#[inline(always)]
pub fn log(x: f32) -> f32 {
    let (exponent, f) = split_log(x);
    let y = exponent * LN2_HEAD + (f + (log_rest(f) + exponent * LN2_TAIL));
    log_edges(x, y)
}

/// The logarithm to base 2; exact for powers of two.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn log2(x: f32) -> f32 {
    let (exponent, f) = split_log(x);
    let f_head = head(f);
    let rest = (f - f_head) + log_rest(f);
    let y = (exponent + f_head * LOG2_E_HEAD) + (f_head * LOG2_E_TAIL + rest * LOG2_E);
    log_edges(x, y)
}

/// The logarithm to base 10.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn log10(x: f32) -> f32 {
    let (exponent, f) = split_log(x);
    let f_head = head(f);
    let rest = (f - f_head) + log_rest(f);
    let small = (f_head * LOG10_E_TAIL + exponent * LOG10_2_TAIL) + rest * LOG10_E;
    let y = (exponent * LOG10_2_HEAD + f_head * LOG10_E_HEAD) + small;
    log_edges(x, y)
}

/// ln(1 + x), accurate near zero.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn log1p(x: f32) -> f32 {
    let y = log1p_shifted(x, 0.0);
    let y = if x == f32::INFINITY { f32::INFINITY } else { y };
    let y = if x == -1.0 { f32::NEG_INFINITY } else { y };
    let y = if x.is_nan() | (x < -1.0) { f32::NAN } else { y };
    if x.abs() < 2.9e-8 { x } else { y }
}

/// ln(1 + x) + shift * ln 2 for finite x > -1, without the edge cases.
#[inline(always)]
pub(super) fn log1p_shifted(x: f32, shift: f32) -> f32 {
    // The rounded sum only chooses the exponent. The fraction comes from x itself: 2^-e * x + (2^-e - 1).
    let (e, mantissa) = split_mantissa(1.0 + x);
    let large = e > 24;
    let unit = pow2(if large { 0 } else { e.wrapping_neg() });
    let f = if large { mantissa - 1.0 } else { x * unit + (unit - 1.0) };
    let exponent = e as f32 + shift;
    exponent * LN2_HEAD + (f + (log_rest(f) + exponent * LN2_TAIL))
}

/// The exponent e and the exact fraction f of a positive finite x = 2^e * (1 + f).
#[inline(always)]
pub(super) fn split_log(x: f32) -> (f32, f32) {
    // A subnormal is its bits times 2^-149. Going through the integer works even where subnormals are flushed to zero.
    let bits = x.to_bits();
    let subnormal = bits < 0x0080_0000;
    let normal = if subnormal { bits as i32 as f32 } else { x };
    let (e, mantissa) = split_mantissa(normal);
    let e = e.wrapping_sub(if subnormal { 149 } else { 0 });
    (e as f32, mantissa - 1.0)
}

/// The e and the 1 + f of a positive normal x.
#[inline(always)]
pub(super) fn split_mantissa(x: f32) -> (i32, f32) {
    let offset = x.to_bits().wrapping_sub(SQRT_HALF_BITS);
    let mantissa = f32::from_bits((offset & 0x007f_ffff).wrapping_add(SQRT_HALF_BITS));
    ((offset as i32) >> 23, mantissa)
}

/// ln(1 + f) - f for the reduced range.
#[inline(always)]
fn log_rest(f: f32) -> f32 {
    let p = -0.07633847;
    let p = p * f + 0.12762944;
    let p = p * f - 0.13160796;
    let p = p * f + 0.14201534;
    let p = p * f - 0.16623294;
    let p = p * f + 0.20001242;
    let p = p * f - 0.25000823;
    let p = p * f + 0.3333333;
    f * f * (f * p - 0.5)
}

/// The value of a logarithm where x is not positive and finite.
#[inline(always)]
fn log_edges(x: f32, y: f32) -> f32 {
    let y = if x == f32::INFINITY { f32::INFINITY } else { y };
    let y = if x == 0.0 { f32::NEG_INFINITY } else { y };
    if x.is_nan() | (x < 0.0) { f32::NAN } else { y }
}
