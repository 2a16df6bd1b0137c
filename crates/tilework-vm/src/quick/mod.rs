//! Sorting 32-bit words by comparing them, a vector at a time: where the machine has the instructions, faster than by digits.
//!
//! A quicksort that moves words from one buffer to another and back. A step compares a vector of words with the pivot, brings
//! the smaller ones to its front, and stores it twice, at the left and at the right end of the gap that is still to be filled;
//! what is too much of it is overwritten by the next vector. So there is no branch to mispredict. Pieces that fit into the
//! registers are sorted by a network of comparisons.
//!
//! The idea of permutations looked up by the mask of a comparison is that of Gueron and Krasnov, "Fast quicksort
//! implementation using AVX instructions" (2016).

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(not(target_arch = "x86_64"))]
#[path = "absent.rs"]
mod kernels;
#[cfg(target_arch = "x86_64")]
#[path = "x86.rs"]
mod kernels;
#[cfg(target_arch = "x86_64")]
mod network_avx2;
#[cfg(target_arch = "x86_64")]
mod network_avx512;

use kernels::Kernels;

/// From this many words on a pivot is the median of a sample, below of fewer.
const MANY: usize = 2048;
/// Words of that sample: no more than any network sorts.
const SAMPLED: usize = 64;

/// Sorts words, where the machine has the instructions to do it quickly.
#[derive(Clone, Copy, Debug)]
pub struct Quick(Kernels);

/// The part of a buffer between words below a pivot, which fill it from the left, and the others, which fill it from the right.
struct Gap<'a> {
    words: &'a mut [u32],
    left: usize,
    right: usize,
}

impl<'a> Gap<'a> {
    fn new(words: &'a mut [u32]) -> Gap<'a> {
        let right = words.len();
        Gap { words, left: 0, right }
    }

    fn len(&self) -> usize {
        self.right - self.left
    }

    /// Puts words to their sides, one after the other.
    fn put(&mut self, words: &[u32], pivot: u32) {
        for &word in words {
            if word < pivot {
                self.words[self.left] = word;
                self.left += 1;
            } else {
                self.right -= 1;
                self.words[self.right] = word;
            }
        }
    }
}

/// In which of the two buffers sorted words are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    /// Where the words are.
    Here,
    /// In the other one.
    There,
}

impl Target {
    /// The same buffer, for words that have moved.
    fn moved(self) -> Target {
        if self == Target::Here { Target::There } else { Target::Here }
    }
}

impl Quick {
    /// The sort, where it is faster than that by digits.
    pub fn detect() -> Option<Quick> {
        Kernels::detect().map(Quick)
    }

    /// Sorts `words`; `scratch` is as long.
    pub fn sort(self, words: &mut [u32], scratch: &mut [u32]) {
        assert_eq!(words.len(), scratch.len(), "words move between buffers of one length");
        // A good pivot every other time is enough; without it comparing word by word takes n·log n, however words lie.
        let n_steps = 2 * (words.len() | 1).ilog2();
        self.sort_to(words, scratch, Target::Here, n_steps);
    }

    /// Sorts the words of all `runs`, which are as many as `words` and `scratch` hold each, into `words`. `pivot` is near their
    /// median.
    pub fn sort_runs<'a>(
        self,
        runs: impl Iterator<Item = &'a [u32]>,
        pivot: u32,
        words: &mut [u32],
        scratch: &mut [u32],
    ) {
        let mut gap = Gap::new(words);
        runs.for_each(|run| self.0.partition(run, &mut gap, pivot));
        assert_eq!(gap.len(), 0, "runs have as many words as their place");
        let cut = gap.left;
        let (low, high) = words.split_at_mut(cut);
        let (scratch_low, scratch_high) = scratch.split_at_mut(cut);
        self.sort(low, scratch_low);
        self.sort(high, scratch_high);
    }

    /// Moves `words` so that those below the first of the ascending `pivots` come first, then those below the second and so on,
    /// and stores where each of these parts ends in `ends`, of which there is one more than pivots. Their number is a power of
    /// 4, so that words end where they were; `scratch` is as long as `words`.
    pub fn split(self, words: &mut [u32], scratch: &mut [u32], pivots: &[u32], ends: &mut [u32]) {
        assert!(ends.len() == pivots.len() + 1 && ends.len().is_power_of_two() && ends.len().ilog2().is_multiple_of(2));
        assert_eq!(words.len(), scratch.len(), "words move between buffers of one length");
        self.split_from(0, words, scratch, pivots, ends);
    }

    fn split_from(self, start: usize, words: &mut [u32], other: &mut [u32], pivots: &[u32], ends: &mut [u32]) {
        if let [end] = ends {
            *end = (start + words.len()) as u32;
            return;
        }
        let half = pivots.len() / 2;
        let cut = self.partition(words, other, pivots[half]);
        let (low, high) = words.split_at_mut(cut);
        let (other_low, other_high) = other.split_at_mut(cut);
        let (ends_low, ends_high) = ends.split_at_mut(half + 1);
        self.split_from(start, other_low, low, &pivots[..half], ends_low);
        self.split_from(start + cut, other_high, high, &pivots[half + 1..], ends_high);
    }

    /// Moves the words below `pivot` to the left end of `to`, the others to the right; returns the number of the former.
    fn partition(self, from: &[u32], to: &mut [u32], pivot: u32) -> usize {
        let mut gap = Gap::new(to);
        self.0.partition(from, &mut gap, pivot);
        gap.left
    }

    fn sort_to(self, words: &mut [u32], other: &mut [u32], target: Target, n_steps: u32) {
        if words.len() <= self.0.few() {
            return match target {
                Target::Here => self.0.sort_few(None, words),
                Target::There => self.0.sort_few(Some(words), other),
            };
        }
        if n_steps == 0 {
            words.sort_unstable();
            if target == Target::There {
                other.copy_from_slice(words);
            }
            return;
        }
        let pivot = self.pivot(words);
        let cut = self.partition(words, other, pivot);
        if cut == 0 {
            return self.sort_above(pivot, words, other, target, n_steps - 1);
        }
        let (low, high) = words.split_at_mut(cut);
        let (other_low, other_high) = other.split_at_mut(cut);
        self.sort_to(other_low, low, target.moved(), n_steps - 1);
        self.sort_to(other_high, high, target.moved(), n_steps - 1);
    }

    /// Sorts words of which none is below `lowest`. Those that equal it are done.
    fn sort_above(self, lowest: u32, words: &mut [u32], other: &mut [u32], target: Target, n_steps: u32) {
        let cut = lowest.checked_add(1).map_or(words.len(), |above| self.partition(words, other, above));
        let (low, high) = words.split_at_mut(cut);
        let (other_low, other_high) = other.split_at_mut(cut);
        if target == Target::Here { low } else { other_low }.fill(lowest);
        self.sort_to(other_high, high, target.moved(), n_steps);
    }

    /// One of the words, near their median.
    fn pivot(self, words: &[u32]) -> u32 {
        if words.len() < MANY {
            return self.0.middle(words);
        }
        let mut sample = [0; SAMPLED];
        let (eights, _) = sample.as_chunks_mut::<8>();
        let step = (words.len() - 8) / (eights.len() - 1);
        for (k, eight) in eights.iter_mut().enumerate() {
            eight.copy_from_slice(&words[k * step..][..8]);
        }
        self.0.sort_few(None, &mut sample);
        sample[SAMPLED / 2]
    }
}

#[cfg(test)]
mod tests;
