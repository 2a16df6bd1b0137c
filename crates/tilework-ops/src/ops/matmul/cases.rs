//! What every machine must get right about matrix products.

use super::Matmul;
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

pub(super) fn cases() -> Vec<Case> {
    let f32 = DType::F32;
    let case = |name, a: &[usize], b: &[usize]| {
        Case::new(name, Matmul).input(f32, a, Fill::Spread).input(f32, b, Fill::Spread).tolerance(1e-5)
    };
    vec![
        case("one by one", &[1, 1], &[1, 1]),
        case("odd sizes", &[7, 5], &[5, 3]),
        case("one row", &[1, 33], &[33, 17]),
        case("one column", &[17, 33], &[33, 1]),
        case("not a multiple of the tile", &[67, 35], &[35, 70]),
        case("whole tiles", &[64, 32], &[32, 64]).without_gradient(),
        case("several tiles deep", &[130, 100], &[100, 66]).without_gradient(),
        case("left transposed", &[20, 9], &[20, 11]).reversed_left(),
        case("right transposed", &[6, 21], &[13, 21]).permuted(&[1, 0]),
        case("batched", &[3, 4, 5], &[3, 5, 6]),
        case("batch broadcast", &[2, 1, 4, 5], &[3, 5, 2]),
        case("matrix against a batch", &[4, 5], &[3, 5, 2]),
        case("no inner size gives zeros", &[3, 0], &[0, 4]),
        case("empty", &[0, 4], &[4, 3]),
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
    ]
}
