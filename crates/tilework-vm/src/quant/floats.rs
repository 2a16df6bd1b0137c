//! Weights that are floats of 16 or 32 bits.

use crate::vectorized;
use tilework_core::half;
use tilework_core::quant::Format;

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
