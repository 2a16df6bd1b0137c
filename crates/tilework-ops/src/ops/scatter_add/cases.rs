//! What every machine must get right about scatter-add.

use super::ScatterAdd;
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case::new("one into one", ScatterAdd::new(0, 1)).input(DType::F32, &[1], Fill::Spread).input(
            DType::I32,
            &[1],
            Fill::All(0.0),
        ),
        Case::new("all into one place", ScatterAdd::new(0, 3)).input(DType::F32, &[301], Fill::Spread).input(
            DType::I32,
            &[301],
            Fill::All(1.0),
        ),
        Case::new("rows", ScatterAdd::new(0, 11)).input(DType::F32, &[29, 7], Fill::Spread).input(
            DType::I32,
            &[29],
            Fill::Below(11),
        ),
        Case::new("middle axis by a matrix", ScatterAdd::new(1, 5))
            .input(DType::F32, &[3, 2, 4, 2], Fill::Spread)
            .input(DType::I32, &[2, 4], Fill::Below(5)),
        Case::new("strided rows", ScatterAdd::new(0, 4))
            .input(DType::F32, &[9, 20], Fill::Spread)
            .permuted(&[1, 0])
            .input(DType::I32, &[20], Fill::Spread),
        Case::new("no rows", ScatterAdd::new(0, 4)).input(DType::F32, &[0, 2], Fill::Spread).input(
            DType::I32,
            &[0],
            Fill::Spread,
        ),
        Case::new("more rows than a tile of a sort", ScatterAdd::new(0, 300))
            .input(DType::F32, &[2500, 2], Fill::Spread)
            .input(DType::I32, &[2500], Fill::Below(300))
            .without_gradient(),
        Case::new("several whole parts of one place", ScatterAdd::new(1, 4))
            .input(DType::F32, &[2, 1300], Fill::Positive)
            .input(DType::I32, &[1300], Fill::Spread)
            .tolerance(1e-6)
            .without_gradient(),
        Case::new("more places than a digit, by columns", ScatterAdd::new(1, 70_000))
            .input(DType::F32, &[1, 1100], Fill::Spread)
            .input(DType::I32, &[1100], Fill::Below(70_000))
            .without_gradient(),
        Case::new("infinities and NaN stay in their places", ScatterAdd::new(0, 5))
            .input(DType::F32, &[60], Fill::Special)
            .input(DType::I32, &[60], Fill::Below(5))
            .without_gradient(),
        Case::new("double precision", ScatterAdd::new(0, 4))
            .input(DType::F64, &[9], Fill::Spread)
            .input(DType::I32, &[9], Fill::Below(4))
            .tolerance(1e-14)
            .without_gradient(),
    ]
}
