//! What every machine must get right about layer normalisation.

use super::LayerNorm;
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

pub(super) fn cases() -> Vec<Case> {
    let op = |axis| LayerNorm::new(axis, 1e-5);
    let (f32, f64) = (DType::F32, DType::F64);
    vec![
        // A row of one has no spread: what is left of it is rounding over the root of epsilon.
        Case::new("one element", LayerNorm::new(0, 0.5)).input(f32, &[1], Fill::Spread),
        Case::new("row of one", LayerNorm::new(1, 0.5))
            .input(f32, &[4, 1], Fill::Spread)
            .input(f32, &[1], Fill::Spread)
            .input(f32, &[1], Fill::Spread),
        Case::new("rows in quads", op(1)).input(f32, &[3, 64], Fill::Spread),
        Case::new("rows in quads, weighted", op(1))
            .input(f32, &[5, 512], Fill::Spread)
            .input(f32, &[512], Fill::Spread)
            .input(f32, &[512], Fill::Spread),
        Case::new("not a multiple of the workgroup", op(1))
            .input(f32, &[3, 257], Fill::Spread)
            .input(f32, &[257], Fill::Spread)
            .input(f32, &[257], Fill::Spread),
        Case::new("four packs an invocation", op(1))
            .input(f32, &[2, 4096], Fill::Spread)
            .input(f32, &[4096], Fill::Spread)
            .input(f32, &[4096], Fill::Spread),
        Case::new("too long for registers", op(1))
            .input(f32, &[2, 4500], Fill::Spread)
            .input(f32, &[4500], Fill::Spread)
            .input(f32, &[4500], Fill::Spread),
        Case::new("too long, odd", op(1)).input(f32, &[2, 1029], Fill::Spread),
        Case::new("transposed view", op(1)).input(f32, &[64, 5], Fill::Spread).permuted(&[1, 0]),
        Case::new("slice of rows, weights backwards", op(1))
            .input(f32, &[6, 8], Fill::Spread)
            .sliced(0, 1, 2, 2)
            .input(f32, &[8], Fill::Spread)
            .sliced(0, 7, -1, 8),
        Case::new("first axis", op(0)).input(f32, &[7, 33], Fill::Spread).input(f32, &[7], Fill::Spread),
        Case::new("middle axis", op(1)).input(f32, &[2, 19, 3], Fill::Spread).input(f32, &[19], Fill::Spread).input(
            f32,
            &[19],
            Fill::Spread,
        ),
        Case::new("empty", op(1)).input(f32, &[0, 8], Fill::Spread).input(f32, &[8], Fill::Spread),
        Case::new("empty rows", op(1)).input(f32, &[3, 0], Fill::Spread),
        Case::new("NaN and infinity spread over their rows", op(1))
            .input(f32, &[5, 3], Fill::Special)
            .without_gradient(),
        Case::new("rows in quads, weighted", op(1))
            .input(DType::F16, &[5, 64], Fill::Spread)
            .input(DType::F16, &[64], Fill::Spread)
            .without_gradient(),
        Case::new("odd rows, single weights", op(1))
            .input(DType::F16, &[3, 37], Fill::Spread)
            .input(f32, &[37], Fill::Spread)
            .without_gradient(),
        Case::new("double precision", op(1))
            .input(f64, &[3, 40], Fill::Spread)
            .input(f64, &[40], Fill::Spread)
            .tolerance(1e-13),
        Case::new("double precision, middle axis", op(1)).input(f64, &[2, 9, 4], Fill::Spread).tolerance(1e-13),
    ]
}
