//! Plans of lines, kept between calls.
//!
//! Natively the lines are transformed by `rustfft`; in WASM, where every visitor would download it, by our own stages in
//! tilework-vm. Tables for one length are made once and shared by all threads; the ones used last are kept.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};
use tilework_vm::Float;
use tilework_vm::fft::{Direction, LineFloat, RealFloat, root};

/// Lines that are transformed in place.
pub(super) trait Lines<F>: Send + Sync {
    /// Transforms a line of interleaved real and imaginary parts. `work` keeps memory between calls.
    fn run(&self, line: &mut [F], work: &mut Work<F>);
}

/// What a thread needs beside its line.
#[derive(Default)]
pub(super) struct Work<F> {
    pub(super) line: Vec<F>,
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) scratch: Vec<num_complex::Complex<F>>,
    #[cfg(target_arch = "wasm32")]
    pub(super) scratch: Vec<F>,
}

/// A float whose lines can be transformed.
#[cfg(not(target_arch = "wasm32"))]
pub(super) trait PlanFloat: LineFloat + RealFloat + tilework_vm::fft::RowFloat + rustfft::FftNum {}
#[cfg(not(target_arch = "wasm32"))]
impl PlanFloat for f32 {}
#[cfg(not(target_arch = "wasm32"))]
impl PlanFloat for f64 {}

#[cfg(target_arch = "wasm32")]
pub(super) trait PlanFloat: LineFloat + RealFloat {}
#[cfg(target_arch = "wasm32")]
impl PlanFloat for f32 {}
#[cfg(target_arch = "wasm32")]
impl PlanFloat for f64 {}

/// What a kept table is for: a word for the kind, the length, the direction.
type Key = (&'static str, usize, Direction);

/// How many tables are kept, and how many points they may have in all (besides the newest).
const MAX_KEPT: usize = 64;
const MAX_KEPT_POINTS: usize = 1 << 23;

struct Kept {
    key: Key,
    table: Arc<dyn Any + Send + Sync>,
}

static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

/// The table for `key`, made by `make` unless it is still there.
pub(super) fn kept<T: Send + Sync + 'static>(key: Key, make: impl FnOnce() -> T) -> Arc<T> {
    let find = |kept: &mut Vec<Kept>| {
        let at = kept.iter().position(|entry| entry.key == key && entry.table.is::<T>())?;
        let entry = kept.remove(at);
        let table = entry.table.clone();
        kept.push(entry);
        table.downcast::<T>().ok()
    };
    if let Some(table) = find(&mut KEPT.lock().unwrap_or_else(PoisonError::into_inner)) {
        return table;
    }
    // Made outside of the lock: a long table must not hold up other lengths.
    let table = Arc::new(make());
    let mut all = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    all.push(Kept { key, table: table.clone() });
    while all.len() > MAX_KEPT
        || (all.len() > 1 && all.iter().map(|entry| entry.key.1).sum::<usize>() > MAX_KEPT_POINTS)
    {
        all.remove(0);
    }
    table
}

/// The transform of lines of `n` points.
pub(super) fn lines<F: PlanFloat>(n: usize, direction: Direction) -> Arc<dyn Lines<F>> {
    #[cfg(not(target_arch = "wasm32"))]
    return kept(("line", n, direction), || native::line::<F>(n, direction));
    #[cfg(target_arch = "wasm32")]
    return Arc::new(own::Line {
        plan: kept(("line", n, Direction::Forward), || tilework_vm::fft::LinePlan::new(n)),
        direction,
    });
}

/// `exp(−2πi·k/n)` for k up to n/4, interleaved: what joins the halves of a real transform of even length.
pub(super) fn quarter_turns<F: Float>(n: usize) -> Arc<Vec<F>> {
    kept(("quarter turns", n, Direction::Forward), || {
        let turns = (0..=n / 4).map(|k| root(k as u64, n as u64));
        turns.flat_map(|(re, im)| [F::from_f64(re), F::from_f64(im)]).collect()
    })
}

#[cfg(not(target_arch = "wasm32"))]
pub(super) mod native {
    use super::{Direction, Lines, PlanFloat, Work};
    use num_complex::Complex;
    use rustfft::{Fft, FftPlanner};
    use std::sync::Arc;

    /// A line of `rustfft`.
    pub(in super::super) struct Line<F: PlanFloat>(pub(in super::super) Arc<dyn Fft<F>>);

    pub(in super::super) fn line<F: PlanFloat>(n: usize, direction: Direction) -> Line<F> {
        let mut planner = FftPlanner::new();
        Line(match direction {
            Direction::Forward => planner.plan_fft_forward(n),
            Direction::Inverse => planner.plan_fft_inverse(n),
        })
    }

    impl<F: PlanFloat> Line<F> {
        /// Transforms one line in place.
        pub(in super::super) fn run_points(&self, line: &mut [Complex<F>], scratch: &mut Vec<Complex<F>>) {
            scratch.resize(scratch.len().max(self.0.get_inplace_scratch_len()), Complex::default());
            self.0.process_with_scratch(line, scratch);
        }

        /// Transforms one line into another; what is left of the first is of no use.
        pub(in super::super) fn run_to(&self, from: &mut [Complex<F>], to: &mut [Complex<F>]) {
            let mut scratch = vec![Complex::default(); self.0.get_outofplace_scratch_len()];
            self.0.process_outofplace_with_scratch(from, to, &mut scratch);
        }
    }

    impl<F: PlanFloat> Lines<F> for Line<F> {
        fn run(&self, line: &mut [F], work: &mut Work<F>) {
            self.run_points(points_mut(line), &mut work.scratch);
        }
    }

    /// Interleaved parts as complex numbers.
    pub(in super::super) fn points_mut<F: PlanFloat>(parts: &mut [F]) -> &mut [Complex<F>] {
        bytemuck::cast_slice_mut(parts)
    }

    /// Interleaved parts as complex numbers.
    pub(in super::super) fn points<F: PlanFloat>(parts: &[F]) -> &[Complex<F>] {
        bytemuck::cast_slice(parts)
    }

    /// Complex numbers as interleaved parts.
    pub(in super::super) fn parts<F: PlanFloat>(points: &[Complex<F>]) -> &[F] {
        bytemuck::cast_slice(points)
    }

    /// Complex numbers as interleaved parts.
    pub(in super::super) fn parts_mut<F: PlanFloat>(points: &mut [Complex<F>]) -> &mut [F] {
        bytemuck::cast_slice_mut(points)
    }
}

#[cfg(target_arch = "wasm32")]
mod own {
    use super::{Direction, Lines, PlanFloat, Work};
    use std::sync::Arc;
    use tilework_vm::fft::LinePlan;

    pub(super) struct Line<F> {
        pub(super) plan: Arc<LinePlan<F>>,
        pub(super) direction: Direction,
    }

    impl<F: PlanFloat> Lines<F> for Line<F> {
        fn run(&self, line: &mut [F], work: &mut Work<F>) {
            self.plan.run(line, self.direction, &mut work.scratch);
        }
    }
}
