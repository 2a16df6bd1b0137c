//! Threads for CPU kernels.

#[cfg(not(target_arch = "wasm32"))]
mod pool;

#[cfg(not(target_arch = "wasm32"))]
use std::sync::Mutex;

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

    /// Calls `work` with each of `items`, of which there are `n_items`, in any order and on any of the threads.
    ///
    /// Each thread begins with its own share of neighbouring items, the same one as the last time there were as many: what it
    /// left in its cache is there again. A thread that is done takes from the ends of the others' shares.
    pub fn for_each<I: Send>(self, n_items: usize, items: impl Iterator<Item = I> + Send, work: impl Fn(I) + Sync) {
        #[cfg(not(target_arch = "wasm32"))]
        if self.n_threads > 1 && n_items > 1 {
            let shares = Shares::new(n_items, self.n_threads, items);
            pool::Pool::get().run(&|seat| {
                while let Some(item) = shares.take(seat) {
                    work(item);
                }
            });
            return;
        }
        _ = n_items;
        items.for_each(work);
    }
}

/// Items dealt to threads.
#[cfg(not(target_arch = "wasm32"))]
struct Shares<I> {
    hands: Vec<Hand<I>>,
}

/// One thread's items, two cache lines away from the next one's: what it takes from them costs the others nothing. (Asking for such an
/// alignment instead would cost every small operation a slower allocation.)
#[cfg(not(target_arch = "wasm32"))]
struct Hand<I> {
    items: Mutex<std::vec::IntoIter<I>>,
    _distance: [u64; 16],
}

#[cfg(not(target_arch = "wasm32"))]
impl<I> Shares<I> {
    fn new(n_items: usize, n_threads: usize, mut items: impl Iterator<Item = I>) -> Shares<I> {
        let n_hands = n_threads.min(n_items);
        // The last hand gets what is left, should there be more items than were told.
        let end = |hand: usize| if hand + 1 == n_hands { usize::MAX } else { (hand + 1) * n_items / n_hands };
        let size = |hand: usize| end(hand) - hand * n_items / n_hands;
        let deal = |hand| {
            let items = items.by_ref().take(size(hand)).collect::<Vec<I>>().into_iter();
            Hand { items: Mutex::new(items), _distance: [0; 16] }
        };
        Shares { hands: (0..n_hands).map(deal).collect() }
    }

    /// The next item for the thread in a seat.
    fn take(&self, seat: usize) -> Option<I> {
        let n_hands = self.hands.len();
        let items = |hand: usize| self.hands[hand % n_hands].items.lock().ok();
        let own = || items(seat).and_then(|mut items| items.next());
        own().or_else(|| (1..n_hands).find_map(|away| items(seat + away)?.next_back()))
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_dealt_once_and_a_hand_is_played_in_order() {
        let shares = Shares::new(7, 3, 0..7);
        assert_eq!(std::iter::from_fn(|| shares.take(1)).take(2).collect::<Vec<i32>>(), [2, 3]);
        // Its own are gone: the last of the others'.
        assert_eq!(shares.take(1), Some(6));
        assert_eq!(std::iter::from_fn(|| shares.take(5)).collect::<Vec<i32>>(), [4, 5, 1, 0]);
        assert_eq!(shares.take(0), None);
        let few = Shares::new(2, 8, 0..2);
        assert_eq!((few.take(7), few.take(7), few.take(7)), (Some(1), Some(0), None));
        let more = Shares::new(2, 2, 0..5);
        assert_eq!(std::iter::from_fn(|| more.take(0)).collect::<Vec<i32>>(), [0, 4, 3, 2, 1]);
    }
}
