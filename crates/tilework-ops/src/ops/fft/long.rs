//! One long line by all threads (natively; in WASM there is one thread and no long line).
//!
//! With n = rows·columns, `X[k₁ + rows·k₂] = Σ_{j₂} w_cols^{j₂k₂} · w_n^{j₂k₁} · Σ_{j₁} w_rows^{j₁k₁} · x[cols·j₁ + j₂]`: short
//! transforms of columns, twiddle factors, short transforms of rows (Bailey, 1990). Columns are taken a cache line's worth at a
//! time. A length without two such factors is Bluestein's convolution (1970) of a length that has them.

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
    use super::super::plans::native::{Line, line, points, points_mut};
    use super::super::plans::{PlanFloat, kept};
    use super::{Direction, Threads};
    use num_complex::Complex;
    use std::sync::{Arc, Mutex};
    use tilework_vm::Float;
    use tilework_vm::fft::{chirp, convolution_len, root};

    /// Points from which on cutting a line into shorter ones pays.
    const MIN_LONG: usize = 1 << 15;
    /// Columns taken together.
    const GROUP: usize = 16;
    /// Elements between the lines of a group beyond their length, so that they do not meet in one set of the cache.
    const PAD: usize = 16;

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

    /// Two factors of `n` near its root, if it has only small prime factors.
    fn split(n: usize) -> Option<(usize, usize)> {
        let mut rest = n;
        for prime in [2, 3, 5, 7, 11, 13] {
            while rest.is_multiple_of(prime) {
                rest /= prime;
            }
        }
        let rows = (1..=n.isqrt()).rev().find(|&d| n.is_multiple_of(d))?;
        (rest == 1 && n / rows <= 8 * rows).then_some((rows, n / rows))
    }

    /// A line as a matrix.
    struct Grid<F: PlanFloat> {
        n_rows: usize,
        n_cols: usize,
        column: Line<F>,
        row: Line<F>,
        /// `w_n^{j·k}` for column j and k below `n_rows`.
        twiddles: Vec<Complex<F>>,
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
            let (n_rows, n_cols) = split(n).unwrap_or((1, n));
            // e = high·n_rows + low: two short tables in f64 instead of n sines.
            let turn = |k: usize| {
                let (re, im) = root(k as u64, n as u64);
                Complex::new(re, if direction == Direction::Forward { im } else { -im })
            };
            let low: Vec<Complex<f64>> = (0..n_rows).map(turn).collect();
            let high: Vec<Complex<f64>> = (0..n_cols).map(|k| turn(k * n_rows)).collect();
            let exponents = (0..n_cols).flat_map(|j| (0..n_rows).map(move |k| j * k));
            let twiddles = exponents.map(|e| {
                let factor = high[e / n_rows] * low[e % n_rows];
                Complex::new(<F as Float>::from_f64(factor.re), <F as Float>::from_f64(factor.im))
            });
            let twiddles = twiddles.collect();
            Grid {
                n_rows,
                n_cols,
                column: line(n_rows, direction),
                row: line(n_cols, direction),
                twiddles,
                spare: Mutex::default(),
            }
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
            // Columns of `from` become rows of `between`.
            let mut between = self.borrow();
            threads.for_each_piece(&mut between, GROUP * n_rows, |start, piece| {
                let mut lines = Gathered::new(&self.column, from, n_cols, start / n_rows, piece.len() / n_rows);
                let twiddles = &self.twiddles[start..][..piece.len()];
                for (index, (to, factors)) in
                    piece.chunks_exact_mut(n_rows).zip(twiddles.chunks_exact(n_rows)).enumerate()
                {
                    let line = lines.transformed(index);
                    to.iter_mut().zip(line).zip(factors).for_each(|((to, point), factor)| *to = *point * *factor);
                }
            });
            let n_groups = n_rows.div_ceil(GROUP);
            let mut targets: Vec<Vec<&mut [Complex<F>]>> = (0..n_groups).map(|_| Vec::with_capacity(n_cols)).collect();
            for row in to.chunks_exact_mut(n_rows) {
                row.chunks_mut(GROUP).zip(&mut targets).for_each(|(part, target)| target.push(part));
            }
            threads.for_each(n_groups, targets.into_iter().enumerate(), |(group, mut rows)| {
                let n_lines = rows[0].len();
                let mut lines = Gathered::new(&self.row, &between, n_rows, group * GROUP, n_lines);
                (0..n_lines).for_each(|index| _ = lines.transformed(index));
                for (k, row) in rows.iter_mut().enumerate() {
                    row.iter_mut().enumerate().for_each(|(index, to)| *to = lines.points[index * lines.stride + k]);
                }
            });
            self.give_back(between);
        }
    }

    /// Neighbouring columns of a matrix as lines.
    struct Gathered<'a, F: PlanFloat> {
        line: &'a Line<F>,
        len: usize,
        stride: usize,
        points: Vec<Complex<F>>,
        scratch: Vec<Complex<F>>,
    }

    impl<'a, F: PlanFloat> Gathered<'a, F> {
        fn new(line: &'a Line<F>, from: &[Complex<F>], n_cols: usize, first: usize, n_lines: usize) -> Self {
            let len = from.len() / n_cols;
            let stride = len + PAD;
            let mut points = vec![Complex::default(); n_lines * stride];
            for (j, row) in from.chunks_exact(n_cols).enumerate() {
                for (index, point) in row[first..first + n_lines].iter().enumerate() {
                    points[index * stride + j] = *point;
                }
            }
            Gathered { line, len, stride, points, scratch: Vec::new() }
        }

        fn transformed(&mut self, index: usize) -> &[Complex<F>] {
            let line = &mut self.points[index * self.stride..][..self.len];
            self.line.run_points(line, &mut self.scratch);
            line
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
