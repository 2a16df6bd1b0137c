// The f64 number module: numbers are the device's own f64, which only Vulkan has.
//
// The device adds, multiplies, divides, takes roots and rounds; everything else is ours, because SPIR-V has no exponentials,
// logarithms or trigonometry of f64. WGSL cannot look at the bits of an f64 without 64-bit integers, so that signs, exponents and
// NaN are read from the nearest f32, which keeps them; what is beyond its range is scaled first.

alias Num = f64;

// What is small against the result is computed in this type.
alias Low = f64;

// Where exponentials are 0 and infinite.
const NUM_EXP_LOWEST: f32 = -746.0;
const NUM_EXP_HIGHEST: f32 = 712.0;

const F64_MAX: f64 = 1.7976931348623157e308lf;

fn num_load(x: f64) -> Num {
    return x;
}

fn num_store(x: Num) -> f64 {
    return x;
}

// The nearest single; also the store of a buffer of singles.
fn num_head(x: Num) -> f32 {
    return f32(x);
}

fn num_low(x: Num) -> Low {
    return x;
}

fn num_from_low(x: Low) -> Num {
    return x;
}

// The single that rounds to a half as the number itself does: one with an odd last digit where something is missing.
fn num_sticky(x: Num) -> f32 {
    let single = f32(x);
    let bits = bitcast<u32>(single);
    let is_exact = f64(single) == x || (bits & 1u) == 1u || f32_abs_bits(single) >= F32_INF_BITS;
    let is_above = abs(x) > abs(f64(single));
    return bitcast<f32>(select(select(bits - 1u, bits + 1u, is_above), bits, is_exact));
}

// A constant, as an f32 and as the sum of two or three.
fn num_of(high: f32) -> Num {
    return f64(high);
}

fn num_of2(high: f32, low: f32) -> Num {
    return f64(high) + f64(low);
}

fn num_of3(high: f32, middle: f32, low: f32) -> Num {
    return f64(high) + (f64(middle) + f64(low));
}

fn num_nan() -> Num {
    return f64(f32_bits(F32_NAN_BITS));
}

fn num_inf() -> Num {
    return f64(f32_bits(F32_INF_BITS));
}

fn num_from_int(x: i32) -> Num {
    return f64(x);
}

fn num_from_uint(x: u32) -> Num {
    return f64(x);
}

fn num_from_bool(x: bool) -> Num {
    return select(0.0lf, 1.0lf, x);
}

// Toward zero, saturating; NaN gives 0.
fn num_to_int(x: Num) -> i32 {
    let high = x >= 2147483648.0lf;
    let low = x <= -2147483648.0lf;
    let nan = num_is_nan(x);
    let inside = i32(select(x, 0.0lf, high || low || nan));
    let saturated = select(inside, select(0x7fffffff, i32(-2147483648), low), high || low);
    return select(saturated, 0, nan);
}

// Toward zero, saturating; NaN gives 0.
fn num_to_uint(x: Num) -> u32 {
    let high = x >= 4294967296.0lf;
    let low = x <= 0.0lf;
    let nan = num_is_nan(x);
    let inside = u32(select(x, 0.0lf, high || low || nan));
    let saturated = select(inside, select(0xffffffffu, 0u, low), high || low);
    return select(saturated, 0u, nan);
}

// NaN is true.
fn num_to_bool(x: Num) -> bool {
    return !(x == 0.0lf);
}

fn num_is_nan(x: Num) -> bool {
    return f32_abs_bits(f32(x)) > F32_INF_BITS;
}

fn num_is_inf(x: Num) -> bool {
    return abs(x) > F64_MAX && !num_is_nan(x);
}

fn num_is_finite(x: Num) -> bool {
    return abs(x) <= F64_MAX && !num_is_nan(x);
}

// Whether the sign bit is set, that of -0 too.
fn num_is_negative(x: Num) -> bool {
    return (bitcast<u32>(f32(x)) & F32_SIGN_BIT) != 0u;
}

fn num_is_zero(x: Num) -> bool {
    return x == 0.0lf;
}

fn num_eq(a: Num, b: Num) -> bool {
    return a == b && !num_is_nan(a) && !num_is_nan(b);
}

fn num_ne(a: Num, b: Num) -> bool {
    return !num_eq(a, b);
}

fn num_lt(a: Num, b: Num) -> bool {
    return a < b;
}

fn num_le(a: Num, b: Num) -> bool {
    return a <= b;
}

fn num_gt(a: Num, b: Num) -> bool {
    return a > b;
}

fn num_ge(a: Num, b: Num) -> bool {
    return a >= b;
}

fn num_select(condition: bool, if_true: Num, if_false: Num) -> Num {
    return select(if_false, if_true, condition);
}

fn num_neg(x: Num) -> Num {
    return -x;
}

// `x` with its sign flipped where the condition holds.
fn num_neg_if(x: Num, condition: bool) -> Num {
    return select(x, -x, condition);
}

fn num_add(a: Num, b: Num) -> Num {
    return a + b;
}

fn num_sub(a: Num, b: Num) -> Num {
    return a - b;
}

fn num_mul(a: Num, b: Num) -> Num {
    return a * b;
}

// The product of two singles, exactly.
fn num_mul_singles(a: f32, b: f32) -> Num {
    return f64(a) * f64(b);
}

fn num_div(a: Num, b: Num) -> Num {
    return a / b;
}

// NaN below zero.
fn num_sqrt(x: Num) -> Num {
    return select(sqrt(x), num_nan(), x < 0.0lf);
}

// 2^k for -126 <= k <= 127.
fn f64_pow2(k: i32) -> f64 {
    return f64(f32_pow2(k));
}

// x * 2^k for -1200 <= k <= 1200, in steps that an f32 has.
fn num_scale(x: Num, k: i32) -> Num {
    if abs(k) <= 126 {
        return x * f64_pow2(k);
    }
    // Rounded to zero, so that all steps go the same way.
    let sixteenth = k / 16;
    let square = f64_pow2(sixteenth) * f64_pow2(sixteenth);
    let fourth = square * square;
    return x * f64_pow2(k - sixteenth * 16) * fourth * fourth * fourth * fourth;
}

// The k of a finite x with 2^k <= |x| < 2^(k + 1), or one more where x is next to a power of two; below -1074 for zero.
fn num_exponent(x: Num) -> i32 {
    var magnitude = abs(x);
    var k = 0;
    // What an f32 cannot hold is brought nearer to 1, by smaller and smaller steps.
    for (var step = 512; step >= 64 && (magnitude < 1.0e-30lf || magnitude > 1.0e30lf); step = step >> 1u) {
        if magnitude < 1.0lf {
            magnitude = num_scale(magnitude, step);
            k = k - step;
        } else {
            magnitude = num_scale(magnitude, -step);
            k = k + step;
        }
    }
    return k + i32(f32_abs_bits(f32(magnitude)) >> 23u) - 127;
}

fn num_floor(x: Num) -> Num {
    return floor(x);
}

fn num_ceil(x: Num) -> Num {
    return ceil(x);
}

fn num_trunc(x: Num) -> Num {
    return trunc(x);
}

// To the nearest whole number, ties to even.
fn num_round(x: Num) -> Num {
    return round(x);
}

// x - floor(x); NaN for infinities.
fn num_fract(x: Num) -> Num {
    return num_select(num_is_finite(x), x - floor(x), num_nan());
}
