//! What every machine must get right about scatter.

use super::Scatter;
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

pub(super) fn cases() -> Vec<Case> {
    let (f32, i32) = (DType::F32, DType::I32);
    let case = |name, dtype, x: &[usize], indices: (&[usize], Fill), rows: &[usize], axis| {
        Case::new(name, Scatter::new(axis))
            .input(dtype, x, Fill::Spread)
            .input(i32, indices.0, indices.1)
            .input(dtype, rows, Fill::Spread)
            .tolerance(0.0)
    };
    // A copy is exact; its derivative in single precision is too, but one in 64 bits is rounded.
    let checked = |case: Case| case.tolerance(2e-6);
    vec![
        checked(case("one into one", f32, &[1], (&[1], Fill::All(0.0)), &[1], 0)),
        checked(case("rows, some of them twice", f32, &[11, 7], (&[29], Fill::Below(11)), &[29, 7], 0)),
        checked(case("few of many", f32, &[300], (&[7], Fill::Below(300)), &[7], 0)),
        checked(case("middle axis by a matrix", f32, &[3, 5, 2], (&[2, 4], Fill::Below(5)), &[3, 2, 4, 2], 1)),
        checked(case("by a single index", f32, &[4, 3], (&[], Fill::All(-1.0)), &[3], 0)),
        case("negative and out of range", f32, &[5], (&[40], Fill::Spread), &[40], 0).without_gradient(),
        case("all into one place", f32, &[3], (&[1301], Fill::All(1.0)), &[1301], 0).without_gradient(),
        case("no rows", f32, &[5, 2], (&[0], Fill::Spread), &[0, 2], 0),
        case("nothing in a row", f32, &[5, 0], (&[3], Fill::Below(5)), &[3, 0], 0),
        case("integers", i32, &[5, 3], (&[6], Fill::Below(5)), &[6, 3], 0),
        case("odd rows", DType::F16, &[5, 3], (&[6], Fill::Below(5)), &[6, 3], 0).without_gradient(),
        case("double precision", DType::F64, &[9], (&[4], Fill::Below(9)), &[4], 0).without_gradient(),
        Case::new("strided views", Scatter::new(1))
            .input(f32, &[9, 6], Fill::Spread)
            .permuted(&[1, 0])
            .input(i32, &[8], Fill::Below(9))
            .sliced(0, 7, -2, 4)
            .input(f32, &[4, 6], Fill::Special)
            .permuted(&[1, 0])
            .without_gradient(),
        Case::new("truth values", Scatter::new(0))
            .input(DType::Bool, &[300], Fill::Truth)
            .input(i32, &[600], Fill::Below(300))
            .input(DType::Bool, &[600], Fill::Truth),
    ]
}
