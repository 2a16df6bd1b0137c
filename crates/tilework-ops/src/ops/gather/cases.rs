//! What every machine must get right about gather.

use super::Gather;
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case::new("one of one", Gather::new(0)).input(DType::F32, &[1], Fill::Spread).input(
            DType::I32,
            &[1],
            Fill::All(0.0),
        ),
        Case::new("rows of a table", Gather::new(0)).input(DType::F32, &[11, 7], Fill::Spread).input(
            DType::I32,
            &[29],
            Fill::Below(11),
        ),
        Case::new("columns by a matrix of indices", Gather::new(1)).input(DType::F32, &[3, 13, 2], Fill::Spread).input(
            DType::I32,
            &[2, 5],
            Fill::Below(13),
        ),
        Case::new("transposed table", Gather::new(0)).input(DType::F32, &[6, 9], Fill::Spread).permuted(&[1, 0]).input(
            DType::I32,
            &[300],
            Fill::Below(9),
        ),
        Case::new("negative and out of range", Gather::new(0)).input(DType::F32, &[5], Fill::Spread).input(
            DType::I32,
            &[40],
            Fill::Spread,
        ),
        Case::new("no indices", Gather::new(0)).input(DType::F32, &[5, 2], Fill::Spread).input(
            DType::I32,
            &[0],
            Fill::Spread,
        ),
        Case::new("integers", Gather::new(0)).input(DType::I32, &[5, 3], Fill::Spread).input(
            DType::I32,
            &[6],
            Fill::Below(5),
        ),
        Case::new("odd rows", Gather::new(0))
            .input(DType::F16, &[11, 7], Fill::Special)
            .input(DType::I32, &[29], Fill::Below(11))
            .without_gradient(),
        Case::new("columns from an odd one on", Gather::new(1))
            .input(DType::F16, &[5, 14], Fill::Spread)
            .sliced(1, 3, 2, 5)
            .input(DType::I32, &[9], Fill::Below(5))
            .without_gradient(),
        Case::new("truth values", Gather::new(1)).input(DType::Bool, &[2, 30], Fill::Truth).input(
            DType::I32,
            &[600],
            Fill::Below(30),
        ),
    ]
}
