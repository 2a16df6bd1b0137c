//! An epoch of training data: every image once, in an order that only the seed and the epoch decide.

use super::{Digits, N_PIXELS, SIZE, ink};

/// Whether images are moved a little each time they are seen, which makes a network indifferent to where a digit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    /// As they are.
    None,
    /// By up to this many pixels in each direction.
    UpTo(u8),
}

/// A few images as a network takes them.
#[derive(Clone, Debug)]
pub struct Batch {
    /// [`N_PIXELS`] numbers each.
    pub inputs: Vec<f32>,
    /// The digit that each shows.
    pub classes: Vec<u8>,
}

/// The batches of one epoch. The last one is smaller if the size does not divide the number of images.
#[derive(Clone, Debug)]
pub struct Batches<'a> {
    digits: &'a Digits,
    order: Vec<u32>,
    size: usize,
    shift: Shift,
    random: Random,
    next: usize,
}

impl<'a> Batches<'a> {
    /// Batches of `size` images. Equal seeds and epochs give equal batches, whatever was done before.
    pub fn new(digits: &'a Digits, size: usize, shift: Shift, seed: u64, epoch: u64) -> Batches<'a> {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ epoch.wrapping_mul(0xd1b5_4a32_d192_ed03));
        let mut order: Vec<u32> = (0..digits.len() as u32).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, random.below(last as u64 + 1) as usize);
        }
        Batches { digits, order, size: size.max(1), shift, random, next: 0 }
    }

    /// How many there are in all.
    pub fn n_batches(&self) -> usize {
        self.order.len().div_ceil(self.size)
    }
}

impl Iterator for Batches<'_> {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        let end = (self.next + self.size).min(self.order.len());
        let chosen = self.order.get(self.next..end).filter(|chosen| !chosen.is_empty())?;
        self.next = end;
        let mut inputs = vec![0.0; chosen.len() * N_PIXELS];
        let mut classes = Vec::with_capacity(chosen.len());
        for (&index, input) in chosen.iter().zip(inputs.chunks_exact_mut(N_PIXELS)) {
            let image = self.digits.image(index as usize);
            classes.push(self.digits.classes()[index as usize]);
            match self.shift {
                Shift::None => input.iter_mut().zip(image).for_each(|(input, &byte)| *input = ink(byte)),
                Shift::UpTo(most) => {
                    let mut by = || self.random.below(2 * u64::from(most) + 1) as isize - isize::from(most);
                    copy_moved(image, input, by(), by());
                }
            }
        }
        Some(Batch { inputs, classes })
    }
}

/// Copies an image `right` and `down`; what leaves it is lost, what enters is paper.
fn copy_moved(image: &[u8], input: &mut [f32], right: isize, down: isize) {
    let within = |at: isize| usize::try_from(at).ok().filter(|&at| at < SIZE);
    for row in 0..SIZE {
        let Some(to_row) = within(row as isize + down) else { continue };
        for column in 0..SIZE {
            if let Some(to_column) = within(column as isize + right) {
                input[to_row * SIZE + to_column] = ink(image[row * SIZE + column]);
            }
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014): an order needs no better numbers.
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; the bias of the multiplication is 2⁻³² at the sizes used here.
    fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }
}
