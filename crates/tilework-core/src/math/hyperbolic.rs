//! Hyperbolic functions and their inverses. Near zero each is an odd polynomial, farther out an exponential or a
//! logarithm, because the two cancel where the other is accurate.

use super::exp::{exp_times, expm1_moderate};
use super::log::log1p_shifted;
use super::split::with_sign;

/// Above this, `x + sqrt(x^2 +- 1)` is 2x to the last bit.
const DOUBLES: f32 = 16_777_216.0;

/// The hyperbolic sine.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn sinh(x: f32) -> f32 {
    let magnitude = x.abs();
    let z = x * x;
    let p = 2.7822132e-06;
    let p = p * z + 0.00019842896;
    let p = p * z + 0.0083333105;
    let p = p * z + 0.16666667;
    let near = magnitude + magnitude * z * p;
    let half = exp_times(magnitude, 0.0, 1.0, -1);
    let far = half - 0.25 / half;
    with_sign(if magnitude < 1.0 { near } else { far }, x)
}

/// The hyperbolic cosine.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn cosh(x: f32) -> f32 {
    let half = exp_times(x.abs(), 0.0, 1.0, -1);
    half + 0.25 / half
}

/// The hyperbolic tangent: t / (t + 2) with t = e^(2|x|) - 1.
///
/// The WGSL twin differs: near zero this quotient is the whole result, and shaders may divide with an error of 2.5 ulp.
#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    let magnitude = x.abs();
    // From 10 on the result is 1.
    let capped = if magnitude < 10.0 { magnitude } else { 10.0 };
    let grown = expm1_moderate(2.0 * capped);
    let y = with_sign(grown / (grown + 2.0), x);
    if x.is_nan() { x } else { y }
}

/// The inverse hyperbolic sine.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn asinh(x: f32) -> f32 {
    let magnitude = x.abs();
    let z = x * x;
    let p = -0.0132284;
    let p = p * z + 0.028163496;
    let p = p * z - 0.044383317;
    let p = p * z + 0.07498642;
    let p = p * z - 0.16666643;
    let near = magnitude + magnitude * z * p;
    // asinh x = log1p(x + x^2 / (1 + sqrt(1 + x^2))).
    let doubles = magnitude > DOUBLES;
    let growth = if doubles { magnitude } else { magnitude + z / (1.0 + (z + 1.0).sqrt()) };
    let far = log1p_shifted(growth, if doubles { 1.0 } else { 0.0 });
    let y = with_sign(if magnitude < 0.5 { near } else { far }, x);
    if magnitude < f32::INFINITY { y } else { x }
}

/// The inverse hyperbolic cosine; NaN below 1.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn acosh(x: f32) -> f32 {
    // acosh x = log1p(t + sqrt(t * (t + 2))) with the exact t = x - 1.
    let t = x - 1.0;
    let doubles = x > DOUBLES;
    let growth = if doubles { x } else { t + (t * (t + 2.0)).sqrt() };
    let y = log1p_shifted(growth, if doubles { 1.0 } else { 0.0 });
    let y = if x < f32::INFINITY { y } else { x };
    if x < 1.0 { f32::NAN } else { y }
}

/// The inverse hyperbolic tangent; NaN outside [-1, 1].
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn atanh(x: f32) -> f32 {
    let magnitude = x.abs();
    let z = x * x;
    let p = 0.1763785;
    let p = p * z + 0.05160436;
    let p = p * z + 0.11816386;
    let p = p * z + 0.14223786;
    let p = p * z + 0.20002453;
    let p = p * z + 0.33333302;
    let near = magnitude + magnitude * z * p;
    let far = 0.5 * log1p_shifted((2.0 * magnitude) / (1.0 - magnitude), 0.0);
    let y = if magnitude < 0.5 { near } else { far };
    let y = if magnitude == 1.0 { f32::INFINITY } else { y };
    let y = with_sign(y, x);
    if magnitude <= 1.0 { y } else { f32::NAN }
}
