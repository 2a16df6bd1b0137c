//! Threads for CPU kernels.

#[cfg(not(target_arch = "wasm32"))]
mod pool;

/// Runs independent pieces of work, on all cores natively and one after the other in WASM.
#[derive(Clone, Copy, Debug)]
pub struct Threads {
    n_threads: usize,
}

impl Threads {
    /// As many as the machine has cores, or as the environment variable `TILEWORK_THREADS` says.
    pub fn all() -> Threads {
        #[cfg(not(target_arch = "wasm32"))]
        let n_threads = pool::Pool::get().count();
        #[cfg(target_arch = "wasm32")]
        let n_threads = 1;
        Threads { n_threads }
    }

    /// Asks for `n` threads instead, once and before anything is computed. False if it is too late for that.
    pub fn ask_for(n: usize) -> bool {
        #[cfg(not(target_arch = "wasm32"))]
        return pool::ask_for(n);
        #[cfg(target_arch = "wasm32")]
        return n == 1;
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
        let n_pieces = out.len().div_ceil(grain);
        let pieces = out.chunks_mut(grain).enumerate().map(|(part, piece)| (part * grain, piece));
        self.for_each(n_pieces, pieces, |(start, piece)| work(start, piece));
    }

    /// Splits `out` at the positions in `cuts`, which ascend, and calls `work` with the start and the piece.
    pub fn for_each_split<T: Send>(self, out: &mut [T], cuts: &[usize], work: impl Fn(usize, &mut [T]) + Sync) {
        let (mut start, mut rest) = (0, out);
        let len = rest.len();
        let pieces = cuts.iter().copied().chain([len]).map(|cut| {
            let (piece, after) = std::mem::take(&mut rest).split_at_mut(cut - start);
            rest = after;
            (std::mem::replace(&mut start, cut), piece)
        });
        self.for_each(cuts.len() + 1, pieces, |(start, piece)| work(start, piece));
    }

    /// Calls `work` with each of `n_items` items, in any order and on any of the threads.
    pub fn for_each<I: Send>(self, n_items: usize, items: impl Iterator<Item = I> + Send, work: impl Fn(I) + Sync) {
        #[cfg(not(target_arch = "wasm32"))]
        if self.n_threads > 1 && n_items > 1 {
            let items = std::sync::Mutex::new(items);
            let take = || items.lock().ok().and_then(|mut items| items.next());
            pool::Pool::get().run(&|| {
                while let Some(item) = take() {
                    work(item);
                }
            });
            return;
        }
        _ = n_items;
        items.for_each(work);
    }
}
