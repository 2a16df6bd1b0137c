//! From the blocks of a GGUF file to [packed](super::packed) rows.

use super::Format;
use super::packed::{GROUP, Packing, Scales};

impl Format {
    /// Repacks one row: `bytes` are its blocks as a GGUF file has them, `row` the [`Format::row_words`] of it.
    pub fn pack_row(self, bytes: &[u8], row: &mut [u32]) {
        row.fill(0);
        let Some(packing) = Packing::of(self) else {
            // Floats stay as they are; an odd number of 16-bit ones leaves the last word half empty.
            for (word, bytes) in row.iter_mut().zip(bytes.chunks(4)) {
                let mut four = [0; 4];
                four[..bytes.len()].copy_from_slice(bytes);
                *word = u32::from_le_bytes(four);
            }
            return;
        };
        let n_groups = bytes.len() / self.block_bytes() * self.block_len() / GROUP;
        let mut codes = [0; 256];
        for (block, bytes) in bytes.chunks_exact(self.block_bytes()).enumerate() {
            let codes = &mut codes[..self.block_len()];
            self.codes(bytes, codes);
            let first_group = block * self.block_len() / GROUP;
            for (k, codes) in codes.chunks_exact(GROUP).enumerate() {
                put_group(&packing, row, n_groups, first_group + k, codes);
            }
            let words = &mut row[packing.scales_at(n_groups)..];
            self.put_scales(bytes, &packing, words, block);
        }
    }

    /// The codes of a block, in the order of its weights.
    fn codes(self, block: &[u8], codes: &mut [u8]) {
        match self {
            Format::Q4_0 | Format::Iq4Nl => halves(&block[2..], codes),
            Format::Q4_1 => halves(&block[4..], codes),
            Format::Mxfp4 => halves(&block[1..], codes),
            Format::Q5_0 => fifth_bits(&block[2..6], &block[6..], codes),
            Format::Q5_1 => fifth_bits(&block[4..8], &block[8..], codes),
            Format::Q8_0 => codes.copy_from_slice(&block[2..34]),
            Format::Q2K => two_bits(&block[16..80], codes),
            Format::Q3K => {
                two_bits(&block[32..96], codes);
                for (i, code) in codes.iter_mut().enumerate() {
                    *code |= (block[i % 32] >> (i / 32) & 1) << 2;
                }
            }
            Format::Q4K => sixty_fours(&block[16..], codes),
            Format::Q5K => {
                sixty_fours(&block[48..], codes);
                for (i, code) in codes.iter_mut().enumerate() {
                    *code |= (block[16 + i % 32] >> (i / 32) & 1) << 4;
                }
            }
            Format::Q6K => six_bits(block, codes),
            Format::Iq4Xs => {
                for (codes, bytes) in codes.chunks_exact_mut(GROUP).zip(block[8..].chunks_exact(16)) {
                    halves(bytes, codes);
                }
            }
            Format::F32 | Format::F16 | Format::Bf16 => {}
        }
    }

    fn put_scales(self, block: &[u8], packing: &Packing, words: &mut [u32], index: usize) {
        let half = |at: usize| u32::from(u16::from_le_bytes([block[at], block[at + 1]]));
        match (self, packing.scales) {
            (_, Scales::Half { .. }) => words[index / 2] |= half(0) << (16 * (index % 2)),
            (_, Scales::HalfPair) => words[index] = half(0) | half(2) << 16,
            // 2^(e - 128): the values are doubled, so the scale is halved.
            (_, Scales::Float) => words[index] = ((f64::from(block[0]) - 128.0).exp2() as f32).to_bits(),
            (_, Scales::Bytes32Pair) => {
                let words = &mut words[index * 5..][..5];
                words[0] = half(0) | half(2) << 16;
                for j in 0..8 {
                    let (scale, least) = six_bit_pair(&block[4..16], j);
                    put_byte(&mut words[1..], j, scale);
                    put_byte(&mut words[3..], j, least);
                }
            }
            (_, Scales::Bytes32) => {
                let words = &mut words[index * 3..][..3];
                words[0] = half(0);
                for j in 0..8 {
                    let low = block[4 + j / 2] >> (4 * (j % 2)) & 15;
                    let high = (half(2) >> (2 * j) & 3) as u8;
                    put_byte(&mut words[1..], j, (low | high << 4).wrapping_sub(32));
                }
            }
            (Format::Q3K, Scales::Bytes16 { .. }) => {
                let words = &mut words[index * 5..][..5];
                words[0] = half(108);
                for j in 0..16 {
                    let low = block[96 + j % 8] >> (4 * (j / 8)) & 15;
                    let high = block[104 + j % 4] >> (2 * (j / 4)) & 3;
                    put_byte(&mut words[1..], j, (low | high << 4).wrapping_sub(32));
                }
            }
            (_, Scales::Bytes16 { .. }) => {
                let words = &mut words[index * 5..][..5];
                words[0] = half(208);
                (0..16).for_each(|j| put_byte(&mut words[1..], j, block[192 + j]));
            }
            (_, Scales::Nibbles16) => {
                let words = &mut words[index * 5..][..5];
                words[0] = half(80) | half(82) << 16;
                (0..16).for_each(|j| put_byte(&mut words[1..], j, block[j]));
            }
        }
    }
}

fn put_byte(words: &mut [u32], i: usize, byte: u8) {
    words[i / 4] |= u32::from(byte) << (8 * (i % 4));
}

/// Writes the planes of a group.
fn put_group(packing: &Packing, row: &mut [u32], n_groups: usize, group: usize, codes: &[u8]) {
    let mut plane = |bits: u32, at: usize, shift: u32| {
        if bits == 0 {
            return;
        }
        let n_bytes = 4 * bits as usize;
        for (i, &code) in codes.iter().enumerate() {
            let byte = i % n_bytes;
            let part = u32::from(code) >> shift & ((1 << bits) - 1);
            let place = 8 * (byte % 4) as u32 + bits * (i / n_bytes) as u32;
            row[at + group * bits as usize + byte / 4] |= part << place;
        }
    };
    plane(packing.low_bits, 0, 0);
    plane(packing.high_bits, packing.high_at(n_groups), packing.low_bits);
}

/// Low halves of 16 bytes, then their high halves.
fn halves(bytes: &[u8], codes: &mut [u8]) {
    let (low, high) = codes.split_at_mut(16);
    for ((low, high), byte) in low.iter_mut().zip(high).zip(bytes) {
        (*low, *high) = (byte & 15, byte >> 4);
    }
}

/// The same with a fifth bit for each weight.
fn fifth_bits(bits: &[u8], bytes: &[u8], codes: &mut [u8]) {
    halves(bytes, codes);
    for (i, code) in codes.iter_mut().enumerate() {
        *code |= (bits[i / 8] >> (i % 8) & 1) << 4;
    }
}

/// Of 64 weights the first 32 are the low halves of 32 bytes, the others their high halves.
fn sixty_fours(bytes: &[u8], codes: &mut [u8]) {
    for (codes, bytes) in codes.chunks_exact_mut(64).zip(bytes.chunks_exact(32)) {
        for (l, byte) in bytes.iter().enumerate() {
            (codes[l], codes[32 + l]) = (byte & 15, byte >> 4);
        }
    }
}

/// Of 128 weights four times 32 share 32 bytes, two bits each.
fn two_bits(bytes: &[u8], codes: &mut [u8]) {
    for (codes, bytes) in codes.chunks_exact_mut(128).zip(bytes.chunks_exact(32)) {
        for (i, code) in codes.iter_mut().enumerate() {
            *code = bytes[i % 32] >> (2 * (i / 32)) & 3;
        }
    }
}

/// The codes of Q6_K: of 128 weights 64 bytes with four bits, 32 bytes with two bits.
fn six_bits(block: &[u8], codes: &mut [u8]) {
    for (part, codes) in codes.chunks_exact_mut(128).enumerate() {
        let (low, high) = (&block[64 * part..][..64], &block[128 + 32 * part..][..32]);
        for (i, code) in codes.iter_mut().enumerate() {
            let four = low[i % 64] >> (4 * (i / 64)) & 15;
            *code = four | (high[i % 32] >> (2 * (i / 32)) & 3) << 4;
        }
    }
}

/// Scale and least of sub-block `j` of Q4_K and Q5_K: six bits each, those of the last four with their high bits apart.
fn six_bit_pair(scales: &[u8], j: usize) -> (u8, u8) {
    if j < 4 {
        (scales[j] & 63, scales[j + 4] & 63)
    } else {
        let (low, high) = (scales[j + 4], |at: usize| scales[at] >> 6 << 4);
        (low & 15 | high(j - 4), low >> 4 | high(j))
    }
}
