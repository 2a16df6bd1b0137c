//! Sorting by digits: the inner loops of sorts.
//!
//! Elements become *words*, unsigned integers in the same order ([`Key`]). Words are sorted by counting how often each digit
//! occurs, which says where every word belongs; several threads place words at once, each into places of its own, and since
//! Rust cannot see that they are disjoint, the places are atomic cells with plain (relaxed) loads and stores.

use crate::vectorized;
use std::ops::Range;
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

    /// Its number of bits.
    const BITS: u32;

    /// Smallest and largest; zeros for no words.
    fn bounds(words: &[Self]) -> (Self, Self);

    /// Counts the words of each part.
    fn count_parts(words: &[Self], cut: Cut<Self>, counts: &mut [u32; N_PARTS]);

    /// Moves each word to the next place of its part.
    fn place(words: &[Self], cut: Cut<Self>, next: &mut [u32; N_PARTS], cells: &[Self::Cell]);

    /// Copies words into cells.
    fn copy_to_cells(words: &[Self], cells: &[Self::Cell]);

    /// Sorts the words of `cells`, which are used as scratch, into `out`. They differ in `bits` only, or below them, where they
    /// ascend among words that agree in `bits`.
    fn sort_cells(cells: &[Self::Cell], out: &mut [Self], bits: Range<u32>);

    /// The cut of words between these bounds into at most [`N_PARTS`] parts.
    fn cut(bounds: (Self, Self), low_bit: u32) -> Cut<Self>;
}

/// How words are cut into parts.
#[derive(Clone, Copy, Debug)]
pub struct Cut<W> {
    base: W,
    shift: u32,
}

impl<W> Cut<W> {
    /// The lowest bit that decides about the part of a word.
    pub fn shift(&self) -> u32 {
        self.shift
    }
}

macro_rules! word {
    ($($word:ident $cell:ident;)*) => {
        $(impl Word for $word {
            type Cell = $cell;
            const BITS: u32 = $word::BITS;

            #[inline(never)]
            fn bounds(words: &[$word]) -> ($word, $word) {
                let Some(&first) = words.first() else { return (0, 0) };
                vectorized(
                    #[inline(always)]
                    move || words.iter().fold((first, first), |(low, high), &word| (low.min(word), high.max(word))),
                )
            }

            fn cut((low, high): ($word, $word), low_bit: u32) -> Cut<$word> {
                let n_bits = $word::BITS - (high ^ low).leading_zeros();
                let mut shift = n_bits.saturating_sub(N_PARTS.ilog2()).max(low_bit);
                // Parts are ranges of the bits above the cut, which the difference of the bounds may span in fewer bits.
                while shift > low_bit && (high >> (shift - 1)) - (low >> (shift - 1)) < N_PARTS as $word {
                    shift -= 1;
                }
                Cut { base: low >> shift << shift, shift }
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
            fn sort_cells(cells: &[$cell], out: &mut [$word], bits: Range<u32>) {
                if bits.is_empty() || cells.len() < FEW {
                    out.iter_mut().zip(cells).for_each(|(word, cell)| *word = cell.load(Relaxed));
                    if !bits.is_empty() {
                        out.sort_unstable();
                    }
                    return;
                }
                let n_bits = bits.len() as u32;
                let n_digits = n_bits.div_ceil(if cells.len() >= MANY { DIGIT_BITS.0 } else { DIGIT_BITS.1 });
                let width = n_bits.div_ceil(n_digits);
                let mut is_in_cells = true;
                for shift in bits.step_by(width as usize) {
                    let digit = |word: $word| ((word >> shift) as usize & ((1 << width) - 1)) % N_PARTS;
                    let mut next = [0u32; N_PARTS];
                    if is_in_cells {
                        let words = cells.iter().map(|cell| cell.load(Relaxed));
                        if starts(&mut next[..1 << width], words.clone().map(digit)) {
                            move_words(words, digit, &mut next, |place, word| out[place] = word);
                            is_in_cells = false;
                        }
                    } else {
                        let words = out.iter().copied();
                        if starts(&mut next[..1 << width], words.clone().map(digit)) {
                            let put = |place: usize, word| cells[place].store(word, Relaxed);
                            move_words(words, digit, &mut next, put);
                            is_in_cells = true;
                        }
                    }
                }
                if is_in_cells {
                    out.iter_mut().zip(cells).for_each(|(word, cell)| *word = cell.load(Relaxed));
                }
            }
        })*
    };
}

word! {
    u32 AtomicU32;
    u64 AtomicU64;
}

/// Where the words with each digit start; false if all have the same.
#[inline(always)]
fn starts(counts: &mut [u32], digits: impl ExactSizeIterator<Item = usize>) -> bool {
    let n = digits.len() as u32;
    digits.for_each(|digit| counts[digit] += 1);
    let mut start = 0;
    let mut is_needed = true;
    for count in counts {
        is_needed &= *count != n;
        start += std::mem::replace(count, start);
    }
    is_needed
}

/// Puts each word where the next one with its digit goes.
#[inline(always)]
fn move_words<W: Copy>(
    words: impl Iterator<Item = W>,
    digit: impl Fn(W) -> usize,
    next: &mut [u32; N_PARTS],
    mut put: impl FnMut(usize, W),
) {
    for word in words {
        let next = &mut next[digit(word)];
        put(*next as usize, word);
        *next += 1;
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

    /// Whether any is −0, which no word can tell from 0.
    fn has_negative_zero(x: &[Self]) -> bool;
}

macro_rules! float_key {
    ($($float:ident $word:ident;)*) => {
        $(impl Key for $float {
            type Word = $word;

            #[inline(never)]
            fn encode(order: Order, x: &[$float], words: &mut [$word]) {
                let flip = if order == Order::Ascending { 0 } else { $word::MAX };
                vectorized(#[inline(always)] move || {
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
                vectorized(#[inline(always)] move || {
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

            #[inline(never)]
            fn has_negative_zero(x: &[$float]) -> bool {
                let negative_zero = (-0.0 as $float).to_bits();
                vectorized(
                    #[inline(always)]
                    move || x.iter().fold(false, |any, x| any | (x.to_bits() == negative_zero)),
                )
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
    ($($integer:ident $word:ident $lowest:expr;)*) => {
        $(impl Key for $integer {
            type Word = $word;

            #[inline(never)]
            fn encode(order: Order, x: &[$integer], words: &mut [$word]) {
                let flip = $lowest as $word ^ if order == Order::Ascending { 0 } else { $word::MAX };
                vectorized(#[inline(always)] move || words.iter_mut().zip(x).for_each(|(word, &x)| *word = x as $word ^ flip));
            }

            #[inline(never)]
            fn decode(order: Order, words: &mut [$word]) {
                let flip = $lowest as $word ^ if order == Order::Ascending { 0 } else { $word::MAX };
                vectorized(#[inline(always)] move || words.iter_mut().for_each(|word| *word ^= flip));
            }

            fn is_zero(self) -> bool {
                self == 0
            }

            fn has_negative_zero(_x: &[$integer]) -> bool {
                false
            }
        })*
    };
}
integer_key! {
    i32 u32 i32::MIN;
    u32 u32 u32::MIN;
    i64 u64 i64::MIN;
    u64 u64 u64::MIN;
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
            u64::sort_cells(&cells, &mut sorted, 0..64);
            let mut want = words.clone();
            want.sort_unstable();
            assert_eq!(sorted, want);
        }
    }
}
