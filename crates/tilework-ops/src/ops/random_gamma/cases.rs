//! What every machine must get right about gamma samples.
//!
//! An angle is rounded to 2⁻²³ of up to 2π and a sample of the normal distribution is up to 6 times its cosine, so that a sample
//! of shape a deviates by about 3·6·10⁻⁷/√a of itself: the tolerance below, relative to the largest result.

use super::RandomGamma;
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

pub(super) fn cases() -> Vec<Case> {
    let case = |name, sizes: &[usize], fill| {
        let state = Case::new(name, RandomGamma).input(DType::U32, &[4], Fill::Below(1 << 31));
        state.input(DType::F32, sizes, fill).tolerance(4e-6).without_gradient()
    };
    vec![
        case("one sample", &[1], Fill::All(2.0)),
        case("no samples", &[0], Fill::All(2.0)),
        case("not a multiple of the workgroup", &[3, 101], Fill::Positive),
        case("large shapes", &[300], Fill::All(1000.0)),
        case("small shapes", &[300], Fill::All(0.125)),
        case("a shape of 1", &[257], Fill::All(1.0)),
        case("shapes that are not positive", &[40], Fill::Spread),
        case("special shapes", &[14], Fill::Special),
        case("transposed shapes", &[7, 30], Fill::Positive).permuted(&[1, 0]),
    ]
}
