//! Weights as kernels read them.
//!
//! Blocks of a GGUF file have odd sizes (18, 34, 110, 210 bytes) and put the bits of a weight in an order of their own. A matrix
//! is therefore repacked once, row by row and without loss: a row is an even number of 32-bit words, first *planes* with the bits of
//! all its groups of 32 weights, then the scales of all groups. Rows do not know of each other, so stacking matrices is joining
//! rows. Every format is a choice of planes, of the meaning of a code, and of scales:
//!
//! | plane | words a group | where weight `i` of 32 is |
//! |---|---|---|
//! | 8 bits | 8 | byte `i` |
//! | 4 bits | 4 | byte `i % 16`, low half for `i < 16` |
//! | 2 bits | 2 | byte `i % 8`, bits `2(i / 8)` |
//! | 1 bit | 1 | byte `i % 4`, bit `i / 4` |
//!
//! Whichever plane, four neighbouring weights are the same bits of four neighbouring bytes: one mask for a GPU, one shift by lane
//! for a vector unit. Floats are not repacked; 16-bit ones lie in pairs.
//!
//! A weight is `scale · value(code) + least`, where scale and least belong to a half group of 16 weights.

use super::Format;
use crate::half;

/// Weights of a group.
pub const GROUP: usize = 32;
/// Groups of a block of 256.
const GROUPS_OF_SUPER: usize = 8;

/// What the bits of a weight mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Codes {
    /// An unsigned number.
    Unsigned,
    /// A signed byte.
    Signed,
    /// An index into [`IQ4_VALUES`].
    Iq4,
    /// An index into [`MXFP4_VALUES`].
    Mxfp4,
}

/// How scales are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scales {
    /// A half `d` per group, two groups a word: `d·(code − offset)`.
    Half {
        /// What is subtracted from a code.
        offset: i32,
    },
    /// Halves `d` and `m` per group, in one word: `d·code + m`.
    HalfPair,
    /// A 32-bit float per group.
    Float,
    /// Of 256 weights 5 words: halves `d` and `m`, 8 bytes `s`, 8 bytes `t`: `d·s·code − m·t`.
    Bytes32Pair,
    /// Of 256 weights 3 words: half `d`, 8 signed bytes `s`: `d·s·code`.
    Bytes32,
    /// Of 256 weights 5 words: half `d`, 16 signed bytes `s`, one per half group: `d·s·(code − offset)`.
    Bytes16 {
        /// What is subtracted from a code.
        offset: i32,
    },
    /// Of 256 weights 5 words: halves `d` and `m`, 16 bytes of which the low half is `s` and the high half `t`: `d·s·code − m·t`.
    Nibbles16,
}

/// How a block format is repacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packing {
    /// Bits of the first plane: 8, 4 or 2.
    pub low_bits: u32,
    /// Bits of the second plane: 2, 1 or none.
    pub high_bits: u32,
    /// What codes mean.
    pub codes: Codes,
    /// What they are multiplied with.
    pub scales: Scales,
}

/// Values of the codes of `IQ4_NL` and `IQ4_XS` (ggml, `kvalues_iq4nl`).
pub const IQ4_VALUES: [i8; 16] = super::LEVELS_IQ4;
/// Twice the values of 4-bit floats with two bits of exponent (OCP Microscaling Formats 1.0).
pub const MXFP4_VALUES: [i8; 16] = super::LEVELS_MXFP4;

impl Packing {
    const fn new(low_bits: u32, high_bits: u32, codes: Codes, scales: Scales) -> Option<Packing> {
        Some(Packing { low_bits, high_bits, codes, scales })
    }

    /// How `format` is repacked; `None` for floats, which are not.
    pub const fn of(format: Format) -> Option<Packing> {
        use Codes::{Iq4, Mxfp4, Signed, Unsigned};
        match format {
            Format::F32 | Format::F16 | Format::Bf16 => None,
            Format::Q4_0 => Packing::new(4, 0, Unsigned, Scales::Half { offset: 8 }),
            Format::Q4_1 => Packing::new(4, 0, Unsigned, Scales::HalfPair),
            Format::Q5_0 => Packing::new(4, 1, Unsigned, Scales::Half { offset: 16 }),
            Format::Q5_1 => Packing::new(4, 1, Unsigned, Scales::HalfPair),
            Format::Q8_0 => Packing::new(8, 0, Signed, Scales::Half { offset: 0 }),
            Format::Q2K => Packing::new(2, 0, Unsigned, Scales::Nibbles16),
            Format::Q3K => Packing::new(2, 1, Unsigned, Scales::Bytes16 { offset: 4 }),
            Format::Q4K => Packing::new(4, 0, Unsigned, Scales::Bytes32Pair),
            Format::Q5K => Packing::new(4, 1, Unsigned, Scales::Bytes32Pair),
            Format::Q6K => Packing::new(4, 2, Unsigned, Scales::Bytes16 { offset: 32 }),
            Format::Iq4Nl => Packing::new(4, 0, Iq4, Scales::Half { offset: 0 }),
            Format::Iq4Xs => Packing::new(4, 0, Iq4, Scales::Bytes32),
            Format::Mxfp4 => Packing::new(4, 0, Mxfp4, Scales::Float),
        }
    }

    /// Where the second plane begins in a row of `n_groups`.
    pub const fn high_at(&self, n_groups: usize) -> usize {
        n_groups * self.low_bits as usize
    }

    /// Where the scales begin in a row of `n_groups`.
    pub const fn scales_at(&self, n_groups: usize) -> usize {
        n_groups * (self.low_bits + self.high_bits) as usize
    }

    /// Words of a row of `n_groups`.
    pub const fn row_words(&self, n_groups: usize) -> usize {
        self.scales_at(n_groups) + self.scale_words(n_groups)
    }

    const fn scale_words(&self, n_groups: usize) -> usize {
        match self.scales {
            Scales::Half { .. } => n_groups.div_ceil(2),
            Scales::HalfPair | Scales::Float => n_groups,
            Scales::Bytes32Pair | Scales::Bytes16 { .. } | Scales::Nibbles16 => n_groups.div_ceil(GROUPS_OF_SUPER) * 5,
            Scales::Bytes32 => n_groups.div_ceil(GROUPS_OF_SUPER) * 3,
        }
    }

    /// Code `i` of group `group`.
    pub fn code(&self, row: &[u32], n_groups: usize, group: usize, i: usize) -> u32 {
        let plane = |bits: u32, at: usize| -> u32 {
            let per_plane = 8 / bits as usize;
            let n_bytes = GROUP / per_plane;
            let byte = i % n_bytes;
            let word = row[at + group * bits as usize + byte / 4];
            (word >> (8 * (byte % 4) as u32 + bits * (i / n_bytes) as u32)) & ((1 << bits) - 1)
        };
        let low = plane(self.low_bits, 0);
        if self.high_bits == 0 { low } else { low | plane(self.high_bits, self.high_at(n_groups)) << self.low_bits }
    }

    /// What a code stands for.
    pub fn value(&self, code: u32) -> f32 {
        match self.codes {
            Codes::Unsigned => code as f32,
            Codes::Signed => f32::from(code as u8 as i8),
            Codes::Iq4 => f32::from(IQ4_VALUES[(code & 15) as usize]),
            Codes::Mxfp4 => f32::from(MXFP4_VALUES[(code & 15) as usize]),
        }
    }

    /// `[scale, least]` of each half of group `group`.
    pub fn scales(&self, row: &[u32], n_groups: usize, group: usize) -> [[f32; 2]; 2] {
        let words = &row[self.scales_at(n_groups)..];
        let low = |word: u32| half::widen(word as u16);
        let high = |word: u32| half::widen((word >> 16) as u16);
        let byte = |words: &[u32], i: usize| (words[i / 4] >> (8 * (i % 4))) as u8;
        let (super_at, sub) = (group / GROUPS_OF_SUPER, group % GROUPS_OF_SUPER);
        match self.scales {
            Scales::Half { offset } => {
                let d = if group.is_multiple_of(2) { low(words[group / 2]) } else { high(words[group / 2]) };
                [[d, -(offset as f32) * d]; 2]
            }
            Scales::HalfPair => [[low(words[group]), high(words[group])]; 2],
            Scales::Float => [[f32::from_bits(words[group]), 0.0]; 2],
            Scales::Bytes32Pair => {
                let words = &words[super_at * 5..];
                let (s, t) = (byte(&words[1..], sub), byte(&words[3..], sub));
                [[low(words[0]) * f32::from(s), -(high(words[0]) * f32::from(t))]; 2]
            }
            Scales::Bytes32 => {
                let words = &words[super_at * 3..];
                [[low(words[0]) * f32::from(byte(&words[1..], sub) as i8), 0.0]; 2]
            }
            Scales::Bytes16 { offset } => {
                let words = &words[super_at * 5..];
                [0, 1].map(|part| {
                    let scale = low(words[0]) * f32::from(byte(&words[1..], 2 * sub + part) as i8);
                    [scale, -(offset as f32) * scale]
                })
            }
            Scales::Nibbles16 => {
                let words = &words[super_at * 5..];
                [0, 1].map(|part| {
                    let both = byte(&words[1..], 2 * sub + part);
                    [low(words[0]) * f32::from(both & 15), -(high(words[0]) * f32::from(both >> 4))]
                })
            }
        }
    }
}

impl Format {
    /// Words of a repacked row of `n_cols` weights; `None` if they do not fill whole blocks.
    pub const fn row_words(self, n_cols: usize) -> Option<usize> {
        match (self, Packing::of(self)) {
            (Format::F32, _) => Some(n_cols),
            (_, None) => Some(n_cols.div_ceil(2)),
            (_, Some(packing)) if n_cols.is_multiple_of(TABLE_LEN[self as usize]) => {
                Some(packing.row_words(n_cols / GROUP))
            }
            _ => None,
        }
    }

    /// Weight `col` of a repacked row of `n_cols`.
    pub fn packed_weight(self, row: &[u32], n_cols: usize, col: usize) -> f32 {
        let half = |col: usize| (row[col / 2] >> (16 * (col % 2))) as u16;
        match Packing::of(self) {
            None if self == Format::F32 => f32::from_bits(row[col]),
            None if self == Format::F16 => half::widen(half(col)),
            None => f32::from_bits(u32::from(half(col)) << 16),
            Some(packing) => {
                let (n_groups, group, i) = (n_cols / GROUP, col / GROUP, col % GROUP);
                let [scale, least] = packing.scales(row, n_groups, group)[i / 16];
                scale * packing.value(packing.code(row, n_groups, group, i)) + least
            }
        }
    }
}

/// Weights of a block, by format.
const TABLE_LEN: [usize; 16] = {
    let mut lens = [0; 16];
    let mut at = 0;
    while at < lens.len() {
        lens[at] = super::TABLE[at].3;
        at += 1;
    }
    lens
};
