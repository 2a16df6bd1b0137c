//! What every machine must get right about matrix products.

use super::Matmul;
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

pub(super) fn cases() -> Vec<Case> {
    let f32 = DType::F32;
    let case = |name, a: &[usize], b: &[usize]| {
        Case::new(name, Matmul).input(f32, a, Fill::Spread).input(f32, b, Fill::Spread).tolerance(1e-5)
    };
    let mut cases = vec![
        case("one by one", &[1, 1], &[1, 1]),
        case("odd sizes", &[7, 5], &[5, 3]),
        case("one row", &[1, 33], &[33, 17]),
        case("one column", &[17, 33], &[33, 1]),
        case("not a multiple of the tile", &[67, 35], &[35, 70]),
        case("whole tiles", &[64, 32], &[32, 64]).without_gradient(),
        case("several tiles deep", &[130, 100], &[100, 66]).without_gradient(),
        case("fours on both sides", &[68, 44], &[44, 132]).without_gradient(),
        case("fours, left transposed", &[20, 12], &[20, 16]).reversed_left(),
        case("fours, right transposed", &[12, 20], &[16, 20]).permuted(&[1, 0]),
        case("fours, batched", &[2, 12, 8], &[2, 8, 12]),
        case("deep and narrow", &[9, 1029], &[1029, 6]).tolerance(3e-5).without_gradient(),
        case("deep and narrow, in fours", &[12, 1024], &[1024, 8]).tolerance(3e-5).without_gradient(),
        case("one row in fours", &[1, 64], &[64, 100]),
        case("one row against a transposed matrix", &[1, 260], &[12, 260]).permuted(&[1, 0]).without_gradient(),
        case("three rows", &[3, 70], &[70, 37]),
        case("four rows in fours, batched", &[3, 4, 32], &[3, 32, 8]),
        case("matrix times vector", &[100, 64], &[64, 1]),
        case("transposed matrix times two vectors", &[64, 36], &[64, 2]).reversed_left(),
        case("left transposed", &[20, 9], &[20, 11]).reversed_left(),
        case("right transposed", &[6, 21], &[13, 21]).permuted(&[1, 0]),
        case("batched", &[3, 4, 5], &[3, 5, 6]),
        case("batch broadcast", &[2, 1, 4, 5], &[3, 5, 2]),
        case("matrix against a batch", &[4, 5], &[3, 5, 2]),
        case("no inner size gives zeros", &[3, 0], &[0, 4]),
        case("empty", &[0, 4], &[4, 3]),
        case("no rows in fours", &[0, 8], &[8, 12]),
        case("empty batch in fours", &[0, 12, 8], &[0, 8, 12]),
        Case::new("every second column backwards", Matmul)
            .input(f32, &[6, 20], Fill::Spread)
            .sliced(1, 19, -2, 10)
            .input(f32, &[10, 5], Fill::Spread)
            .tolerance(1e-5),
        Case::new("double precision", Matmul)
            .input(DType::F64, &[9, 40], Fill::Spread)
            .input(DType::F64, &[40, 8], Fill::Spread)
            .tolerance(1e-13)
            .without_gradient(),
    ];
    cases.extend(cases.clone().into_iter().filter(|case| case.inputs[0].data.dtype() == f32).map(Case::in_halves));
    let weights = |name, a: &[usize], b: &[usize]| {
        let case = Case::new(name, Matmul).input(f32, a, Fill::Spread).input(DType::F16, b, Fill::Spread);
        case.tolerance(1e-5).without_gradient()
    };
    cases.extend([
        weights("weights of half precision", &[20, 32], &[32, 40]),
        weights("transposed weights of half precision", &[1, 128], &[24, 128]).permuted(&[1, 0]),
        weights("weights of half precision from an odd column on", &[9, 12], &[12, 21]).sliced(1, 1, 1, 20),
    ]);
    cases
}
