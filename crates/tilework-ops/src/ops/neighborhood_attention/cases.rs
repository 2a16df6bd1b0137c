//! What every machine must get right about neighborhood attention.

use super::NeighborhoodAttention;
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

fn case(name: &'static str, op: NeighborhoodAttention, dtype: DType, q: [usize; 5], dv: usize) -> Case {
    let [n_batch, n_heads, height, width, _] = q;
    Case::new(name, op)
        .input(dtype, &q, Fill::Spread)
        .input(dtype, &q, Fill::Spread)
        .input(dtype, &[n_batch, n_heads, height, width, dv], Fill::Spread)
        // Weights come from sums of d products of size 4 and the built-in power of two, so an error of 1e-5 is a few units.
        .tolerance(1e-5)
}

pub(super) fn cases() -> Vec<Case> {
    let (f32, f64) = (DType::F32, DType::F64);
    let op = |window, dilation| NeighborhoodAttention::new(window, dilation);
    vec![
        case("one element", op(1, 1), f32, [1, 1, 1, 1, 1], 1),
        case("window of three", op(3, 1), f32, [1, 2, 5, 6, 8], 8),
        case("window of the whole image", op(5, 1), f32, [1, 1, 5, 5, 4], 4),
        case("more keys than a step", op(9, 1), f32, [1, 1, 9, 11, 4], 8),
        case("dilated", op(3, 2), f32, [2, 1, 7, 8, 4], 4),
        case("dilated by three", op(3, 3), f32, [1, 1, 10, 9, 4], 4),
        case("odd elements", op(3, 1), f32, [1, 2, 4, 3, 5], 7),
        case("more columns than a workgroup takes", op(3, 1), f32, [1, 1, 3, 4, 4], 300).without_gradient(),
        case("256 elements", op(3, 1).scale(0.01), f32, [1, 1, 3, 4, 256], 256).without_gradient(),
        case("scaled", op(3, 1).scale(0.2), f32, [1, 1, 4, 4, 4], 4),
        case("no images", op(3, 1), f32, [0, 2, 4, 4, 4], 4),
        case("no columns", op(3, 1), f32, [1, 1, 3, 3, 4], 0),
        Case::new("heads last in memory", op(3, 1))
            .input(f32, &[1, 4, 5, 2, 8], Fill::Spread)
            .permuted(&[0, 3, 1, 2, 4])
            .input(f32, &[1, 4, 5, 2, 8], Fill::Spread)
            .permuted(&[0, 3, 1, 2, 4])
            .input(f32, &[1, 2, 8, 4, 5], Fill::Spread)
            .permuted(&[0, 1, 3, 4, 2])
            .tolerance(1e-5),
        case("double precision", op(3, 2), f64, [1, 2, 6, 7, 5], 3).tolerance(1e-12),
    ]
}
