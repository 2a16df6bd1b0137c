//! Weights in few bits: the block formats of GGUF files.
//!
//! A row of weights is cut into blocks of 32 or 256; a block stores small integers and what they are to be multiplied with.
//! [`Format`] says how large blocks are; [`Format::decode`] and [`Format::encode`] go between weights and blocks; [`packed`] is how
//! kernels read them.

mod decode;
mod encode;
pub mod packed;
mod repack;
mod sample;

use std::fmt;

/// The sixteen uneven levels of IQ4_NL and IQ4_XS, denser around zero where most weights are.
const LEVELS_IQ4: [i8; 16] = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];

/// Twice the values of a float of one sign, two exponent bits and one fraction bit: MXFP4's levels.
const LEVELS_MXFP4: [i8; 16] = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12];

/// How the weights of a tensor are stored. The names and numbers are those of GGUF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Format {
    F32,
    F16,
    Bf16,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q2K,
    Q3K,
    Q4K,
    Q5K,
    Q6K,
    Iq4Nl,
    Iq4Xs,
    Mxfp4,
}

/// Name, number in GGUF files, weights and bytes of a block.
const TABLE: &[(Format, &str, u32, usize, usize)] = &[
    (Format::F32, "F32", 0, 1, 4),
    (Format::F16, "F16", 1, 1, 2),
    (Format::Bf16, "BF16", 30, 1, 2),
    (Format::Q4_0, "Q4_0", 2, 32, 18),
    (Format::Q4_1, "Q4_1", 3, 32, 20),
    (Format::Q5_0, "Q5_0", 6, 32, 22),
    (Format::Q5_1, "Q5_1", 7, 32, 24),
    (Format::Q8_0, "Q8_0", 8, 32, 34),
    (Format::Q2K, "Q2_K", 10, 256, 84),
    (Format::Q3K, "Q3_K", 11, 256, 110),
    (Format::Q4K, "Q4_K", 12, 256, 144),
    (Format::Q5K, "Q5_K", 13, 256, 176),
    (Format::Q6K, "Q6_K", 14, 256, 210),
    (Format::Iq4Nl, "IQ4_NL", 20, 32, 18),
    (Format::Iq4Xs, "IQ4_XS", 23, 256, 136),
    (Format::Mxfp4, "MXFP4", 39, 32, 17),
];

impl Format {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Format> {
        TABLE.iter().map(|row| row.0)
    }

    fn row(self) -> &'static (Format, &'static str, u32, usize, usize) {
        &TABLE[self as usize]
    }

    /// The name GGUF tools use.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The number of its type in a GGUF file.
    pub fn gguf_number(self) -> u32 {
        self.row().2
    }

    /// The format with this number in GGUF files.
    pub fn from_gguf_number(number: u32) -> Option<Format> {
        TABLE.iter().find(|row| row.2 == number).map(|row| row.0)
    }

    /// The format of this name, in any case.
    pub fn from_name(name: &str) -> Option<Format> {
        TABLE.iter().find(|row| row.1.eq_ignore_ascii_case(name)).map(|row| row.0)
    }

    /// Weights of a block.
    pub fn block_len(self) -> usize {
        self.row().3
    }

    /// Bytes of a block.
    pub fn block_bytes(self) -> usize {
        self.row().4
    }

    /// Bytes of `n` weights; `None` if they do not fill whole blocks or are too many.
    pub fn size_bytes(self, n: usize) -> Option<usize> {
        n.is_multiple_of(self.block_len()).then(|| (n / self.block_len()).checked_mul(self.block_bytes())).flatten()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_formats() {
        for (index, format) in Format::all().enumerate() {
            assert_eq!(format as usize, index);
            assert_eq!(Format::from_gguf_number(format.gguf_number()), Some(format));
            assert_eq!(Format::from_name(&format.name().to_lowercase()), Some(format));
        }
    }
}
