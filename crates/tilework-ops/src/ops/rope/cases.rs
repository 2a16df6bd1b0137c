//! What every machine must get right about rotary embeddings.

use super::{Pairing, Rope};
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

/// Any fraction of a turn.
const ANY: Fill = Fill::Below(u32::MAX);

pub(super) fn cases() -> Vec<Case> {
    let (f32, i32, u32) = (DType::F32, DType::I32, DType::U32);
    let mut cases = Vec::new();
    for pairing in [Pairing::Interleaved, Pairing::Half] {
        let op = || Rope::new(pairing, 1.0);
        cases.extend([
            Case::new("one pair", op()).input(f32, &[1, 2], Fill::Spread).input(i32, &[], Fill::All(3.0)).input(
                u32,
                &[2, 1],
                ANY,
            ),
            Case::new("from a start, in quads", op())
                .input(f32, &[2, 3, 5, 16], Fill::Spread)
                .input(u32, &[], Fill::All(7.0))
                .input(u32, &[2, 8], ANY),
            Case::new("far from the start", Rope::new(pairing, 1.25))
                .input(f32, &[2, 4, 24], Fill::Spread)
                .input(i32, &[], Fill::All(131_069.0))
                .input(u32, &[2, 8], ANY),
            Case::new("positions of their own, odd pairs, a part of the row", op())
                .input(f32, &[3, 9, 11], Fill::Spread)
                .input(i32, &[9], Fill::Below(131_072))
                .input(u32, &[2, 3], ANY),
            Case::new("before the start", op())
                .input(f32, &[4, 6], Fill::Spread)
                .input(i32, &[], Fill::All(-1000.0))
                .input(u32, &[2, 3], ANY),
            Case::new("heads after the sequence in memory", op())
                .input(f32, &[7, 3, 8], Fill::Spread)
                .permuted(&[1, 0, 2])
                .input(i32, &[14], Fill::Below(5000))
                .sliced(0, 13, -2, 7)
                .input(u32, &[2, 4], ANY),
            Case::new("nothing is rotated", op())
                .input(f32, &[2, 300], Fill::Spread)
                .input(i32, &[], Fill::All(5.0))
                .input(u32, &[2, 0], ANY),
            Case::new("empty sequence", op())
                .input(f32, &[2, 0, 8], Fill::Spread)
                .input(i32, &[], Fill::All(5.0))
                .input(u32, &[2, 4], ANY),
            Case::new("double precision", op())
                .input(DType::F64, &[3, 8], Fill::Spread)
                .input(i32, &[3], Fill::Below(100))
                .input(u32, &[2, 3], ANY)
                .tolerance(1e-12),
        ]);
    }
    cases
}
