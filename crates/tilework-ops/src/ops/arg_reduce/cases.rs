//! What every machine must get right about argmin and argmax.

use super::{ArgReduce, Extreme};
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;
use tilework_core::shape::KeepAxes;

pub(super) fn cases() -> Vec<Case> {
    let op = |extreme, axis| ArgReduce::new(extreme, axis, KeepAxes::No);
    let case = |name, op| Case::new(name, op).without_gradient();
    vec![
        case("one element", op(Extreme::Max, Some(0))).input(DType::F32, &[1], Fill::Spread),
        case("rows longer than a workgroup", op(Extreme::Max, Some(1))).input(DType::F32, &[3, 521], Fill::Spread),
        case("first of equals", op(Extreme::Max, Some(1))).input(DType::F32, &[2, 300], Fill::All(1.5)),
        case("NaN and infinities", op(Extreme::Max, Some(1))).input(DType::F32, &[4, 11], Fill::Special),
        case("smallest with NaN", op(Extreme::Min, Some(0))).input(DType::F32, &[11, 4], Fill::Special),
        case("flattened", op(Extreme::Min, None)).input(DType::F32, &[7, 13], Fill::Distinct),
        case("transposed view", op(Extreme::Min, Some(1)))
            .input(DType::F32, &[30, 4], Fill::Distinct)
            .permuted(&[1, 0]),
        case("integers", op(Extreme::Max, Some(0))).input(DType::I32, &[50, 2], Fill::Spread),
        case("truth values", op(Extreme::Max, Some(1))).input(DType::Bool, &[3, 20], Fill::Truth),
        case("axis kept", ArgReduce::new(Extreme::Max, Some(1), KeepAxes::Yes)).input(
            DType::U32,
            &[3, 20, 2],
            Fill::Spread,
        ),
        case("no rows", op(Extreme::Max, Some(1))).input(DType::F32, &[0, 5], Fill::Spread),
    ]
}
