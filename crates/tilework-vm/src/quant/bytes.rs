//! Rounded vectors as bytes: of each two groups first their first and then their second halves, as weights in four bits lie.

use super::ROUND;
use tilework_core::quant::packed::GROUP;

/// A rounded element.
pub(super) type Code = i8;

/// Where element `i` of group `group` lies among the codes of a vector.
#[inline(always)]
pub(super) const fn place(group: usize, i: usize) -> usize {
    (group / 2 * 2 + i / 16) * GROUP + group % 2 * 16 + i % 16
}

/// Rounds a group to 8-bit numbers, among the codes of a vector. Returns the sums of both halves.
#[inline(always)]
pub(super) fn quantize(x: &[f32; GROUP], inverse: f32, codes: &mut [Code], group: usize) -> [i32; 2] {
    let mut sums = [0_i32; 2];
    for (part, x) in x.as_chunks::<16>().0.iter().enumerate() {
        let Some(codes) = codes[place(group, 16 * part)..].first_chunk_mut::<16>() else { return sums };
        for i in 0..16 {
            let code = ((x[i] * inverse + ROUND) - ROUND) as i32;
            codes[i] = code as Code;
            sums[part] += code;
        }
    }
    sums
}
