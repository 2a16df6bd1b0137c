//! What every machine must get right about transforms.
//!
//! The error allowed is 10⁻⁶·log₂ n relative to the largest result; a stage rounds a few times by 6·10⁻⁸ each.

use super::{Direction, Fft, Form, Norm};
use crate::case::{Case, Fill};
use tilework_core::dtype::DType;

fn tolerance(n: usize) -> f64 {
    1e-6 * (n as f64).log2().max(1.0)
}

fn case(name: &'static str, form: Form, sizes: &[usize], axis: usize) -> Case {
    let n = if let Form::RealInverse(n) = form { n } else { sizes[axis] };
    let case = Case::new(name, Fft::new(form, axis, Norm::Backward)).input(DType::F32, sizes, Fill::Spread);
    // The rule is the same for every length; finite differences of long sums only take time.
    let case = if n > 64 { case.without_gradient() } else { case };
    case.tolerance(tolerance(n))
}

pub(super) fn complex() -> Vec<Case> {
    let (forward, inverse) = (Form::Complex(Direction::Forward), Form::Complex(Direction::Inverse));
    let f64_case = |n: usize| {
        let op = Fft::new(forward, 0, Norm::Backward);
        Case::new("double precision", op).input(DType::F64, &[n, 2], Fill::Spread).tolerance(1e-14 * (n as f64).log2())
    };
    let mut cases = vec![
        case("one point", forward, &[1, 2], 0),
        case("one point of many lines", inverse, &[5, 1, 2], 1),
        case("no lines", forward, &[0, 8, 2], 1),
        case("two points", forward, &[3, 2, 2], 1),
        case("many short lines", forward, &[300, 16, 2], 1),
        case("first axis", forward, &[12, 7, 2], 0),
        case("middle axis", inverse, &[2, 15, 3, 2], 1),
        case("first axis of many columns", forward, &[10, 37, 2], 0),
        case("one workgroup full", forward, &[2048, 2], 0),
        case("two passes", forward, &[2, 4096, 2], 1),
        case("two passes of mixed factors", inverse, &[3000, 2], 0),
        case("two passes along the first axis", forward, &[2700, 3, 2], 0),
        case("long prime", forward, &[1009, 2], 0),
        case("short primes", inverse, &[4, 11, 2], 1),
        case("large factor", forward, &[2, 2 * 127, 3, 2], 1),
        case("convolution in two passes", inverse, &[1499, 2], 0),
        case("transposed view", forward, &[9, 20, 2], 0).permuted(&[1, 0, 2]),
        case("every third point backwards", inverse, &[30, 2], 0).sliced(0, 29, -3, 10),
        case("broadcast", forward, &[1, 8, 2], 1).expanded(&[3, 8, 2]),
        f64_case(96).without_gradient(),
        f64_case(101).without_gradient(),
    ];
    for n in [3, 4, 5, 6, 7, 8, 9, 10, 14, 21, 25, 30, 35, 49, 64, 105, 128, 243, 343, 360, 512, 625, 1000, 1024] {
        cases.push(case("each radix", if n % 2 == 0 { forward } else { inverse }, &[3, n, 2], 1));
    }
    for norm in [Norm::Ortho, Norm::Forward] {
        for form in [forward, inverse] {
            let op = Fft::new(form, 0, norm);
            cases.push(Case::new("norm", op).input(DType::F32, &[20, 2], Fill::Spread).tolerance(tolerance(20)));
        }
    }
    cases
}

pub(super) fn real() -> Vec<Case> {
    let mut cases = vec![
        case("one point", Form::Real, &[1], 0),
        case("one point of many lines", Form::Real, &[4, 1], 1),
        case("no lines", Form::Real, &[0, 6], 1),
        case("no columns", Form::Real, &[6, 0], 0),
        case("first axis", Form::Real, &[12, 7], 0),
        case("first axis, odd", Form::Real, &[9, 5], 0),
        case("middle axis", Form::Real, &[2, 14, 3], 1),
        case("two passes", Form::Real, &[4374], 0),
        case("odd, convolution", Form::Real, &[2, 1013], 1),
        case("half of a prime", Form::Real, &[2 * 509], 0),
        case("transposed view", Form::Real, &[10, 6], 0).permuted(&[1, 0]),
        Case::new("double precision", Fft::new(Form::Real, 0, Norm::Backward))
            .input(DType::F64, &[50], Fill::Spread)
            .tolerance(1e-13),
    ];
    for n in [2, 3, 4, 5, 6, 7, 8, 10, 15, 16, 22, 100, 256] {
        cases.push(case("each length", Form::Real, &[3, n], 1));
    }
    for norm in [Norm::Ortho, Norm::Forward] {
        let op = Fft::new(Form::Real, 0, norm);
        cases.push(Case::new("norm", op).input(DType::F32, &[20], Fill::Spread).tolerance(tolerance(20)));
    }
    cases
}

pub(super) fn real_inverse() -> Vec<Case> {
    let inverse = Form::RealInverse;
    let mut cases = vec![
        case("one point", inverse(1), &[1, 2], 0),
        case("no lines", inverse(6), &[0, 4, 2], 1),
        case("first axis", inverse(12), &[7, 7, 2], 0),
        case("first axis, odd", inverse(9), &[5, 3, 2], 0),
        case("middle axis", inverse(14), &[2, 8, 3, 2], 1),
        case("two passes", inverse(4374), &[2188, 2], 0),
        case("odd, convolution", inverse(1013), &[507, 2], 0),
        case("half of a prime", inverse(2 * 509), &[510, 2], 0),
        case("transposed view", inverse(10), &[5, 6, 2], 0).permuted(&[1, 0, 2]),
        Case::new("double precision", Fft::new(inverse(50), 0, Norm::Backward))
            .input(DType::F64, &[26, 2], Fill::Spread)
            .tolerance(1e-13),
    ];
    for n in [2, 3, 4, 5, 6, 7, 8, 10, 15, 16, 22, 100, 256] {
        cases.push(case("each length", inverse(n), &[3, n / 2 + 1, 2], 1));
    }
    for norm in [Norm::Ortho, Norm::Forward] {
        let op = Fft::new(inverse(20), 0, norm);
        cases.push(Case::new("norm", op).input(DType::F32, &[11, 2], Fill::Spread).tolerance(tolerance(20)));
    }
    cases
}
