//! The widest kernels that this machine is to use: AVX-512, but AVX2 for what fits into its network.

use super::{Gap, avx2, avx512};

/// A proof that this machine has the instructions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernels {
    small: avx2::Kernels,
    wide: Option<avx512::Kernels>,
}

impl Kernels {
    pub(super) fn detect() -> Option<Kernels> {
        Some(Kernels { small: avx2::Kernels::detect()?, wide: avx512::Kernels::detect() })
    }

    /// Moves words to their sides of the gap, which has room for them.
    #[inline]
    pub(super) fn partition(self, from: &[u32], gap: &mut Gap<'_>, pivot: u32) {
        match self.wide {
            Some(wide) => wide.partition(from, gap, pivot),
            None => self.small.partition(from, gap, pivot),
        }
    }

    /// How many words [`Kernels::sort_few`] can sort.
    #[inline]
    pub(super) fn few(self) -> usize {
        if self.wide.is_some() { avx512::FEW } else { avx2::FEW }
    }

    /// Sorts a few words of `from`, or those that are there already, into `to`.
    #[inline]
    pub(super) fn sort_few(self, from: Option<&[u32]>, to: &mut [u32]) {
        match self.wide {
            Some(wide) if to.len() > avx2::FEW => wide.sort_few(from, to),
            _ => self.small.sort_few(from, to),
        }
    }

    /// A median of medians of 24 of the words, of which there are at least 8.
    #[inline]
    pub(super) fn middle(self, words: &[u32]) -> u32 {
        self.small.middle(words)
    }
}
