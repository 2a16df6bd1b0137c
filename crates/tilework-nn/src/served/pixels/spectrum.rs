//! Singular values of a matrix of weights.
//!
//! A page wants the values of matrices of a thousand rows within a second, without vectors, and a module that stays small. So they
//! are square roots of the eigenvalues of the smaller of A·Aᵀ and Aᵀ·A, in double precision: Householder's reduction to three
//! diagonals, then the QL algorithm (Golub and Van Loan, *Matrix Computations*, 8.3). Squaring costs half of the digits, which leaves as
//! many as 32-bit weights have: values below 10⁻⁸ of the largest are lost, as they are in the rounding of the weights.

use tilework::layers::core::order;
use tilework::{Error, Result};

/// Rows or columns, whichever are fewer, at most: beyond, a page would wait for minutes.
const MAX_SIDE: usize = 2048;
/// Rounds of QL for one value; a few are usual.
const MAX_ROUNDS: usize = 60;

/// The singular values of a row-major matrix, largest first.
///
/// Fails if weights are not finite or the smaller side has more than 2048 rows or columns.
pub(super) fn singular_values(weights: &[f32], n_cols: usize) -> Result<Vec<f32>> {
    let n_rows = weights.len().checked_div(n_cols).unwrap_or(0);
    let n = n_rows.min(n_cols);
    if n > MAX_SIDE {
        let message = format!("the spectrum of {n_rows} × {n_cols} would take minutes; {MAX_SIDE} on the smaller side");
        return Err(Error::argument("spectrum", format!("{message} are the most")));
    }
    if weights.iter().any(|weight| !weight.is_finite()) {
        return Err(Error::argument("spectrum", "weights that are not finite have no singular values"));
    }
    let mut gram = gram(weights, n_rows, n_cols);
    let (diagonal, beside) = tridiagonal(&mut gram, n);
    let mut squares = eigenvalues(diagonal, beside);
    order::sort_by(&mut squares, |a, b| b.total_cmp(a));
    Ok(squares.into_iter().map(|square| square.max(0.0).sqrt() as f32).collect())
}

/// The lower triangle of the smaller product of a matrix with itself, row-major.
fn gram(weights: &[f32], n_rows: usize, n_cols: usize) -> Vec<f64> {
    let n = n_rows.min(n_cols);
    let mut gram = vec![0.0; n * n];
    if n_rows <= n_cols {
        let rows: Vec<&[f32]> = weights.chunks_exact(n_cols.max(1)).collect();
        for (i, a) in rows.iter().enumerate() {
            for (j, b) in rows.iter().enumerate().take(i + 1) {
                gram[i * n + j] = a.iter().zip(*b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum();
            }
        }
    } else {
        for row in weights.chunks_exact(n_cols.max(1)) {
            for (i, &a) in row.iter().enumerate() {
                let sums = &mut gram[i * n..=i * n + i];
                sums.iter_mut().zip(row).for_each(|(sum, &b)| *sum += f64::from(a) * f64::from(b));
            }
        }
    }
    gram
}

/// Reflects a symmetric matrix, of which the lower triangle is read, until three diagonals are left: the middle one, and the one
/// beside it with a zero in front.
fn tridiagonal(a: &mut [f64], n: usize) -> (Vec<f64>, Vec<f64>) {
    let (mut diagonal, mut beside) = (vec![0.0; n], vec![0.0; n]);
    for i in (1..n).rev() {
        // Row i left of the diagonal is reflected onto its last element.
        let (above, below) = a.split_at_mut(i * n);
        let row = &mut below[..i];
        let scale: f64 = row.iter().map(|x| x.abs()).sum();
        let is_done = i == 1 || scale == 0.0;
        beside[i] = row[i - 1];
        if !is_done {
            row.iter_mut().for_each(|x| *x /= scale);
            let square: f64 = row.iter().map(|x| x * x).sum();
            let last = row[i - 1];
            let to = -square.sqrt().copysign(last);
            beside[i] = scale * to;
            row[i - 1] = last - to;
            reflect(above, row, square - last * to, n);
        }
        diagonal[i] = below[i];
    }
    if let (Some(first), Some(corner)) = (diagonal.first_mut(), a.first()) {
        *first = *corner;
    }
    (diagonal, beside)
}

/// A ← A − v·qᵀ − q·vᵀ for the lower triangle of as many rows as `v` has, where `half` is |v|²/2.
fn reflect(a: &mut [f64], v: &[f64], half: f64, n: usize) {
    let mut p = vec![0.0; v.len()];
    for (i, row) in a.chunks_exact(n).take(v.len()).enumerate() {
        let mut sum = row[i] * v[i];
        for (j, &x) in row[..i].iter().enumerate() {
            sum += x * v[j];
            p[j] += x * v[i];
        }
        p[i] += sum;
    }
    p.iter_mut().for_each(|x| *x /= half);
    let share = v.iter().zip(&p).map(|(v, p)| v * p).sum::<f64>() / (2.0 * half);
    let q: Vec<f64> = v.iter().zip(&p).map(|(v, p)| p - share * v).collect();
    for (i, row) in a.chunks_exact_mut(n).take(v.len()).enumerate() {
        let (v_i, q_i) = (v[i], q[i]);
        row[..=i].iter_mut().zip(v.iter().zip(&q)).for_each(|(x, (v, q))| *x -= v_i * q + q_i * v);
    }
}

/// Eigenvalues of a matrix of three diagonals, in no order. A value whose rounds run out is left as near as it came.
fn eigenvalues(mut diagonal: Vec<f64>, mut beside: Vec<f64>) -> Vec<f64> {
    let n = diagonal.len();
    if n == 0 {
        return diagonal;
    }
    beside.rotate_left(1);
    beside[n - 1] = 0.0;
    for start in 0..n {
        for _ in 0..MAX_ROUNDS {
            let is_small = |i: usize| beside[i].abs() <= f64::EPSILON * (diagonal[i].abs() + diagonal[i + 1].abs());
            let end = (start..n - 1).find(|&i| is_small(i)).unwrap_or(n - 1);
            if end == start {
                break;
            }
            chase(&mut diagonal, &mut beside, start, end);
        }
    }
    diagonal
}

/// One step of QL with an implicit shift, on rows `start` to `end`.
fn chase(diagonal: &mut [f64], beside: &mut [f64], start: usize, end: usize) {
    let slope = (diagonal[start + 1] - diagonal[start]) / (2.0 * beside[start]);
    let root = slope.hypot(1.0);
    let mut g = diagonal[end] - diagonal[start] + beside[start] / (slope + root.copysign(slope));
    let (mut sin, mut cos, mut moved) = (1.0, 1.0, 0.0);
    for i in (start..end).rev() {
        let (f, b) = (sin * beside[i], cos * beside[i]);
        let r = f.hypot(g);
        beside[i + 1] = r;
        if r == 0.0 {
            // It splits here; the next round goes on with the parts.
            diagonal[i + 1] -= moved;
            beside[end] = 0.0;
            return;
        }
        (sin, cos) = (f / r, g / r);
        g = diagonal[i + 1] - moved;
        let t = (diagonal[i] - g) * sin + 2.0 * cos * b;
        moved = sin * t;
        diagonal[i + 1] = g + moved;
        g = cos * t - b;
    }
    diagonal[start] -= moved;
    beside[start] = g;
    beside[end] = 0.0;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tilework::layers::core::host::HostBuffer;
    use tilework::{Device, linalg};

    use super::*;

    /// What the dense library gives, in double precision.
    fn expected(weights: &[f32], n_cols: usize) -> Vec<f32> {
        let host = HostBuffer::F64(weights.iter().map(|&weight| f64::from(weight)).collect());
        let matrix = Device::cpu().from_host(host, [weights.len() / n_cols, n_cols].as_slice());
        pollster::block_on(linalg::svdvals(&matrix).to_f32().to_vec()).unwrap()
    }

    fn compare(weights: &[f32], n_cols: usize) {
        let (ours, theirs) = (singular_values(weights, n_cols).unwrap(), expected(weights, n_cols));
        assert_eq!(ours.len(), theirs.len());
        let largest = theirs.first().copied().unwrap_or(0.0);
        for (a, b) in ours.iter().zip(&theirs) {
            // Half of the digits of a double, and the rounding to a single.
            assert!((a - b).abs() <= 1e-7 * largest, "{a} instead of {b}; the largest is {largest}");
        }
    }

    #[test]
    fn matrices_of_known_values() {
        assert_eq!(singular_values(&[3.0, 0.0, 0.0, 4.0], 2).unwrap(), [4.0, 3.0]);
        assert_eq!(singular_values(&[0.0; 6], 3).unwrap(), [0.0, 0.0]);
        assert_eq!(singular_values(&[3.0, 4.0], 2).unwrap(), [5.0]);
        assert_eq!(singular_values(&[], 0).unwrap(), [] as [f32; 0]);
        // All ones have rank one.
        let ones = singular_values(&[1.0; 30 * 20], 20).unwrap();
        assert!((ones[0] - 600f32.sqrt()).abs() < 1e-5 && ones[1..].iter().all(|s| *s < 1e-6), "{ones:?}");
    }

    #[test]
    fn what_has_no_spectrum_says_so() {
        assert!(singular_values(&[f32::NAN, 1.0], 1).unwrap_err().to_string().contains("not finite"));
        let large = singular_values(&vec![0.0; 3000 * 2100], 2100).unwrap_err().to_string();
        assert!(large.contains("3000 × 2100") && large.contains("2048"), "{large}");
    }

    #[test]
    fn a_layer_as_the_library_has_it() {
        let mut state = 1u32;
        let mut noise = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        for (n_rows, n_cols) in [(96, 131), (200, 64), (77, 77)] {
            let weights: Vec<f32> = (0..n_rows * n_cols).map(|_| noise()).collect();
            compare(&weights, n_cols);
        }
    }

    proptest! {
        #[test]
        fn small_matrices_as_the_library_has_them(n_cols in 1usize..9, weights in prop::collection::vec(-4.0f32..4.0, 1..64)) {
            let n_rows = weights.len() / n_cols;
            prop_assume!(n_rows > 0);
            compare(&weights[..n_rows * n_cols], n_cols);
        }
    }
}
