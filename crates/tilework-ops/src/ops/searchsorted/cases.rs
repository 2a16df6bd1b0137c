//! What every machine must get right about searching.

use super::{SearchSorted, Side};
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for side in [Side::Left, Side::Right] {
        let case = |name| Case::new(name, SearchSorted::new(side)).without_gradient();
        cases.extend([
            case("one in one").input(DType::F32, &[1], Fill::Spread).input(DType::F32, &[1], Fill::Spread),
            case("nothing to look for").input(DType::F32, &[5], Fill::Ascending).input(DType::F32, &[0], Fill::Spread),
            case("among nothing").input(DType::F32, &[0], Fill::Spread).input(DType::F32, &[3, 7], Fill::Spread),
            case("a matrix of queries").input(DType::F32, &[300], Fill::Ascending).input(
                DType::F32,
                &[9, 70],
                Fill::Spread,
            ),
            case("strided row and queries")
                .input(DType::F32, &[600], Fill::Ascending)
                .sliced(0, 1, 2, 290)
                .input(DType::F32, &[40, 9], Fill::Spread)
                .permuted(&[1, 0]),
            case("equal elements").input(DType::F32, &[40], Fill::All(0.5)).input(DType::F32, &[3], Fill::All(0.5)),
            case("NaN and infinities among numbers").input(DType::F32, &[300], Fill::Ascending).input(
                DType::F32,
                &[50],
                Fill::Special,
            ),
            case("NaN among NaN").input(DType::F32, &[9], Fill::All(f64::NAN)).input(DType::F32, &[14], Fill::Special),
            case("integers").input(DType::I32, &[500], Fill::Ascending).input(DType::I32, &[100], Fill::Spread),
            case("unsigned integers").input(DType::U32, &[70], Fill::Ascending).input(DType::U32, &[90], Fill::Spread),
            case("double precision").input(DType::F64, &[500], Fill::Ascending).input(DType::F64, &[33], Fill::Special),
        ]);
    }
    cases
}
