//! What every machine must get right about random words: every bit.

use super::RandomBits;
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

pub(super) fn cases() -> Vec<Case> {
    let state = |name, n, fill| Case::new(name, RandomBits::new(n)).input(DType::U32, &[4], fill);
    vec![
        state("one word", 1, Fill::Spread),
        state("no words", 0, Fill::Spread),
        state("not a whole block", 7, Fill::Spread),
        state("not a multiple of the workgroup", 4 * 256 + 3, Fill::Spread),
        state("large words", 1000, Fill::Below(u32::MAX)),
        state("all bits set", 16, Fill::All(f64::from(u32::MAX))),
        state("many", 70_001, Fill::Below(1 << 30)),
        Case::new("strided state", RandomBits::new(50)).input(DType::U32, &[9], Fill::Spread).sliced(0, 8, -2, 4),
    ]
}
