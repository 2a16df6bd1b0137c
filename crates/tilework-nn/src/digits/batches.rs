//! An epoch of training data: every image once, in an order that only the seed and the epoch decide.

use super::{Digits, N_PIXELS, SIZE, ink};
use tilework::layers::ops::threads::Threads;

/// Images that a thread fills at a time.
const IMAGES_AT_ONCE: usize = 16;

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
    /// What the seed and the epoch decide.
    key: u64,
    next: usize,
}

impl<'a> Batches<'a> {
    /// Batches of `size` images. Equal seeds and epochs give equal batches, whatever was done before.
    pub fn new(digits: &'a Digits, size: usize, shift: Shift, seed: u64, epoch: u64) -> Batches<'a> {
        let key = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ epoch.wrapping_mul(0xd1b5_4a32_d192_ed03);
        let mut random = Random(key);
        let mut order: Vec<u32> = (0..digits.len() as u32).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, random.below(last as u64 + 1) as usize);
        }
        Batches { digits, order, size: size.max(1), shift, key, next: 0 }
    }

    /// The batches from number `first` on; those before are not made.
    pub fn from(self, first: usize) -> Batches<'a> {
        Batches { next: first.saturating_mul(self.size), ..self }
    }

    /// How many there are in all.
    pub fn n_batches(&self) -> usize {
        self.order.len().div_ceil(self.size)
    }
}

impl Iterator for Batches<'_> {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        let end = self.next.saturating_add(self.size).min(self.order.len());
        let chosen = self.order.get(self.next..end).filter(|chosen| !chosen.is_empty())?;
        self.next = end;
        let mut inputs = vec![0.0; chosen.len() * N_PIXELS];
        Threads::all().for_each_piece(&mut inputs, IMAGES_AT_ONCE * N_PIXELS, |start, inputs| {
            for (input, &index) in inputs.chunks_exact_mut(N_PIXELS).zip(&chosen[start / N_PIXELS..]) {
                self.fill(input, index);
            }
        });
        let classes = chosen.iter().map(|&index| self.digits.classes()[index as usize]).collect();
        Some(Batch { inputs, classes })
    }
}

impl Batches<'_> {
    /// Makes blank paper the image of that number.
    fn fill(&self, input: &mut [f32], index: u32) {
        let image = self.digits.image(index as usize);
        match self.shift {
            Shift::None => put(input, image),
            Shift::UpTo(most) => {
                // Numbers of the image itself: batches can be skipped.
                let mut random = Random(self.key ^ (u64::from(index) << 32));
                let mut by = || random.below(2 * u64::from(most) + 1) as isize - isize::from(most);
                put_moved(input, image, by(), by());
            }
        }
    }
}

/// What [`ink`] says of every byte: a division for each pixel would take longer than the products it is made for.
static INK: [f32; 256] = {
    let mut table = [0.0; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = ink(byte as u8);
        byte += 1;
    }
    table
};

fn put(input: &mut [f32], bytes: &[u8]) {
    input.iter_mut().zip(bytes).for_each(|(input, &byte)| *input = INK[usize::from(byte)]);
}

/// Puts an image moved `right` and `down`; what leaves it is lost, what enters is paper.
fn put_moved(input: &mut [f32], image: &[u8], right: isize, down: isize) {
    // The columns that stay inside, where they come from and where they go.
    let (from, to) = (right.min(0).unsigned_abs(), right.max(0) as usize);
    let n_columns = SIZE.saturating_sub(right.unsigned_abs());
    for row in 0..SIZE {
        let Some(to_row) = usize::try_from(row as isize + down).ok().filter(|&to_row| to_row < SIZE) else { continue };
        put(&mut input[to_row * SIZE + to..][..n_columns], &image[row * SIZE + from..][..n_columns]);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten images, of which number k has k + 1 as its only ink, in the middle.
    fn digits() -> Digits {
        let mut images = [0u8, 0, 8, 3, 0, 0, 0, 10, 0, 0, 0, 28, 0, 0, 0, 28].to_vec();
        for number in 0..10 {
            let mut image = [0; N_PIXELS];
            image[14 * SIZE + 14] = number + 1;
            images.extend(image);
        }
        let labels: Vec<u8> = [0, 0, 8, 1, 0, 0, 0, 10].into_iter().chain(0..10).collect();
        Digits::from_idx(&images, &labels).unwrap()
    }

    #[test]
    fn every_image_is_seen_once_with_its_class() {
        let digits = digits();
        let mut seen = Vec::new();
        for batch in Batches::new(&digits, 3, Shift::UpTo(2), 7, 1) {
            for (image, &class) in batch.inputs.chunks(N_PIXELS).zip(&batch.classes) {
                let total: f32 = image.iter().sum();
                assert!((total - f32::from(class + 1) / 255.0).abs() < 1e-6);
                seen.push(class);
            }
        }
        assert_eq!(Batches::new(&digits, 3, Shift::None, 7, 1).n_batches(), 4);
        seen.sort_unstable();
        assert_eq!(seen, (0..10).collect::<Vec<u8>>());
    }

    #[test]
    fn seed_and_epoch_decide_everything() {
        let digits = digits();
        let classes = |seed, epoch| -> Vec<u8> {
            Batches::new(&digits, 4, Shift::None, seed, epoch).flat_map(|batch| batch.classes).collect()
        };
        assert_eq!(classes(1, 2), classes(1, 2));
        assert_ne!(classes(1, 2), classes(1, 3));
        assert_ne!(classes(1, 2), classes(2, 2));
    }

    #[test]
    fn skipping_changes_nothing_that_follows() {
        let digits = digits();
        let all: Vec<Batch> = Batches::new(&digits, 4, Shift::UpTo(3), 5, 0).collect();
        let rest: Vec<Batch> = Batches::new(&digits, 4, Shift::UpTo(3), 5, 0).from(1).collect();
        assert_eq!(rest.len(), 2);
        assert!(all[1..].iter().zip(&rest).all(|(a, b)| a.inputs == b.inputs && a.classes == b.classes));
        assert_eq!(Batches::new(&digits, 4, Shift::None, 5, 0).from(usize::MAX).count(), 0);
    }
}
