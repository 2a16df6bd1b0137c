//! What every machine must get right about softmax.

use super::{Output, Softmax};
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for output in [Output::Probability, Output::Logarithm] {
        let op = |axis| Softmax::new(axis, output);
        // Differences of sums over thousands of elements are too coarse to check a derivative with.
        let long =
            |name, n_cols| Case::new(name, op(1)).input(DType::F32, &[2, n_cols], Fill::Spread).without_gradient();
        cases.extend([
            Case::new("one element", op(0)).input(DType::F32, &[1], Fill::Spread),
            Case::new("row of one", op(1)).input(DType::F32, &[4, 1], Fill::Spread),
            Case::new("not a multiple of the workgroup", op(1)).input(DType::F32, &[3, 257], Fill::Spread),
            Case::new("rows in quads", op(1)).input(DType::F32, &[3, 260], Fill::Spread),
            long("four packs an invocation", 4096),
            long("too long for registers", 4100),
            long("too long, odd", 1029),
            Case::new("transposed view", op(0)).input(DType::F32, &[64, 5], Fill::Spread).permuted(&[1, 0]),
            Case::new("first axis", op(0)).input(DType::F32, &[7, 33], Fill::Spread),
            Case::new("middle axis", op(1)).input(DType::F32, &[2, 19, 3], Fill::Spread),
            Case::new("empty", op(1)).input(DType::F32, &[0, 8], Fill::Spread),
            Case::new("empty rows", op(1)).input(DType::F32, &[3, 0], Fill::Spread),
            Case::new("large values stay finite", op(1)).input(DType::F32, &[2, 8], Fill::All(1e4)).without_gradient(),
            Case::new("fully masked row", op(1))
                .input(DType::F32, &[2, 9], Fill::All(f64::NEG_INFINITY))
                .without_gradient(),
            Case::new("NaN spreads over its row", op(1)).input(DType::F32, &[3, 9], Fill::Special).without_gradient(),
            Case::new("odd rows", op(1)).input(DType::F16, &[3, 257], Fill::Spread).without_gradient(),
            Case::new("rows in quads", op(1)).input(DType::F16, &[3, 260], Fill::Spread).without_gradient(),
            Case::new("first axis", op(0)).input(DType::F16, &[7, 33], Fill::Special).without_gradient(),
            Case::new("double precision", op(1))
                .input(DType::F64, &[3, 40], Fill::Spread)
                .tolerance(1e-13)
                .without_gradient(),
        ]);
    }
    cases
}
