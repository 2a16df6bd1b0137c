//! Weights that are floats of 16 or 32 bits.

use crate::vectorized;
use tilework_core::half;
use tilework_core::quant::Format;

/// Sums that are kept apart, so that additions do not wait for each other.
const LANES: usize = 32;

pub(super) fn dots(format: Format, rows: &[u32], x: &[f32], n_cols: usize, out: &mut [f32]) {
    let n_vectors = x.len() / n_cols.max(1);
    let row_words = format.row_words(n_cols).unwrap_or(0);
    if n_vectors == 0 || row_words == 0 {
        return out.fill(0.0);
    }
    let mut weights = vec![0.0; n_cols];
    for (row, out) in rows.chunks_exact(row_words).zip(out.chunks_exact_mut(n_vectors)) {
        decode_rows(format, row, n_cols, &mut weights);
        for (x, out) in x.chunks_exact(n_cols).zip(out) {
            *out = vectorized(
                #[inline(always)]
                || dot(&weights, x),
            );
        }
    }
}

#[inline(always)]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0.0_f32; LANES];
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            sums[lane] = mul_add(a[lane], b[lane], sums[lane]);
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
        width /= 2;
    }
    sums[0] + rest
}

/// One rounding where the machine has an instruction for it.
#[inline(always)]
fn mul_add(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(target_arch = "wasm32") { a * b + c } else { a.mul_add(b, c) }
}

pub(super) fn decode_rows(format: Format, rows: &[u32], n_cols: usize, out: &mut [f32]) {
    let row_words = format.row_words(n_cols).unwrap_or(0).max(1);
    for (row, out) in rows.chunks_exact(row_words).zip(out.chunks_exact_mut(n_cols.max(1))) {
        if format == Format::F32 {
            out.iter_mut().zip(row).for_each(|(out, &word)| *out = f32::from_bits(word));
            continue;
        }
        let halves: &[u16] = bytemuck::cast_slice(row);
        vectorized(
            #[inline(always)]
            || {
                let pairs = out.iter_mut().zip(halves);
                if format == Format::F16 {
                    pairs.for_each(|(out, &bits)| *out = half::widen(bits));
                } else {
                    pairs.for_each(|(out, &bits)| *out = f32::from_bits(u32::from(bits) << 16));
                }
            },
        );
    }
}
