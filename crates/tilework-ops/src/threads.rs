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
    /// Runs `work` on one of the threads: it then hands out pieces to the others without being woken up for each.
    pub fn inside<R: Send>(self, work: impl FnOnce() -> R + Send) -> R {
        #[cfg(not(target_arch = "wasm32"))]
        if self.n_threads > 1 {
            return rayon::scope(|_| work());
        }
        work()
    }

    /// Splits `out` at the positions in `cuts`, which ascend, and calls `work` with the start and the piece.
    pub fn for_each_split<T: Send>(self, out: &mut [T], cuts: &[usize], work: impl Fn(usize, &mut [T]) + Sync) {
        let mut pieces = Vec::with_capacity(cuts.len() + 1);
        let (mut start, mut rest) = (0, out);
        for &cut in cuts {
            let (piece, after) = rest.split_at_mut(cut - start);
            pieces.push((start, piece));
            (start, rest) = (cut, after);
        }
        pieces.push((start, rest));
        #[cfg(not(target_arch = "wasm32"))]
        if self.n_threads > 1 && pieces.len() > 1 {
            use rayon::prelude::*;
            pieces.into_par_iter().for_each(|(start, piece)| work(start, piece));
            return;
        }
        pieces.into_iter().for_each(|(start, piece)| work(start, piece));
    }
}
