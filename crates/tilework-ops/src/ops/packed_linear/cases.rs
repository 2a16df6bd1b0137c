//! What every machine must get right about products with packed weights.

use super::{Gate, PackedLinear};
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;
use tilework_core::quant::Format;

/// In WASM vectors are rounded to 8 bits: to multiples of 1/127 of the largest of 32, an error of 0.4 % of a typical element and so of
/// a typical result; the worst of a hundred results is off by a few times that.
const ROUNDED: f64 = 2e-2;
/// Elsewhere, and where weights are floats, they are not.
const EXACT: f64 = 2e-6;

fn case(name: &'static str, op: PackedLinear, x: &[usize], n_rows: usize) -> Case {
    let k = x.last().copied().unwrap_or(0);
    Case::new(name, op)
        .input(DType::F32, x, Fill::Spread)
        .weights(op.format, n_rows, k)
        .tolerance(tolerance(op.format))
        .without_gradient()
}

fn tolerance(format: Format) -> f64 {
    let are_floats = matches!(format, Format::F32 | Format::F16 | Format::Bf16);
    if cfg!(target_arch = "wasm32") && !are_floats { ROUNDED } else { EXACT }
}

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for format in Format::all() {
        let op = PackedLinear::new(format);
        let normal = |case: Case, k: usize| case.input(DType::F32, &[k], Fill::Positive);
        cases.extend([
            case("one vector", op, &[256], 9),
            normal(case("normalised and gated", op.gate(Gate::Silu), &[2, 512], 22), 512),
            normal(case("many vectors", op.epsilon(0.1), &[37, 256], 35), 256),
            case("many vectors, gated", op.gate(Gate::Gelu), &[13, 256], 34),
        ]);
    }
    let q8 = PackedLinear::new(Format::Q8_0);
    let f32 = PackedLinear::new(Format::F32);
    cases.extend([
        case("one number", f32, &[1, 1], 1),
        case("one row", q8, &[1, 32], 1),
        case("no vectors", q8, &[0, 64], 3),
        case("no rows", q8, &[3, 64], 0),
        case("groups that fill no eighth", PackedLinear::new(Format::Q4_1), &[3, 576], 17),
        case("floats of any number", f32, &[3, 43], 5),
        case("many vectors of any number", f32, &[33, 43], 7),
        case("halves of an odd number", PackedLinear::new(Format::F16), &[1, 43], 5),
        case("axes before", q8, &[2, 3, 64], 5),
        Case::new("vectors of another order", q8)
            .input(DType::F32, &[64, 6], Fill::Spread)
            .permuted(&[1, 0])
            .weights(Format::Q8_0, 5, 64)
            .tolerance(tolerance(Format::Q8_0))
            .without_gradient(),
        case("every second row of weights", q8, &[2, 64], 10).sliced(0, 9, -2, 5),
    ]);
    cases
}
