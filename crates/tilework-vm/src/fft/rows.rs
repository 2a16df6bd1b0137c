//! The first step of a long transform: a line as a matrix of few long rows.
//!
//! With n = r·m, `X[k₁ + r·k₂] = Σ_j w_m^{j·k₂} · (w_n^{j·k₁} · Σ_q w_r^{q·k₁} · x[q·m + j])`: a short transform down each column j
//! and a factor, here, then a transform of each row k₁, whose results lie `r` apart. Everything is read and written in the
//! order in which it lies in memory.

use super::{Direction, Point, butterfly_2, butterfly_3, butterfly_4, butterfly_5, root};
use crate::{Float, vectorized};

/// Columns worked on at once: a few vectors of each row.
const LANES: usize = 16;

/// Numbers of rows there is a step for, the best first.
const RADICES: [usize; 5] = [8, 5, 4, 3, 2];

/// How many rows a line of `n` points is cut into, if it can be.
pub fn n_rows(n: usize) -> Option<usize> {
    RADICES.into_iter().find(|&radix| n.is_multiple_of(radix))
}

/// `exp(−2πi·jk/n)` for each row k but the first and each column j, interleaved.
pub fn row_factors<F: Float>(n: usize, n_rows: usize) -> Vec<F> {
    let n_cols = n / n_rows;
    // j·k = high·step + low: two short tables in f64 instead of n sines.
    let step = n.isqrt().max(1);
    let low: Vec<(f64, f64)> = (0..step).map(|e| root(e as u64, n as u64)).collect();
    let high: Vec<(f64, f64)> = (0..=n / step).map(|e| root((e * step) as u64, n as u64)).collect();
    let exponents = (1..n_rows).flat_map(|k| (0..n_cols).map(move |j| j * k));
    let factors = exponents.map(|e| {
        let ((a, b), (c, d)) = (high[e / step], low[e % step]);
        [F::from_f64(a * c - b * d), F::from_f64(a * d + b * c)]
    });
    factors.flatten().collect()
}

/// What the step works on: columns `first ..` of a line, as many as each of `to` has room for.
#[derive(Debug)]
pub struct ColumnStep<'a, 'b, F> {
    /// The whole line, interleaved.
    pub from: &'a [F],
    /// The first column.
    pub first: usize,
    /// The same columns of each row of the result.
    pub to: &'a mut [&'b mut [F]],
    /// See [`row_factors`].
    pub factors: &'a [F],
    /// Of the transform.
    pub direction: Direction,
}

/// The loops over columns, compiled here for each type.
pub trait RowFloat: Float {
    /// Transforms columns and multiplies them.
    fn columns(step: ColumnStep<'_, '_, Self>);

    /// Takes points in turn from each of `rows`, from point `first` on.
    fn interleave(rows: &[&[Self]], first: usize, out: &mut [Self]);
}

macro_rules! row_float {
    ($($float:ident)*) => {$(
        impl RowFloat for $float {
            #[inline(never)]
            fn columns(step: ColumnStep<'_, '_, $float>) {
                vectorized(#[inline(always)] || match step.to.len() {
                    2 => columns_of(step, butterfly_2),
                    3 => columns_of(step, butterfly_3),
                    4 => columns_of(step, butterfly_4),
                    5 => columns_of(step, butterfly_5),
                    _ => columns_of(step, butterfly_8),
                });
            }

            #[inline(never)]
            fn interleave(rows: &[&[$float]], first: usize, out: &mut [$float]) {
                vectorized(#[inline(always)] || match rows.len() {
                    2 => interleave_of::<$float, 2>(rows, first, out),
                    3 => interleave_of::<$float, 3>(rows, first, out),
                    4 => interleave_of::<$float, 4>(rows, first, out),
                    5 => interleave_of::<$float, 5>(rows, first, out),
                    _ => interleave_of::<$float, 8>(rows, first, out),
                });
            }
        }
    )*};
}
row_float!(f32 f64);

#[inline(always)]
fn columns_of<F: Float, const R: usize>(
    mut step: ColumnStep<'_, '_, F>,
    butterfly: impl Fn([Point<F>; R]) -> [Point<F>; R],
) {
    let n = step.to[0].len() / 2;
    let whole = n / LANES * LANES;
    for at in (0..whole).step_by(LANES) {
        columns_at::<F, R, LANES>(&mut step, at, &butterfly);
    }
    for at in whole..n {
        columns_at::<F, R, 1>(&mut step, at, &butterfly);
    }
}

/// `L` columns from the one at `at` on, in planes of their own: what lies there aliases nothing and becomes vectors.
#[inline(always)]
fn columns_at<F: Float, const R: usize, const L: usize>(
    step: &mut ColumnStep<'_, '_, F>,
    at: usize,
    butterfly: &impl Fn([Point<F>; R]) -> [Point<F>; R],
) {
    let (n_cols, column) = (step.from.len() / 2 / R, step.first + at);
    let (mut re, mut im) = ([[F::default(); L]; R], [[F::default(); L]; R]);
    for q in 0..R {
        let from = &step.from[2 * (q * n_cols + column)..][..2 * L];
        for lane in 0..L {
            (re[q][lane], im[q][lane]) = (from[2 * lane], from[2 * lane + 1]);
        }
    }
    // Exchanging real and imaginary parts before and after turns a forward step into an inverse one.
    if step.direction == Direction::Inverse {
        std::mem::swap(&mut re, &mut im);
    }
    for lane in 0..L {
        let y = butterfly(std::array::from_fn(|q| Point { re: re[q][lane], im: im[q][lane] }));
        for q in 0..R {
            (re[q][lane], im[q][lane]) = (y[q].re, y[q].im);
        }
    }
    for q in 1..R {
        let factors = &step.factors[2 * ((q - 1) * n_cols + column)..][..2 * L];
        for lane in 0..L {
            let y = Point { re: re[q][lane], im: im[q][lane] }.times(factors[2 * lane], factors[2 * lane + 1]);
            (re[q][lane], im[q][lane]) = (y.re, y.im);
        }
    }
    if step.direction == Direction::Inverse {
        std::mem::swap(&mut re, &mut im);
    }
    for q in 0..R {
        let to = &mut step.to[q][2 * at..][..2 * L];
        for lane in 0..L {
            (to[2 * lane], to[2 * lane + 1]) = (re[q][lane], im[q][lane]);
        }
    }
}

#[inline(always)]
fn butterfly_8<F: Float>([a, b, c, d, e, f, g, h]: [Point<F>; 8]) -> [Point<F>; 8] {
    const HALF_ROOT: f64 = std::f64::consts::FRAC_1_SQRT_2;
    let half_root = F::from_f64(HALF_ROOT);
    let even = butterfly_4([a, c, e, g]);
    let [odd_0, odd_1, odd_2, odd_3] = butterfly_4([b, d, f, h]);
    let odd =
        [odd_0, odd_1.times(half_root, half_root.neg()), odd_2.turned(), odd_3.times(half_root.neg(), half_root.neg())];
    std::array::from_fn(|k| if k < 4 { even[k].plus(odd[k]) } else { even[k - 4].minus(odd[k - 4]) })
}

#[inline(always)]
fn interleave_of<F: Float, const R: usize>(rows: &[&[F]], first: usize, out: &mut [F]) {
    let (points, _) = out.as_chunks_mut::<2>();
    let n = points.len() / R;
    let rows: [&[[F; 2]]; R] = std::array::from_fn(|q| &rows[q].as_chunks().0[first..][..n]);
    for (k, points) in points.chunks_exact_mut(R).enumerate() {
        for q in 0..R {
            points[q] = rows[q][k];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::LinePlan;
    use super::*;

    #[test]
    fn columns_then_rows_are_the_whole_transform() {
        for n in [16, 40, 200, 8 * 37 * 5, 15, 4 * 27, 9 * 25, 2 * 125] {
            let Some(n_rows) = n_rows(n) else { panic!("{n} can be cut") };
            for direction in [Direction::Forward, Direction::Inverse] {
                let line: Vec<f64> = (0..2 * n).map(|i| ((i * i * 7 + i) % 31) as f64 - 15.0).collect();
                let mut between = vec![0.0; 2 * n];
                let mut rows: Vec<&mut [f64]> = between.chunks_exact_mut(2 * n / n_rows).collect();
                let factors = row_factors(n, n_rows);
                f64::columns(ColumnStep { from: &line, first: 0, to: &mut rows, factors: &factors, direction });
                let row_plan = LinePlan::<f64>::new(n / n_rows);
                rows.iter_mut().for_each(|row| row_plan.run(row, direction, &mut Vec::new()));
                let rows: Vec<&[f64]> = between.chunks_exact(2 * n / n_rows).collect();
                let mut got = vec![0.0; 2 * n];
                f64::interleave(&rows, 0, &mut got);
                let mut want = line;
                LinePlan::<f64>::new(n).run(&mut want, direction, &mut Vec::new());
                let error = got.iter().zip(&want).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                // Sums of n numbers below 16, each off by a few units in the last place at most.
                assert!(error < n as f64 * 16.0 * 8.0 * f64::EPSILON, "{n} {direction:?}: {error}");
            }
        }
    }
}
