//! Sorting by digits: the inner loops of sorts.
//!
//! Elements become *words*, unsigned integers in the same order ([`Key`]). Words are sorted by counting how often each digit
//! occurs, which says where every word belongs; several threads place words at once, each into places of its own, and since
//! Rust cannot see that they are disjoint, the places are atomic cells with plain (relaxed) loads and stores.

use crate::vectorized;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Digits of the first cut: enough that the parts of four million words fit into a second-level cache.
pub const N_PARTS: usize = 2048;
/// Below this many words comparing is faster than counting.
const FEW: usize = 200;
/// Bits of a digit inside of a part, for many and for some words: clearing the counts must not cost more than they save.
const DIGIT_BITS: (u32, u32) = (11, 8);
/// What "many" means.
const MANY: usize = 4096;

/// Ascending or descending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Smallest first.
    Ascending,
    /// Largest first.
    Descending,
}

/// An unsigned integer that can be sorted by digits.
pub trait Word: Copy + Ord + Default + Send + Sync + 'static {
    /// A place that several threads can see.
    type Cell: bytemuck::Zeroable + Send + Sync;

    /// Smallest and largest; zeros for no words.
    fn bounds(words: &[Self]) -> (Self, Self);

    /// Counts the words of each part: their distance from `base` in units of 2 to the power of `shift`.
    fn count_parts(words: &[Self], cut: Cut<Self>, counts: &mut [u32; N_PARTS]);

    /// Moves each word to the next place of its part.
    fn place(words: &[Self], cut: Cut<Self>, next: &mut [u32; N_PARTS], cells: &[Self::Cell]);

    /// Copies words into cells.
    fn copy_to_cells(words: &[Self], cells: &[Self::Cell]);

    /// Sorts the words of `cells`, which are used as scratch, into `out` by all bits from `low_bit` on; words that agree in
    /// those keep their order, and must not be larger than one after them.
    fn sort_cells(cells: &[Self::Cell], out: &mut [Self], low_bit: u32);

    /// The cut of words between these bounds into at most [`N_PARTS`] parts.
    fn cut(bounds: (Self, Self), low_bit: u32) -> Cut<Self>;
}

/// How words are cut into parts.
#[derive(Clone, Copy, Debug)]
pub struct Cut<W> {
    base: W,
    shift: u32,
}

macro_rules! word {
    ($($word:ident $cell:ident;)*) => {
        $(impl Word for $word {
            type Cell = $cell;

            #[inline(never)]
            fn bounds(words: &[$word]) -> ($word, $word) {
                let Some(&first) = words.first() else { return (0, 0) };
                vectorized(
                    #[inline(always)]
                    || words.iter().fold((first, first), |(low, high), &word| (low.min(word), high.max(word))),
                )
            }

            fn cut((low, high): ($word, $word), low_bit: u32) -> Cut<$word> {
                // Words that agree above `low_bit` must stay in one part.
                let base = low >> low_bit << low_bit;
                let n_bits = $word::BITS - (high - base).leading_zeros();
                Cut { base, shift: n_bits.saturating_sub(N_PARTS.ilog2()).max(low_bit) }
            }

            #[inline(never)]
            fn count_parts(words: &[$word], cut: Cut<$word>, counts: &mut [u32; N_PARTS]) {
                for &word in words {
                    counts[((word - cut.base) >> cut.shift) as usize % N_PARTS] += 1;
                }
            }

            #[inline(never)]
            fn place(words: &[$word], cut: Cut<$word>, next: &mut [u32; N_PARTS], cells: &[$cell]) {
                for &word in words {
                    let next = &mut next[((word - cut.base) >> cut.shift) as usize % N_PARTS];
                    cells[*next as usize].store(word, Relaxed);
                    *next += 1;
                }
            }

            #[inline(never)]
            fn copy_to_cells(words: &[$word], cells: &[$cell]) {
                words.iter().zip(cells).for_each(|(&word, cell)| cell.store(word, Relaxed));
            }

            #[inline(never)]
            fn sort_cells(cells: &[$cell], out: &mut [$word], low_bit: u32) {
                let mut differing: $word = 0;
                let first = cells.first().map_or(0, |cell| cell.load(Relaxed));
                for (word, cell) in out.iter_mut().zip(cells) {
                    *word = cell.load(Relaxed);
                    differing |= *word ^ first;
                }
                let n_bits = ($word::BITS - differing.leading_zeros()).saturating_sub(low_bit);
                if n_bits == 0 {
                    return;
                }
                if cells.len() < FEW {
                    return out.sort_unstable();
                }
                let digit_bits = if cells.len() >= MANY { DIGIT_BITS.0 } else { DIGIT_BITS.1 };
                let n_digits = n_bits.div_ceil(digit_bits);
                let digit_bits = n_bits.div_ceil(n_digits);
                for digit in 0..n_digits {
                    let shift = low_bit + digit * digit_bits;
                    let mut next = [0u32; N_PARTS];
                    if digit % 2 == 0 {
                        starts(&mut next, out.iter().map(|&word| digit_of!(word, shift, digit_bits)));
                        for &word in out.iter() {
                            let next = &mut next[digit_of!(word, shift, digit_bits)];
                            cells[*next as usize].store(word, Relaxed);
                            *next += 1;
                        }
                    } else {
                        starts(&mut next, cells.iter().map(|cell| digit_of!(cell.load(Relaxed), shift, digit_bits)));
                        for cell in cells {
                            let word = cell.load(Relaxed);
                            let next = &mut next[digit_of!(word, shift, digit_bits)];
                            out[*next as usize] = word;
                            *next += 1;
                        }
                    }
                }
                if n_digits % 2 == 1 {
                    out.iter_mut().zip(cells).for_each(|(word, cell)| *word = cell.load(Relaxed));
                }
            }
        })*
    };
}

/// Digit of a word, in a way that shows the compiler that it is below [`N_PARTS`].
macro_rules! digit_of {
    ($word:expr, $shift:expr, $bits:expr) => {
        (($word >> $shift) as usize & ((1 << $bits) - 1)) % N_PARTS
    };
}

word! {
    u32 AtomicU32;
    u64 AtomicU64;
}

/// Where the words with each digit start.
#[inline(always)]
fn starts(counts: &mut [u32; N_PARTS], digits: impl Iterator<Item = usize>) {
    digits.for_each(|digit| counts[digit] += 1);
    let mut start = 0;
    for count in counts {
        start += std::mem::replace(count, start);
    }
}

/// An element type with an order.
pub trait Key: Copy + Default + Send + Sync + 'static {
    /// Words in the same order.
    type Word: Word + bytemuck::Pod;

    /// The word of each element. NaN comes last in either order; 0 and −0 have the same word.
    fn encode(order: Order, x: &[Self], words: &mut [Self::Word]);

    /// Replaces each word by the bits of the element it stands for: any NaN becomes the same, −0 becomes 0.
    fn decode(order: Order, words: &mut [Self::Word]);

    /// Whether it equals 0, with either sign.
    fn is_zero(self) -> bool;

    /// Whether it is −0, which no word can tell from 0.
    fn is_negative_zero(self) -> bool;
}

macro_rules! float_key {
    ($($float:ident $word:ident;)*) => {
        $(impl Key for $float {
            type Word = $word;

            #[inline(never)]
            fn encode(order: Order, x: &[$float], words: &mut [$word]) {
                let flip = if order == Order::Ascending { 0 } else { $word::MAX };
                vectorized(#[inline(always)] || {
                    for (word, &x) in words.iter_mut().zip(x) {
                        let bits = (x + 0.0).to_bits();
                        // Negative numbers count down: flip all of their bits, and the sign of the others.
                        let is_negative = (bits as <$word as Signed>::Signed >> ($word::BITS - 1)) as $word;
                        let ascending = bits ^ (is_negative | $word::MAX << ($word::BITS - 1));
                        *word = if x.is_nan() { $word::MAX } else { ascending ^ flip };
                    }
                });
            }

            #[inline(never)]
            fn decode(order: Order, words: &mut [$word]) {
                let flip = if order == Order::Ascending { 0 } else { $word::MAX };
                vectorized(#[inline(always)] || {
                    for word in words {
                        let ascending = *word ^ flip;
                        let is_negative = !((ascending as <$word as Signed>::Signed >> ($word::BITS - 1)) as $word);
                        let bits = ascending ^ (is_negative | $word::MAX << ($word::BITS - 1));
                        *word = if *word == $word::MAX { $float::NAN.to_bits() } else { bits };
                    }
                });
            }

            fn is_zero(self) -> bool {
                self == 0.0
            }

            #[inline(always)]
            fn is_negative_zero(self) -> bool {
                self.to_bits() == (-0.0 as $float).to_bits()
            }
        })*
    };
}
float_key! {
    f32 u32;
    f64 u64;
}

/// The signed integer of the same width.
trait Signed {
    type Signed;
}
impl Signed for u32 {
    type Signed = i32;
}
impl Signed for u64 {
    type Signed = i64;
}

macro_rules! integer_key {
    ($($integer:ident $lowest:expr;)*) => {
        $(impl Key for $integer {
            type Word = u32;

            #[inline(never)]
            fn encode(order: Order, x: &[$integer], words: &mut [u32]) {
                let flip = $lowest as u32 ^ if order == Order::Ascending { 0 } else { u32::MAX };
                vectorized(#[inline(always)] || words.iter_mut().zip(x).for_each(|(word, &x)| *word = x as u32 ^ flip));
            }

            #[inline(never)]
            fn decode(order: Order, words: &mut [u32]) {
                let flip = $lowest as u32 ^ if order == Order::Ascending { 0 } else { u32::MAX };
                vectorized(#[inline(always)] || words.iter_mut().for_each(|word| *word ^= flip));
            }

            fn is_zero(self) -> bool {
                self == 0
            }

            fn is_negative_zero(self) -> bool {
                false
            }
        })*
    };
}
integer_key! {
    i32 i32::MIN;
    u32 u32::MIN;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_the_order_of_their_elements() {
        let x = [f32::NEG_INFINITY, -2.5, -1e-40, 0.0, f32::MIN_POSITIVE, 1.0, f32::INFINITY, f32::NAN];
        for order in [Order::Ascending, Order::Descending] {
            let mut words = [0; 8];
            f32::encode(order, &x, &mut words);
            let (numbers, nan) = words.split_at(7);
            assert!(numbers.is_sorted_by(|a, b| (a < b) == (order == Order::Ascending)));
            assert!(numbers.iter().all(|word| *word < nan[0]));
            f32::decode(order, &mut words);
            assert!(words.iter().zip(&x).all(|(word, x)| *word == x.to_bits()));
        }
    }

    #[test]
    fn cells_are_sorted_whatever_their_number_of_digits() {
        for (n, factor) in [(0u64, 1), (1, 1), (50, 977), (3000, 7919), (9000, 0x9E37_79B9_7F4A_7C15), (9000, 1 << 40)]
        {
            let words: Vec<u64> = (0..n).map(|i| (i * 31 % n).wrapping_mul(factor)).collect();
            let cells: Vec<AtomicU64> = words.iter().map(|&word| AtomicU64::new(word)).collect();
            let mut sorted = vec![0; words.len()];
            u64::sort_cells(&cells, &mut sorted, 0);
            let mut want = words.clone();
            want.sort_unstable();
            assert_eq!(sorted, want);
        }
    }
}
