//! Exponentials of differences, their sum, and multiples of them, as a softmax wants them, for WASM with 128-bit vectors.
//!
//! Left to itself, the compiler computes the exponentials in one loop and adds them up in another, a vector at a time. Steps of loops are
//! not free in WASM, so two vectors are computed at once here and added up on the way. The arithmetic is that of
//! [`tilework_core::math::exp_nonpositive`], and the order of the sum that of [`crate::lanes::Fold::fold`]: the same bits.

use core::arch::wasm32::*;

/// Running results of a sum.
const LANES: usize = 16;

/// Writes `e^(x − shift)` for every `x`, none of which is above `shift`, and returns the sum.
pub(crate) fn exp_and_sum(y: &mut [f32], x: &[f32], shift: f32) -> f32 {
    let (x_chunks, x_rest) = x.as_chunks::<LANES>();
    let (y_chunks, y_rest) = y.as_chunks_mut::<LANES>();
    let shifts = f32x4_splat(shift);
    let [mut a, mut b, mut c, mut d] = [f32x4_splat(0.0); 4];
    for (y, x) in y_chunks.iter_mut().zip(x_chunks) {
        let (x, y): (*const v128, *mut v128) = (x.as_ptr().cast(), y.as_mut_ptr().cast());
        // SAFETY: a chunk is four vectors.
        unsafe {
            let [first, second] = [exp(f32x4_sub(v128_load(x), shifts)), exp(f32x4_sub(v128_load(x.add(1)), shifts))];
            v128_store(y, first);
            v128_store(y.add(1), second);
            (a, b) = (f32x4_add(a, first), f32x4_add(b, second));
            let [third, fourth] =
                [exp(f32x4_sub(v128_load(x.add(2)), shifts)), exp(f32x4_sub(v128_load(x.add(3)), shifts))];
            v128_store(y.add(2), third);
            v128_store(y.add(3), fourth);
            (c, d) = (f32x4_add(c, third), f32x4_add(d, fourth));
        }
    }
    let mut sums = [0.0_f32; LANES];
    for (four, sum) in sums.as_chunks_mut::<4>().0.iter_mut().zip([a, b, c, d]) {
        *four = [
            f32x4_extract_lane::<0>(sum),
            f32x4_extract_lane::<1>(sum),
            f32x4_extract_lane::<2>(sum),
            f32x4_extract_lane::<3>(sum),
        ];
    }
    for ((y, x), sum) in y_rest.iter_mut().zip(x_rest).zip(&mut sums) {
        *y = tilework_core::math::exp_nonpositive(x - shift);
        *sum += *y;
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

/// Multiplies each element, four vectors at a time.
pub(crate) fn scale(slice: &mut [f32], factor: f32) {
    let (chunks, rest) = slice.as_chunks_mut::<LANES>();
    let factors = f32x4_splat(factor);
    for chunk in chunks {
        let at: *mut v128 = chunk.as_mut_ptr().cast();
        // SAFETY: a chunk is four vectors.
        unsafe {
            let [a, b, c, d] = [v128_load(at), v128_load(at.add(1)), v128_load(at.add(2)), v128_load(at.add(3))];
            v128_store(at, f32x4_mul(a, factors));
            v128_store(at.add(1), f32x4_mul(b, factors));
            v128_store(at.add(2), f32x4_mul(c, factors));
            v128_store(at.add(3), f32x4_mul(d, factors));
        }
    }
    rest.iter_mut().for_each(|x| *x *= factor);
}

/// e^x for x <= 0, or NaN: [`tilework_core::math::exp_nonpositive`], step by step.
#[inline(always)]
fn exp(x: v128) -> v128 {
    const ROUND_BIASED: f32 = 12_582_912.0 + 127.0;
    let times = |a: v128, factor: f32| f32x4_mul(a, f32x4_splat(factor));
    let plus = |a: v128, more: f32| f32x4_add(a, f32x4_splat(more));
    let shifted = plus(times(x, std::f32::consts::LOG2_E), ROUND_BIASED);
    let whole = plus(shifted, -ROUND_BIASED);
    let r = f32x4_sub(f32x4_sub(x, times(whole, 0.69311523)), times(whole, 3.1946183e-05));
    let square = f32x4_mul(r, r);
    let high = f32x4_add(times(square, 0.0013820775), plus(times(r, 0.008369248), 0.04166828));
    let p = f32x4_add(f32x4_mul(high, square), plus(times(r, 0.16666517), 0.49999994));
    let grown = f32x4_add(f32x4_mul(square, p), r);
    let power = i32x4_shl(shifted, 23);
    let y = f32x4_add(f32x4_mul(grown, power), power);
    v128_andnot(y, f32x4_lt(x, f32x4_splat(-tilework_core::math::EXP_MODERATE)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{Combine, Fold};

    #[test]
    fn exponentials_and_their_sum_have_the_bits_of_the_plain_ones() {
        for n in [0, 1, 15, 16, 17, 64, 203, 1000] {
            let mut x: Vec<f32> = (0..n).map(|i| -((i * 7919 % 1009) as f32) / 9.0).collect();
            if let [.., last] = &mut x[..] {
                *last = f32::NEG_INFINITY;
            }
            let mut y = vec![f32::NAN; n];
            let sum = exp_and_sum(&mut y, &x, 0.5);
            let want: Vec<f32> = x.iter().map(|x| tilework_core::math::exp_nonpositive(x - 0.5)).collect();
            assert_eq!(y, want, "{n}");
            assert_eq!(sum, f32::fold(Combine::Sum, &want, 0.0), "{n}");
        }
        let mut x: Vec<f32> = (0..37).map(|i| i as f32).collect();
        scale(&mut x, 0.25);
        assert!(x.iter().enumerate().all(|(i, &x)| x == i as f32 * 0.25));
        let mut y = [0.0; 16];
        assert!(exp_and_sum(&mut y, &[f32::NAN; 16], 0.0).is_nan());
    }
}
