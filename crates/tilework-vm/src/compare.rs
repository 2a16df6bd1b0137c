//! Comparisons of floats with one number, on AVX-512: truth values of sixty-four elements are the bits of one mask and one store.
//! The compiler makes them sixteen at a time, and a comparison is little more than what it stores.

use crate::{Level, level};
use std::arch::x86_64::*;
use tilework_core::expr::ScalarOp;

/// Compares every element with `b`; false if this machine or operation is left to the plain loop.
#[inline]
pub(crate) fn compare(op: ScalarOp, a: &[f32], b: f32, out: &mut [u8]) -> bool {
    if level() != Level::Avx512 {
        return false;
    }
    // SAFETY: the level says that the machine has the instructions.
    unsafe {
        match op {
            ScalarOp::Lt => by::<_CMP_LT_OQ>(a, b, out),
            ScalarOp::Le => by::<_CMP_LE_OQ>(a, b, out),
            ScalarOp::Gt => by::<_CMP_GT_OQ>(a, b, out),
            ScalarOp::Ge => by::<_CMP_GE_OQ>(a, b, out),
            ScalarOp::Eq => by::<_CMP_EQ_OQ>(a, b, out),
            ScalarOp::Ne => by::<_CMP_NEQ_UQ>(a, b, out),
            _ => return false,
        }
    }
    true
}

/// Elements of a block: as many as bytes of a vector.
const BLOCK: usize = 64;

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn by<const COMPARISON: i32>(a: &[f32], b: f32, out: &mut [u8]) {
    let (blocks, rest) = a.as_chunks::<BLOCK>();
    let (out_blocks, out_rest) = out.as_chunks_mut::<BLOCK>();
    for (a, out) in blocks.iter().zip(out_blocks) {
        truths::<COMPARISON>(a, b, out);
    }
    if rest.is_empty() {
        return;
    }
    let (mut last, mut last_out) = ([0.0; BLOCK], [0; BLOCK]);
    last[..rest.len()].copy_from_slice(rest);
    truths::<COMPARISON>(&last, b, &mut last_out);
    out_rest.iter_mut().zip(last_out).for_each(|(out, truth)| *out = truth);
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn truths<const COMPARISON: i32>(a: &[f32; BLOCK], b: f32, out: &mut [u8; BLOCK]) {
    let b = _mm512_set1_ps(b);
    // SAFETY: the block has four vectors.
    let quarter = |k: usize| unsafe {
        u64::from(_mm512_cmp_ps_mask::<COMPARISON>(_mm512_loadu_ps(a.as_ptr().add(16 * k)), b)) << (16 * k)
    };
    let mask = quarter(0) | quarter(1) | quarter(2) | quarter(3);
    // SAFETY: the results are as many bytes as a vector has.
    unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), _mm512_maskz_set1_epi8(mask, 1)) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_comparison_is_the_plain_one_whatever_the_length() {
        let special = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 0.0, 1.0, -1.0];
        for n in [0, 1, 63, 64, 65, 200] {
            let a: Vec<f32> = (0..n).map(|i| special[i * 5 % 7]).collect();
            for b in special {
                let check = |op: ScalarOp, plain: fn(&f32, &f32) -> bool| {
                    let mut out = vec![7; n];
                    if compare(op, &a, b, &mut out) {
                        let want: Vec<u8> = a.iter().map(|x| u8::from(plain(x, &b))).collect();
                        assert_eq!(out, want, "{op:?} {b}");
                    }
                };
                check(ScalarOp::Lt, |a, b| a < b);
                check(ScalarOp::Le, |a, b| a <= b);
                check(ScalarOp::Gt, |a, b| a > b);
                check(ScalarOp::Ge, |a, b| a >= b);
                check(ScalarOp::Eq, |a, b| a == b);
                check(ScalarOp::Ne, |a, b| a != b);
            }
        }
    }
}
