//! Formats of blocks of 256: groups of 16 or 32 weights, whose factors are themselves small integers times one half.

use super::half_at;
use crate::quant::LEVELS_IQ4;

/// 16 bytes of factors and offsets (4 bits each), 64 bytes of two-bit q, d and dmin: d·factor · q − dmin·offset.
pub(super) fn q2_k(block: &[u8; 84], out: &mut [f32; 256]) {
    let (d, d_min) = (half_at(block, 80), half_at(block, 82));
    for (group, out) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let (scale, offset) = (d * f32::from(block[group] & 15), d_min * f32::from(block[group] >> 4));
        let (start, shift) = two_bit_place(group);
        for i in 0..16 {
            out[i] = scale * f32::from(block[16 + start + i] >> shift & 3) - offset;
        }
    }
}

/// 32 bytes of third bits, 64 bytes of two low bits, 12 bytes of 16 six-bit factors, d: d·(factor − 32) · (q − 4).
pub(super) fn q3_k(block: &[u8; 110], out: &mut [f32; 256]) {
    let d = half_at(block, 108);
    for (group, out) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let scale = d * f32::from(q3_k_scale(&block[96..108], group));
        let (start, shift) = two_bit_place(group);
        let (high, high_shift) = (group % 2 * 16, group / 2);
        for i in 0..16 {
            let low = (block[32 + start + i] >> shift & 3) as i8;
            // A set bit means that nothing is subtracted.
            let missing = 4 - ((block[high + i] >> high_shift & 1) << 2) as i8;
            out[i] = scale * f32::from(low - missing);
        }
    }
}

/// Factor `group` of a Q3_K block, −32 to 31: low four bits in the first 8 bytes, high two in the last 4.
pub(in crate::quant) fn q3_k_scale(packed: &[u8], group: usize) -> i8 {
    let low = packed[group % 8] >> (4 * (group / 8)) & 15;
    let high = packed[8 + group % 4] >> (2 * (group / 4)) & 3;
    (low | high << 4) as i8 - 32
}

/// First byte and shift of a group of 16 two-bit integers: 32 bytes hold four runs of 32 weights, one in each pair of bits.
fn two_bit_place(group: usize) -> (usize, usize) {
    (group / 8 * 32 + group % 2 * 16, group % 8 / 2 * 2)
}

/// d, dmin, 12 bytes of 8 six-bit factors and offsets, 128 bytes of q: d·factor · q − dmin·offset.
pub(super) fn q4_k(block: &[u8; 144], out: &mut [f32; 256]) {
    let (d, d_min) = (half_at(block, 0), half_at(block, 2));
    for (group, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        let (factor, offset) = six_bit_pair(&block[4..16], group);
        let (scale, offset) = (d * f32::from(factor), d_min * f32::from(offset));
        let (start, shift) = (16 + group / 2 * 32, group % 2 * 4);
        for i in 0..32 {
            out[i] = scale * f32::from(block[start + i] >> shift & 15) - offset;
        }
    }
}

/// As Q4_K, with 32 bytes of fifth bits before the low ones; bit `group` of byte `i` belongs to weight `i` of that group.
pub(super) fn q5_k(block: &[u8; 176], out: &mut [f32; 256]) {
    let (d, d_min) = (half_at(block, 0), half_at(block, 2));
    for (group, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        let (factor, offset) = six_bit_pair(&block[4..16], group);
        let (scale, offset) = (d * f32::from(factor), d_min * f32::from(offset));
        let (start, shift) = (48 + group / 2 * 32, group % 2 * 4);
        for i in 0..32 {
            let q = block[start + i] >> shift & 15 | (block[16 + i] >> group & 1) << 4;
            out[i] = scale * f32::from(q) - offset;
        }
    }
}

/// Factor and offset of a group of a Q4_K or Q5_K block: the first four pairs fill the low six bits of bytes 0–3 and 4–7, the
/// others have four bits in bytes 8–11 and two above the first ones.
pub(in crate::quant) fn six_bit_pair(packed: &[u8], group: usize) -> (u8, u8) {
    if group < 4 {
        (packed[group] & 63, packed[group + 4] & 63)
    } else {
        (packed[group + 4] & 15 | packed[group - 4] >> 6 << 4, packed[group + 4] >> 4 | packed[group] >> 6 << 4)
    }
}

/// 128 bytes of four low bits, 64 bytes of two high bits, 16 signed factors, d: d·factor · (q − 32).
pub(super) fn q6_k(block: &[u8; 210], out: &mut [f32; 256]) {
    let d = half_at(block, 208);
    for (group, out) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let scale = d * f32::from(block[192 + group] as i8);
        let (low, low_shift) = (group / 8 * 64 + group % 4 * 16, group % 8 / 4 * 4);
        let (high, high_shift) = two_bit_place(group);
        for i in 0..16 {
            let q = block[low + i] >> low_shift & 15 | (block[128 + high + i] >> high_shift & 3) << 4;
            out[i] = scale * f32::from(q as i8 - 32);
        }
    }
}

/// d, 8 six-bit factors (two high bits in 2 bytes, four low bits in 4 bytes), 128 bytes of indices: d·(factor − 32) · level.
pub(super) fn iq4_xs(block: &[u8; 136], out: &mut [f32; 256]) {
    let d = half_at(block, 0);
    let high = u16::from_le_bytes([block[2], block[3]]);
    for (group, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        let low = block[4 + group / 2] >> (4 * (group % 2)) & 15;
        let scale = d * f32::from((low | ((high >> (2 * group) & 3) as u8) << 4) as i8 - 32);
        for i in 0..16 {
            let byte = usize::from(block[8 + group * 16 + i]);
            out[i] = scale * f32::from(LEVELS_IQ4[byte & 15]);
            out[i + 16] = scale * f32::from(LEVELS_IQ4[byte >> 4]);
        }
    }
}
