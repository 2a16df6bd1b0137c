//! What every machine must get right about scans.

use super::Scan;
use crate::case::{Case, Fill};
use crate::ops::reduce::Combine::{Max, Min, Prod, Sum};
use tilework_core::dtype::DType;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = vec![
        Case::new("one element", Scan::new(Sum, 0)).input(DType::F32, &[1], Fill::Spread),
        Case::new("nothing", Scan::new(Sum, 0)).input(DType::F32, &[0], Fill::Spread),
        Case::new("empty rows", Scan::new(Sum, 1)).input(DType::F32, &[3, 0], Fill::Spread),
        Case::new("no rows", Scan::new(Sum, 1)).input(DType::F32, &[0, 3], Fill::Spread),
        Case::new("row of a prime length", Scan::new(Sum, 1)).input(DType::F32, &[3, 257], Fill::Spread),
        Case::new("transposed view", Scan::new(Sum, 0)).input(DType::F32, &[64, 5], Fill::Spread).permuted(&[1, 0]),
        Case::new("every second element backwards", Scan::new(Sum, 0).reversed())
            .input(DType::F32, &[181], Fill::Spread)
            .sliced(0, 180, -2, 90),
        Case::new("middle axis", Scan::new(Sum, 1)).input(DType::F32, &[2, 70, 3], Fill::Spread),
        Case::new("middle axis, exclusive and backwards", Scan::new(Sum, 1).exclusive().reversed()).input(
            DType::F32,
            &[2, 70, 3],
            Fill::Spread,
        ),
        Case::new("short rows", Scan::new(Sum, 1).exclusive()).input(DType::F32, &[300, 5], Fill::Spread),
        // Each result is rounded once per tile, group and doubling it passes: about 20 roundings of at most 6e-8.
        Case::new("several tiles", Scan::new(Sum, 1)).input(DType::F32, &[2, 5000], Fill::Positive).without_gradient(),
        Case::new("several tiles backwards", Scan::new(Sum, 0).exclusive().reversed())
            .input(DType::F32, &[7001], Fill::Positive)
            .without_gradient(),
        Case::new("several blocks", Scan::new(Sum, 0)).input(DType::I32, &[150_000], Fill::Spread),
        Case::new("several blocks backwards", Scan::new(Sum, 0).exclusive().reversed()).input(
            DType::U32,
            &[140_001],
            Fill::Spread,
        ),
        Case::new("double precision", Scan::new(Sum, 0))
            .input(DType::F64, &[3000], Fill::Spread)
            .tolerance(1e-13)
            .without_gradient(),
        Case::new("product", Scan::new(Prod, 1)).input(DType::F32, &[5, 12], Fill::Spread),
        Case::new("exclusive product backwards", Scan::new(Prod, 1).exclusive().reversed()).input(
            DType::F32,
            &[4, 40],
            Fill::Spread,
        ),
        Case::new("maximum of distinct values", Scan::new(Max, 0)).input(DType::F32, &[70, 3], Fill::Distinct),
        Case::new("exclusive maximum", Scan::new(Max, 1).exclusive()).input(DType::F32, &[2, 60], Fill::Distinct),
        Case::new("minimum backwards", Scan::new(Min, 1).reversed()).input(DType::F32, &[3, 50], Fill::Distinct),
    ];
    for combine in [Sum, Prod, Min, Max] {
        cases.push(Case::new("signed integers", Scan::new(combine, 1)).input(DType::I32, &[3, 37], Fill::Spread));
        cases.push(Case::new("unsigned integers", Scan::new(combine, 0).exclusive()).input(
            DType::U32,
            &[40, 3],
            Fill::Spread,
        ));
        cases.push(
            Case::new("NaN and infinities", Scan::new(combine, 1))
                .input(DType::F32, &[3, 45], Fill::Special)
                .without_gradient(),
        );
    }
    cases
}
