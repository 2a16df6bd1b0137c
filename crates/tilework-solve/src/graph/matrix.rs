//! Matrices of three rows and columns, and eigenvalues of symmetric ones.

use super::{Scalar, Vec3, safe_div};
use std::f64::consts::TAU;
use std::ops::{Add, Mul, Sub};
use tilework_core::expr::Graph;

/// A 3 × 3 matrix, by rows.
#[derive(Clone, Copy, Debug)]
pub struct Mat3<'g> {
    /// Its rows.
    pub rows: [Vec3<'g>; 3],
}

impl<'g> Mat3<'g> {
    /// From its rows.
    pub fn from_rows(a: Vec3<'g>, b: Vec3<'g>, c: Vec3<'g>) -> Self {
        Mat3 { rows: [a, b, c] }
    }

    /// From its columns.
    pub fn from_columns(a: Vec3<'g>, b: Vec3<'g>, c: Vec3<'g>) -> Self {
        Mat3 { rows: [Vec3::new(a.x, b.x, c.x), Vec3::new(a.y, b.y, c.y), Vec3::new(a.z, b.z, c.z)] }
    }

    /// A matrix that is part of the function, by rows.
    pub fn constant(graph: &'g Graph, rows: [[f64; 3]; 3]) -> Self {
        Mat3 { rows: rows.map(|row| Vec3::constant(graph, row)) }
    }

    /// Ones on the diagonal.
    pub fn identity(graph: &'g Graph) -> Self {
        Mat3::constant(graph, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    }

    /// `a·bᵀ`.
    pub fn outer(a: Vec3<'g>, b: Vec3<'g>) -> Self {
        Mat3 { rows: [b * a.x, b * a.y, b * a.z] }
    }

    /// The symmetric matrix with this upper triangle, row by row.
    pub fn symmetric([xx, xy, xz, yy, yz, zz]: [Scalar<'g>; 6]) -> Self {
        Mat3::from_rows(Vec3::new(xx, xy, xz), Vec3::new(xy, yy, yz), Vec3::new(xz, yz, zz))
    }

    /// Its columns.
    pub fn columns(self) -> [Vec3<'g>; 3] {
        self.transpose().rows
    }

    /// Rows as columns.
    pub fn transpose(self) -> Self {
        let [a, b, c] = self.rows;
        Mat3::from_columns(a, b, c)
    }

    /// Sum of the diagonal.
    pub fn trace(self) -> Scalar<'g> {
        self.rows[0].x + self.rows[1].y + self.rows[2].z
    }

    /// Determinant.
    pub fn determinant(self) -> Scalar<'g> {
        self.rows[0].dot(self.rows[1].cross(self.rows[2]))
    }

    /// Inverse; zero if there is none.
    pub fn inverse(self) -> Self {
        let [a, b, c] = self.rows;
        let determinant = self.determinant();
        let scaled = |v: Vec3<'g>| Vec3::from_array(v.to_array().map(|entry| safe_div(entry, determinant)));
        Mat3::from_columns(scaled(b.cross(c)), scaled(c.cross(a)), scaled(a.cross(b)))
    }

    /// Sum of the squares of all entries.
    pub fn squared_norm(self) -> Scalar<'g> {
        self.rows[0].squared_norm() + self.rows[1].squared_norm() + self.rows[2].squared_norm()
    }

    /// Its entries, row by row.
    pub fn to_vec(self) -> Vec<Scalar<'g>> {
        self.rows.iter().flat_map(|row| row.to_array()).collect()
    }

    /// Eigenvalues in rising order, if it is symmetric (its upper triangle is read).
    ///
    /// With `B` the matrix without its mean `q = tr/3`, `p² = ‖B‖²/6` and `h = det(B)/2`, they are `q + 2p·cos(φ + 2πk/3)` with
    /// `cos 3φ = h/p³` (O. K. Smith, 1961). The usual `φ = acos(h/p³)/3` loses half of the digits, and its derivative, where two
    /// eigenvalues are near each other. Here `φ = atan2(√(p⁶ − h²), h)/3`, and `p⁶ − h²`, the discriminant over 108, is computed
    /// as a sum of squares: it is the Gram determinant of `B` and `B² − tr(B²)/3` over 36, which Lagrange's identity
    /// writes as ten squares. Its root then has a bounded derivative however near they are, and 0 where they are equal.
    pub fn symmetric_eigenvalues(self) -> [Scalar<'g>; 3] {
        let mean = self.trace() / 3.0;
        let b = self.without_mean(mean);
        let square = b * b;
        let p_squared = square.trace() / 6.0;
        let half_determinant = b.determinant() * 0.5;
        let (b_parts, c_parts) = (b.deviator(), square.without_mean(square.trace() / 3.0).deviator());
        let pairs = (0..5).flat_map(|i| (i + 1..5).map(move |j| (i, j)));
        let minors = pairs.map(|(i, j)| (b_parts[i] * c_parts[j] - b_parts[j] * c_parts[i]).square());
        let gram = super::sum(mean.graph(), minors);
        let phi = (gram.sqrt() / 6.0).atan2(half_determinant) / 3.0;
        let twice_p = p_squared.sqrt() * 2.0;
        // From φ within 0 and π/3 the cosines fall in this order.
        [TAU / 3.0, -TAU / 3.0, 0.0].map(|shift| mean + twice_p * (phi + shift).cos())
    }

    /// The smallest eigenvalue, if it is symmetric. Its derivative is finite everywhere: of equal eigenvalues' two or three
    /// one-sided ones it is a mean.
    pub fn smallest_eigenvalue(self) -> Scalar<'g> {
        self.symmetric_eigenvalues()[0]
    }

    /// The upper triangle's symmetric matrix with `mean` subtracted from the diagonal.
    fn without_mean(self, mean: Scalar<'g>) -> Self {
        let [a, b, c] = self.rows;
        Mat3::symmetric([a.x - mean, a.y, a.z, b.y - mean, b.z, c.z - mean])
    }

    /// Coordinates of a symmetric matrix of trace 0 in an orthonormal basis of those.
    fn deviator(self) -> [Scalar<'g>; 5] {
        let [a, b, c] = self.rows;
        let root = 2f64.sqrt();
        let rest = (a.x + b.y - c.z * 2.0) / 6f64.sqrt();
        [a.y * root, a.z * root, b.z * root, (a.x - b.y) / root, rest]
    }
}

impl<'g> Mul<Vec3<'g>> for Mat3<'g> {
    type Output = Vec3<'g>;
    fn mul(self, v: Vec3<'g>) -> Vec3<'g> {
        Vec3::from_array(self.rows.map(|row| row.dot(v)))
    }
}

impl<'g> Mul for Mat3<'g> {
    type Output = Mat3<'g>;
    fn mul(self, other: Mat3<'g>) -> Mat3<'g> {
        let columns = other.columns();
        Mat3 { rows: self.rows.map(|row| Vec3::from_array(columns.map(|column| row.dot(column)))) }
    }
}

impl<'g> Mul<Scalar<'g>> for Mat3<'g> {
    type Output = Mat3<'g>;
    fn mul(self, by: Scalar<'g>) -> Mat3<'g> {
        Mat3 { rows: self.rows.map(|row| row * by) }
    }
}

impl<'g> Mul<f64> for Mat3<'g> {
    type Output = Mat3<'g>;
    fn mul(self, by: f64) -> Mat3<'g> {
        Mat3 { rows: self.rows.map(|row| row * by) }
    }
}

impl<'g> Add for Mat3<'g> {
    type Output = Mat3<'g>;
    fn add(self, other: Mat3<'g>) -> Mat3<'g> {
        Mat3 { rows: std::array::from_fn(|k| self.rows[k] + other.rows[k]) }
    }
}

impl<'g> Sub for Mat3<'g> {
    type Output = Mat3<'g>;
    fn sub(self, other: Mat3<'g>) -> Mat3<'g> {
        Mat3 { rows: std::array::from_fn(|k| self.rows[k] - other.rows[k]) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{assert_close, check, finite, slopes, value};
    use super::*;

    fn eigenvalues<'g>(x: &[Scalar<'g>]) -> Vec<Scalar<'g>> {
        Mat3::symmetric([x[0], x[1], x[2], x[3], x[4], x[5]]).symmetric_eigenvalues().to_vec()
    }

    /// Jacobi's iteration: slow, and right in all its digits.
    fn jacobi([xx, xy, xz, yy, yz, zz]: [f64; 6]) -> [f64; 3] {
        let mut a = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
        for round in 0..60 {
            let (p, q) = [(0, 1), (0, 2), (1, 2)][round % 3];
            if a[p][q] == 0.0 {
                continue;
            }
            let angle = 0.5 * (2.0 * a[p][q]).atan2(a[q][q] - a[p][p]);
            let (s, c) = angle.sin_cos();
            for k in 0..3 {
                (a[k][p], a[k][q]) = (c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]);
            }
            for k in 0..3 {
                (a[p][k], a[q][k]) = (c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]);
            }
        }
        let mut values = [a[0][0], a[1][1], a[2][2]];
        values.sort_by(f64::total_cmp);
        values
    }

    /// Numbers that look random, within −1 and 1.
    fn numbers(seed: u64, n: usize) -> Vec<f64> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        (0..n).map(|_| next()).collect()
    }

    /// The covariance of `n` directions: of rank `n` below three.
    fn covariance(seed: u64, n: usize) -> [f64; 6] {
        let mut sum = [0.0; 6];
        for v in numbers(seed, 3 * n).chunks(3) {
            let products = [v[0] * v[0], v[0] * v[1], v[0] * v[2], v[1] * v[1], v[1] * v[2], v[2] * v[2]];
            sum.iter_mut().zip(products).for_each(|(sum, product)| *sum += product);
        }
        sum
    }

    #[test]
    fn eigenvalues_are_those_of_a_slow_iteration() {
        for seed in 1..200 {
            let upper: [f64; 6] = std::array::from_fn(|k| numbers(seed, 6)[k]);
            assert_close(&value(&upper, eigenvalues), &jacobi(upper), 2e-15);
        }
        for (n, seed) in (1..6).flat_map(|n| (1..40).map(move |seed| (n, seed))) {
            let upper = covariance(seed, n);
            assert_close(&value(&upper, eigenvalues), &jacobi(upper), 4e-15);
        }
    }

    #[test]
    fn eigenvalues_of_special_matrices() {
        assert_close(&value(&[0.0; 6], eigenvalues), &[0.0; 3], 0.0);
        assert_close(&value(&[2.0, 0.0, 0.0, 2.0, 0.0, 2.0], eigenvalues), &[2.0; 3], 0.0);
        assert_close(&value(&[3.0, 0.0, 0.0, 1.0, 0.0, 1.0], eigenvalues), &[1.0, 1.0, 3.0], 1e-15);
        assert_close(&value(&[1.0, 0.0, 0.0, 3.0, 0.0, 3.0], eigenvalues), &[1.0, 3.0, 3.0], 1e-15);
        assert_close(&value(&[1e-9, 0.0, 0.0, 2.0, 0.0, 1.0], eigenvalues), &[1e-9, 1.0, 2.0], 1e-15);
    }

    #[test]
    fn derivatives_of_eigenvalues_hold() {
        for seed in 1..40 {
            let upper = covariance(seed, 5);
            let [low, middle, high] = jacobi(upper);
            // Finite differences know nothing where two are too near for their step.
            if middle - low > 0.1 && high - middle > 0.1 {
                check(&upper, eigenvalues);
            }
        }
        // The smallest is simple where the larger two are equal, and its derivative is the square of its eigenvector.
        let slope = slopes(&[1.0, 0.0, 0.0, 3.0, 0.0, 3.0], &eigenvalues);
        assert_close(&slope[0], &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0], 1e-14);
    }

    #[test]
    fn nearly_equal_eigenvalues_keep_their_digits() {
        // diag(1, 1 + δ, 3) turned in its first plane: the derivative of the smallest is the square of its eigenvector.
        for gap in [1e-2, 1e-5, 1e-8] {
            let (s, c) = 0.7f64.sin_cos();
            let (a, b) = (1.0, 1.0 + gap);
            let upper = [a * c * c + b * s * s, (a - b) * s * c, 0.0, a * s * s + b * c * c, 0.0, 3.0];
            let slope = &slopes(&upper, &eigenvalues)[0];
            assert_close(slope, &[c * c, 2.0 * s * c, 0.0, s * s, 0.0, 0.0], 1e-14 / gap);
        }
    }

    #[test]
    fn degenerate_matrices_have_finite_derivatives() {
        let flat = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        for upper in [[0.0; 6], [1.0, 0.0, 0.0, 1.0, 0.0, 1.0], flat, [3.0, 0.0, 0.0, 1.0, 0.0, 1.0], [1e-80; 6]] {
            finite(&upper, eigenvalues);
        }
        for seed in 1..20 {
            finite(&covariance(seed, 1), eigenvalues);
            finite(&covariance(seed, 2), eigenvalues);
        }
        finite(&[0.0; 9], |x| {
            let row = |k: usize| Vec3::new(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
            Mat3::from_rows(row(0), row(1), row(2)).inverse().to_vec()
        });
    }

    #[test]
    fn inverses_and_products() {
        let x = numbers(7, 9);
        let both = value(&x, |x| {
            let row = |k: usize| Vec3::new(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
            let a = Mat3::from_rows(row(0), row(1), row(2));
            let unit = (a * a.inverse()).to_vec();
            let turned = ((a.transpose() * a) - (a.transpose() * a).transpose()).to_vec();
            [unit, turned, vec![a.determinant() * a.inverse().determinant()]].concat()
        });
        let unit = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        assert_close(&both, &[&unit[..], &[0.0; 9], &[1.0]].concat(), 1e-14);
        check(&x, |x| {
            let row = |k: usize| Vec3::new(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
            let a = Mat3::from_rows(row(0), row(1), row(2));
            [vec![a.determinant(), a.squared_norm()], (a.inverse() + a * 2.0).to_vec()].concat()
        });
    }
}
