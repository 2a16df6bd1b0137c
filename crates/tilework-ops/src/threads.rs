//! Threads for CPU kernels.

use std::ops::Range;

/// Runs independent ranges of work, on all cores natively and one after the other in WASM.
#[derive(Clone, Copy, Debug)]
pub struct Threads {
    n_threads: usize,
}

impl Threads {
    /// As many as the machine has.
    pub fn all() -> Threads {
        #[cfg(not(target_arch = "wasm32"))]
        let n_threads = rayon::current_num_threads();
        #[cfg(target_arch = "wasm32")]
        let n_threads = 1;
        Threads { n_threads }
    }

    /// One thread.
    pub fn one() -> Threads {
        Threads { n_threads: 1 }
    }

    /// How many run at once.
    pub fn count(self) -> usize {
        self.n_threads
    }

    /// Splits `0..n` into ranges that start at multiples of `grain` and calls `work` on each.
    ///
    /// The split depends on `n` and `grain` only, never on the number of threads, so that a sum over the parts is the same
    /// on every machine.
    pub fn for_each(self, n: usize, grain: usize, work: impl Fn(Range<usize>) + Sync) {
        let grain = grain.max(1);
        let n_parts = n.div_ceil(grain);
        let range = |part: usize| part * grain..((part + 1) * grain).min(n);
        #[cfg(not(target_arch = "wasm32"))]
        if self.n_threads > 1 && n_parts > 1 {
            use rayon::prelude::*;
            (0..n_parts).into_par_iter().with_max_len(1).for_each(|part| work(range(part)));
            return;
        }
        (0..n_parts).for_each(|part| work(range(part)));
    }

    /// Like [`Self::for_each`] over pieces of `out`, each `grain` long except the last; `work` gets the start and the piece.
    pub fn for_each_piece<T: Send>(self, out: &mut [T], grain: usize, work: impl Fn(usize, &mut [T]) + Sync) {
        let grain = grain.max(1);
        #[cfg(not(target_arch = "wasm32"))]
        if self.n_threads > 1 && out.len() > grain {
            use rayon::prelude::*;
            out.par_chunks_mut(grain).enumerate().for_each(|(part, piece)| work(part * grain, piece));
            return;
        }
        out.chunks_mut(grain).enumerate().for_each(|(part, piece)| work(part * grain, piece));
    }
}
