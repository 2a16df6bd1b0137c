//! The shared pieces: cutting a float in two, powers of two, rounding to an integer.

/// Adding 1.5 * 2^23 leaves the nearest integer (ties to even) in the low mantissa bits.
const ROUND_MAGIC: f32 = 12_582_912.0;

/// The leading 12 bits of the significand. The product of two heads is exact, and `x - head(x)` is exact.
#[inline(always)]
pub(super) fn head(x: f32) -> f32 {
    f32::from_bits(x.to_bits() & 0xffff_f000)
}

/// `x` without its last bit. A sum that went through here cannot be cancelled algebraically by a shader compiler, so
/// the rounding error of the sum can be recovered by subtraction.
#[inline(always)]
pub(super) fn trim(x: f32) -> f32 {
    f32::from_bits(x.to_bits() & 0xffff_fffe)
}

/// 2^k for -126 <= k <= 127.
#[inline(always)]
pub(super) fn pow2(k: i32) -> f32 {
    f32::from_bits((k.wrapping_add(127) as u32) << 23)
}

/// `x * 2^k` for -252 <= k <= 254, rounded once also when the result is subnormal, because the first step is exact.
#[inline(always)]
pub(super) fn scale(x: f32, k: i32) -> f32 {
    let half = k >> 1;
    x * pow2(half) * pow2(k.wrapping_sub(half))
}

/// The integer nearest to `x` as a float and as an i32, for |x| < 2^22. A cast would saturate, which vectorizes badly.
#[inline(always)]
pub(super) fn round_int(x: f32) -> (f32, i32) {
    let shifted = x + ROUND_MAGIC;
    (shifted - ROUND_MAGIC, (shifted.to_bits() as i32).wrapping_sub(ROUND_MAGIC.to_bits() as i32))
}

/// `x` limited to `[low, high]`; NaN stays NaN.
#[inline(always)]
pub(super) fn limit(x: f32, low: f32, high: f32) -> f32 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// The magnitude of `x` with the sign of `sign`.
#[inline(always)]
pub(super) fn with_sign(x: f32, sign: f32) -> f32 {
    f32::from_bits((x.to_bits() & 0x7fff_ffff) | (sign.to_bits() & 0x8000_0000))
}

/// `x` with its sign flipped where `sign` is negative.
#[inline(always)]
pub(super) fn flip_sign(x: f32, sign: f32) -> f32 {
    f32::from_bits(x.to_bits() ^ (sign.to_bits() & 0x8000_0000))
}
