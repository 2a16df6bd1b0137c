//! What every machine must get right about concat.

use super::Concat;
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

pub(super) fn cases() -> Vec<Case> {
    let f32 = DType::F32;
    vec![
        Case::new("single", Concat::new(0)).input(f32, &[1], Fill::Spread),
        Case::new("end to end", Concat::new(0)).input(f32, &[5], Fill::Spread).input(f32, &[257], Fill::Spread),
        Case::new("last axis", Concat::new(1))
            .input(f32, &[3, 4], Fill::Spread)
            .input(f32, &[3, 1], Fill::Spread)
            .input(f32, &[3, 7], Fill::Spread),
        Case::new("middle axis of views", Concat::new(1))
            .input(f32, &[5, 4, 2], Fill::Spread)
            .permuted(&[1, 0, 2])
            .input(f32, &[4, 9, 2], Fill::Spread)
            .sliced(1, 8, -3, 3),
        Case::new("with an empty one", Concat::new(0)).input(f32, &[0, 3], Fill::Spread).input(
            f32,
            &[2, 3],
            Fill::Spread,
        ),
        Case::new("all empty", Concat::new(1)).input(f32, &[0, 3], Fill::Spread).input(f32, &[0, 2], Fill::Spread),
        Case::new("integers", Concat::new(0)).input(DType::I32, &[6], Fill::Spread).input(
            DType::I32,
            &[3],
            Fill::Spread,
        ),
        Case::new("odd pieces", Concat::new(0))
            .input(DType::F16, &[5], Fill::Spread)
            .input(DType::F16, &[31], Fill::Special)
            .sliced(0, 1, 2, 15)
            .without_gradient(),
        Case::new("truth values", Concat::new(0)).input(DType::Bool, &[6], Fill::Truth).input(
            DType::Bool,
            &[3],
            Fill::Truth,
        ),
    ]
}
