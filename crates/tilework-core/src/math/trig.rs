//! `sin`, `cos` and `tan` in radians, for every finite argument.
//!
//! The reduction by pi/2 follows Payne and Hanek ("Radian reduction for trigonometric functions", SIGNUM Newsletter 18,
//! 1983): x * 2/pi modulo 4 in fixed point, with the window of 2/pi that the exponent of x asks for. It holds up to the
//! largest f32 and costs the same for every argument, so there is neither a branch nor a range where accuracy fades.
//!
//! As long as arguments are moderate, subtracting quarter turns piece by piece (Cody and Waite, "Software Manual for the
//! Elementary Functions", 1980) does the same at a third of the cost: the `_moderate` functions are for callers that know
//! |x| <= [`TRIG_MODERATE`], such as the vm after looking at a whole chunk. The sine then goes by half turns, where one odd
//! polynomial serves both quadrants. The cosine does not: shifted by a quarter turn, it would miss 1 at 0 by a rounding.

use super::split::{flip_sign, trim};

const PIO4: f32 = 0.7853982;
/// The bits of 2/pi after 26 zeros.
const TWO_OVER_PI: [u32; 7] =
    [0x0000_0028, 0xbe60_db93, 0x9105_4a7f, 0x09d5_f47d, 0x4d37_7036, 0xd8a5_664f, 0x10e4_107f];
/// pi/2 in units of 2^-13 and 2^-37; the head has 12 bits.
const PIO2_HEAD_13: f32 = 1.5703125 / 8192.0;
const PIO2_TAIL_13: f32 = 0.0004838268 / 8192.0;
const PIO2_37: f32 = 1.5707964 / 137_438_953_472.0;

/// Largest |x| for the `_moderate` functions: the quarter turns below it have 10 bits, so their products with pieces of 14
/// bits are exact.
pub const TRIG_MODERATE: f32 = 1600.0;
/// pi/2 in three pieces of 14 bits and a rest: 66 bits in all. The closest a float below the limit comes to a multiple is about
/// 2^-26, which leaves 2^-56 of error far below its last place.
const PIO2_A: f32 = 1.5706787109375;
const PIO2_B: f32 = 0.00011761486530303955;
const PIO2_C: f32 = 9.920313459588215e-10;
const PIO2_D: f32 = 6.223371969669989e-14;
/// Adding it leaves the nearest integer in the low bits of a float.
const ROUND: f32 = 12_582_912.0;

/// The sine.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn sin(x: f32) -> f32 {
    sine(x, reduce(x))
}

/// The sine of a moderate argument.
#[inline(always)]
pub fn sin_moderate(x: f32) -> f32 {
    let magnitude = x.abs();
    let shifted = magnitude * std::f32::consts::FRAC_1_PI + ROUND;
    let half_turns = shifted - ROUND;
    let near = (magnitude - half_turns * (2.0 * PIO2_A)) - half_turns * (2.0 * PIO2_B);
    let r = (near - half_turns * (2.0 * PIO2_C)) - half_turns * (2.0 * PIO2_D);
    let z = r * r;
    let p = 2.6060818e-06;
    let p = p * z - 0.00019809774;
    let p = p * z + 0.008333069;
    let p = p * z - 0.1666666;
    let y = r + r * z * p;
    // sin(n * pi + r) = (-1)^n * sin r; zero keeps its sign through the flip.
    flip_sign(f32::from_bits(y.to_bits() ^ (shifted.to_bits() << 31)), x)
}

/// The cosine.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn cos(x: f32) -> f32 {
    cosine(x, reduce(x))
}

/// The cosine of a moderate argument.
#[inline(always)]
pub fn cos_moderate(x: f32) -> f32 {
    cosine(x, reduce_moderate(x))
}

/// The tangent.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn tan(x: f32) -> f32 {
    tangent(x, reduce(x))
}

/// The tangent of a moderate argument.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn tan_moderate(x: f32) -> f32 {
    tangent(x, reduce_moderate(x))
}

#[inline(always)]
fn sine(x: f32, angle: Angle) -> f32 {
    let y = if angle.quadrant & 1 == 0 { sin_poly(angle) } else { cos_poly(angle) };
    let y = f32::from_bits(y.to_bits() ^ ((angle.quadrant & 2) << 30));
    // The reduction works on |x|; zero keeps its sign through the flip.
    finite_or_nan(x, flip_sign(y, x))
}

#[inline(always)]
fn cosine(x: f32, angle: Angle) -> f32 {
    let quadrant = angle.quadrant.wrapping_add(1);
    let y = if quadrant & 1 == 0 { sin_poly(angle) } else { cos_poly(angle) };
    finite_or_nan(x, f32::from_bits(y.to_bits() ^ ((quadrant & 2) << 30)))
}

#[inline(always)]
fn tangent(x: f32, angle: Angle) -> f32 {
    let z = angle.hi * angle.hi;
    let p = 0.004372303;
    let p = p * z + 9.889193e-05;
    let p = p * z + 0.010827066;
    let p = p * z + 0.0212863;
    let p = p * z + 0.054058906;
    let p = p * z + 0.13332675;
    let p = p * z + 0.3333335;
    let t = angle.hi + (angle.hi * z * p + angle.lo * (1.0 + z));
    let t = if angle.quadrant & 1 == 0 { t } else { -1.0 / t };
    finite_or_nan(x, flip_sign(t, x))
}

/// |x| = quadrant * pi/2 + (hi + lo), with |hi| <= pi/4 and the quadrant modulo 4.
#[derive(Clone, Copy)]
struct Angle {
    quadrant: u32,
    hi: f32,
    lo: f32,
}

#[inline(always)]
fn reduce(x: f32) -> Angle {
    let magnitude = x.abs();
    let (top, mid) = turns(magnitude.to_bits());
    // The nearest quarter turn, then the signed rest: 30 bits in `top` and 32 more in `mid`, made positive.
    let quadrant = top.wrapping_add(0x2000_0000) >> 30;
    let rest = top.wrapping_sub(quadrant << 30);
    let sign = ((rest as i32) >> 31) as u32;
    let rest = rest ^ sign;
    let mid = mid ^ sign;
    // Three pieces that convert exactly, in units of 2^-13, 2^-37 and 2^-61 quarter turns.
    let a = (rest >> 17) as i32 as f32;
    let b = (((rest & 0x1_ffff) << 7) | (mid >> 25)) as i32 as f32;
    let c = ((mid >> 1) & 0xff_ffff) as i32 as f32;
    let main = a * PIO2_HEAD_13;
    let small = a * PIO2_TAIL_13 + (b + c * 5.9604645e-08) * PIO2_37;
    let hi = trim(main + small);
    let lo = (main - hi) + small;
    let flip = sign & 0x8000_0000;
    let near = magnitude < PIO4;
    Angle {
        quadrant: if near { 0 } else { quadrant },
        hi: if near { magnitude } else { f32::from_bits(hi.to_bits() ^ flip) },
        lo: if near { 0.0 } else { f32::from_bits(lo.to_bits() ^ flip) },
    }
}

/// The same by subtracting quarter turns, for |x| <= [`TRIG_MODERATE`].
#[inline(always)]
fn reduce_moderate(x: f32) -> Angle {
    let magnitude = x.abs();
    let shifted = magnitude * std::f32::consts::FRAC_2_PI + ROUND;
    let turns = shifted - ROUND;
    // The first two differences are exact or as good as; the third and fourth matter where those cancel.
    let near = (magnitude - turns * PIO2_A) - turns * PIO2_B;
    let hi = (near - turns * PIO2_C) - turns * PIO2_D;
    Angle { quadrant: shifted.to_bits() & 3, hi, lo: 0.0 }
}

/// |x| * 2/pi modulo 4 as 64 bits of fixed point, two of them before the point, for |x| >= 1/2.
#[inline(always)]
fn turns(bits: u32) -> (u32, u32) {
    let exponent = bits >> 23;
    let significand = (bits & 0x007f_ffff) | 0x0080_0000;
    // From 1 on the significand is doubled, so that the exponents 127..=254 ask for exactly 128 windows.
    let wide = exponent >= 127;
    let factor = (if wide { significand << 1 } else { significand }) as u64;
    let start = if wide { exponent - 127 } else { 0 };
    let w = &TWO_OVER_PI;
    let by_two = start & 64 != 0;
    let a = if by_two { w[2] } else { w[0] };
    let b = if by_two { w[3] } else { w[1] };
    let c = if by_two { w[4] } else { w[2] };
    let d = if by_two { w[5] } else { w[3] };
    let e = if by_two { w[6] } else { w[4] };
    let by_one = start & 32 != 0;
    let (a, b, c, d) = (
        if by_one { b } else { a },
        if by_one { c } else { b },
        if by_one { d } else { c },
        if by_one { e } else { d },
    );
    let shift = start & 31;
    let back = 31 - shift;
    let window_0 = (a << shift) | ((b >> 1) >> back);
    let window_1 = (b << shift) | ((c >> 1) >> back);
    let window_2 = (c << shift) | ((d >> 1) >> back);
    let low = (factor * window_2 as u64) >> 32;
    let middle = factor * window_1 as u64 + low;
    let top = (factor as u32).wrapping_mul(window_0).wrapping_add((middle >> 32) as u32);
    (top, middle as u32)
}

#[inline(always)]
fn sin_poly(angle: Angle) -> f32 {
    let z = angle.hi * angle.hi;
    let p = -0.00019518285;
    let p = p * z + 0.008332189;
    let p = p * z - 0.16666655;
    angle.hi + (angle.hi * z * p + angle.lo)
}

#[inline(always)]
fn cos_poly(angle: Angle) -> f32 {
    let z = angle.hi * angle.hi;
    let p = 2.4432564e-05;
    let p = p * z - 0.0013887311;
    let p = p * z + 0.041666646;
    1.0 + (z * z * p - (0.5 * z + angle.hi * angle.lo))
}

#[inline(always)]
fn finite_or_nan(x: f32, y: f32) -> f32 {
    if x.abs() < f32::INFINITY { y } else { f32::NAN }
}
