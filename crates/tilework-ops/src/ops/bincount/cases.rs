//! What every machine must get right about counting.

use super::BinCount;
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case::new("one in one", BinCount::new(1)).input(DType::I32, &[1], Fill::All(0.0)),
        Case::new("nothing", BinCount::new(5)).input(DType::I32, &[0], Fill::Spread),
        Case::new("no bins", BinCount::new(0)).input(DType::I32, &[40], Fill::Spread),
        Case::new("negative and too large", BinCount::new(7)).input(DType::I32, &[3, 111], Fill::Spread),
        Case::new("unsigned and too large", BinCount::new(7)).input(DType::U32, &[257], Fill::Spread),
        Case::new("transposed view", BinCount::new(20)).input(DType::U32, &[30, 9], Fill::Spread).permuted(&[1, 0]),
        Case::new("every second element", BinCount::new(20))
            .input(DType::I32, &[301], Fill::Spread)
            .sliced(0, 0, 2, 150),
        Case::new("several parts", BinCount::new(100)).input(DType::I32, &[50_000], Fill::Below(100)),
        Case::new("several tiles of bins", BinCount::new(5000)).input(DType::I32, &[20_001], Fill::Below(6000)),
        Case::new("all the same", BinCount::new(3)).input(DType::I32, &[70_000], Fill::All(2.0)),
    ]
}
