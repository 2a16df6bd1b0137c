//! Fourier transforms of one line: mixed radix 2, 3, 4 and 5, and any other length as a convolution.
//!
//! The stages are Stockham's: with `done` points of each sub-transform finished, a stage of radix r reads r points `n/r` apart
//! and writes them `done` apart, so that the result comes out in order without a permutation. Real and imaginary parts lie in
//! separate planes, in which every inner loop runs over neighbours and becomes vectors.
//!
//! A length with other prime factors is Bluestein's convolution (1970): with `w_j = exp(−πi·j²/n)`,
//! `X_k = w_k · Σ (x_j·w_j)·conj(w_{k−j})`, three transforms of a length that has none.

mod real;
mod rows;

pub use real::RealFloat;
pub use rows::{ColumnStep, RowFloat, n_rows, row_factors};

use crate::{Float, vectorized};
use std::f64::consts::TAU;

/// Which sign the exponent has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// `exp(−2πi·jk/n)`.
    Forward,
    /// `exp(+2πi·jk/n)`, without the factor 1/n.
    Inverse,
}

/// Everything about a length that does not depend on the data.
#[derive(Clone, Debug)]
pub struct LinePlan<F> {
    n: usize,
    method: Method<F>,
}

#[derive(Clone, Debug)]
enum Method<F> {
    Stages(Vec<Stage<F>>),
    Convolution(Box<Convolution<F>>),
}

/// One stage with its twiddle factors: for each q from 1 to radix − 1, `done` cosines and as many sines.
#[derive(Clone, Debug)]
struct Stage<F> {
    radix: usize,
    done: usize,
    twiddles: Vec<F>,
}

#[derive(Clone, Debug)]
struct Convolution<F> {
    inner: LinePlan<F>,
    /// `w_j`, interleaved.
    chirp: Vec<F>,
    /// The transform of `conj(w)`, wrapped around and divided by the inner length, interleaved.
    filter: Vec<F>,
}

/// `exp(−2πi·k/n)`, exact to the last place because the angle is reduced in integers.
pub fn root(k: u64, n: u64) -> (f64, f64) {
    let eighths = 8 * u128::from(k % n.max(1));
    let n = u128::from(n.max(1));
    let quadrant = (eighths + n) / (2 * n);
    let rest = eighths as i128 - (2 * n * quadrant) as i128;
    let angle = rest as f64 * (TAU / 8.0) / n as f64;
    let (sin, cos) = (tilework_core::expr::Real::sin(angle), tilework_core::expr::Real::cos(angle));
    match quadrant % 4 {
        0 => (cos, -sin),
        1 => (-sin, -cos),
        2 => (-cos, sin),
        _ => (sin, cos),
    }
}

/// `exp(−πi·j²/n)`, interleaved, for j below `n`.
pub fn chirp<F: Float>(n: usize) -> Vec<F> {
    let n = n as u64;
    (0..n).flat_map(|j| pair(root((u128::from(j) * u128::from(j) % u128::from(2 * n)) as u64, 2 * n))).collect()
}

fn pair<F: Float>((re, im): (f64, f64)) -> [F; 2] {
    [F::from_f64(re), F::from_f64(im)]
}

/// A length of at least `n` that has only factors 2 and 3 (at most one) and is quick to transform.
pub fn convolution_len(n: usize) -> usize {
    let power = n.next_power_of_two();
    if power >= 8 && power / 4 * 3 >= n { power / 4 * 3 } else { power }
}

impl<F: LineFloat> LinePlan<F> {
    /// For lines of `n` points.
    pub fn new(n: usize) -> LinePlan<F> {
        let method = match radices(n) {
            Some(radices) => Method::Stages(stages(&radices)),
            None => Method::Convolution(Box::new(Convolution::new(n))),
        };
        LinePlan { n, method }
    }

    /// Points of a line.
    pub fn len(&self) -> usize {
        self.n
    }

    /// True for lines of no points.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Transforms `line`, real and imaginary parts in turn, in place. `work` keeps memory between calls.
    pub fn run(&self, line: &mut [F], direction: Direction, work: &mut Vec<F>) {
        match &self.method {
            Method::Stages(stages) => run_stages(stages, line, direction, work),
            Method::Convolution(convolution) => convolution.run(line, direction, work),
        }
    }
}

/// The factors of `n`, 4 before 2, or `None` if there are others than 2, 3 and 5.
fn radices(n: usize) -> Option<Vec<usize>> {
    let mut radices = Vec::new();
    let mut rest = n.max(1);
    for radix in [4, 2, 3, 5] {
        while rest.is_multiple_of(radix) {
            radices.push(radix);
            rest /= radix;
        }
    }
    (rest == 1).then_some(radices)
}

fn stages<F: Float>(radices: &[usize]) -> Vec<Stage<F>> {
    let mut done = 1;
    let mut stages = Vec::new();
    for &radix in radices {
        let mut twiddles = Vec::with_capacity(2 * (radix - 1) * done);
        for q in 1..radix {
            let factors: Vec<(f64, f64)> = (0..done).map(|k| root((k * q) as u64, (done * radix) as u64)).collect();
            twiddles.extend(factors.iter().map(|factor| F::from_f64(factor.0)));
            twiddles.extend(factors.iter().map(|factor| F::from_f64(factor.1)));
        }
        stages.push(Stage { radix, done, twiddles });
        done *= radix;
    }
    stages
}

/// Exchanging real and imaginary parts before and after turns a forward transform into an inverse one.
fn run_stages<F: LineFloat>(stages: &[Stage<F>], line: &mut [F], direction: Direction, work: &mut Vec<F>) {
    let n = line.len() / 2;
    work.resize(4 * n, F::default());
    let (mut from, mut to) = work.split_at_mut(2 * n);
    let (first, second) = if direction == Direction::Forward { (0, 1) } else { (1, 0) };
    let (a, b) = from.split_at_mut(n);
    for (j, point) in line.chunks_exact(2).enumerate() {
        (a[j], b[j]) = (point[first], point[second]);
    }
    for stage in stages {
        F::stage(StageLoop { radix: stage.radix, done: stage.done, twiddles: &stage.twiddles, from, to });
        std::mem::swap(&mut from, &mut to);
    }
    let (a, b) = from.split_at(n);
    for (j, point) in line.chunks_exact_mut(2).enumerate() {
        (point[first], point[second]) = (a[j], b[j]);
    }
}

impl<F: LineFloat> Convolution<F> {
    fn new(n: usize) -> Convolution<F> {
        let inner = LinePlan::<F>::new(convolution_len(2 * n - 1));
        let chirp_exact = chirp::<f64>(n);
        let inner_exact = LinePlan::<f64>::new(inner.n);
        let mut filter = vec![0.0; 2 * inner.n];
        for j in 0..n {
            for at in [j, (inner.n - j) % inner.n] {
                (filter[2 * at], filter[2 * at + 1]) = (chirp_exact[2 * j], -chirp_exact[2 * j + 1]);
            }
        }
        inner_exact.run(&mut filter, Direction::Forward, &mut Vec::new());
        let scale = 1.0 / inner.n as f64;
        Convolution {
            chirp: chirp_exact.into_iter().map(F::from_f64).collect(),
            filter: filter.into_iter().map(|x| F::from_f64(x * scale)).collect(),
            inner,
        }
    }

    fn run(&self, line: &mut [F], direction: Direction, work: &mut Vec<F>) {
        let mut padded = vec![F::default(); 2 * self.inner.n];
        padded[..line.len()].copy_from_slice(line);
        if direction == Direction::Inverse {
            padded.chunks_exact_mut(2).for_each(|point| point.swap(0, 1));
        }
        F::multiply(&mut padded[..line.len()], &self.chirp);
        self.inner.run(&mut padded, Direction::Forward, work);
        F::multiply(&mut padded, &self.filter);
        self.inner.run(&mut padded, Direction::Inverse, work);
        line.copy_from_slice(&padded[..line.len()]);
        F::multiply(line, &self.chirp);
        if direction == Direction::Inverse {
            line.chunks_exact_mut(2).for_each(|point| point.swap(0, 1));
        }
    }
}

/// What one stage works on: `from` and `to` are a plane of real parts followed by one of imaginary parts.
#[derive(Debug)]
pub struct StageLoop<'a, F> {
    radix: usize,
    done: usize,
    twiddles: &'a [F],
    from: &'a [F],
    to: &'a mut [F],
}

/// The loops over points, compiled here for each type.
pub trait LineFloat: Float {
    /// One stage.
    fn stage(stage: StageLoop<'_, Self>);
    /// Multiplies complex numbers, both interleaved, in place.
    fn multiply(points: &mut [Self], factors: &[Self]);
}

macro_rules! line_float {
    ($($float:ident)*) => {$(
        impl LineFloat for $float {
            #[inline(never)]
            fn stage(stage: StageLoop<'_, $float>) {
                vectorized(#[inline(always)] || match stage.radix {
                    2 => stage_of(stage, butterfly_2),
                    3 => stage_of(stage, butterfly_3),
                    4 => stage_of(stage, butterfly_4),
                    _ => stage_of(stage, butterfly_5),
                });
            }
            #[inline(never)]
            fn multiply(points: &mut [$float], factors: &[$float]) {
                vectorized(#[inline(always)] || {
                    for (point, factor) in points.chunks_exact_mut(2).zip(factors.chunks_exact(2)) {
                        let (re, im) = (point[0], point[1]);
                        point[0] = re * factor[0] - im * factor[1];
                        point[1] = re * factor[1] + im * factor[0];
                    }
                });
            }
        }
    )*};
}
line_float!(f32 f64);

/// A complex number in registers.
#[derive(Clone, Copy)]
struct Point<F> {
    re: F,
    im: F,
}

impl<F: Float> Point<F> {
    #[inline(always)]
    fn plus(self, other: Point<F>) -> Point<F> {
        Point { re: self.re.add(other.re), im: self.im.add(other.im) }
    }
    #[inline(always)]
    fn minus(self, other: Point<F>) -> Point<F> {
        Point { re: self.re.sub(other.re), im: self.im.sub(other.im) }
    }
    #[inline(always)]
    fn times(self, re: F, im: F) -> Point<F> {
        Point { re: self.re.mul(re).sub(self.im.mul(im)), im: self.re.mul(im).add(self.im.mul(re)) }
    }
    #[inline(always)]
    fn scaled(self, factor: f64) -> Point<F> {
        let factor = F::from_f64(factor);
        Point { re: self.re.mul(factor), im: self.im.mul(factor) }
    }
    /// Times −i.
    #[inline(always)]
    fn turned(self) -> Point<F> {
        Point { re: self.im, im: self.re.neg() }
    }
}

#[inline(always)]
fn stage_of<F: Float, const R: usize>(stage: StageLoop<'_, F>, butterfly: impl Fn([Point<F>; R]) -> [Point<F>; R]) {
    let (done, n) = (stage.done, stage.from.len() / 2);
    let step = n / R;
    let (from_re, from_im) = stage.from.split_at(n);
    let (to_re, to_im) = stage.to.split_at_mut(n);
    if done == 1 {
        let re: [&[F]; R] = std::array::from_fn(|q| &from_re[q * step..][..step]);
        let im: [&[F]; R] = std::array::from_fn(|q| &from_im[q * step..][..step]);
        for ((i, to_re), to_im) in to_re.chunks_exact_mut(R).enumerate().zip(to_im.chunks_exact_mut(R)) {
            let y = butterfly(std::array::from_fn(|q| Point { re: re[q][i], im: im[q][i] }));
            for q in 0..R {
                (to_re[q], to_im[q]) = (y[q].re, y[q].im);
            }
        }
        return;
    }
    let factor_re: [&[F]; R] = std::array::from_fn(|q| &stage.twiddles[2 * q.saturating_sub(1) * done..][..done]);
    let factor_im: [&[F]; R] = std::array::from_fn(|q| &stage.twiddles[(2 * q.saturating_sub(1) + 1) * done..][..done]);
    for ((block, to_re), to_im) in to_re.chunks_exact_mut(R * done).enumerate().zip(to_im.chunks_exact_mut(R * done)) {
        let re: [&[F]; R] = std::array::from_fn(|q| &from_re[q * step + block * done..][..done]);
        let im: [&[F]; R] = std::array::from_fn(|q| &from_im[q * step + block * done..][..done]);
        let (mut re_parts, mut im_parts) = (to_re.chunks_exact_mut(done), to_im.chunks_exact_mut(done));
        let out_re: [&mut [F]; R] = std::array::from_fn(|_| re_parts.next().unwrap_or_default());
        let out_im: [&mut [F]; R] = std::array::from_fn(|_| im_parts.next().unwrap_or_default());
        for k in 0..done {
            let y = butterfly(std::array::from_fn(|q| {
                let x = Point { re: re[q][k], im: im[q][k] };
                if q == 0 { x } else { x.times(factor_re[q][k], factor_im[q][k]) }
            }));
            for q in 0..R {
                (out_re[q][k], out_im[q][k]) = (y[q].re, y[q].im);
            }
        }
    }
}

#[inline(always)]
fn butterfly_2<F: Float>([a, b]: [Point<F>; 2]) -> [Point<F>; 2] {
    [a.plus(b), a.minus(b)]
}

#[inline(always)]
fn butterfly_3<F: Float>([a, b, c]: [Point<F>; 3]) -> [Point<F>; 3] {
    let sum = b.plus(c);
    let middle = a.minus(sum.scaled(0.5));
    let side = b.minus(c).scaled(0.866_025_403_784_438_6).turned();
    [a.plus(sum), middle.plus(side), middle.minus(side)]
}

#[inline(always)]
fn butterfly_4<F: Float>([a, b, c, d]: [Point<F>; 4]) -> [Point<F>; 4] {
    let (even_sum, even_difference) = (a.plus(c), a.minus(c));
    let (odd_sum, odd_difference) = (b.plus(d), b.minus(d).turned());
    [
        even_sum.plus(odd_sum),
        even_difference.plus(odd_difference),
        even_sum.minus(odd_sum),
        even_difference.minus(odd_difference),
    ]
}

#[inline(always)]
fn butterfly_5<F: Float>([a, b, c, d, e]: [Point<F>; 5]) -> [Point<F>; 5] {
    // Cosines and sines of one and two fifths of a turn.
    const COS: [f64; 2] = [0.309_016_994_374_947_4, -0.809_016_994_374_947_4];
    const SIN: [f64; 2] = [0.951_056_516_295_153_6, 0.587_785_252_292_473_1];
    let (near_sum, near_difference) = (b.plus(e), b.minus(e));
    let (far_sum, far_difference) = (c.plus(d), c.minus(d));
    let near = a.plus(near_sum.scaled(COS[0])).plus(far_sum.scaled(COS[1]));
    let far = a.plus(near_sum.scaled(COS[1])).plus(far_sum.scaled(COS[0]));
    let near_side = near_difference.scaled(SIN[0]).plus(far_difference.scaled(SIN[1])).turned();
    let far_side = near_difference.scaled(SIN[1]).minus(far_difference.scaled(SIN[0])).turned();
    [
        a.plus(near_sum).plus(far_sum),
        near.plus(near_side),
        far.plus(far_side),
        far.minus(far_side),
        near.minus(near_side),
    ]
}

#[cfg(test)]
mod tests;
