//! 16-bit floats as 32-bit ones by the instruction for it, which every machine with AVX2 has in practice. The plain loop over
//! [`tilework_core::half::widen`] takes seven instructions, and caches of language models are read as often as weights are.

use crate::{Level, level};
use std::arch::x86_64::*;

/// Widens halves that follow each other, as many as `to` takes; false if this machine is left to the plain loop.
pub(crate) fn widen(halves: &[u16], to: &mut [f32]) -> bool {
    assert!(halves.len() >= to.len(), "there are enough halves");
    match level() {
        // SAFETY: the level says that the machine has the instructions, and there are enough halves.
        Level::Avx512 => unsafe { widen_avx512(halves, to) },
        // SAFETY: the same.
        Level::Avx2 if std::arch::is_x86_feature_detected!("f16c") => unsafe { widen_avx2(halves, to) },
        _ => return false,
    }
    true
}

/// # Safety
/// The machine must have the instructions, and there must be as many halves as `to` takes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
unsafe fn widen_avx512(halves: &[u16], to: &mut [f32]) {
    let (wholes, rest) = to.as_chunks_mut::<16>();
    for (at, to) in wholes.iter_mut().enumerate() {
        // SAFETY: the caller's promise.
        unsafe {
            let halves = _mm256_loadu_si256(halves.as_ptr().add(16 * at).cast());
            _mm512_storeu_ps(to.as_mut_ptr(), _mm512_cvtph_ps(halves));
        }
    }
    let mask = (1_u16 << rest.len()) - 1;
    // SAFETY: only what is there is read and written.
    unsafe {
        let halves = _mm256_maskz_loadu_epi16(mask, halves.as_ptr().add(16 * wholes.len()).cast());
        _mm512_mask_storeu_ps(rest.as_mut_ptr(), mask, _mm512_cvtph_ps(halves));
    }
}

/// # Safety
/// The machine must have the instructions, and there must be as many halves as `to` takes.
#[target_feature(enable = "avx2,f16c")]
unsafe fn widen_avx2(halves: &[u16], to: &mut [f32]) {
    let (wholes, rest) = to.as_chunks_mut::<8>();
    let n_whole = 8 * wholes.len();
    for (at, to) in wholes.iter_mut().enumerate() {
        // SAFETY: the caller's promise.
        unsafe {
            let halves = _mm_loadu_si128(halves.as_ptr().add(8 * at).cast());
            _mm256_storeu_ps(to.as_mut_ptr(), _mm256_cvtph_ps(halves));
        }
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(&halves[n_whole..n_whole + rest.len()]);
    let mut wide = [0.0; 8];
    // SAFETY: both have eight elements.
    unsafe { _mm256_storeu_ps(wide.as_mut_ptr(), _mm256_cvtph_ps(_mm_loadu_si128(last.as_ptr().cast()))) };
    rest.copy_from_slice(&wide[..rest.len()]);
}

#[cfg(test)]
mod tests {
    use tilework_core::half;

    #[test]
    fn every_half_is_widened_as_by_the_plain_loop_whatever_the_length() {
        let all: Vec<u16> = (0..=u16::MAX).collect();
        for n in [0, 1, 7, 8, 15, 16, 17, 31, all.len()] {
            let mut wide = vec![7.0; n];
            if !super::widen(&all, &mut wide) {
                return;
            }
            for (&bits, wide) in all.iter().zip(wide) {
                let plain = half::widen(bits);
                assert!(plain.to_bits() == wide.to_bits() || plain.is_nan() && wide.is_nan(), "{bits:#x}");
            }
        }
    }
}
