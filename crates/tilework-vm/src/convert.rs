//! Floats to integers: truncating and saturating, NaN to 0, as `as` does it. The compiler turns `as` into vectors on no x86 machine;
//! these it does.

macro_rules! conversions {
    ($($name:ident $float:ident $int:ident $below:expr, $above:expr;)*) => {
        $(#[inline(always)]
        pub(crate) fn $name(x: $float) -> $int {
            const LOWEST: $float = $int::MIN as $float;
            // The largest float that is one of the integers, and the next.
            const HIGHEST: $float = $below;
            let inside = if x > LOWEST { x } else { LOWEST };
            let inside = if inside < HIGHEST { inside } else { HIGHEST };
            // SAFETY: it is between the lowest and the highest integer, and no NaN.
            let whole: $int = unsafe { inside.to_int_unchecked() };
            let whole = if x >= $above { $int::MAX } else { whole };
            if x.is_nan() { 0 } else { whole }
        })*
    };
}
conversions! {
    f32_to_i32 f32 i32 2_147_483_520.0, 2_147_483_648.0;
    f32_to_u32 f32 u32 4_294_967_040.0, 4_294_967_296.0;
    f64_to_i32 f64 i32 2_147_483_647.0, 2_147_483_648.0;
    f64_to_u32 f64 u32 4_294_967_295.0, 4_294_967_296.0;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agree(bits: u64) {
        let (single, double) = (f32::from_bits(bits as u32), f64::from_bits(bits));
        assert_eq!(f32_to_i32(single), single as i32, "{single}");
        assert_eq!(f32_to_u32(single), single as u32, "{single}");
        assert_eq!(f64_to_i32(double), double as i32, "{double}");
        assert_eq!(f64_to_u32(double), double as u32, "{double}");
    }

    #[test]
    fn the_ends_of_the_ranges_are_those_of_as() {
        for end in [0.0, -0.9, 0.9, 2_147_483_648.0, -2_147_483_648.0, 4_294_967_296.0, 1e30, f64::INFINITY, f64::NAN] {
            for x in [end, -end, end.next_up(), end.next_down()] {
                agree(x.to_bits());
                let single = x as f32;
                [single, single.next_up(), single.next_down()].iter().for_each(|x| agree(u64::from(x.to_bits())));
            }
        }
    }

    #[test]
    fn bits_from_all_over_convert_as_by_as() {
        // Steps of an odd number visit every exponent and all kinds of fractions.
        (0..200_000u64).for_each(|k| agree(k.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
    }
}
