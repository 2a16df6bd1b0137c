//! Signs, phases and orders that a factorization leaves open, settled so that every machine gives the same.

use crate::{Eigen, Real, Sides, Svd};

fn negate<T: Real>(x: &mut T) {
    *x = T::from_f64(-x.to_f64());
}

/// Turns the sign of row `k` of `R` and column `k` of `Q` where the diagonal of `R` is negative. Sizes are those of `[m, n_q]` and
/// `[n_q, n]`.
pub(super) fn positive_diagonal<T: Real>(q: &mut [T], r: &mut [T], [m, n_q, n]: [usize; 3]) {
    for k in 0..n_q.min(n) {
        if r[k * n + k].to_f64() < 0.0 {
            r[k * n + k..(k + 1) * n].iter_mut().for_each(negate);
            (0..m).for_each(|row| negate(&mut q[row * n_q + k]));
        }
    }
}

/// Whether the element of the largest magnitude, the first of several, is negative.
fn leads_negative<T: Real>(values: impl Iterator<Item = T>) -> bool {
    let mut largest = 0.0f64;
    for value in values.map(|x| x.to_f64()) {
        // A little room, so that rounding does not choose between elements of one magnitude.
        if value.abs() > largest.abs() * (1.0 + 1e-4) {
            largest = value;
        }
    }
    largest < 0.0
}

/// Makes the largest element of every right vector positive; the left one follows. Without right vectors there are no left ones.
pub(super) fn signed_pairs<T: Real>(svd: &mut Svd<T>, [m, n]: [usize; 2], sides: Sides) {
    for k in 0..sides.n_right {
        let row = k * n..(k + 1) * n;
        if leads_negative(svd.vt[row.clone()].iter().copied()) {
            svd.vt[row].iter_mut().for_each(negate);
            if k < sides.n_left.min(m) && k < m.min(n) {
                (0..m).for_each(|row| negate(&mut svd.u[row * sides.n_left + k]));
            }
        }
    }
}

/// Makes the largest element of every column positive.
pub(super) fn signed_columns<T: Real>(vectors: &mut [T], n: usize) {
    for col in 0..n {
        if leads_negative((0..n).map(|row| vectors[row * n + col])) {
            (0..n).for_each(|row| negate(&mut vectors[row * n + col]));
        }
    }
}

/// Eigenvalues by real, then by imaginary part, with their vectors, whose largest element becomes real and positive.
pub(super) fn ordered<T: Real>(eigen: &Eigen<T>, n: usize, n_vectors: usize) -> Eigen<T> {
    let value = |k: usize| (eigen.values[2 * k].to_f64(), eigen.values[2 * k + 1].to_f64());
    let scale = (0..n).fold(0.0f64, |scale, k| scale.max(value(k).0.hypot(value(k).1)));
    // Real parts that differ by rounding only, such as those of a conjugate pair, are equal.
    let epsilon = if size_of::<T>() == 4 { f64::from(f32::EPSILON) } else { f64::EPSILON };
    let room = 16.0 * epsilon * scale * n as f64;
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| value(i).0.total_cmp(&value(j).0));
    let mut start = 0;
    for end in 1..=n {
        if end == n || value(order[end]).0 - value(order[end - 1]).0 > room {
            order[start..end].sort_by(|&i, &j| value(i).1.total_cmp(&value(j).1));
            start = end;
        }
    }
    let mut result = Eigen { values: eigen.values.clone(), vectors: eigen.vectors.clone() };
    for (to, &from) in order.iter().enumerate() {
        result.values[2 * to] = eigen.values[2 * from];
        result.values[2 * to + 1] = eigen.values[2 * from + 1];
        if n_vectors == 0 {
            continue;
        }
        let column: Vec<(f64, f64)> = (0..n)
            .map(|row| 2 * (row * n + from))
            .map(|at| (eigen.vectors[at].to_f64(), eigen.vectors[at + 1].to_f64()))
            .collect();
        for (row, (re, im)) in turned(&column).into_iter().enumerate() {
            let at = 2 * (row * n + to);
            (result.vectors[at], result.vectors[at + 1]) = (T::from_f64(re), T::from_f64(im));
        }
    }
    result
}

/// The vector with length 1 and its largest element real and positive.
fn turned(column: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let length = column.iter().fold(0.0f64, |length, (re, im)| length.hypot(re.hypot(*im)));
    let mut largest = (0.0f64, 0.0f64);
    for &(re, im) in column {
        if re.hypot(im) > largest.0.hypot(largest.1) * (1.0 + 1e-4) {
            largest = (re, im);
        }
    }
    let factor = largest.0.hypot(largest.1) * length;
    let (c, s) = (largest.0 / factor, -largest.1 / factor);
    column.iter().map(|(re, im)| (re * c - im * s, re * s + im * c)).collect()
}
