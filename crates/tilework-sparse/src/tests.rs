//! Factors against dense ones, on patterns of many shapes.

use super::*;

/// Numbers that look random and are the same every time.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as f64) / f64::from(1u32 << 30) - 1.0
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.next() + 1.0) * 0.5 * n as f64) as usize % n
    }
}

/// A positive definite matrix of a pattern: its values, and all of it, row by row.
fn matrix(pattern: &Pattern, noise: &mut Noise) -> (Vec<f64>, Vec<f64>) {
    let n = pattern.n_rows();
    let first: Vec<usize> =
        pattern.dims.iter().scan(0, |at, &dim| Some(std::mem::replace(at, *at + dim as usize))).collect();
    let mut values = vec![0.0; pattern.n_values()];
    let mut full = vec![0.0; n * n];
    for col in 0..pattern.n_blocks() {
        for (row, position) in pattern.column(col) {
            let (n_rows, n_cols) = (pattern.dims[row] as usize, pattern.dims[col] as usize);
            for i in 0..n_rows {
                for j in 0..n_cols {
                    let (r, c) = (first[row] + i, first[col] + j);
                    let value = if row == col && j > i {
                        full[c * n + r]
                    } else if r == c {
                        10.0 + n as f64
                    } else {
                        noise.next()
                    };
                    values[position + i * n_cols + j] = value;
                    full[r * n + c] = value;
                    full[c * n + r] = value;
                }
            }
        }
    }
    // The upper half of diagonal blocks is a copy of the lower.
    for col in 0..pattern.n_blocks() {
        let (dim, at) = (pattern.dims[col] as usize, pattern.positions[pattern.starts[col] as usize] as usize);
        for i in 0..dim {
            for j in 0..dim {
                values[at + i * dim + j] = full[(first[col] + i.max(j)) * n + first[col] + i.min(j)];
                full[(first[col] + i) * n + first[col] + j] = values[at + i * dim + j];
            }
        }
    }
    (values, full)
}

fn check(pattern: &Pattern, noise: &mut Noise) {
    let n = pattern.n_rows();
    let (values, full) = matrix(pattern, noise);
    let added: Vec<f64> = (0..n).map(|k| k as f64 * 0.01).collect();
    let wanted: Vec<f64> = (0..n).map(|_| noise.next()).collect();
    let mut x: Vec<f64> =
        (0..n).map(|r| (0..n).map(|c| full[r * n + c] * wanted[c]).sum::<f64>() + added[r] * wanted[r]).collect();
    let symbolic = Symbolic::new(pattern);
    let mut factor = Factor::new(&symbolic);
    // Twice: memory is used again.
    factor.factorize(&symbolic, &values, &added).unwrap();
    factor.factorize(&symbolic, &values, &added).unwrap();
    factor.solve(&symbolic, &mut x);
    for (x, wanted) in x.iter().zip(&wanted) {
        assert!((x - wanted).abs() < 1e-11, "{x} {wanted} of {n}");
    }
}

#[test]
fn patterns_of_many_shapes() {
    let mut noise = Noise(1);
    for round in 0..60 {
        let n = [1, 2, 3, 7, 20, 45, 80][round % 7];
        let dims: Vec<u32> = (0..n).map(|_| 1 + noise.below(6) as u32).collect();
        let n_pairs = n * [0, 1, 2, 5][round % 4];
        let pairs: Vec<(u32, u32)> = (0..n_pairs).map(|_| (noise.below(n) as u32, noise.below(n) as u32)).collect();
        check(&Pattern::new(dims, pairs.into_iter()), &mut noise);
    }
}

#[test]
fn grids_arrows_and_full_matrices() {
    let mut noise = Noise(2);
    let grid = (0..12u32)
        .flat_map(|i| (0..12u32).flat_map(move |j| [(i * 12 + j, i * 12 + j + 1), (i * 12 + j, i * 12 + j + 12)]));
    check(&Pattern::new(vec![3; 144], grid.filter(|&(_, b)| b < 144)), &mut noise);
    check(&Pattern::new(vec![2; 50], (1..50).map(|k| (0, k))), &mut noise);
    check(&Pattern::new(vec![5; 20], (0..20).flat_map(|a| (0..a).map(move |b| (a, b)))), &mut noise);
}

#[test]
fn no_rows_at_all() {
    let pattern = Pattern::new(Vec::new(), std::iter::empty());
    let symbolic = Symbolic::new(&pattern);
    let mut factor = Factor::new(&symbolic);
    assert_eq!(factor.factorize(&symbolic, &[], &[]), Ok(()));
    factor.solve(&symbolic, &mut []);
}

#[test]
fn what_is_not_positive_is_refused_and_the_next_matrix_is_not() {
    let pattern = Pattern::new(vec![1; 3], [(0, 1), (1, 2)].into_iter());
    let symbolic = Symbolic::new(&pattern);
    let mut factor = Factor::new(&symbolic);
    let singular = [1.0, 1.0, 1.0, 0.0, 1.0];
    assert!(factor.factorize(&symbolic, &singular, &[0.0; 3]).is_err());
    assert!(factor.factorize(&symbolic, &[f64::NAN; 5], &[0.0; 3]).is_err());
    assert_eq!(factor.factorize(&symbolic, &singular, &[1.0; 3]), Ok(()));
    let mut x = vec![1.0, 2.0, 3.0];
    factor.solve(&symbolic, &mut x);
    // The solution of [[2, 1, 0], [1, 2, 0], [0, 0, 2]] x = (1, 2, 3).
    for (x, wanted) in x.iter().zip([0.0, 1.0, 1.5]) {
        assert!((x - wanted).abs() < 1e-15);
    }
}

#[test]
fn the_order_keeps_a_grid_sparse() {
    // A grid in its natural order fills its band: about n³ numbers. A good order needs about n² log n.
    let n = 40u32;
    let at = |i: u32, j: u32| i * n + j;
    let edges = (0..n).flat_map(|i| {
        (0..n).flat_map(move |j| [(at(i, j), at(i, (j + 1).min(n - 1))), (at(i, j), at((i + 1).min(n - 1), j))])
    });
    let pattern = Pattern::new(vec![1; (n * n) as usize], edges);
    let natural = Symbolic::in_order(&pattern, (0..n * n).collect());
    let good = Symbolic::new(&pattern);
    assert!(good.n_factor_values() * 2 < natural.n_factor_values(), "{}", good.n_factor_values());
    assert!(good.n_operations() * 3.0 < natural.n_operations());
}
