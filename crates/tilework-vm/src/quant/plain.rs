//! Packed weights in plain loops, which the compiler turns into vectors where there are any.

use tilework_core::quant::packed::{Codes, GROUP, IQ4_VALUES, MXFP4_VALUES, Packing};

/// The weights of whole rows, as floats: `[n_rows, n_cols]`.
pub(super) fn decode_rows(packing: &Packing, rows: &[u32], n_cols: usize, out: &mut [f32]) {
    let n_groups = n_cols / GROUP;
    let n_rows = out.len() / n_cols.max(1);
    let row_words = rows.len() / n_rows.max(1);
    if n_groups == 0 || row_words == 0 {
        return;
    }
    for (words, out) in rows.chunks_exact(row_words).zip(out.chunks_exact_mut(n_cols)) {
        let row = Row { packing, words, n_groups };
        let mut values = [0_i8; GROUP];
        for (group, out) in out.as_chunks_mut::<GROUP>().0.iter_mut().enumerate() {
            row.values(group, &mut values);
            let scales = packing.scales(words, n_groups, group);
            for i in 0..GROUP {
                let [scale, least] = scales[i / 16];
                out[i] = scale * f32::from(values[i]) + least;
            }
        }
    }
}

/// A packed row with what is needed to read it.
struct Row<'a> {
    packing: &'a Packing,
    words: &'a [u32],
    n_groups: usize,
}

impl Row<'_> {
    /// What the codes of a group stand for.
    #[inline(always)]
    fn values(&self, group: usize, values: &mut [i8; GROUP]) {
        let packing = self.packing;
        let plane = |bits: u32, at: usize| -> &[u8] {
            bytemuck::cast_slice(&self.words[at + group * bits as usize..][..bits as usize])
        };
        let low = plane(packing.low_bits, 0);
        match packing.low_bits {
            8 => low.iter().zip(&mut *values).for_each(|(&byte, value)| *value = byte as i8),
            4 => spread::<16>(low, 4, values),
            _ => spread::<8>(low, 2, values),
        }
        if packing.high_bits > 0 {
            let mut high = [0_i8; GROUP];
            let bytes = plane(packing.high_bits, packing.high_at(self.n_groups));
            match packing.high_bits {
                2 => spread::<8>(bytes, 2, &mut high),
                _ => spread::<4>(bytes, 1, &mut high),
            }
            values.iter_mut().zip(high).for_each(|(value, high)| *value |= high << packing.low_bits);
        }
        let table = match packing.codes {
            Codes::Unsigned | Codes::Signed => return,
            Codes::Iq4 => &IQ4_VALUES,
            Codes::Mxfp4 => &MXFP4_VALUES,
        };
        values.iter_mut().for_each(|value| *value = table[(*value & 15) as usize]);
    }
}

/// Takes `bits` bits of `N` bytes at a time: the lowest of all bytes first.
#[inline(always)]
fn spread<const N: usize>(bytes: &[u8], bits: u32, values: &mut [i8; GROUP]) {
    let mask = (1_u8 << bits) - 1;
    for (k, values) in values.as_chunks_mut::<N>().0.iter_mut().enumerate() {
        for (value, byte) in values.iter_mut().zip(bytes) {
            *value = (byte >> (bits * k as u32) & mask) as i8;
        }
    }
}
