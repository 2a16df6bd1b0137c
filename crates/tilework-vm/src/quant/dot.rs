//! Products of two vectors in plain loops.

use tilework_core::quant::packed::GROUP;

/// Sums that are kept apart, so that additions do not wait for each other.
const LANES: usize = 64;

/// The product of two vectors: 64 sums, of which element `i` belongs to sum `i mod 64`, added by halves.
#[inline(never)]
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    // Without an instruction for it, a fused multiply-add is a function of a hundred instructions.
    if cfg!(any(target_arch = "wasm32", target_arch = "x86_64")) {
        sum_of_products(a, b, |a, b, sum| a * b + sum)
    } else {
        sum_of_products(a, b, f32::mul_add)
    }
}

#[inline(always)]
fn sum_of_products(a: &[f32], b: &[f32], mul_add: impl Fn(f32, f32, f32) -> f32) -> f32 {
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0.0_f32; LANES];
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            sums[lane] = mul_add(a[lane], b[lane], sums[lane]);
        }
    }
    // Rows of groups may end in half a chunk.
    let (a_groups, a_rest) = a_rest.as_chunks::<GROUP>();
    let (b_groups, b_rest) = b_rest.as_chunks::<GROUP>();
    for (a, b) in a_groups.iter().zip(b_groups) {
        for lane in 0..GROUP {
            sums[lane] = mul_add(a[lane], b[lane], sums[lane]);
        }
    }
    for (lane, (a, b)) in a_rest.iter().zip(b_rest).enumerate() {
        sums[lane] = mul_add(*a, *b, sums[lane]);
    }
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
        width /= 2;
    }
    sums[0]
}
