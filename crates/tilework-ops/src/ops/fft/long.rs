//! One long line by all threads (natively; in WASM there is one thread and no long line).
//!
//! The line is a matrix of a few long rows: short transforms down its columns and factors, long transforms of its rows, each by one
//! thread, and their results in turn (`tilework_vm::fft::RowFloat`). A length with large prime factors is Bluestein's
//! convolution (1970) of a length without.

#[cfg(target_arch = "wasm32")]
use super::plans::PlanFloat;
use crate::threads::Threads;
use tilework_vm::fft::Direction;

#[cfg(target_arch = "wasm32")]
pub(super) fn is_long(_n: usize) -> bool {
    false
}

#[cfg(target_arch = "wasm32")]
pub(super) fn run<F: PlanFloat>(_from: &[F], _to: &mut [F], _direction: Direction, _threads: Threads) {}

#[cfg(not(target_arch = "wasm32"))]
pub(super) use native::{is_long, run};

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use super::super::plans::native::{Line, line, parts, parts_mut, points, points_mut};
    use super::super::plans::{PlanFloat, kept};
    use super::{Direction, Threads};
    use num_complex::Complex;
    use std::sync::{Arc, Mutex};
    use tilework_vm::Float;
    use tilework_vm::fft::{ColumnStep, chirp, convolution_len, n_rows, row_factors};

    /// Points from which on cutting a line into shorter ones pays.
    const MIN_LONG: usize = 1 << 15;
    /// Columns that a thread takes at a time.
    const GROUP: usize = 1 << 12;

    pub(in super::super) fn is_long(n: usize) -> bool {
        n >= MIN_LONG
    }

    /// Transforms the interleaved points `from` into `to`.
    pub(in super::super) fn run<F: PlanFloat>(from: &[F], to: &mut [F], direction: Direction, threads: Threads) {
        let (from, to) = (points(from), points_mut(to));
        match split(from.len()) {
            Some(_) => Grid::of(from.len(), direction).run(from, to, threads),
            None => convolve(from, to, direction, threads),
        }
    }

    /// The number of rows of a line of `n` points, if it has only small prime factors.
    fn split(n: usize) -> Option<usize> {
        let mut rest = n;
        for prime in [2, 3, 5, 7, 11, 13] {
            while rest.is_multiple_of(prime) {
                rest /= prime;
            }
        }
        n_rows(n).filter(|_| rest == 1)
    }

    /// A line as a matrix.
    struct Grid<F: PlanFloat> {
        direction: Direction,
        n_rows: usize,
        n_cols: usize,
        row: Line<F>,
        /// Of the rows but the first, interleaved.
        factors: Vec<F>,
        /// Memory of earlier runs: fresh pages would cost as much as a pass.
        spare: Mutex<Vec<Vec<Complex<F>>>>,
    }

    /// Lines of memory that are kept for the next run: what a convolution needs at once.
    const MAX_SPARE: usize = 3;

    impl<F: PlanFloat> Grid<F> {
        fn of(n: usize, direction: Direction) -> Arc<Grid<F>> {
            kept(("grid", n, direction), || Grid::new(n, direction))
        }

        fn new(n: usize, direction: Direction) -> Grid<F> {
            let n_rows = n_rows(n).unwrap_or(1);
            let n_cols = n / n_rows;
            let (row, factors) = (line(n_cols, direction), row_factors(n, n_rows));
            Grid { direction, n_rows, n_cols, row, factors, spare: Mutex::default() }
        }

        /// A line of memory with any values in it.
        fn borrow(&self) -> Vec<Complex<F>> {
            let kept = self.spare.lock().ok().and_then(|mut spare| spare.pop());
            kept.unwrap_or_else(|| vec![Complex::default(); self.n_rows * self.n_cols])
        }

        fn give_back(&self, memory: Vec<Complex<F>>) {
            if let Ok(mut spare) = self.spare.lock()
                && spare.len() < MAX_SPARE
            {
                spare.push(memory);
            }
        }

        fn run(&self, from: &[Complex<F>], to: &mut [Complex<F>], threads: Threads) {
            let (n_rows, n_cols) = (self.n_rows, self.n_cols);
            let mut between = self.borrow();
            self.run_columns(parts(from), parts_mut(to), threads);
            let rows = to.chunks_exact_mut(n_cols).zip(between.chunks_exact_mut(n_cols));
            threads.for_each(n_rows, rows, |(from, to)| self.row.run_to(from, to));
            let rows: Vec<&[F]> = parts(&between).chunks_exact(2 * n_cols).collect();
            threads.for_each_piece(parts_mut(to), GROUP * 2 * n_rows, |start, piece| {
                F::interleave(&rows, start / (2 * n_rows), piece);
            });
            self.give_back(between);
        }

        fn run_columns(&self, from: &[F], to: &mut [F], threads: Threads) {
            let n_groups = self.n_cols.div_ceil(GROUP);
            let mut groups: Vec<Vec<&mut [F]>> = (0..n_groups).map(|_| Vec::with_capacity(self.n_rows)).collect();
            for row in to.chunks_exact_mut(2 * self.n_cols) {
                row.chunks_mut(2 * GROUP).zip(&mut groups).for_each(|(part, group)| group.push(part));
            }
            threads.for_each(n_groups, groups.into_iter().enumerate(), |(group, mut to)| {
                let (first, direction) = (group * GROUP, self.direction);
                F::columns(ColumnStep { from, first, to: &mut to, factors: &self.factors, direction });
            });
        }
    }

    /// `w_j = exp(∓πi·j²/n)` and the transform of its conjugate, divided by the length of that.
    struct Chirp<F> {
        chirp: Vec<Complex<F>>,
        filter: Vec<Complex<F>>,
    }

    impl<F: PlanFloat> Chirp<F> {
        fn new(n: usize, n_inner: usize, threads: Threads) -> Chirp<F> {
            let exact = chirp::<f64>(n);
            let exact = points(&exact);
            let mut wrapped = vec![Complex::<f64>::default(); n_inner];
            for (j, point) in exact.iter().enumerate() {
                wrapped[j] = point.conj();
                wrapped[(n_inner - j) % n_inner] = point.conj();
            }
            let mut filter = vec![Complex::<f64>::default(); n_inner];
            Grid::new(n_inner, Direction::Forward).run(&wrapped, &mut filter, threads);
            let single =
                |point: &Complex<f64>| Complex::new(<F as Float>::from_f64(point.re), <F as Float>::from_f64(point.im));
            Chirp {
                chirp: exact.iter().map(single).collect(),
                filter: filter.iter().map(|point| single(&(point / n_inner as f64))).collect(),
            }
        }
    }

    const PIECE: usize = 1 << 14;

    fn convolve<F: PlanFloat>(from: &[Complex<F>], to: &mut [Complex<F>], direction: Direction, threads: Threads) {
        let n = from.len();
        let n_inner = convolution_len(2 * n - 1);
        let table = kept(("chirp", n, Direction::Forward), || Chirp::<F>::new(n, n_inner, threads));
        let grid = Grid::<F>::of(n_inner, Direction::Forward);
        // conj before and after turns the forward transform into the inverse one.
        let oriented = |point: Complex<F>| if direction == Direction::Forward { point } else { point.conj() };
        let (mut padded, mut spectrum) = (grid.borrow(), grid.borrow());
        threads.for_each_piece(&mut padded[n..], PIECE, |_, piece| piece.fill(Complex::default()));
        threads.for_each_piece(&mut padded[..n], PIECE, |start, piece| {
            let items = piece.iter_mut().zip(&from[start..]).zip(&table.chirp[start..]);
            items.for_each(|((to, &point), factor)| *to = oriented(point) * factor);
        });
        grid.run(&padded, &mut spectrum, threads);
        threads.for_each_piece(&mut spectrum, PIECE, |start, piece| {
            piece.iter_mut().zip(&table.filter[start..]).for_each(|(point, factor)| *point = (*point * factor).conj());
        });
        grid.run(&spectrum, &mut padded, threads);
        threads.for_each_piece(to, PIECE, |start, piece| {
            let items = piece.iter_mut().zip(&padded[start..]).zip(&table.chirp[start..]);
            items.for_each(|((to, point), factor)| *to = oriented(point.conj() * factor));
        });
        grid.give_back(padded);
        grid.give_back(spectrum);
    }
}
