//! What every machine must get right about reductions.

use super::{Combine, Reduce};
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;
use tilework_core::shape::KeepAxes;

pub(super) fn cases() -> Vec<Case> {
    let reduce = |combine, axes: &[usize]| Reduce::new(combine, axes.to_vec(), KeepAxes::No);
    let keep = |combine, axes: &[usize]| Reduce::new(combine, axes.to_vec(), KeepAxes::Yes);
    let mut cases = vec![
        Case::new("one element", reduce(Combine::Sum, &[0])).input(DType::F32, &[1], Fill::Spread),
        Case::new("row of a prime length", reduce(Combine::Sum, &[1]))
            .input(DType::F32, &[3, 257], Fill::Spread)
            .tolerance(1e-5),
        Case::new("all axes", reduce(Combine::Sum, &[0, 1])).input(DType::F32, &[17, 31], Fill::Spread).tolerance(1e-5),
        Case::new("first axis", reduce(Combine::Sum, &[0])).input(DType::F32, &[40, 7], Fill::Spread),
        Case::new("middle axis kept", keep(Combine::Sum, &[1])).input(DType::F32, &[2, 33, 5], Fill::Spread),
        Case::new("outer axes", reduce(Combine::Sum, &[0, 2])).input(DType::F32, &[3, 4, 50], Fill::Spread),
        Case::new("transposed view", reduce(Combine::Sum, &[0]))
            .input(DType::F32, &[64, 5], Fill::Spread)
            .permuted(&[1, 0]),
        Case::new("every second element backwards", reduce(Combine::Sum, &[0]))
            .input(DType::F32, &[90], Fill::Spread)
            .sliced(0, 89, -2, 45),
        Case::new("broadcast axis", reduce(Combine::Sum, &[0]))
            .input(DType::F32, &[1, 6], Fill::Spread)
            .expanded(&[100, 6]),
        Case::new("empty rows", reduce(Combine::Sum, &[1])).input(DType::F32, &[4, 0], Fill::Spread),
        Case::new("no rows", reduce(Combine::Sum, &[1])).input(DType::F32, &[0, 4], Fill::Spread),
        Case::new("two passes", reduce(Combine::Sum, &[0]))
            .input(DType::F32, &[40_001], Fill::Positive)
            .tolerance(1e-6)
            .without_gradient(),
        Case::new("long rows", reduce(Combine::Sum, &[1]))
            .input(DType::F32, &[2, 20_000], Fill::Positive)
            .tolerance(1e-6)
            .without_gradient(),
        Case::new("more rows than workgroups in a dimension", reduce(Combine::Sum, &[1]))
            .input(DType::F32, &[65_600, 1], Fill::Spread)
            .expanded(&[65_600, 33])
            .tolerance(1e-5)
            .without_gradient(),
        Case::new("product", reduce(Combine::Prod, &[1])).input(DType::F32, &[5, 12], Fill::Spread),
        Case::new("empty product", reduce(Combine::Prod, &[0])).input(DType::F32, &[0], Fill::Spread),
        Case::new("maximum with NaN and infinities", reduce(Combine::Max, &[1]))
            .input(DType::F32, &[5, 9], Fill::Special)
            .without_gradient(),
        Case::new("minimum of a transposed view", reduce(Combine::Min, &[1]))
            .input(DType::F32, &[60, 4], Fill::Distinct)
            .permuted(&[1, 0]),
        Case::new("maximum of distinct values", reduce(Combine::Max, &[0])).input(DType::F32, &[70, 3], Fill::Distinct),
        Case::new("any", reduce(Combine::Any, &[1])).input(DType::Bool, &[6, 40], Fill::Truth),
        Case::new("all", reduce(Combine::All, &[0])).input(DType::Bool, &[3, 50], Fill::Truth),
        Case::new("any of nothing", reduce(Combine::Any, &[0])).input(DType::Bool, &[0, 3], Fill::Truth),
        Case::new("all of nothing", reduce(Combine::All, &[0])).input(DType::Bool, &[0, 3], Fill::Truth),
        Case::new("double precision", reduce(Combine::Sum, &[1]))
            .input(DType::F64, &[3, 2500], Fill::Spread)
            .tolerance(1e-13)
            .without_gradient(),
    ];
    cases.extend(
        [
            Case::new("row of a prime length", reduce(Combine::Sum, &[1])).input(DType::F16, &[3, 257], Fill::Spread),
            Case::new("from an odd element on", reduce(Combine::Max, &[0]))
                .input(DType::F16, &[91], Fill::Spread)
                .sliced(0, 1, 3, 30),
            Case::new("special values", reduce(Combine::Min, &[0])).input(DType::F16, &[9, 5], Fill::Special),
            Case::new("two passes", reduce(Combine::Sum, &[0])).input(DType::F16, &[20_001], Fill::Spread),
        ]
        .map(Case::without_gradient),
    );
    for combine in [Combine::Sum, Combine::Prod, Combine::Min, Combine::Max] {
        cases.push(Case::new("signed integers", reduce(combine, &[1])).input(DType::I32, &[3, 37], Fill::Spread));
        cases.push(Case::new("unsigned integers", reduce(combine, &[0])).input(DType::U32, &[5, 3], Fill::Spread));
    }
    cases
}
