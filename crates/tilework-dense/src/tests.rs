//! The textbook against the library.

use super::{By, Dense, Sides, Triangle};

/// Numbers between −1 and 1 without any pattern (the finalizer of splitmix64).
fn noise(n: usize) -> Vec<f64> {
    let number = |i: usize| {
        let mut word = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((word ^ (word >> 31)) >> 40) as f64 / f64::from(1 << 23) - 1.0
    };
    (0..n).map(number).collect()
}

#[track_caller]
fn assert_near(got: &[f64], want: &[f64]) {
    assert_eq!(got.len(), want.len());
    for (i, (g, w)) in got.iter().zip(want).enumerate() {
        assert!((g - w).abs() < 1e-10, "element {i}: {g} for {w}");
    }
}

const BOTH: [By; 2] = [By::Fastest(1), By::Textbook];

#[test]
fn triangular_systems_agree() {
    let n = 9;
    // Ones on the diagonal dominate as well.
    let t: Vec<f64> =
        noise(n * n).iter().enumerate().map(|(i, x)| if i % (n + 1) == 0 { 4.0 } else { x / 4.0 }).collect();
    for bits in 0..8 {
        let triangle = Triangle { n, is_upper: bits & 1 > 0, is_transposed: bits & 2 > 0, is_unit: bits & 4 > 0 };
        let [fast, textbook] = BOTH.map(|by| {
            let mut x = noise(n * 4);
            f64::triangular_solve(triangle, &t, &mut x, by);
            x
        });
        assert_near(&fast, &textbook);
    }
}

#[test]
fn factors_agree() {
    let (m, n) = (12, 7);
    let a = noise(m * n);
    let square = &a[..n * n];
    let gram: Vec<f64> = (0..n * n)
        .map(|i| {
            (0..m).map(|k| a[k * n + i / n] * a[k * n + i % n]).sum::<f64>() + f64::from(u8::from(i % (n + 1) == 0))
        })
        .collect();
    let [fast, textbook] = BOTH.map(|by| {
        let mut l = gram.clone();
        f64::cholesky(&mut l, n, by);
        let (lu, rows) = f64::lu(&a, [m, n], by);
        let (q, r) = f64::qr(&a, [m, n], n, by);
        let svd = f64::svd(&a, [m, n], Sides { n_left: n, n_right: n }, by);
        let (values, vectors) = f64::eigh(&gram, n, n, by);
        let eigen = f64::eig(square, n, n, by);
        let rows = rows.into_iter().map(|row| row as f64).collect();
        [l, lu, rows, q, r, svd.u, svd.s, svd.vt, values, vectors, eigen.values, eigen.vectors]
    });
    for (fast, textbook) in fast.iter().zip(&textbook) {
        assert_near(fast, textbook);
    }
}
