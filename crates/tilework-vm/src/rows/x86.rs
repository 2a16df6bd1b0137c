//! Products of one row with many, by instructions of x86-64 chosen by hand: the compiler finds no good way to add up a vector's lanes, which for
//! rows of a head of attention is most of the work. Four rows are added up together. Sums are made in the order of the plain loop.

use super::{LANES, Lines};
use crate::sixteen::{Avx2, Avx512, Sixteen, four_sums};
use crate::{Level, level};
use std::arch::x86_64::*;

/// Rows that are added up together.
const ROWS: usize = 4;

/// [`super::Rows::dots`], if this machine has the instructions for it; else false.
pub(super) fn dots(a: &[f32], rows: Lines<'_, f32>, out: &mut [f32]) -> bool {
    match level() {
        Level::Baseline => return false,
        // SAFETY: the level says that the machine has the instructions.
        Level::Avx2 => unsafe { dots_avx2(a, rows, out) },
        // SAFETY: the same.
        Level::Avx512 => unsafe { dots_avx512(a, rows, out) },
    }
    true
}

#[target_feature(enable = "avx2")]
fn dots_avx2(a: &[f32], rows: Lines<'_, f32>, out: &mut [f32]) {
    // SAFETY: this function is called on machines that have the instructions.
    unsafe { all::<Avx2>(a, rows, out) }
}

#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2")]
fn dots_avx512(a: &[f32], rows: Lines<'_, f32>, out: &mut [f32]) {
    // SAFETY: the same.
    unsafe { all::<Avx512>(a, rows, out) }
}

/// # Safety
/// The machine must have the instructions of `S`.
#[inline(always)]
unsafe fn all<S: Sixteen>(a: &[f32], rows: Lines<'_, f32>, out: &mut [f32]) {
    let n_rows = out.len();
    for (block, out) in out.chunks_mut(ROWS).enumerate() {
        // Where there are fewer, the last one takes the places of those that are missing.
        let first = ROWS * block;
        let mut four: [&[f32]; ROWS] = [&[]; ROWS];
        for (i, line) in four.iter_mut().enumerate() {
            *line = rows.line((first + i).min(n_rows - 1), a.len());
        }
        // SAFETY: the caller's promise; lines are as long as `a`.
        let sums: [f32; ROWS] = unsafe { std::mem::transmute::<__m128, [f32; ROWS]>(of_four::<S>(a, four)) };
        let n_even = a.len() / LANES * LANES;
        for (i, out) in out.iter_mut().enumerate() {
            let rest = a[n_even..].iter().zip(&four[i][n_even..]);
            *out = if n_even == a.len() { sums[i] } else { sums[i] + rest.map(|(a, b)| a * b).sum::<f32>() };
        }
    }
}

/// The products of as many elements as fill whole vectors.
///
/// # Safety
/// The machine must have the instructions of `S`, and rows be as long as `a`.
#[inline(always)]
unsafe fn of_four<S: Sixteen>(a: &[f32], rows: [&[f32]; ROWS]) -> __m128 {
    // SAFETY: the caller's promise.
    unsafe {
        let mut sums = [S::zero(); ROWS];
        for at in (0..a.len() / LANES * LANES).step_by(LANES) {
            let a = S::load(a.as_ptr().add(at));
            for i in 0..ROWS {
                sums[i] = sums[i].add(a.mul(S::load(rows[i].as_ptr().add(at))));
            }
        }
        four_sums(sums)
    }
}
