//! What every machine must get right about Cholesky factors.

use super::Cholesky;
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

pub(super) fn cases() -> Vec<Case> {
    let case = |name: &'static str, sizes: &[usize]| {
        let n = sizes[sizes.len() - 1];
        // The dominant diagonal keeps the condition number near 2: an element is off by a rounding or two of the diagonal's size.
        let case = Case::new(name, Cholesky).input(DType::F32, sizes, Fill::Dominant(n as u32));
        if n > 40 { case.without_gradient() } else { case }
    };
    vec![
        case("one by one", &[1, 1]),
        case("two by two", &[2, 2]),
        case("nothing", &[0, 0]),
        case("no matrices", &[0, 3, 3]),
        case("matrices of nothing", &[2, 0, 0]),
        case("three matrices", &[3, 5, 5]),
        case("two batch axes", &[2, 2, 7, 7]),
        case("one block", &[32, 32]),
        case("one more than a block", &[33, 33]),
        case("two blocks", &[2, 40, 40]),
        case("three blocks", &[70, 70]),
        case("several row tiles", &[2, 131, 131]),
        case("product of two tiles", &[200, 200]),
        case("upper triangle of a transposed view", &[6, 6]).permuted(&[1, 0]),
        Case::new("every second row and column", Cholesky)
            .input(DType::F32, &[12, 12], Fill::Dominant(12))
            .sliced(0, 0, 2, 6)
            .sliced(1, 0, 2, 6),
        Case::new("broadcast", Cholesky).input(DType::F32, &[1, 4, 4], Fill::Dominant(4)).expanded(&[3, 4, 4]),
        Case::new("not definite from the start", Cholesky)
            .input(DType::F32, &[5, 5], Fill::All(-1.0))
            .without_gradient(),
        Case::new("zeros", Cholesky).input(DType::F32, &[2, 40, 40], Fill::All(0.0)).without_gradient(),
        Case::new("not definite somewhere", Cholesky).input(DType::F32, &[3, 9, 9], Fill::Spread).without_gradient(),
        Case::new("NaN and infinities", Cholesky).input(DType::F32, &[2, 3, 3], Fill::Special).without_gradient(),
        Case::new("double precision", Cholesky)
            .input(DType::F64, &[2, 50, 50], Fill::Dominant(50))
            .tolerance(1e-14)
            .without_gradient(),
    ]
}
