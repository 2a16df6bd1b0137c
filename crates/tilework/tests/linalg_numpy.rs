//! Linear algebra against NumPy and SciPy (testdata/linalg/make.py).

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use common::devices;
use common::linear::{BOTH, assert_near, read};
use pollster::block_on;
use serde_json::Value;
use tilework::linalg::{self, Order, QrMode, TriangularSolve, Vectors};
use tilework::{Array, DType, Device};

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

/// Compares with what NumPy gave, relative to its largest element.
#[track_caller]
fn assert_is(got: &Array, want: &Value, tolerance: f64) {
    // The file has complex numbers as pairs.
    let got = &if got.is_complex() { got.as_pairs() } else { got.clone() };
    assert_eq!(got.shape(), sizes(want), "{:?}", got.check());
    assert_near(&read(got), &numbers(want), tolerance);
}

/// Roundings of a type of floats, with room for the eleven digits of the file.
fn unit(dtype: DType) -> f64 {
    if dtype == DType::F64 { 1e-11 } else { f64::from(f32::EPSILON) }
}

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

/// Complex vectors of an eigenvalue that occurs several times are orthonormal, too.
#[test]
fn vectors_of_hermitian_matrices() {
    let largest = |x: &Array| block_on(x.abs().max([]).to_vec::<f32>()).unwrap()[0];
    for d in devices() {
        let z = d.random(3).normal([6, 6], 0.0, 1.0);
        let z = d.complex(&z, &d.random(4).normal([6, 6], 0.0, 1.0));
        let q = linalg::qr(&z, linalg::QrMode::Reduced).q;
        let adjoint = |x: &Array| x.conj().swap_axes(-1, -2);
        for values in
            [[1.0f32, 1.0, 1.0, 1.0, 1.0, 1.0], [-2.0, -2.0, 0.0, 0.0, 0.0, 5.0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]
        {
            let w = d.array(values.to_vec(), [6]);
            let a = (&q * w.to_complex()).matmul(&adjoint(&q));
            let parts = linalg::eigh(&a);
            let v = &parts.eigenvectors;
            assert!(largest(&(&parts.eigenvalues - &w)) < 1e-5);
            assert!(largest(&(adjoint(v).matmul(v) - d.eye(6))) < 1e-5);
            assert!(largest(&(a.matmul(v) - v * parts.eigenvalues.to_complex())) < 2e-5);
        }
    }
}

/// The phase survives where determinants leave the range of floats and where eigenvalues are far apart.
#[test]
fn determinants_of_complex_matrices_of_any_scale() {
    let d = Device::cpu();
    let diagonal = |scales: [f64; 4]| {
        let turns = d.array(vec![0.1f64, 0.2, 0.3, 0.4], [4]);
        let scales = d.array(scales.to_vec(), [4]);
        let values = d.complex(&(turns.cos() * &scales), &(turns.sin() * &scales));
        (d.eye(4).cast(DType::F64).to_complex() * values).cast(DType::C64)
    };
    for scales in [[1e30, 1e30, 1e-3, 1e30], [1e-3, 1e3, 1e3, 1e-3]] {
        let parts = linalg::slogdet(&diagonal(scales));
        let angle = block_on(parts.sign.angle().to_vec::<f32>()).unwrap()[0];
        let logabs = block_on(parts.logabsdet.to_vec::<f32>()).unwrap()[0];
        let want: f64 = scales.iter().map(|x| x.ln()).sum();
        assert!((f64::from(logabs) - want).abs() < 1e-4 && (angle - 1.0).abs() < 1e-4, "{scales:?}: {angle} {logabs}");
    }
}
