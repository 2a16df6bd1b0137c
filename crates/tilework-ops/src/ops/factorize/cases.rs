//! What every machine must get right about factorizations. Parts that are not unique (the rest of a complete basis, vectors of equal
//! or zero singular values) are left to tests of what they promise.

use super::{Factorize, QrMode, Vectors};
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

/// A vector is off by a few roundings of the matrix over the distance of its value to the next one. With distances down to a
/// hundredth of the largest value that is some 250 roundings of single precision.
const VECTORS: f64 = 3e-5;

fn case(name: &'static str, op: Factorize, sizes: &[usize], fill: Fill) -> Case {
    Case::new(name, op).input(DType::F32, sizes, fill).tolerance(VECTORS)
}

/// The cases that every factorization of square matrices has.
fn common(op: Factorize) -> Vec<Case> {
    let fill = Fill::Noise;
    vec![
        case("one by one", op, &[1, 1], fill),
        case("nothing", op, &[0, 0], fill),
        case("no matrices", op, &[0, 3, 3], fill),
        case("matrices of nothing", op, &[2, 0, 0], fill),
        case("two matrices", op, &[2, 4, 4], fill),
        case("transposed view", op, &[5, 5], fill).permuted(&[1, 0]),
        case("every second row and column", op, &[8, 8], fill).sliced(0, 0, 2, 4).sliced(1, 6, -2, 4),
        case("NaN and infinities", op, &[2, 3, 3], Fill::Special).without_gradient(),
        Case::new("double precision", op).input(DType::F64, &[2, 6, 6], fill).tolerance(1e-12).without_gradient(),
    ]
}

pub(super) fn lu() -> Vec<Case> {
    let mut cases = common(Factorize::Lu);
    let wide = |name: &'static str, sizes: &[usize]| {
        case(name, Factorize::Lu, sizes, Fill::Noise).tolerance(1e-4).without_gradient()
    };
    cases.extend([
        wide("tall", &[2, 7, 3]),
        wide("wide", &[2, 3, 7]),
        // Elimination with pivots doubles the error of an element at most once per column, and seldom at all.
        wide("many columns", &[60, 60]),
        case("zeros", Factorize::Lu, &[3, 3], Fill::All(0.0)).without_gradient(),
        case("equal rows", Factorize::Lu, &[4, 4], Fill::All(2.0)).without_gradient(),
    ]);
    cases
}

pub(super) fn qr() -> Vec<Case> {
    let reduced = Factorize::Qr(QrMode::Reduced);
    let complete = Factorize::Qr(QrMode::Complete);
    let mut cases = common(reduced);
    cases.extend([
        case("tall", reduced, &[2, 7, 3], Fill::Noise),
        case("wide", reduced, &[2, 3, 7], Fill::Noise).without_gradient(),
        case("complete, square", complete, &[4, 4], Fill::Noise),
        case("complete, wide", complete, &[2, 3, 5], Fill::Noise).without_gradient(),
        case("complete, no columns", complete, &[3, 0], Fill::Noise).without_gradient(),
        case("many columns", reduced, &[90, 70], Fill::Noise).tolerance(1e-4).without_gradient(),
    ]);
    cases
}

pub(super) fn svd() -> Vec<Case> {
    let reduced = Factorize::Svd(Vectors::Reduced);
    let mut cases = common(reduced);
    cases.extend([
        case("tall", reduced, &[2, 6, 3], Fill::Noise),
        case("wide", reduced, &[2, 3, 6], Fill::Noise),
        case("full, square", Factorize::Svd(Vectors::Full), &[4, 4], Fill::Noise),
        case("values alone", Factorize::Svd(Vectors::None), &[2, 5, 4], Fill::Noise),
        case("values of zeros", Factorize::Svd(Vectors::None), &[4, 3], Fill::All(0.0)).without_gradient(),
        case("values of rank one", Factorize::Svd(Vectors::None), &[4, 3], Fill::All(1.5)).without_gradient(),
        case("values of many columns", Factorize::Svd(Vectors::None), &[80, 70], Fill::Noise).without_gradient(),
    ]);
    cases
}

pub(super) fn eigh() -> Vec<Case> {
    let mut cases = common(Factorize::Eigh(Vectors::Reduced));
    let values = Factorize::Eigh(Vectors::None);
    cases.extend([
        case("values alone", values, &[2, 5, 5], Fill::Noise),
        case("values of zeros", values, &[3, 3], Fill::All(0.0)).without_gradient(),
        case("equal values", values, &[4, 4], Fill::All(1.0)).without_gradient(),
        case("many columns", values, &[90, 90], Fill::Noise).without_gradient(),
    ]);
    cases
}

pub(super) fn eig() -> Vec<Case> {
    let plain = |case: Case| case.without_gradient();
    let mut cases: Vec<Case> = common(Factorize::Eig(Vectors::Reduced)).into_iter().map(plain).collect();
    let values = Factorize::Eig(Vectors::None);
    cases.extend([
        plain(case("values alone", values, &[2, 6, 6], Fill::Noise)),
        plain(case("values of zeros", values, &[3, 3], Fill::All(0.0))),
        plain(case("many columns", values, &[40, 40], Fill::Noise)).tolerance(1e-4),
    ]);
    cases
}
