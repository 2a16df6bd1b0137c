//! Half precision (IEEE 754 binary16) as bits: how `DType::F16` is read and written.
//!
//! Everything is computed in single precision; a half is only how a number lies in memory. Both conversions are branch-free
//! integer arithmetic, so that a loop over them becomes vector instructions on every target. Widening is exact; narrowing
//! rounds once, to nearest with ties to even, keeps subnormal halves, turns what is too large into infinity and keeps NaN.
//! `emit/number_f32/half.wgsl` is the same arithmetic on a GPU.

use crate::dtype::HAS_WIDE;

/// Whether machines read and write halves. The module of a first web visit leaves that out; its machines refuse such work.
pub const HAS_HALF: bool = cfg!(any(not(target_arch = "wasm32"), feature = "half"));

/// Bits of a half as a float of the same value.
#[inline(always)]
pub fn widen(bits: u16) -> f32 {
    let bits = u32::from(bits);
    let magnitude = bits & 0x7fff;
    // The fields are moved to where f32 has them; a product with 2^112 moves the exponent, also of subnormals.
    let scaled = (f32::from_bits(magnitude << 13) * f32::from_bits(0x7780_0000)).to_bits();
    let special = if magnitude >= 0x7c00 { 0x7f80_0000 } else { 0 };
    f32::from_bits(scaled | special | (bits & 0x8000) << 16)
}

/// Bits of the half nearest to `value`, ties to even.
#[inline(always)]
pub fn narrow(value: f32) -> u16 {
    let bits = value.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    // Adding just under half a unit of what stays, or exactly half of it next to an odd digit, carries where it should.
    let rounded = (magnitude.wrapping_add(0x0fff + ((magnitude >> 13) & 1)).wrapping_sub(0x3800_0000)) >> 13;
    let normal = if magnitude >= 0x4780_0000 { 0x7c00 } else { rounded };
    // Next to ½ a unit in the last place is 2^−24, the smallest half: the sum rounds to a multiple of it.
    let subnormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0x3f00_0000);
    let finite = if magnitude < 0x3880_0000 { subnormal } else { normal };
    let nan = 0x7e00 | (magnitude >> 13 & 0x03ff);
    let half = if magnitude > 0x7f80_0000 { nan } else { finite };
    (half | (bits >> 16 & 0x8000)) as u16
}

/// Bits of the half nearest to `value`, ties to even, rounded once.
pub fn narrow_f64(value: f64) -> u16 {
    narrow(to_odd(value))
}

/// A single whose last bit tells that something was cut off, which rounds on as the number itself would (rounding to odd, Boldo
/// and Melquiond 2008), as long as what it is rounded to has two digits less.
fn to_odd(value: f64) -> f32 {
    let single = value as f32;
    let error = f64::from(single) - value;
    let is_exact = error == 0.0 || !error.is_finite() || single.to_bits() & 1 == 1;
    if is_exact {
        single
    } else if error.abs() > 0.0 && (error > 0.0) == (value > 0.0) {
        f32::from_bits(single.to_bits() - 1)
    } else {
        f32::from_bits(single.to_bits() + 1)
    }
}

/// `value` rounded to half precision.
#[inline(always)]
pub fn round(value: f32) -> f32 {
    if HAS_HALF { widen(narrow(value)) } else { value }
}

/// `value` rounded to half precision, once.
pub fn round_f64(value: f64) -> f64 {
    if HAS_HALF { f64::from(widen(narrow_f64(value))) } else { value }
}

/// Bits of a bfloat16, the upper half of an `f32`, as a float of the same value.
#[inline(always)]
pub fn widen_bfloat(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// Bits of the bfloat16 nearest to `value`, ties to even.
#[inline(always)]
pub fn narrow_bfloat(value: f32) -> u16 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
    // Rounding could turn a NaN into infinity.
    let nan = bits >> 16 | 0x40;
    (if bits & 0x7fff_ffff > 0x7f80_0000 { nan } else { rounded }) as u16
}

/// Bits of the bfloat16 nearest to `value`, ties to even, rounded once.
pub fn narrow_bfloat_f64(value: f64) -> u16 {
    narrow_bfloat(to_odd(value))
}

/// `value` rounded to the precision of bfloat16.
#[inline(always)]
pub fn round_bfloat(value: f32) -> f32 {
    if HAS_WIDE { widen_bfloat(narrow_bfloat(value)) } else { value }
}

/// `value` rounded to the precision of bfloat16, once.
pub fn round_bfloat_f64(value: f64) -> f64 {
    if HAS_WIDE { f64::from(widen_bfloat(narrow_bfloat_f64(value))) } else { value }
}

/// The shortest decimal number that no other half is nearer to, for printing.
pub fn shortest(bits: u16) -> f64 {
    let value = f64::from(widen(bits));
    // Whole numbers and powers of ten this small are exact, and their quotient is the nearest to the decimal it stands for.
    let with_fraction = |n: i32| {
        let scale = 10f64.powi(n.abs());
        if n < 0 { (value / scale).round_ties_even() * scale } else { (value * scale).round_ties_even() / scale }
    };
    let identifies = |shorter: &f64| value.is_finite() && narrow_f64(*shorter) == bits;
    (-4..12).map(with_fraction).find(identifies).unwrap_or(value)
}

/// A bfloat16, by its bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bfloat(pub u16);

impl From<Bfloat> for f32 {
    fn from(value: Bfloat) -> f32 {
        widen_bfloat(value.0)
    }
}

impl From<f32> for Bfloat {
    fn from(value: f32) -> Bfloat {
        Bfloat(narrow_bfloat(value))
    }
}

/// A half-precision number, by its bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Half(pub u16);

impl Half {
    /// The nearest half, ties to even.
    pub fn from_f32(value: f32) -> Half {
        Half(narrow(value))
    }

    /// The same value in single precision.
    pub fn to_f32(self) -> f32 {
        widen(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a half, from the definition of the format.
    fn value_of(bits: u16) -> f64 {
        let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
        let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff));
        sign * match exponent {
            0 => fraction * 2f64.powi(-24),
            31 if fraction == 0.0 => f64::INFINITY,
            31 => f64::NAN,
            _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
        }
    }

    /// The nearest half by looking at all neighbours; beyond the last one, infinity stands where the next one would be.
    fn nearest(value: f64) -> u16 {
        let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
        let size = |bits: u16| if bits == 0x7c00 { 65536.0 } else { value_of(bits) };
        let (mut low, mut high) = (0u16, 0x7c00u16);
        if value.abs() >= size(high) {
            return sign | high;
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if size(middle) <= value.abs() { low = middle } else { high = middle }
        }
        let (below, above) = (value.abs() - size(low), size(high) - value.abs());
        let takes_low = below < above || (below == above && low & 1 == 0);
        sign | if takes_low { low } else { high }
    }

    #[test]
    fn every_half_widens_exactly_and_comes_back() {
        for bits in 0..=u16::MAX {
            let (got, want) = (widen(bits), value_of(bits));
            assert!(f64::from(got) == want || (got.is_nan() && want.is_nan()), "{bits:#x}: {got} for {want}");
            assert_eq!(got.is_sign_negative(), bits & 0x8000 != 0, "{bits:#x}");
            let quiet = if want.is_nan() { bits | 0x0200 } else { bits };
            assert_eq!(narrow(got), quiet, "{bits:#x}");
            assert_eq!(narrow_f64(f64::from(got)), quiet, "{bits:#x}");
        }
    }

    #[test]
    fn rounding_is_to_nearest_and_ties_go_to_even() {
        for low in 0..0x7c00u16 {
            let high = low + 1;
            let top = if high == 0x7c00 { 65536.0 } else { value_of(high) };
            let middle = 0.5 * (value_of(low) + top);
            let even = if low & 1 == 0 { low } else { high };
            for (value, want) in [(middle, even), (middle.next_down(), low), (middle.next_up(), high)] {
                assert_eq!(narrow_f64(value), want, "{value:e}");
                assert_eq!(narrow_f64(-value), want | 0x8000, "{value:e}");
            }
            let single = middle as f32;
            for (value, want) in [(single, even), (single.next_down(), low), (single.next_up(), high)] {
                assert_eq!(narrow(value), want, "{value:e}");
                assert_eq!(narrow(-value), want | 0x8000, "{value:e}");
            }
        }
    }

    #[test]
    fn a_sweep_of_all_floats_is_rounded_to_nearest() {
        for i in 0..1u32 << 18 {
            let value = f32::from_bits(i << 14 | i.wrapping_mul(2_654_435_761) >> 18);
            if !value.is_nan() {
                assert_eq!(narrow(value), nearest(f64::from(value)), "{value:e}");
            } else {
                assert!(widen(narrow(value)).is_nan());
            }
        }
        for value in [1e300, f64::MAX, f64::INFINITY, 65520.0] {
            assert_eq!((narrow_f64(value), narrow_f64(-value)), (0x7c00, 0xfc00));
        }
        assert_eq!((narrow_f64(1e-300), narrow_f64(-5e-324), narrow_f64(65519.9)), (0, 0x8000, 0x7bff));
    }

    #[test]
    fn bfloats_are_rounded_to_nearest_and_ties_go_to_even() {
        for low in 0..0x7f80u16 {
            let (below, above) = (f64::from(widen_bfloat(low)), f64::from(widen_bfloat(low + 1)).min(2f64.powi(128)));
            let (middle, even) = (0.5 * (below + above), low + (low & 1));
            for (value, want) in [(middle, even), (middle.next_down(), low), (middle.next_up(), low + 1), (below, low)]
            {
                assert_eq!(narrow_bfloat_f64(value), want, "{value:e}");
                assert_eq!(narrow_bfloat_f64(-value), want | 0x8000, "{value:e}");
            }
        }
        assert!(widen_bfloat(narrow_bfloat(f32::NAN)).is_nan() && widen_bfloat(narrow_bfloat_f64(-f64::NAN)).is_nan());
        assert_eq!(round_bfloat(f32::MAX), f32::INFINITY);
    }

    #[test]
    fn printed_digits_identify_a_half() {
        let shown = |value: f32| shortest(narrow(value));
        assert_eq!((shown(0.1), shown(65504.0), shown(2.71875), shown(1.0)), (0.1, 65500.0, 2.719, 1.0));
    }
}
