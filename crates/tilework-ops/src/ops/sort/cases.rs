//! What every machine must get right about sorting.

use super::{Output, Sort};
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;
use tilework_vm::radix::Order;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for output in [Output::Values, Output::Indices] {
        for order in [Order::Ascending, Order::Descending] {
            let op = |axis| Sort::new(axis, order, output);
            cases.extend([
                Case::new("one element", op(0)).input(DType::F32, &[1], Fill::Spread),
                Case::new("nothing", op(0)).input(DType::F32, &[0], Fill::Spread),
                Case::new("empty rows", op(1)).input(DType::F32, &[3, 0], Fill::Spread),
                Case::new("no rows", op(1)).input(DType::F32, &[0, 3], Fill::Spread),
                Case::new("rows of one", op(1)).input(DType::F32, &[4, 1], Fill::Spread),
                Case::new("row of a prime length", op(1)).input(DType::F32, &[3, 257], Fill::Distinct),
                Case::new("transposed view", op(0)).input(DType::F32, &[64, 5], Fill::Distinct).permuted(&[1, 0]),
                Case::new("middle axis", op(1)).input(DType::F32, &[2, 70, 3], Fill::Distinct),
                Case::new("NaN, infinities and zeros", op(1))
                    .input(DType::F32, &[2, 90], Fill::Special)
                    .without_gradient(),
                Case::new("all equal", op(0)).input(DType::F32, &[1030], Fill::All(-0.5)).without_gradient(),
                Case::new("several tiles", op(1)).input(DType::F32, &[2, 2500], Fill::Spread).without_gradient(),
                Case::new("several tiles with NaN", op(0))
                    .input(DType::F32, &[3, 1500], Fill::Special)
                    .permuted(&[1, 0])
                    .without_gradient(),
                Case::new("signed integers", op(1)).input(DType::I32, &[3, 300], Fill::Spread),
                Case::new("many equal integers", op(0)).input(DType::I32, &[5000], Fill::Below(7)),
                Case::new("unsigned integers", op(0)).input(DType::U32, &[40, 3], Fill::Spread),
                Case::new("truth values", op(0)).input(DType::Bool, &[1200], Fill::Truth),
                Case::new("double precision", op(0)).input(DType::F64, &[3, 40], Fill::Special).without_gradient(),
            ]);
        }
        let long = |dtype, fill| {
            Case::new("several parts", Sort::new(0, Order::Ascending, output))
                .input(dtype, &[140_000], fill)
                .without_gradient()
        };
        cases.extend([
            long(DType::F32, Fill::Spread),
            long(DType::I32, Fill::Below(100_000)),
            long(DType::F64, Fill::Special),
        ]);
    }
    cases
}
