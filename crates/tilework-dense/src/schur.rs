//! Eigenvalues of a general matrix by the complex QR algorithm with single shifts (Golub and Van Loan 7.5; Wilkinson's shift):
//! `A = Z·T·Zᴴ` with `T` upper triangular, whose diagonal holds the eigenvalues; eigenvectors of `T` by back substitution.

use crate::textbook::Matrix;
use std::ops::{Add, Div, Mul, Sub};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Complex {
    pub(crate) re: f64,
    pub(crate) im: f64,
}

impl Complex {
    fn real(re: f64) -> Complex {
        Complex { re, im: 0.0 }
    }

    fn conj(self) -> Complex {
        Complex { re: self.re, im: -self.im }
    }

    pub(crate) fn abs(self) -> f64 {
        self.re.hypot(self.im)
    }

    fn scaled(self, factor: f64) -> Complex {
        Complex { re: self.re * factor, im: self.im * factor }
    }

    fn sqrt(self) -> Complex {
        let length = self.abs();
        let re = ((length + self.re) / 2.0).max(0.0).sqrt();
        let im = ((length - self.re) / 2.0).max(0.0).sqrt();
        Complex { re, im: im.copysign(self.im) }
    }
}

impl Add for Complex {
    type Output = Complex;
    fn add(self, other: Complex) -> Complex {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }
}

impl Sub for Complex {
    type Output = Complex;
    fn sub(self, other: Complex) -> Complex {
        Complex { re: self.re - other.re, im: self.im - other.im }
    }
}

impl Mul for Complex {
    type Output = Complex;
    fn mul(self, other: Complex) -> Complex {
        Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

impl Div for Complex {
    type Output = Complex;
    fn div(self, other: Complex) -> Complex {
        let square = other.re * other.re + other.im * other.im;
        (self * other.conj()).scaled(1.0 / square)
    }
}

/// Rows of complex numbers.
type Rows = Vec<Vec<Complex>>;

/// Eigenvalues and, as columns of rows, eigenvectors of length 1. `None` if the iteration does not end.
pub(crate) fn eig(a: &Matrix) -> Option<(Vec<Complex>, Rows)> {
    let n = a.n_rows;
    let mut t: Rows = (0..n).map(|row| (0..n).map(|col| Complex::real(a[(row, col)])).collect()).collect();
    let one = |same: bool| Complex::real(f64::from(u8::from(same)));
    let mut z: Rows = (0..n).map(|row| (0..n).map(|col| one(row == col)).collect()).collect();
    to_hessenberg(&mut t, &mut z);
    let scale = a.data.iter().fold(0.0f64, |scale, x| scale.max(x.abs()));
    let (mut last, mut n_steps) = (n.saturating_sub(1), 0);
    while last > 0 {
        let is_small = |k: usize| {
            let around = t[k][k].abs() + t[k - 1][k - 1].abs();
            t[k][k - 1].abs() <= f64::EPSILON * if around > 0.0 { around } else { scale }
        };
        let first = (1..=last).rev().find(|&k| is_small(k)).unwrap_or(0);
        if first > 0 {
            t[first][first - 1] = Complex::default();
        }
        if first == last {
            (last, n_steps) = (last - 1, 0);
            continue;
        }
        n_steps += 1;
        if n_steps > 100 {
            return None;
        }
        // A shift of another kind now and then leads out of cycles.
        let shift = if n_steps % 11 == 10 { t[last][last] + t[last][last - 1] } else { wilkinson(&t, last) };
        qr_step(&mut t, &mut z, first, last, shift);
    }
    let values: Vec<Complex> = (0..n).map(|k| real_if_close(t[k][k], scale * n as f64)).collect();
    let vectors = eigenvectors(&t, &z, scale);
    Some((values, vectors))
}

/// An eigenvalue of a real matrix whose imaginary part is nothing but rounding is real.
fn real_if_close(value: Complex, scale: f64) -> Complex {
    if value.im.abs() <= 4.0 * f64::EPSILON * scale { Complex::real(value.re) } else { value }
}

/// The unitary rotation of two rows that turns `(a, b)` into `(r, 0)`.
fn rotation(a: Complex, b: Complex) -> (Complex, Complex) {
    let length = a.abs().hypot(b.abs());
    if length == 0.0 {
        return (Complex::real(1.0), Complex::default());
    }
    (a.conj().scaled(1.0 / length), b.conj().scaled(1.0 / length))
}

fn rotate_rows(t: &mut Rows, p: usize, q: usize, (c, s): (Complex, Complex)) {
    for col in 0..t.len() {
        let (x, y) = (t[p][col], t[q][col]);
        t[p][col] = c * x + s * y;
        t[q][col] = c.conj() * y - s.conj() * x;
    }
}

fn rotate_columns(t: &mut Rows, p: usize, q: usize, (c, s): (Complex, Complex)) {
    for row in t.iter_mut() {
        let (x, y) = (row[p], row[q]);
        row[p] = c.conj() * x + s.conj() * y;
        row[q] = c * y - s * x;
    }
}

fn to_hessenberg(t: &mut Rows, z: &mut Rows) {
    for col in 0..t.len().saturating_sub(2) {
        for row in col + 2..t.len() {
            if t[row][col] == Complex::default() {
                continue;
            }
            let turn = rotation(t[col + 1][col], t[row][col]);
            rotate_rows(t, col + 1, row, turn);
            rotate_columns(t, col + 1, row, turn);
            rotate_columns(z, col + 1, row, turn);
            t[row][col] = Complex::default();
        }
    }
}

/// The eigenvalue of the last 2 × 2 block that is closer to its last element.
fn wilkinson(t: &Rows, last: usize) -> Complex {
    let (a, b, c, d) = (t[last - 1][last - 1], t[last - 1][last], t[last][last - 1], t[last][last]);
    let half = (a - d).scaled(0.5);
    let root = (half * half + b * c).sqrt();
    let plus = half + root;
    let minus = half - root;
    let nearer = if plus.abs() < minus.abs() { plus } else { minus };
    d + nearer
}

/// `T − σ = Q·R`, then `R·Q + σ`, of the block `first..=last`.
fn qr_step(t: &mut Rows, z: &mut Rows, first: usize, last: usize, shift: Complex) {
    for k in first..=last {
        t[k][k] = t[k][k] - shift;
    }
    let mut turns = Vec::new();
    for k in first..last {
        let turn = rotation(t[k][k], t[k + 1][k]);
        rotate_rows_from(t, k, turn, k);
        turns.push(turn);
    }
    for (k, turn) in (first..last).zip(turns) {
        let n_rows = (k + 2).min(last + 1);
        rotate_columns_to(t, k, turn, n_rows);
        rotate_columns(z, k, k + 1, turn);
    }
    for k in first..=last {
        t[k][k] = t[k][k] + shift;
    }
}

/// Rows `k` and `k + 1` from column `first` on.
fn rotate_rows_from(t: &mut Rows, k: usize, (c, s): (Complex, Complex), first: usize) {
    for col in first..t.len() {
        let (x, y) = (t[k][col], t[k + 1][col]);
        t[k][col] = c * x + s * y;
        t[k + 1][col] = c.conj() * y - s.conj() * x;
    }
}

/// Columns `k` and `k + 1` of the first `n_rows` rows.
fn rotate_columns_to(t: &mut Rows, k: usize, (c, s): (Complex, Complex), n_rows: usize) {
    for row in t.iter_mut().take(n_rows) {
        let (x, y) = (row[k], row[k + 1]);
        row[k] = c.conj() * x + s.conj() * y;
        row[k + 1] = c * y - s * x;
    }
}

/// Eigenvectors of `Z·T·Zᴴ`, as columns.
fn eigenvectors(t: &Rows, z: &Rows, scale: f64) -> Rows {
    let n = t.len();
    let mut vectors: Rows = vec![vec![Complex::default(); n]; n];
    for k in 0..n {
        let mut x = vec![Complex::default(); n];
        x[k] = Complex::real(1.0);
        for row in (0..k).rev() {
            let sum = (row + 1..=k).fold(Complex::default(), |sum, col| sum + t[row][col] * x[col]);
            let gap = t[k][k] - t[row][row];
            // Equal eigenvalues: a gap of rounding gives a vector of the space that belongs to them.
            let least = f64::EPSILON * scale.max(f64::MIN_POSITIVE);
            let gap = if gap.abs() < least { Complex::real(least) } else { gap };
            x[row] = sum / gap;
        }
        let column: Vec<Complex> =
            (0..n).map(|row| (0..=k).fold(Complex::default(), |sum, j| sum + z[row][j] * x[j])).collect();
        let length = column.iter().fold(0.0f64, |length, x| length.hypot(x.abs()));
        for row in 0..n {
            vectors[row][k] = column[row].scaled(1.0 / length);
        }
    }
    vectors
}
