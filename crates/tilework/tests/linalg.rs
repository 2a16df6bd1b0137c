//! What linear algebra promises: factors that multiply to the matrix, singular and degenerate matrices, sizes 0 and 1, errors, devices
//! and derivatives.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use common::linear::{BOTH, assert_identity, assert_near, assert_same, noise, read, transposed};
use common::{devices, gpu};
use pollster::block_on;
use tilework::linalg::{self, Order, QrMode, Side, TriangularSolve, Vectors};
use tilework::{Array, DType, Device, ErrorKind};

#[test]
fn factors_multiply_to_the_matrix() {
    let d = Device::cpu();
    let shapes: [&[usize]; 10] =
        [&[1, 1], &[5, 5], &[7, 3], &[3, 7], &[2, 3, 4, 4], &[0, 3, 3], &[3, 0], &[0, 3], &[90, 60], &[300, 300]];
    for dtype in BOTH {
        // Backward stable: the product is off by at most a few roundings for each of the columns.
        let room = if dtype == DType::F64 { 1e-12 } else { 3e-4 };
        for shape in shapes {
            let a = noise(&d, shape, dtype);
            let lu = linalg::lu(&a);
            assert_same(&lu.p.matmul(&lu.l).matmul(&lu.u), &a, room);
            assert!(read(&lu.l.abs()).into_iter().all(|x| x <= 1.0));
            for mode in [QrMode::Reduced, QrMode::Complete] {
                let qr = linalg::qr(&a, mode);
                assert_same(&qr.q.matmul(&qr.r), &a, room);
                assert_identity(&transposed(&qr.q).matmul(&qr.q), room);
            }
            for vectors in [Vectors::Reduced, Vectors::Full] {
                let svd = linalg::svd(&a, vectors);
                let k = svd.s.shape()[svd.s.ndim() - 1] as isize;
                let (u, vh) = (svd.u.slice(-1, ..k), svd.vh.slice(-2, ..k));
                assert_same(&(u * svd.s.expand_dims(-2)).matmul(&vh), &a, room);
                assert_identity(&transposed(&svd.u).matmul(&svd.u), room);
                assert_identity(&svd.vh.matmul(&transposed(&svd.vh)), room);
            }
        }
    }
}

#[test]
fn eigenvectors_are_eigenvectors() {
    let d = Device::cpu();
    for dtype in BOTH {
        let room = if dtype == DType::F64 { 1e-12 } else { 3e-4 };
        for shape in [&[1usize, 1][..], &[6, 6], &[2, 3, 4, 4], &[0, 0], &[120, 120]] {
            let a = noise(&d, shape, dtype);
            let symmetric = &a + transposed(&a);
            let eigh = linalg::eigh(&symmetric);
            let (w, v) = (&eigh.eigenvalues, &eigh.eigenvectors);
            assert_same(&symmetric.matmul(v), &(v * w.expand_dims(-2)), room);
            assert_identity(&transposed(v).matmul(v), room);
            let eig = linalg::eig(&a);
            let turned = &eig.eigenvectors * eig.eigenvalues.expand_dims(-2);
            assert_same(&a.matmul(&eig.eigenvectors).as_pairs(), &turned.as_pairs(), room);
        }
    }
}

/// Matrices whose singular values or eigenvalues coincide or vanish in numbers, which is where fast algorithms cut corners.
#[test]
fn factors_of_degenerate_matrices() {
    let d = Device::cpu();
    let n = 300;
    let weyl = |i: usize| ((i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as f64 / 2f64.powi(31) - 1.0;
    let pattern = d.array((0..n * n).map(weyl).collect::<Vec<f64>>(), [n, n]);
    let thin = noise(&d, &[n, 5], DType::F64);
    let eye = d.eye(n).cast(DType::F64);
    let index = d.arange(n).cast(DType::F64);
    let distance = (index.expand_dims(-1) - &index).abs();
    let chain = distance.eq(1.0).cast(DType::F64);
    let wilkinson = &chain + &eye * (&index - 149.5).abs();
    for a in [pattern, thin.matmul(&transposed(&thin)), &eye + thin.matmul(&transposed(&thin)), eye, chain, wilkinson] {
        let svd = linalg::svd(&a, Vectors::Reduced);
        assert_same(&(&svd.u * svd.s.expand_dims(-2)).matmul(&svd.vh), &a, 1e-12);
        assert_identity(&transposed(&svd.u).matmul(&svd.u), 1e-12);
        assert_near(&read(&linalg::svdvals(&a)), &read(&svd.s), 1e-12);
        let symmetric = &a + transposed(&a);
        let eigh = linalg::eigh(&symmetric);
        let scaled = &eigh.eigenvectors * eigh.eigenvalues.expand_dims(-2);
        assert_same(&symmetric.matmul(&eigh.eigenvectors), &scaled, 1e-11);
        assert_identity(&transposed(&eigh.eigenvectors).matmul(&eigh.eigenvectors), 1e-12);
        assert_near(&read(&linalg::eigvalsh(&symmetric)), &read(&eigh.eigenvalues), 1e-12);
    }
}

#[test]
fn blocked_solves_on_every_device() {
    for d in devices() {
        for n in [1, 31, 32, 33, 64, 97, 200] {
            let x = noise(&d, &[2, n, n], DType::F32);
            let a = x.matmul(&transposed(&x)) + d.eye(n) * n as f64;
            let l = linalg::cholesky(&a);
            // Higham, Accuracy and Stability of Numerical Algorithms, theorem 10.3: n + 1 roundings of the diagonal, and as many
            // for the product here.
            assert_same(&l.matmul(&transposed(&l)), &a, (n + 1) as f64 * f64::from(f32::EPSILON));
            let b = noise(&d, &[2, n, 3], DType::F32);
            let solution = linalg::solve_positive_definite(&a, &b);
            assert_same(&a.matmul(&solution), &b, 1e-5);
            let broadcast = linalg::cho_solve(&l, &b.index(0, 0));
            assert_eq!(broadcast.shape(), [2, n, 3]);
            let column = linalg::triangular_solve(&l, &d.ones([n]), TriangularSolve::lower());
            assert_same(&l.matmul(&column.expand_dims(-1)), &d.ones([2, n, 1]), 1e-5);
        }
    }
}

#[test]
fn a_matrix_that_is_not_definite_gives_nan_from_the_column_that_fails() {
    for d in devices() {
        // The leading 40 × 40 are the identity; the pivot of column 40 is −1.
        let index = d.arange(70);
        let diagonal = index.ge(40).select(-1.0, 1.0);
        let a = d.eye(70) * diagonal;
        let l = linalg::cholesky(&a);
        let values = read(&l);
        for row in 0..70 {
            for col in 0..70 {
                let value = values[row * 70 + col];
                if row >= col && col >= 40 {
                    assert!(value.is_nan(), "{row} {col}: {value}");
                } else {
                    assert_eq!(value, f64::from(u8::from(row == col)), "{row} {col}");
                }
            }
        }
        assert!(read(&linalg::solve_positive_definite(&a, &d.ones([70]))).iter().any(|x| x.is_nan()));
    }
}

#[test]
fn singular_and_ill_conditioned_matrices() {
    let d = Device::cpu();
    let singular = d.array(vec![1.0f64, 2.0, 2.0, 4.0], [2, 2]);
    assert_eq!(read(&linalg::det(&singular)), [0.0]);
    let slogdet = linalg::slogdet(&singular);
    assert_eq!(read(&slogdet.sign), [0.0]);
    assert_eq!(read(&slogdet.logabsdet), [f64::NEG_INFINITY]);
    assert!(read(&linalg::inv(&singular)).iter().all(|x| !x.is_finite()));
    assert_eq!(read(&linalg::matrix_rank(&singular, None)), [1.0]);
    let zeros = d.zeros([3, 3]);
    assert_eq!(read(&linalg::matrix_rank(&zeros, None)), [0.0]);
    assert_eq!(read(&linalg::det(&zeros)), [0.0]);
    let svd = linalg::svd(&zeros, Vectors::Full);
    assert_identity(&svd.u.matmul(&transposed(&svd.u)), 1e-6);
    assert_eq!(read(&linalg::pinv(&zeros, None)), [0.0; 9]);
    // The pseudoinverse of a matrix of rank 1 is its transpose over the sum of squares.
    assert_same(&linalg::pinv(&singular, None), &(transposed(&singular) / 25.0), 1e-14);
    // Hilbert's matrix of 8 rows has a condition number of 1.5e10: a solution keeps 5 digits of 16.
    let index = d.arange(8).cast(DType::F64);
    let hilbert = (index.expand_dims(-1) + &index + 1.0).recip();
    let ones = d.ones([8]).cast(DType::F64);
    assert_same(&linalg::solve(&hilbert, &hilbert.matmul(&ones)), &ones, 1e-5);
    assert_same(&linalg::solve_positive_definite(&hilbert, &hilbert.matmul(&ones)), &ones, 1e-5);
    let condition = read(&linalg::cond(&hilbert, Order::P(2.0)))[0];
    assert!((condition / 1.5257575e10 - 1.0).abs() < 1e-5, "{condition}");
    assert_eq!(read(&linalg::matrix_rank(&hilbert.cast(DType::F32), None)).len(), 1);
    // A rotation has no real eigenvalue; a Jordan block has one of multiplicity 2.
    let turn = d.array(vec![0.0f64, -1.0, 1.0, 0.0], [2, 2]);
    assert_near(&read(&linalg::eigvals(&turn)), &[0.0, -1.0, 0.0, 1.0], 1e-15);
    let jordan = d.array(vec![2.0f64, 1.0, 0.0, 2.0], [2, 2]);
    assert_near(&read(&linalg::eigvals(&jordan)), &[2.0, 0.0, 2.0, 0.0], 1e-7);
}

#[test]
fn nothing_and_one() {
    let d = Device::cpu();
    let nothing = d.zeros([0, 0]);
    assert_eq!(read(&linalg::det(&nothing)), [1.0]);
    assert_eq!(linalg::inv(&nothing).shape(), [0, 0]);
    assert_eq!(linalg::solve(&nothing, &d.zeros([0, 2])).shape(), [0, 2]);
    assert_eq!(linalg::svd(&d.zeros([0, 3]), Vectors::Full).vh.shape(), [3, 3]);
    assert_eq!(linalg::qr(&d.zeros([3, 0]), QrMode::Complete).q.shape(), [3, 3]);
    let four = d.full([1, 1], 4.0);
    assert_eq!(read(&linalg::cholesky(&four)), [2.0]);
    assert_eq!(read(&linalg::solve(&four, &d.ones([1]))), [0.25]);
    assert_eq!(read(&linalg::inv(&d.full([2, 1, 1], 8.0))), [0.125, 0.125]);
    // Integers become floats.
    let identity = d.eye(3).cast(DType::I32);
    assert_eq!(read(&linalg::det(&identity)), [1.0]);
    assert_eq!(linalg::matrix_power(&identity, 0).shape(), [3, 3]);
}

#[test]
fn shapes_that_do_not_fit_are_named() {
    let d = Device::cpu();
    let (wide, square) = (d.ones([2, 3]), d.ones([3, 3]));
    let all = [
        linalg::cholesky(&wide),
        linalg::inv(&wide),
        linalg::det(&wide),
        linalg::eigvalsh(&wide),
        linalg::eigvals(&wide),
        linalg::matrix_power(&wide, 2),
        linalg::solve(&wide, &square),
        linalg::solve(&square, &d.ones([4])),
        linalg::solve(&d.ones([2, 3, 3]), &d.ones([5, 3, 1])),
        linalg::triangular_solve(&square, &d.ones([2, 1]), TriangularSolve::upper()),
        linalg::svdvals(&d.ones([3])),
        linalg::lu(&d.ones([3])).u,
        linalg::trace(&d.ones([3])),
        linalg::cross(&d.ones([2]), &d.ones([3])),
        linalg::tensordot(&wide, &square, [0], [0]),
    ];
    for (k, array) in all.iter().enumerate() {
        let error = array.check().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Shape, "{k}: {error}");
        assert!(error.message().contains(['[', '(']), "{k}: {error}");
    }
    assert_eq!(linalg::matrix_norm(&square, Order::P(3.0)).check().unwrap_err().kind(), ErrorKind::Argument);
    assert_eq!(linalg::vector_norm(&square, Order::Nuc, 0).check().unwrap_err().kind(), ErrorKind::Argument);
}

#[test]
fn what_has_no_kernel_is_done_by_the_cpu_openly() {
    let auto = block_on(Device::auto());
    let x = noise(&auto, &[6, 4], DType::F32);
    assert_eq!(read(&linalg::svdvals(&x)).len(), 4);
    let Some(d) = gpu() else { return };
    let a = noise(&d, &[6, 6], DType::F32);
    for array in [linalg::svdvals(&a), linalg::inv(&a), linalg::eigh(&a).eigenvalues, linalg::qr(&a, QrMode::Reduced).q]
    {
        block_on(array.eval()).unwrap();
    }
    assert_eq!((d.stats().on_cpu, d.stats().moved_to_cpu, d.stats().on_gpu), (4, 4, 0));
    assert!(d.warnings().iter().all(|warning| warning.contains("has no GPU kernel")), "{:?}", d.warnings());
    let options = tilework::GpuOptions::default();
    let auto = block_on(Device::auto_with(options, tilework::SoftwareAdapters::Consider));
    let x = noise(&auto, &[6, 4], DType::F32);
    assert_eq!(read(&linalg::svdvals(&x)).len(), 4);
    let stats = auto.stats();
    assert_eq!((stats.on_gpu, stats.taken_over), (0, 0), "the CPU was chosen, not fallen back to");
}

/// Central differences of a function of one matrix.
fn check_gradient(name: &str, f: impl Fn(&Array) -> Array, a: &Array) {
    let gradient = read(&a.device().grad(|x| f(x), a).unwrap());
    let values = read(a);
    let shifted = |at: usize, by: f64| {
        let mut values = values.clone();
        values[at] += by;
        read(&f(&a.device().array(values, a.shape().to_vec())))[0]
    };
    let h = 1e-4;
    for (at, &got) in gradient.iter().enumerate() {
        let want =
            (8.0 * (shifted(at, h) - shifted(at, -h)) - (shifted(at, 2.0 * h) - shifted(at, -2.0 * h))) / (12.0 * h);
        assert!((got - want).abs() <= 1e-7 * want.abs().max(1.0), "{name} at {at}: {got} for {want}");
    }
}

#[test]
fn derivatives_go_through() {
    let d = Device::cpu();
    let a = noise(&d, &[2, 4, 4], DType::F64) + d.eye(4).cast(DType::F64) * 0.5;
    let b = noise(&d, &[2, 4, 2], DType::F64);
    let weights = noise(&d, &[2, 4, 4], DType::F64).flip([-1]);
    let definite = a.matmul(&transposed(&a)) + d.eye(4).cast(DType::F64);
    check_gradient("solve", |a| (linalg::solve(a, &b) * b.flip([-2])).sum([]), &a);
    check_gradient("solve, right hand side", |b| linalg::solve(&a, b).square().sum([]), &b);
    check_gradient("inv", |a| (linalg::inv(a) * &weights).sum([]), &a);
    check_gradient("det", |a| linalg::det(a).square().sum([]), &a);
    check_gradient("slogdet", |a| linalg::slogdet(a).logabsdet.sum([]), &a);
    check_gradient("pinv", |a| (linalg::pinv(a, None) * &weights).sum([]), &a);
    check_gradient("nuclear norm", |a| linalg::matrix_norm(a, Order::Nuc).sum([]), &a);
    let lower = |a: &Array| (linalg::cholesky(a) * &weights).sum([]);
    check_gradient("cholesky", lower, &definite);
    let solve = |a: &Array| linalg::solve_positive_definite(a, &b).square().sum([]);
    check_gradient("definite solve", solve, &definite);
    // log det of a definite matrix: twice the sum of the logarithms of the diagonal of L.
    let logdet = |a: &Array| {
        let l = linalg::cholesky(a);
        (d.eye(4).cast(DType::F64) * l).sum([-1]).log().sum([]) * 2.0
    };
    let gradient = d.grad(logdet, &definite).unwrap();
    let inverse = linalg::inv(&definite);
    // Only the lower triangle is read: what the upper one would receive is added to it.
    let index = d.arange(4);
    let below = index.reshape([4, 1]).gt(&index).select(&inverse * 2.0, 0.0);
    let want = index.reshape([4, 1]).eq(&index).select(&inverse, &below);
    assert_same(&gradient, &want, 1e-12);
}

#[test]
fn the_upper_triangle_is_another_system() {
    let d = Device::cpu();
    let a = d.array(vec![2.0f32, 3.0, 100.0, 4.0], [2, 2]);
    let how = TriangularSolve { side: Side::Upper, ..TriangularSolve::lower() };
    assert_eq!(read(&linalg::triangular_solve(&a, &d.array(vec![7.0f32, 4.0], [2]), how)), [2.0, 1.0]);
}
