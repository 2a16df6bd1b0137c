//! Inverse trigonometric functions: `asin`, `acos`, `atan`, `atan2`, in radians.

use super::split::{flip_sign, with_sign};

/// pi and pi/2, each as the nearest f32 and the rest.
const PI: f32 = 3.1415927;
const PI_REST: f32 = -8.742278e-08;
const PIO2: f32 = 1.5707964;
const PIO2_REST: f32 = -4.371139e-08;

/// The arc sine; NaN outside [-1, 1].
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn asin(x: f32) -> f32 {
    let (inner, outer) = asin_halves(x);
    let y = if x.abs() <= 0.5 { inner } else { PIO2 - (2.0 * outer - PIO2_REST) };
    let y = with_sign(y, x);
    if x.abs() <= 1.0 { y } else { f32::NAN }
}

/// The arc cosine; NaN outside [-1, 1].
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn acos(x: f32) -> f32 {
    let (inner, outer) = asin_halves(x);
    let center = PIO2 - (flip_sign(inner, x) - PIO2_REST);
    let side = if x < 0.0 { PI - (2.0 * outer - PI_REST) } else { 2.0 * outer };
    let y = if x.abs() <= 0.5 { center } else { side };
    if x.abs() <= 1.0 { y } else { f32::NAN }
}

/// The arc tangent.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn atan(x: f32) -> f32 {
    let magnitude = x.abs();
    let steep = magnitude > 1.0;
    let t = if steep { 1.0 / magnitude } else { magnitude };
    let a = atan_poly(t);
    with_sign(if steep { PIO2 - (a - PIO2_REST) } else { a }, x)
}

/// The angle of the point (x, y), in [-pi, pi], with the signed zeros and infinities of C99.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn atan2(y: f32, x: f32) -> f32 {
    let (across, along) = (y.abs(), x.abs());
    let steep = across > along;
    let low = if steep { along } else { across };
    let high = if steep { across } else { along };
    // The quotient is scaled away from the ends of the range: a divider may work through the reciprocal.
    let unit = if high > 1.2676506e30 { 2.3283064e-10 } else { 1.0 };
    let unit = if high < 7.888609e-31 { 4294967296.0 } else { unit };
    let t = (low * unit) / (high * unit);
    let t = if low == 0.0 { 0.0 } else { t };
    let t = if low == high && high == f32::INFINITY { 1.0 } else { t };
    let a = atan_poly(t);
    // Quarter turns that the angle counts from, and whether it counts backwards.
    let behind = x.to_bits() >> 31 != 0;
    let base = if behind { PI } else { 0.0 };
    let base_rest = if behind { PI_REST } else { 0.0 };
    let base = if steep { PIO2 } else { base };
    let base_rest = if steep { PIO2_REST } else { base_rest };
    let signed = if steep != behind { -a } else { a };
    let angle = base + (signed + base_rest);
    let angle = with_sign(angle, y);
    if x.is_nan() | y.is_nan() { f32::NAN } else { angle }
}

/// asin(|x|) for |x| <= 1/2, and asin(sqrt((1 - |x|) / 2)) for |x| > 1/2; one polynomial serves both.
#[inline(always)]
fn asin_halves(x: f32) -> (f32, f32) {
    let magnitude = x.abs();
    let near = magnitude <= 0.5;
    let rest = (1.0 - magnitude) * 0.5;
    let z = if near { magnitude * magnitude } else { rest };
    let p = 0.042157013;
    let p = p * z + 0.024185503;
    let p = p * z + 0.04546902;
    let p = p * z + 0.0749531;
    let p = p * z + 0.16666752;
    let root = rest.sqrt();
    (magnitude + magnitude * z * p, root + root * z * p)
}

/// atan(t) for 0 <= t <= 1.
#[inline(always)]
fn atan_poly(t: f32) -> f32 {
    let z = t * t;
    let p = -0.0017870689;
    let p = p * z + 0.010885485;
    let p = p * z - 0.03112406;
    let p = p * z + 0.057904202;
    let p = p * z - 0.08400377;
    let p = p * z + 0.10951155;
    let p = p * z - 0.1426405;
    let p = p * z + 0.19998531;
    let p = p * z - 0.333333;
    t + t * z * p
}
