//! Accuracy over all exponents against f64, and the special values of C99.
//!
//! The error is counted in units in the last place of the f32 nearest to the f64 result, of 2^-149 where that is
//! subnormal.

use super::*;
use crate::expr::{Kind, ScalarOp};

/// Arguments of a sweep: every bit pattern reached by this odd stride, so that mantissas vary too.
const STRIDE: usize = 8191;

/// The unit in the last place of an f32 of this size.
fn ulp(value: f64) -> f64 {
    let exponent = ((value.abs().to_bits() >> 52) as i32 - 1023).clamp(-126, 127);
    2f64.powi(exponent - 23)
}

/// The error of `got` in ulp; infinite if only one of the two is NaN or infinite, or if zeros differ in sign.
fn error_ulp(got: f32, want: f64) -> f64 {
    let rounded = want as f32;
    if want.is_nan() || got.is_nan() {
        return if want.is_nan() && got.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if rounded == got {
        let zero_flipped = want == 0.0 && want.is_sign_negative() != got.is_sign_negative();
        return if zero_flipped { f64::INFINITY } else { 0.0 };
    }
    // At the edge of the range, infinity counts as the next number, 2^128.
    let value = if got.is_infinite() { 2f64.powi(128).copysign(got as f64) } else { got as f64 };
    if want.is_infinite() {
        return f64::INFINITY;
    }
    (value - want).abs() / ulp(want)
}

fn patterns(stride: usize) -> impl Iterator<Item = f32> {
    let edges = [0u32, 1, 0x007f_ffff, 0x0080_0000, 0x3f80_0000, 0x7f7f_ffff, 0x7f80_0000, 0x7fc0_0000];
    (0..=u32::MAX).step_by(stride).chain(edges).chain(edges.map(|bits| bits | 0x8000_0000)).map(f32::from_bits)
}

fn check(name: &str, limit_ulp: f64, ours: fn(f32) -> f32, oracle: fn(f64) -> f64) {
    let (mut worst, mut at) = (0.0, 0.0);
    for x in patterns(STRIDE) {
        let error = error_ulp(ours(x), oracle(x as f64));
        if error > worst {
            (worst, at) = (error, x);
        }
    }
    assert!(worst <= limit_ulp, "{name}({at:e}) is {worst:.3} ulp off: {:e} for {:e}", ours(at), oracle(at as f64));
}

fn check_pairs(name: &str, limit_ulp: f64, ours: fn(f32, f32) -> f32, oracle: fn(f64, f64) -> f64, spread: Spread) {
    let (mut worst, mut at) = (0.0, (0.0, 0.0));
    for (x, y) in pairs(spread) {
        let error = error_ulp(ours(x, y), oracle(x as f64, y as f64));
        if error > worst {
            (worst, at) = (error, (x, y));
        }
    }
    let (x, y) = at;
    assert!(
        worst <= limit_ulp,
        "{name}({x:e}, {y:e}) is {worst:.3} ulp off: {:e} for {:e}",
        ours(x, y),
        oracle(x as f64, y as f64)
    );
}

#[derive(Clone, Copy)]
enum Spread {
    /// Both arguments anywhere, and of similar size.
    Similar,
    /// The exponent chosen so that powers cover the whole range.
    Powers,
}

/// Special values against each other, then pseudo-random pairs.
fn pairs(spread: Spread) -> Vec<(f32, f32)> {
    let special = [0.0, 1e-40, 1e-38, 0.5, 0.99999994, 1.0, 1.0000001, 1.5, 2.0, 3.0, 8388606.5, 8388607.0, 16777215.0];
    let special = special.into_iter().chain([16777216.0, 1e30, 1e38, f32::INFINITY, f32::NAN]);
    let special: Vec<f32> = special.flat_map(|x: f32| [x, -x]).collect();
    let mut all: Vec<(f32, f32)> = special.iter().flat_map(|&x| special.iter().map(move |&y| (x, y))).collect();
    // Xorshift (Marsaglia 2003).
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as u32
    };
    for i in 0..300_000 {
        let (a, b) = (next(), next());
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        let unit = b as f64 / 4294967296.0 - 0.5;
        all.push(match (spread, i % 3) {
            (_, 0) => (x, y),
            (Spread::Similar, 1) => (x, f32::from_bits((a & 0x7f80_0000) | (b & 0x807f_ffff))),
            (Spread::Similar, _) => (x, x * (1.0 + unit as f32)),
            (Spread::Powers, 1) => (x.abs(), (300.0 * unit / (x.abs() as f64).log2()) as f32),
            (Spread::Powers, _) => {
                let near_one = 1.0 + (a as f32 / 4294967296.0 - 0.5) * 0.01;
                (near_one, (300.0 * unit / (near_one as f64).log2()) as f32)
            }
        });
    }
    all
}

/// Both are the same number, with the same sign of zero, or both NaN.
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

fn sigmoid_f64(x: f64) -> f64 {
    if x < 0.0 { x.exp() / (1.0 + x.exp()) } else { 1.0 / (1.0 + (-x).exp()) }
}

/// The limit at minus infinity, where the product itself is infinity times zero.
fn step_f64(x: f64, step: f64) -> f64 {
    if x == f64::NEG_INFINITY { -0.0 } else { x * step }
}

#[test]
fn exponentials() {
    check("exp", 1.2, exp, f64::exp);
    check("exp2", 1.2, exp2, f64::exp2);
    check("expm1", 1.5, expm1, f64::exp_m1);
}

#[test]
fn logarithms() {
    check("log", 1.0, log, f64::ln);
    check("log2", 1.5, log2, f64::log2);
    check("log10", 1.7, log10, f64::log10);
    check("log1p", 1.6, log1p, f64::ln_1p);
    for e in -149..128 {
        assert_eq!(log2(2f64.powi(e) as f32), e as f32);
    }
}

#[test]
fn trigonometric() {
    check("sin", 2.0, sin, f64::sin);
    check("cos", 2.0, cos, f64::cos);
    check("tan", 3.0, tan, f64::tan);
}

#[test]
fn trigonometric_of_moderate_arguments() {
    let in_range = |ours: fn(f32) -> f32, oracle: fn(f64) -> f64, limit_ulp: f64| {
        let moderate = patterns(97).filter(|x| x.abs() <= TRIG_MODERATE);
        // Near multiples of a quarter turn the rest is small and every bit of pi counts.
        let near = (0..1018).map(|k| (f64::from(k) * std::f64::consts::FRAC_PI_2) as f32);
        for x in moderate.chain(near) {
            let error = error_ulp(ours(x), oracle(f64::from(x)));
            assert!(error <= limit_ulp, "{x:e}: {error} ulp");
        }
    };
    in_range(sin_moderate, f64::sin, 3.0);
    in_range(cos_moderate, f64::cos, 3.0);
    in_range(tan_moderate, f64::tan, 4.0);
}

#[test]
fn trigonometric_near_multiples_of_a_quarter_turn() {
    for k in 1..20_000 {
        let near = (k as f64 * std::f64::consts::FRAC_PI_2) as f32;
        for bits in near.to_bits() - 2..=near.to_bits() + 2 {
            let x = f32::from_bits(bits);
            assert!(error_ulp(sin(x), (x as f64).sin()) <= 2.0, "sin({x:e})");
            assert!(error_ulp(cos(x), (x as f64).cos()) <= 2.0, "cos({x:e})");
            assert!(error_ulp(tan(x), (x as f64).tan()) <= 3.0, "tan({x:e})");
        }
    }
}

#[test]
fn inverse_trigonometric() {
    check("asin", 2.5, asin, f64::asin);
    check("acos", 1.5, acos, f64::acos);
    check("atan", 1.5, atan, f64::atan);
    check_pairs("atan2", 2.0, atan2, f64::atan2, Spread::Similar);
}

#[test]
fn hyperbolics() {
    check("sinh", 1.8, sinh, f64::sinh);
    check("cosh", 1.6, cosh, f64::cosh);
    check("tanh", 2.4, tanh, f64::tanh);
    check("asinh", 1.8, asinh, libm::asinh);
    check("acosh", 2.2, acosh, |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) });
    check("atanh", 1.3, atanh, libm::atanh);
}

#[test]
fn powers_and_roots() {
    check("cbrt", 1.0, cbrt, f64::cbrt);
    check("rsqrt", 1.6, rsqrt, |x| 1.0 / x.sqrt());
    check_pairs("pow", 2.5, pow, f64::powf, Spread::Powers);
    check_pairs("hypot", 1.3, hypot, f64::hypot, Spread::Similar);
    for base in [-3.0f32, -2.0, -1.5, -1.0, 2.0, 10.0] {
        for exponent in -40..=40 {
            let want = (base as f64).powi(exponent);
            assert!(error_ulp(pow(base, exponent as f32), want) <= 2.0, "{base}^{exponent}");
        }
    }
}

#[test]
fn special_functions() {
    check("erf", 2.0, erf, libm::erf);
    check("erfc", 3.0, erfc, libm::erfc);
    check("sigmoid", 2.5, sigmoid, sigmoid_f64);
    check("softplus", 2.3, softplus, |x| if x.is_nan() { x } else { x.max(0.0) + (-x.abs()).exp().ln_1p() });
    check("silu", 3.0, silu, |x| step_f64(x, sigmoid_f64(x)));
    check("gelu", 3.0, gelu, |x| step_f64(x, 0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)));
    let slope = 2.0 * (2.0 / std::f64::consts::PI).sqrt();
    assert!((slope - 1.5957691216057308).abs() < 1e-15);
    check("gelu_tanh", 3.0, gelu_tanh, |x| step_f64(x, sigmoid_f64(1.5957691216057308 * (x + 0.044715 * x * x * x))));
}

#[test]
fn odd_functions_keep_the_sign_of_zero() {
    for f in [sin, tan, asin, atan, sinh, tanh, asinh, atanh, expm1, log1p, cbrt, erf, gelu, gelu_tanh, silu] {
        assert!(same(f(0.0), 0.0));
        assert!(same(f(-0.0), -0.0));
        assert!(f(f32::NAN).is_nan());
        // Tiny arguments survive as well, subnormals included.
        assert!(f(-1e-44) < 0.0 && f(1e-38) > 0.0);
    }
}

#[test]
fn special_values() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let cases = [
        (exp(-inf), 0.0),
        (exp(inf), inf),
        (exp(0.0), 1.0),
        (exp2(-inf), 0.0),
        (expm1(-inf), -1.0),
        (expm1(inf), inf),
        (log(0.0), -inf),
        (log(-0.0), -inf),
        (log(-1.0), nan),
        (log(1.0), 0.0),
        (log(inf), inf),
        (log1p(-1.0), -inf),
        (log1p(-1.5), nan),
        (log1p(inf), inf),
        (sin(inf), nan),
        (cos(-inf), nan),
        (cos(0.0), 1.0),
        (tan(inf), nan),
        (asin(1.0000001), nan),
        (acos(-1.5), nan),
        (acos(1.0), 0.0),
        (sinh(-inf), -inf),
        (cosh(-inf), inf),
        (tanh(-inf), -1.0),
        (asinh(-inf), -inf),
        (acosh(1.0), 0.0),
        (acosh(0.5), nan),
        (acosh(inf), inf),
        (atanh(1.0), inf),
        (atanh(-1.0), -inf),
        (atanh(2.0), nan),
        (cbrt(-inf), -inf),
        (cbrt(-27.0), -3.0),
        (rsqrt(0.0), inf),
        (rsqrt(inf), 0.0),
        (rsqrt(-1.0), nan),
        (erf(inf), 1.0),
        (erf(-inf), -1.0),
        (erfc(-inf), 2.0),
        (erfc(inf), 0.0),
        (sigmoid(-inf), 0.0),
        (sigmoid(inf), 1.0),
        (softplus(-inf), 0.0),
        (softplus(inf), inf),
        (silu(-inf), -0.0),
        (gelu(-inf), -0.0),
        (gelu_tanh(-inf), -0.0),
        (gelu(inf), inf),
        (pow(nan, 0.0), 1.0),
        (pow(1.0, nan), 1.0),
        (pow(-2.0, 3.0), -8.0),
        (pow(-2.0, 0.5), nan),
        (pow(0.0, -1.0), inf),
        (pow(-0.0, -1.0), -inf),
        (pow(-0.0, 3.0), -0.0),
        (pow(-1.0, inf), 1.0),
        (pow(0.5, -inf), inf),
        (pow(-inf, -3.0), -0.0),
        (hypot(-inf, nan), inf),
        (hypot(3.0, 4.0), 5.0),
        (atan2(0.0, -0.0), std::f32::consts::PI),
        (atan2(-0.0, 0.0), -0.0),
        (atan2(inf, -inf), 3.0 * std::f32::consts::FRAC_PI_4),
    ];
    for (i, (got, want)) in cases.into_iter().enumerate() {
        assert!(same(got, want), "case {i}: {got:e} instead of {want:e}");
    }
}

/// The WGSL twin parses, has every function of this module, and obeys the linker: items start at column 0, a function
/// ends with a brace there.
#[test]
fn number_module_is_complete_and_linkable() {
    let source = crate::emit::NUMBER_F32.join("\n");
    if let Err(error) = naga::front::wgsl::parse_str(&source) {
        panic!("{}", error.emit_to_string(&source));
    }
    for line in source.lines().filter(|line| !line.is_empty() && !line.starts_with(' ')) {
        assert!(["//", "fn ", "const ", "alias ", "}"].iter().any(|start| line.starts_with(start)), "{line}");
    }
    let takes_num = |op: &&ScalarOp| matches!(op.kind(), Kind::Arith | Kind::Float | Kind::Compare | Kind::Test);
    for op in ScalarOp::ALL.iter().filter(takes_num) {
        assert!(source.contains(&format!("\nfn num_{}(", op.name())), "num_{}", op.name());
    }
    for name in
        ["from_int", "from_uint", "from_bool", "to_int", "to_uint", "to_bool", "load", "store", "of", "of2", "select"]
    {
        assert!(source.contains(&format!("\nfn num_{name}(")), "num_{name}");
    }
}

#[test]
fn exponentials_of_what_is_moderate() {
    let worst =
        patterns(STRIDE).filter(|x| x.abs() <= EXP_MODERATE).map(|x| error_ulp(exp_moderate(x), f64::from(x).exp()));
    let worst = worst.fold(0.0, f64::max);
    assert!(worst < 1.6, "{worst}");
    assert_eq!(exp_moderate(0.0), 1.0);
}

#[test]
fn exponentials_of_what_is_not_positive() {
    let worst = patterns(STRIDE)
        .filter(|x| *x <= 0.0 && *x >= -87.0)
        .map(|x| error_ulp(exp_nonpositive(x), f64::from(x).exp()));
    let worst = worst.fold(0.0, f64::max);
    assert!(worst < 1.6, "{worst}");
    assert_eq!([exp_nonpositive(-87.5), exp_nonpositive(f32::NEG_INFINITY), exp_nonpositive(-0.0)], [0.0, 0.0, 1.0]);
    assert!(exp_nonpositive(f32::NAN).is_nan());
}

#[test]
fn moderate_powers_are_the_same_bits() {
    let exponents = [1.5, -1.5, 0.0, -0.0, 2.0, 3.0, 0.1, -7.25, 125.0, 1e-30, f32::MIN_POSITIVE];
    let mut n_moderate = 0;
    for x in patterns(STRIDE) {
        for y in exponents {
            if are_powers_moderate(&[x, 1.0], y) {
                n_moderate += 1;
                assert_eq!(pow_moderate(x, y).to_bits(), pow(x, y).to_bits(), "{x} ^ {y}");
            }
        }
    }
    assert!(n_moderate > 1000, "{n_moderate}");
    for odd in [0.0, -1.0, 1e-40, f32::INFINITY, f32::NAN] {
        assert!(!are_powers_moderate(&[1.0, odd, 2.0], 1.5), "{odd}");
    }
    assert!(!are_powers_moderate(&[1.0], f32::NAN) && !are_powers_moderate(&[1.0], f32::INFINITY));
    assert!(are_powers_moderate(&[2.0, 3.0], 62.0) && !are_powers_moderate(&[2.0, 3.0], 63.0));
}
