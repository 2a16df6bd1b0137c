//! What every machine must get right about group normalisation.

use super::GroupNorm;
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

pub(super) fn cases() -> Vec<Case> {
    let op = |n_groups| GroupNorm::new(n_groups, 1e-5);
    let (f32, f64) = (DType::F32, DType::F64);
    let weighted = |case: Case, n: usize| case.input(f32, &[n], Fill::Spread).input(f32, &[n], Fill::Spread);
    vec![
        Case::new("one element", GroupNorm::new(1, 0.5)).input(f32, &[1, 1], Fill::Spread),
        weighted(Case::new("two groups of images", op(2)).input(f32, &[2, 6, 5, 3], Fill::Spread), 6),
        weighted(Case::new("positions in quads", op(4)).input(f32, &[2, 8, 4, 4], Fill::Spread), 8),
        weighted(Case::new("no positions, only channels", op(2)).input(f32, &[3, 16], Fill::Spread), 16),
        weighted(Case::new("a group for each channel", op(3)).input(f32, &[2, 3, 17], Fill::Spread), 3),
        weighted(Case::new("one group, too long for registers", op(1)).input(f32, &[1, 5, 900], Fill::Spread), 5),
        weighted(
            Case::new("channels last in memory", op(2)).input(f32, &[2, 9, 4], Fill::Spread).permuted(&[0, 2, 1]),
            4,
        ),
        Case::new("weight without bias", op(2)).input(f32, &[2, 4, 3], Fill::Spread).input(f32, &[4], Fill::Spread),
        weighted(Case::new("no samples", op(2)).input(f32, &[0, 4, 3], Fill::Spread), 4),
        weighted(Case::new("no positions at all", op(2)).input(f32, &[2, 4, 0], Fill::Spread), 4),
        Case::new("NaN and infinity spread over their groups", op(2))
            .input(f32, &[3, 4, 2], Fill::Special)
            .without_gradient(),
        Case::new("double precision", op(2))
            .input(f64, &[2, 4, 7], Fill::Spread)
            .input(f64, &[4], Fill::Spread)
            .input(f64, &[4], Fill::Spread)
            .tolerance(1e-13),
    ]
}
