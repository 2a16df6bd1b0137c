//! What every machine must get right about triangular systems.

use super::{Diagonal, Form, Side, TriangularSolve};
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

/// Matrices and right hand sides of these sizes. The dominant diagonal keeps the solution as small as the right hand side, so
/// that an element is off by a few roundings.
fn case(name: &'static str, op: TriangularSolve, a: &[usize], n_rhs: usize) -> Case {
    let n = a[a.len() - 1];
    let b: Vec<usize> = a[..a.len() - 1].iter().copied().chain([n_rhs]).collect();
    let case = Case::new(name, op).input(DType::F32, a, Fill::Dominant(n as u32)).input(DType::F32, &b, Fill::Spread);
    if n > 40 { case.without_gradient() } else { case }
}

/// Elements small enough for ones on the diagonal to dominate.
fn unit_case(name: &'static str, side: Side, form: Form) -> Case {
    let op = TriangularSolve { side, form, diagonal: Diagonal::Unit };
    // With elements up to 2 a solution grows by up to a factor of 3 per row; 4 rows keep every digit.
    Case::new(name, op).input(DType::F32, &[3, 4, 4], Fill::Spread).input(DType::F32, &[3, 4, 2], Fill::Spread)
}

pub(super) fn cases() -> Vec<Case> {
    let lower = TriangularSolve::lower;
    let mut cases = vec![
        case("one by one", lower(), &[1, 1], 1),
        case("nothing", lower(), &[0, 0], 3),
        case("no right hand side", lower(), &[4, 4], 0),
        case("no systems", lower(), &[0, 2, 2], 2),
        case("many right hand sides", lower(), &[5, 5], 70),
        case("two batch axes", lower(), &[2, 3, 6, 6], 2),
        case("product of two tiles", lower(), &[170, 170], 67),
        Case::new("transposed views", lower())
            .input(DType::F32, &[9, 9], Fill::Dominant(9))
            .reversed_left()
            .input(DType::F32, &[4, 9], Fill::Spread)
            .permuted(&[1, 0]),
        Case::new("every second row and column", TriangularSolve::upper())
            .input(DType::F32, &[12, 12], Fill::Dominant(12))
            .sliced(0, 0, 2, 6)
            .sliced(1, 0, 2, 6)
            .input(DType::F32, &[12, 3], Fill::Spread)
            .sliced(0, 11, -2, 6),
        Case::new("broadcast matrix", lower())
            .input(DType::F32, &[1, 4, 4], Fill::Dominant(4))
            .expanded(&[3, 4, 4])
            .input(DType::F32, &[3, 4, 2], Fill::Spread),
        Case::new("zeros on the diagonal", lower())
            .input(DType::F32, &[1, 1], Fill::All(0.0))
            .input(DType::F32, &[1, 3], Fill::Positive)
            .without_gradient(),
    ];
    for side in [Side::Lower, Side::Upper] {
        for form in [Form::Plain, Form::Transposed] {
            let op = TriangularSolve { side, form, diagonal: Diagonal::Stored };
            cases.push(case("each form", op.clone(), &[2, 7, 7], 3));
            cases.push(case("each form, one more than a block", op.clone(), &[33, 33], 2));
            cases.push(case("each form, three blocks", op.clone(), &[2, 75, 75], 5));
            cases.push(unit_case("each form, unit diagonal", side, form));
            cases.push(
                Case::new("double precision", op)
                    .input(DType::F64, &[20, 20], Fill::Dominant(20))
                    .input(DType::F64, &[20, 3], Fill::Spread)
                    .tolerance(1e-14)
                    .without_gradient(),
            );
        }
    }
    cases
}
