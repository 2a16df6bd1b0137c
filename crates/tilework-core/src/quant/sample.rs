//! Rows of weights for tests and benchmarks, of any format and without a model.

use super::Format;

impl Format {
    /// A packed row of `n_cols` weights between about −10 and 10, a different one for each `seed`; empty if they do not fill whole
    /// blocks.
    ///
    /// Blocks are arbitrary bytes, so that every bit of every code occurs; only scales are kept to plain numbers.
    pub fn sample_row(self, n_cols: usize, seed: u32) -> Vec<u32> {
        let (Some(n_bytes), Some(n_words)) = (self.size_bytes(n_cols), self.row_words(n_cols)) else {
            return Vec::new();
        };
        let mut state = seed;
        let mut byte = || {
            // Constants of Numerical Recipes (Press et al., section 7.1).
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let mut bytes: Vec<u8> = (0..n_bytes).map(|_| byte()).collect();
        for block in bytes.chunks_exact_mut(self.block_bytes()) {
            self.tame(block);
        }
        let mut row = vec![0; n_words];
        self.pack_row(&bytes, &mut row);
        row
    }

    /// Makes the scales of a block plain numbers.
    fn tame(self, block: &mut [u8]) {
        // The high byte of a 16-bit float between 2^-7 and 2^-5, over which steps have about the same size.
        let small = |block: &mut [u8], at: usize| block[at] = 0x20 + block[at] % 8;
        match self {
            // Exponents of 32-bit and brain floats are a bit longer.
            Format::F32 => block[3] = 0x3f,
            Format::Bf16 => block[1] = 0x3f,
            Format::F16 => block[1] = 0x38 | block[1] & 0x83,
            Format::Q4_0 | Format::Q5_0 | Format::Q8_0 | Format::Iq4Nl | Format::Iq4Xs => small(block, 1),
            Format::Q4_1 | Format::Q5_1 | Format::Q4K | Format::Q5K => {
                small(block, 1);
                small(block, 3);
            }
            Format::Q2K => {
                small(block, 81);
                small(block, 83);
            }
            Format::Q3K => small(block, 109),
            Format::Q6K => small(block, 209),
            Format::Mxfp4 => block[0] = 122 + block[0] % 4,
        }
        if matches!(self, Format::Q6K) {
            // Signed scales of any size would make single weights outweigh all others.
            block[192..208].iter_mut().for_each(|scale| *scale = (*scale as i8 / 16) as u8);
        }
    }
}
