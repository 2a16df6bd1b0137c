//! Rounded vectors as bytes in their order.

use super::ROUND;
use tilework_core::quant::packed::GROUP;

/// A rounded element.
pub(super) type Code = i8;

/// Where element `i` of a group lies among its codes.
#[inline(always)]
pub(super) const fn place(i: usize) -> usize {
    i
}

/// Rounds a group to 8-bit numbers. Returns the sums of both halves.
#[inline(always)]
pub(super) fn quantize(x: &[f32; GROUP], inverse: f32, codes: &mut [Code; GROUP]) -> [i32; 2] {
    let mut sums = [0_i32; 2];
    for i in 0..GROUP {
        let code = ((x[i] * inverse + ROUND) - ROUND) as i32;
        codes[i] = code as Code;
        sums[i / 16] += code;
    }
    sums
}
