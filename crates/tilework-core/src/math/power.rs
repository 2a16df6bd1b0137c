//! `pow`, `cbrt`, `rsqrt`, `hypot`.

use super::exp::{exp2_parts, exp2_sum};
use super::log::{split_log, split_mantissa};
use super::split::{head, limit, with_sign};

/// 1/3 with a head of 12 bits.
const THIRD: f32 = 0.33333334;
const THIRD_HEAD: f32 = 0.33325195;
const THIRD_TAIL: f32 = 8.138021e-05;
/// 2 * log2(e) with a head of 12 bits.
const TWO_LOG2_E: f32 = 2.88539;
const TWO_LOG2_E_HEAD: f32 = 2.8847656;
const TWO_LOG2_E_TAIL: f32 = 0.0006244568;
/// 2^40: beyond this exponent every power except that of 1 overflows or vanishes.
const HUGE_EXPONENT: f32 = 1_099_511_627_776.0;

/// x^y with the special cases of C99: `pow(x, 0)` and `pow(1, y)` are 1 even for NaN, and a negative base needs a whole
/// exponent.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn pow(x: f32, y: f32) -> f32 {
    let (exponent, f) = split_log(x.abs());
    // A clamped exponent decides the same side.
    let (hi, lo) = times_log2(limit(y, -HUGE_EXPONENT, HUGE_EXPONENT), exponent, f);
    let beyond = hi.abs() > 200.0;
    let magnitude = exp2_sum(limit(hi, -200.0, 200.0), if beyond { 0.0 } else { lo });
    pow_edges(x, y, magnitude)
}

/// Whether [`pow_moderate`] is for these bases: all of them positive and normal, as are their powers.
#[inline(always)]
pub fn are_powers_moderate(bases: &[f32], y: f32) -> bool {
    let all = bases.iter().fold((u32::MAX, 0), |(least, most), x| (least.min(x.to_bits()), most.max(x.to_bits())));
    let (least, most) = ((all.0 >> 23) as i32, (all.1 >> 23) as i32);
    // Bases lie between 2^(least - 127) and 2^(most - 126).
    let magnitude = (127 - least).max(most - 126) as f32;
    least >= 1 && most <= 254 && magnitude * y.abs() <= 125.0
}

/// x^y where [`are_powers_moderate`], the same bits as [`pow`] gives for half the work.
#[inline(always)]
pub fn pow_moderate(x: f32, y: f32) -> f32 {
    let (e, mantissa) = split_mantissa(x);
    let (hi, lo) = times_log2(y, e as f32, mantissa - 1.0);
    let (p, k) = exp2_parts(hi, lo);
    f32::from_bits(p.to_bits().wrapping_add((k as u32) << 23))
}

/// The cube root.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn cbrt(x: f32) -> f32 {
    // A subnormal is its bits times 2^-149; with one more factor of two the scale 2^-150 has a cube root.
    // Near the ends of the range 2^-30 and 2^30 keep the cubes finite and normal.
    let bits = x.to_bits() & 0x7fff_ffff;
    let subnormal = bits < 0x0080_0000;
    let small = bits < 0x1000_0000;
    let large = bits >= 0x7000_0000;
    let unit = if small { 1_073_741_824.0 } else { 1.0 };
    let unit = if large { 9.313226e-10 } else { unit };
    let magnitude = if subnormal { bits as i32 as f32 * 2.0 } else { x.abs() * unit };
    // A third of the bit pattern is a third of the exponent: within 5 %. Summed shifts are the series 1/4 + 1/16 + ...
    let pattern = magnitude.to_bits();
    let third = (pattern >> 2) + (pattern >> 4);
    let third = third + (third >> 4);
    let third = third + (third >> 8);
    let third = third + (third >> 16);
    let guess = f32::from_bits(third.wrapping_add(709_956_137));
    // One step of Halley to 13 bits; then one from a 12-bit head, whose square is exact.
    let cube = guess * guess * guess;
    let root = head(guess * ((cube + 2.0 * magnitude) / (2.0 * cube + magnitude)));
    let quotient = magnitude / (root * root);
    let root = root + root * ((quotient - root) / (2.0 * root + quotient));
    let back = if small { 0.0009765625 } else { 1.0 };
    let back = if subnormal { 8.881784e-16 } else { back };
    let back = if large { 1024.0 } else { back };
    // The sign comes last: LLVM 22 makes AVX-512 code that blends the wrong way of a choice between this sum of bits and `x`.
    let y = if (bits == 0) | (bits >= 0x7f80_0000) { x } else { root * back };
    with_sign(y, x)
}

/// 1 / sqrt(x).
#[inline(always)]
pub fn rsqrt(x: f32) -> f32 {
    1.0 / x.sqrt()
}

/// sqrt(x^2 + y^2) without overflow on the way; infinite if either side is, even beside NaN.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn hypot(x: f32, y: f32) -> f32 {
    let (a, b) = (x.abs(), y.abs());
    let longer = if a > b { a } else { b };
    let large = longer > 1.1529215e18;
    let small = longer < 9.094947e-13;
    // 2^-70 and 2^90 keep both squares inside the range and normal, with their inverses exact.
    let unit = if large { 8.4703295e-22 } else { 1.0 };
    let unit = if small { 1.2379401e27 } else { unit };
    let back = if large { 1.1805916e21 } else { 1.0 };
    let back = if small { 8.077936e-28 } else { back };
    let (a_scaled, b_scaled) = (a * unit, b * unit);
    let length = (a_scaled * a_scaled + b_scaled * b_scaled).sqrt() * back;
    if (a == f32::INFINITY) | (b == f32::INFINITY) { f32::INFINITY } else { length }
}

/// `y * (exponent + log2(1 + f))` as an exact product of heads and the rest.
#[inline(always)]
fn times_log2(y: f32, exponent: f32, f: f32) -> (f32, f32) {
    let (log_hi, log_lo) = log2_extended(exponent, f);
    let y_head = head(y);
    let y_tail = y - y_head;
    (y_head * log_hi, y_head * log_lo + y_tail * (log_hi + log_lo))
}

/// `exponent + log2(1 + f)` as a head of 12 bits and a tail, good to about 2^-34 of its size.
#[inline(always)]
fn log2_extended(exponent: f32, f: f32) -> (f32, f32) {
    // s = f / (2 + f) in two pieces, the second from the exact remainder of the division.
    let d = 2.0 + f;
    let d_head = head(d);
    let d_tail = (2.0 - d_head) + f;
    let s = f / d;
    let s_head = head(s);
    let s_tail = ((f - s_head * d_head) - s_head * d_tail) / d;
    // atanh(s) = s * (1 + q), with q = s^2 / 3 + s^4 * (...) in two pieces as well.
    let z = s_head * s_head;
    let z_head = head(z);
    let z_tail = (z - z_head) + s_tail * (s_head + s);
    let z_all = s * s;
    let p = 0.11709758;
    let p = p * z_all + 0.14273547;
    let p = p * z_all + 0.20000076;
    let q_main = z_head * THIRD_HEAD;
    let q_rest = (z_head * THIRD_TAIL + z_tail * THIRD) + z_all * z_all * p;
    let q_head = head(q_main + q_rest);
    let q_tail = (q_main - q_head) + q_rest;
    let product = s_head * q_head;
    let rest = s_tail + (s_head * q_tail + s_tail * q_head);
    let half_head = head(s_head + (product + rest));
    let half_tail = ((s_head - half_head) + product) + rest;
    // ln(1 + f) = 2 * atanh(s); now to base 2, and the exponent on top.
    let main = half_head * TWO_LOG2_E_HEAD;
    let small = half_head * TWO_LOG2_E_TAIL + half_tail * TWO_LOG2_E;
    let hi = head(exponent + (main + small));
    let lo = ((exponent - hi) + main) + small;
    (hi, lo)
}

/// The sign of a power and its special cases.
#[inline(always)]
fn pow_edges(x: f32, y: f32, magnitude: f32) -> f32 {
    let exponent = y.abs();
    // Below 2^23 adding 2^23 rounds to a whole number, whose parity is then the lowest bit.
    let shifted = exponent + 8_388_608.0;
    let small = exponent < 8_388_608.0;
    let whole = if small { shifted - 8_388_608.0 == exponent } else { true };
    let parity = (if small { shifted.to_bits() } else { exponent.to_bits() }) & 1;
    let odd = whole & (parity == 1) & (exponent < 16_777_216.0);

    let base = x.abs();
    let vanishes = (base < 1.0) == (y > 0.0);
    let extreme_value = if vanishes { 0.0 } else { f32::INFINITY };
    let extreme = (base == 0.0) | (base == f32::INFINITY) | (exponent == f32::INFINITY);
    let p = if extreme { extreme_value } else { magnitude };
    let p = if (base == 1.0) & (exponent == f32::INFINITY) { 1.0 } else { p };
    let sign = if odd { x.to_bits() & 0x8000_0000 } else { 0 };
    let p = f32::from_bits(p.to_bits() | sign);
    let p = if (x < 0.0) & !whole & (base != f32::INFINITY) { f32::NAN } else { p };
    let p = if x.is_nan() | y.is_nan() { f32::NAN } else { p };
    if (y == 0.0) | (x == 1.0) { 1.0 } else { p }
}
