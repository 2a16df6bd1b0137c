//! Linear algebra against NumPy and SciPy (testdata/linalg/make.py), and what is promised about its edges.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use common::{devices, gpu};
use pollster::block_on;
use serde_json::Value;
use tilework::linalg::{self, Order, QrMode, Side, TriangularSolve, Vectors};
use tilework::{Array, DType, Device, ErrorKind};

fn cases() -> Value {
    serde_json::from_str(include_str!("../../../testdata/linalg/cases.json")).unwrap()
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

fn sizes(value: &Value) -> Vec<usize> {
    list(&value["shape"]).iter().map(|n| n.as_u64().unwrap() as usize).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    list(&value["data"]).iter().map(|x| x.as_f64().unwrap()).collect()
}

/// In double precision on the CPU and in single precision wherever `devices` says.
fn array(device: &Device, value: &Value, dtype: DType) -> Array {
    match dtype {
        DType::F64 => device.array(numbers(value), sizes(value)),
        _ => device.array(numbers(value).iter().map(|&x| x as f32).collect::<Vec<f32>>(), sizes(value)),
    }
}

fn read(array: &Array) -> Vec<f64> {
    let host = block_on(array.flatten().to_host()).unwrap();
    (0..host.len()).map(|i| host.f64_at(i)).collect()
}

/// Compares with what NumPy gave, relative to its largest element.
#[track_caller]
fn assert_is(got: &Array, want: &Value, tolerance: f64) {
    assert_eq!(got.shape(), sizes(want), "{:?}", got.check());
    assert_near(&read(got), &numbers(want), tolerance);
}

#[track_caller]
fn assert_near(got: &[f64], want: &[f64], tolerance: f64) {
    assert_eq!(got.len(), want.len());
    let scale = want.iter().fold(1.0f64, |scale, x| scale.max(x.abs()));
    for (i, (g, w)) in got.iter().zip(want).enumerate() {
        let is_same = g == w || (g.is_nan() && w.is_nan()) || (g - w).abs() <= tolerance * scale;
        assert!(is_same, "element {i}: {g} for {w}, tolerance {tolerance}");
    }
}

/// Roundings of a type of floats, with room for the eleven digits of the file.
fn unit(dtype: DType) -> f64 {
    if dtype == DType::F64 { 1e-11 } else { f64::from(f32::EPSILON) }
}

const BOTH: [DType; 2] = [DType::F32, DType::F64];

#[test]
fn definite_matrices_are_those_of_numpy() {
    for d in devices() {
        for case in list(&cases()["definite"]) {
            let a = array(&d, &case["a"], DType::F32);
            let b = array(&d, &case["b"], DType::F32);
            // An error of one rounding in A moves the solution by up to the condition number of roundings.
            let condition = case["condition"].as_f64().unwrap();
            let room = 8.0 * unit(DType::F32) * condition;
            let l = linalg::cholesky(&a);
            assert_is(&l, &case["l"], room);
            assert_is(&linalg::solve_positive_definite(&a, &b), &case["x"], room);
            assert_is(&linalg::cho_solve(&l, &b), &case["x"], room);
            for form in list(&case["triangular"]) {
                let how = if form["side"] == "lower" { TriangularSolve::lower() } else { TriangularSolve::upper() };
                let how = if form["form"] == "plain" { how } else { how.transposed() };
                assert_is(&linalg::triangular_solve(&a, &b, how), &form["x"], room);
            }
        }
    }
    let d = Device::cpu();
    for case in list(&cases()["definite"]) {
        for dtype in BOTH {
            // Eigenvalues move by the backward error, which grows with the number of rows.
            let n_rows = sizes(&case["a"])[sizes(&case["a"]).len() - 1] as f64;
            let (a, room) = (array(&d, &case["a"], dtype), (8.0 + n_rows) * unit(dtype));
            let condition = case["condition"].as_f64().unwrap();
            assert_is(&linalg::eigvalsh(&a), &case["w"], room);
            let parts = linalg::eigh(&a);
            assert_is(&parts.eigenvalues, &case["w"], room);
            if case.get("v").is_some() {
                assert_is(&parts.eigenvectors, &case["v"], room * condition);
            }
            assert_is(&linalg::cholesky(&a), &case["l"], room * condition);
        }
    }
}

#[test]
fn square_matrices_are_those_of_numpy() {
    let d = Device::cpu();
    for case in list(&cases()["square"]) {
        for dtype in BOTH {
            let (a, b) = (array(&d, &case["a"], dtype), array(&d, &case["b"], dtype));
            let room = 16.0 * unit(dtype);
            let by_condition = room * case["condition"].as_f64().unwrap();
            assert_is(&linalg::solve(&a, &b), &case["x"], by_condition);
            assert_is(&linalg::inv(&a), &case["inv"], by_condition);
            assert_is(&linalg::det(&a), &case["det"], by_condition);
            let slogdet = linalg::slogdet(&a);
            assert_is(&slogdet.sign, &case["sign"], 0.0);
            assert_is(&slogdet.logabsdet, &case["logabs"], by_condition);
            let lu = linalg::lu(&a);
            assert_is(&lu.p, &case["p"], 0.0);
            assert_is(&lu.l, &case["l"], by_condition);
            assert_is(&lu.u, &case["u"], by_condition);
            assert_is(&linalg::trace(&a), &case["trace"], room);
            assert_is(&linalg::eigvals(&a), &case["w"], 64.0 * room);
            let eig = linalg::eig(&a);
            assert_is(&eig.eigenvalues, &case["w"], 64.0 * room);
            if case.get("v").is_some() {
                assert_is(&eig.eigenvectors, &case["v"], 64.0 * room);
            }
            for (n, power) in case["power"].as_object().unwrap() {
                assert_is(&linalg::matrix_power(&a, n.parse().unwrap()), power, 4.0 * by_condition);
            }
        }
    }
}

fn order(name: &str) -> Order {
    match name {
        "fro" => Order::Fro,
        "nuc" => Order::Nuc,
        "inf" => Order::Inf,
        "-inf" => Order::NegInf,
        p => Order::P(p.parse().unwrap()),
    }
}

#[test]
fn matrices_of_any_shape_are_those_of_numpy() {
    let d = Device::cpu();
    for case in list(&cases()["any"]) {
        for dtype in BOTH {
            let (a, b) = (array(&d, &case["a"], dtype), array(&d, &case["b"], dtype));
            let condition = numbers(&case["cond"]).into_iter().fold(1.0, f64::max);
            let room = 32.0 * unit(dtype);
            let qr = linalg::qr(&a, QrMode::Reduced);
            assert_is(&qr.q, &case["q"], room * condition);
            assert_is(&qr.r, &case["r"], room * condition);
            let svd = linalg::svd(&a, Vectors::Reduced);
            assert_is(&svd.s, &case["s"], room);
            assert_is(&linalg::svdvals(&a), &case["s"], room);
            // Vectors move by the inverse of the distance between values, which is at least a hundredth of the largest here.
            assert_is(&svd.u, &case["u"], 100.0 * room);
            assert_is(&svd.vh, &case["vh"], 100.0 * room);
            assert_is(&linalg::pinv(&a, None), &case["pinv"], room * condition * condition);
            assert_is(&linalg::matrix_rank(&a, None), &case["rank"], 0.0);
            let lstsq = linalg::lstsq(&a, &b, None);
            assert_is(&lstsq.x, &case["lstsq"], room * condition * condition);
            assert_eq!(read(&lstsq.rank), numbers(&case["rank"]));
            for (name, want) in case["norms"].as_object().unwrap() {
                assert_is(&linalg::matrix_norm(&a, order(name)), want, room);
            }
            assert_is(&linalg::cond(&a, Order::P(2.0)), &case["cond"], room * condition);
            assert_is(&linalg::norm(&a, Order::Fro), &case["norm"], room);
        }
    }
}

#[test]
fn norms_of_vectors_and_products_are_those_of_numpy() {
    for d in devices() {
        for case in list(&cases()["any"]) {
            let a = array(&d, &case["a"], DType::F32) + 1.0 / 64.0;
            for (name, want) in case["vector_norms"].as_object().unwrap() {
                assert_is(&linalg::vector_norm(&a, order(name), -1), want, 1e-5);
            }
        }
        let case = &cases()["products"];
        let [a, b, c, e, f] = ["a", "b", "c", "e", "f"].map(|name| array(&d, &case[name], DType::F32));
        assert_is(&linalg::outer(&a, &b), &case["outer"], 1e-6);
        assert_is(&linalg::kron(&a, &b), &case["kron"], 1e-6);
        assert_is(&linalg::kron(&a, &e), &case["kron_mixed"], 1e-6);
        assert_is(&linalg::cross(&c, &array(&d, &case["d"], DType::F32)), &case["cross"], 1e-6);
        assert_is(&linalg::tensordot(&e, &f, [1, 2], [1, 0]), &case["tensordot"], 1e-6);
    }
}

/// Reproducible numbers between −1 and 1 without any pattern (the finalizer of splitmix64).
fn noise(device: &Device, shape: &[usize], dtype: DType) -> Array {
    let n: usize = shape.iter().product();
    let number = |i: usize| {
        let mut word = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((word ^ (word >> 31)) >> 40) as f64 / f64::from(1 << 23) - 1.0
    };
    match dtype {
        DType::F64 => device.array((0..n).map(number).collect::<Vec<f64>>(), shape.to_vec()),
        _ => device.array((0..n).map(|i| number(i) as f32).collect::<Vec<f32>>(), shape.to_vec()),
    }
}

fn transposed(a: &Array) -> Array {
    a.swap_axes(-1, -2)
}

/// The largest element of the difference to the identity.
#[track_caller]
fn assert_identity(product: &Array, tolerance: f64) {
    let n = product.shape()[product.ndim() - 1];
    let eye = product.device().eye(n).cast(product.dtype());
    let off = (product - eye).abs();
    assert!(read(&off).into_iter().all(|x| x <= tolerance), "{:?}", read(&off.max([])));
}

#[track_caller]
fn assert_same(got: &Array, want: &Array, tolerance: f64) {
    assert_eq!(got.shape(), want.shape(), "{:?}", got.check());
    assert_near(&read(got), &read(want), tolerance);
}

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
            let part = |x: &Array, k: isize| x.index(-1, k);
            let (re, im) = (part(&eig.eigenvectors, 0), part(&eig.eigenvectors, 1));
            let row = |k: isize| part(&eig.eigenvalues, k).expand_dims(-2);
            assert_same(&a.matmul(&re), &(&re * row(0) - &im * row(1)), room);
            assert_same(&a.matmul(&im), &(&re * row(1) + &im * row(0)), room);
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
fn a_gpu_refuses_what_has_no_kernel_and_auto_takes_the_cpu() {
    let auto = block_on(Device::auto());
    let x = noise(&auto, &[6, 4], DType::F32);
    assert_eq!(read(&linalg::svdvals(&x)).len(), 4);
    let Some(d) = gpu() else { return };
    let a = noise(&d, &[6, 6], DType::F32);
    for array in [linalg::svdvals(&a), linalg::inv(&a), linalg::eigh(&a).eigenvalues, linalg::qr(&a, QrMode::Reduced).q]
    {
        let error = block_on(array.eval()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        assert!(error.message().contains("GPU") && error.message().contains("Device::auto"), "{error}");
    }
    assert_eq!(d.stats().on_cpu, 0);
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
