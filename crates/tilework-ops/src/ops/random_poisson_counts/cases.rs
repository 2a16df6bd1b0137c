//! What every machine must get right about Poisson counts: each of them exactly, since rounding decides for one in many thousands.

use super::RandomPoisson;
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

pub(super) fn cases() -> Vec<Case> {
    let case = |name, sizes: &[usize], fill| {
        let state = Case::new(name, RandomPoisson).input(DType::U32, &[4], Fill::Below(1 << 31));
        state.input(DType::F32, sizes, fill).without_gradient()
    };
    vec![
        case("one count", &[1], Fill::All(2.0)),
        case("no counts", &[0], Fill::All(2.0)),
        case("not a multiple of the workgroup", &[3, 101], Fill::Positive),
        case("just below rejection", &[300], Fill::All(9.9)),
        case("just above rejection", &[300], Fill::All(10.1)),
        case("large rates", &[300], Fill::All(1e4)),
        case("very large rates", &[50], Fill::All(1e8)),
        case("rates that no int32 holds", &[20], Fill::All(1e10)),
        case("a rate of 0", &[20], Fill::All(0.0)),
        case("rates that are negative", &[40], Fill::Spread),
        case("special rates", &[14], Fill::Special),
        case("transposed rates", &[7, 30], Fill::Positive).permuted(&[1, 0]),
    ]
}
