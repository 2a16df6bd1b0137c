//! Threads that wait for work.
//!
//! A kernel of a millisecond cannot wait for a sleeping thread to be woken before it begins. Here the caller begins at once
//! and whoever else is awake joins in: work is a closure that takes pieces, its seat's own first and then those of others,
//! until none is left, so it does not matter how many run it. Threads that have just finished look out for the next piece of work for a moment before they
//! sleep, which is how a series of kernels runs without waking anybody.
//!
//! There is one job at a time. A caller that finds the pool taken (another thread computes, or the work itself asks for
//! threads) does all of its work itself.

use std::any::Any;
use std::hint::spin_loop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{
    AtomicUsize,
    Ordering::{Relaxed, SeqCst},
};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How long a thread looks out for more work before it sleeps: several times what passes between two kernels in a row.
const LOOK_OUT: Duration = Duration::from_micros(100);

/// Work for everybody: it takes pieces until there are none. It is told the seat of the thread, 0 for the caller.
type Work<'a> = &'a (dyn Fn(usize) + Sync);

/// The threads of this process beside the caller's.
pub(super) struct Pool {
    n_helpers: usize,
    /// Held by the caller whose job is being done.
    caller: Mutex<()>,
    call: Apart<Call>,
    /// Threads that are, or are about to be, inside the open job.
    n_inside: Apart<AtomicUsize>,
    n_asleep: Apart<AtomicUsize>,
    bed: Mutex<()>,
    alarm: Condvar,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// Something in cache lines of its own. What a job costs beside its work is lines that travel from core to core, so what is read
/// together lies together, and what different threads write does not.
#[derive(Default)]
#[repr(align(128))]
struct Apart<T>(T);

/// What threads are to do.
#[derive(Default)]
struct Call {
    /// Odd while a job is open; raised by one when it opens and when it closes.
    turn: AtomicUsize,
    /// Both halves of the reference to the open job. They change only while no job is open and no thread is inside.
    work: [AtomicUsize; 2],
}

impl Call {
    /// Opens a job.
    fn open(&self, work: Work<'static>) {
        // SAFETY: a reference to a trait object is as large as two addresses.
        let halves = unsafe { std::mem::transmute::<Work<'static>, [usize; 2]>(work) };
        self.work.iter().zip(halves).for_each(|(to, half)| to.store(half, Relaxed));
        self.turn.fetch_add(1, SeqCst);
    }

    /// The open job.
    ///
    /// # Safety
    /// The caller must be counted in `n_inside`, and have seen an open turn since then.
    unsafe fn work(&self) -> Work<'static> {
        let halves = [self.work[0].load(Relaxed), self.work[1].load(Relaxed)];
        // SAFETY: these are the halves of the reference that opened the turn, which was seen, so they are, too.
        unsafe { std::mem::transmute::<[usize; 2], Work<'static>>(halves) }
    }
}

impl Pool {
    /// The pool of this process, with one thread per core, the caller's among them.
    pub(super) fn get() -> &'static Pool {
        static POOL: OnceLock<Pool> = OnceLock::new();
        static STARTED: OnceLock<()> = OnceLock::new();
        let pool = POOL.get_or_init(|| Pool::new(n_threads() - 1));
        STARTED.get_or_init(|| {
            for seat in 1..=pool.n_helpers {
                // Without the thread there is only less help.
                _ = std::thread::Builder::new().name("tilework".to_owned()).spawn(move || pool.help(seat));
            }
        });
        pool
    }

    fn new(n_helpers: usize) -> Pool {
        Pool {
            n_helpers,
            caller: Mutex::new(()),
            call: Apart::default(),
            n_inside: Apart::default(),
            n_asleep: Apart::default(),
            bed: Mutex::new(()),
            alarm: Condvar::new(),
            panic: Mutex::new(None),
        }
    }

    /// Threads that can work at once.
    pub(super) fn count(&self) -> usize {
        self.n_helpers + 1
    }

    /// Runs `work` here and on every thread that is free. Returns when all of them have left it; a panic in any of them
    /// goes on here.
    pub(super) fn run(&self, work: Work<'_>) {
        let Ok(_caller) = self.caller.try_lock() else { return work(0) };
        // SAFETY: the reference is only followed by threads counted in `n_inside` while the job is open, and this function
        // closes the job and waits until that count is 0 before it returns or unwinds; `work` outlives that.
        let lent = unsafe { std::mem::transmute::<Work<'_>, Work<'static>>(work) };
        self.call.0.open(lent);
        if self.n_asleep.0.load(SeqCst) > 0 {
            drop(lock(&self.bed));
            self.alarm.notify_all();
        }
        let own = catch_unwind(AssertUnwindSafe(|| work(0)));
        self.call.0.turn.fetch_add(1, SeqCst);
        while self.n_inside.0.load(SeqCst) > 0 {
            spin_loop();
        }
        let theirs = lock(&self.panic).take();
        drop(_caller);
        if let Some(panic) = own.err().or(theirs) {
            resume_unwind(panic);
        }
    }

    /// What the thread in a seat does for ever.
    fn help(&self, seat: usize) {
        let mut done_turn = 0;
        loop {
            let turn = self.await_turn(done_turn);
            // Said before looking again, so that the caller either sees this thread inside or this thread sees the job closed.
            self.n_inside.0.fetch_add(1, SeqCst);
            if self.call.0.turn.load(SeqCst) == turn {
                // SAFETY: this thread is counted, and has just seen the turn open.
                let work = unsafe { self.call.0.work() };
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(seat))) {
                    *lock(&self.panic) = Some(panic);
                }
            }
            self.n_inside.0.fetch_sub(1, SeqCst);
            done_turn = turn;
        }
    }

    /// The number of a job that is open and not the one this thread has been in.
    fn await_turn(&self, done_turn: usize) -> usize {
        let open = || Some(self.call.0.turn.load(SeqCst)).filter(|&turn| turn % 2 == 1 && turn != done_turn);
        let start = Instant::now();
        while start.elapsed() < LOOK_OUT {
            for _ in 0..64 {
                if let Some(turn) = open() {
                    return turn;
                }
                spin_loop();
            }
        }
        let mut bed = lock(&self.bed);
        self.n_asleep.0.fetch_add(1, SeqCst);
        let turn = loop {
            if let Some(turn) = open() {
                break turn;
            }
            bed = self.alarm.wait(bed).unwrap_or_else(PoisonError::into_inner);
        };
        self.n_asleep.0.fetch_sub(1, SeqCst);
        turn
    }
}

/// How many threads a program asked for, before there were any.
static ASKED: OnceLock<usize> = OnceLock::new();
const MAX_THREADS: usize = 256;

/// Asks for so many threads. False if they are running already, or others were asked for.
pub(super) fn ask_for(n: usize) -> bool {
    let n = n.clamp(1, MAX_THREADS);
    *ASKED.get_or_init(|| n) == n && Pool::get().count() == n
}

/// As many as the machine has cores, unless the program or the environment asks for another number.
fn n_threads() -> usize {
    let asked = || std::env::var("TILEWORK_THREADS").ok().and_then(|n| n.parse().ok());
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    ASKED.get().copied().or_else(asked).unwrap_or_else(cores).clamp(1, MAX_THREADS)
}

/// Nothing here is left half-done by a panic, so a poisoned lock is as good as any.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    fn pool(n_helpers: usize) -> &'static Pool {
        let pool: &'static Pool = Box::leak(Box::new(Pool::new(n_helpers)));
        for seat in 1..=n_helpers {
            std::thread::spawn(move || pool.help(seat));
        }
        pool
    }

    /// Adds the numbers below `n`, taken one at a time by whoever is there.
    fn sum_below(pool: &Pool, n: usize) -> u64 {
        let (next, sum) = (AtomicUsize::new(0), AtomicU64::new(0));
        pool.run(&|_| {
            loop {
                let number = next.fetch_add(1, SeqCst);
                if number >= n {
                    break;
                }
                sum.fetch_add(number as u64, SeqCst);
            }
        });
        sum.into_inner()
    }

    #[test]
    fn every_piece_is_done_once_however_quickly_jobs_follow() {
        for n_helpers in [0, 1, 3] {
            let pool = pool(n_helpers);
            for round in 0..2000 {
                let n = round % 37;
                assert_eq!(sum_below(pool, n), (n * n.saturating_sub(1) / 2) as u64);
            }
            std::thread::sleep(5 * LOOK_OUT);
            assert_eq!(sum_below(pool, 1000), 499_500);
        }
    }

    #[test]
    fn callers_at_once_and_work_within_work_end() {
        let pool = pool(2);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..500).for_each(|_| assert_eq!(sum_below(pool, 50), 1225)));
            }
        });
        let total = AtomicU64::new(0);
        let once = AtomicUsize::new(0);
        pool.run(&|_| {
            if once.fetch_add(1, SeqCst) == 0 {
                total.fetch_add(sum_below(pool, 10), SeqCst);
            }
        });
        assert_eq!(total.into_inner(), 45);
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_pool_goes_on() {
        let pool = pool(2);
        for _ in 0..20 {
            let result = catch_unwind(AssertUnwindSafe(|| pool.run(&|_| panic!("a piece failed"))));
            assert!(result.is_err());
            assert_eq!(sum_below(pool, 100), 4950);
        }
    }
}
