//! Threads for CPU kernels.

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

    /// Splits `out` into pieces of `grain` elements (the last may be shorter) and calls `work` with the start and the piece.
    ///
    /// The split depends on the length and `grain` only, never on the number of threads, so that a sum over the pieces is the
    /// same on every machine.
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
