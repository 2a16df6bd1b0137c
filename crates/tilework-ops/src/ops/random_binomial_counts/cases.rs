//! What every machine must get right about binomial counts: each of them exactly, since rounding decides for one in many thousands.

use super::RandomBinomial;
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

pub(super) fn cases() -> Vec<Case> {
    let case = |name, sizes: &[usize], n, p| {
        let state = Case::new(name, RandomBinomial).input(DType::U32, &[4], Fill::Below(1 << 31));
        state.input(DType::I32, sizes, n).input(DType::F32, sizes, p).without_gradient()
    };
    vec![
        case("one count", &[1], Fill::All(7.0), Fill::All(0.3)),
        case("no counts", &[0], Fill::All(7.0), Fill::All(0.3)),
        case("a coin", &[3, 101], Fill::Below(20), Fill::All(0.5)),
        case("just below rejection", &[300], Fill::All(33.0), Fill::All(0.3)),
        case("just above rejection", &[300], Fill::All(34.0), Fill::All(0.3)),
        case("mostly failures", &[300], Fill::All(1e6), Fill::All(1e-6)),
        case("mostly successes", &[300], Fill::All(1000.0), Fill::All(0.98)),
        case("many tries", &[300], Fill::All(100_000.0), Fill::All(0.4)),
        case("all and none", &[40], Fill::Below(50), Fill::Truth),
        case("parameters out of range", &[40], Fill::Spread, Fill::Spread),
        case("special probabilities", &[14], Fill::All(30.0), Fill::Special),
        case("transposed probabilities", &[30, 30], Fill::Below(90), Fill::Positive).permuted(&[1, 0]),
    ]
}
