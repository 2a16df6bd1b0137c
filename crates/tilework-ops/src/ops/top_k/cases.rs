//! What every machine must get right about the k largest.

use super::TopK;
use crate::case::{Case, Fill};
use crate::ops::sort::{Order, Output};
use tilework_core::dtype::DType;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for output in [Output::Values, Output::Indices] {
        for order in [Order::Ascending, Order::Descending] {
            let op = |k, axis| TopK::new(k, axis, order, output);
            cases.extend([
                Case::new("one of one", op(1, 0)).input(DType::F32, &[1], Fill::Spread),
                Case::new("none", op(0, 1)).input(DType::F32, &[3, 20], Fill::Spread),
                Case::new("none of none", op(0, 0)).input(DType::F32, &[0], Fill::Spread),
                Case::new("all", op(41, 1)).input(DType::F32, &[2, 41], Fill::Distinct),
                Case::new("a few", op(5, 1)).input(DType::F32, &[3, 257], Fill::Distinct),
                Case::new("transposed view", op(3, 0)).input(DType::F32, &[64, 5], Fill::Distinct).permuted(&[1, 0]),
                Case::new("middle axis", op(7, 1)).input(DType::F32, &[2, 70, 3], Fill::Distinct),
                Case::new("several tiles", op(9, 1)).input(DType::F32, &[2, 2500], Fill::Spread).without_gradient(),
                Case::new("NaN comes last", op(40, 1)).input(DType::F32, &[2, 45], Fill::Special).without_gradient(),
                Case::new("many equal integers", op(100, 0)).input(DType::I32, &[1500], Fill::Below(7)),
                Case::new("truth values", op(4, 0)).input(DType::Bool, &[33], Fill::Truth),
                Case::new("double precision", op(4, 0)).input(DType::F64, &[30, 3], Fill::Special).without_gradient(),
            ]);
        }
    }
    cases
}
