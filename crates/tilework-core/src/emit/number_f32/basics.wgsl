// The f32 number module: what an emitted kernel computes with when its numbers are plain f32.
//
// Every function mirrors the one of the same name in `math/`, operation by operation, because the built-in functions of
// WGSL may be off by thousands of ulp and differ between devices. Only abs, floor, ceil, trunc, round, sqrt, select and
// bitcast are used. Three rules keep it right under any conforming compiler: a value that needs more than 24 bits is
// cut by clearing mantissa bits, so that products of heads are exact even when contracted and no sum can be cancelled
// algebraically; infinities and NaN are recognized and made as bit patterns, because a compiler may assume that they
// do not occur; subnormals may be flushed to zero on the way in or out.
//
// The linker keeps only the items that a kernel reaches, so helpers cost nothing where they are not used.

alias Num = f32;

fn num_load(x: f32) -> Num {
    return x;
}

fn num_store(x: Num) -> f32 {
    return x;
}

// The single that rounds to a half as the number itself does.
fn num_sticky(x: Num) -> f32 {
    return x;
}

// The nearest single.
fn num_head(x: Num) -> f32 {
    return x;
}

fn num_from_int(x: i32) -> Num {
    return f32(x);
}

// Through i32, because the conversion of a large u32 is not rounded to nearest everywhere; the last bit stays sticky.
fn num_from_uint(x: u32) -> Num {
    let halved = (x >> 1u) | (x & 1u);
    return select(f32(i32(x)), f32(i32(halved)) * 2.0, x >= 0x80000000u);
}

fn num_from_bool(x: bool) -> Num {
    return select(0.0, 1.0, x);
}

// Toward zero, saturating; NaN gives 0.
fn num_to_int(x: Num) -> i32 {
    let high = x >= 2147483648.0;
    let low = x <= -2147483648.0;
    let nan = num_is_nan(x);
    let inside = i32(select(x, 0.0, high || low || nan));
    let saturated = select(inside, select(0x7fffffff, i32(-2147483648), low), high || low);
    return select(saturated, 0, nan);
}

// Toward zero, saturating; NaN gives 0.
fn num_to_uint(x: Num) -> u32 {
    let high = x >= 4294967296.0;
    let low = x <= 0.0;
    let nan = num_is_nan(x);
    let inside = u32(select(x, 0.0, high || low || nan));
    let saturated = select(inside, select(0xffffffffu, 0u, low), high || low);
    return select(saturated, 0u, nan);
}

fn num_is_nan(x: Num) -> bool {
    return f32_abs_bits(x) > F32_INF_BITS;
}

fn num_is_inf(x: Num) -> bool {
    return f32_abs_bits(x) == F32_INF_BITS;
}

fn num_is_finite(x: Num) -> bool {
    return f32_abs_bits(x) < F32_INF_BITS;
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

fn num_add(a: Num, b: Num) -> Num {
    return a + b;
}

fn num_sub(a: Num, b: Num) -> Num {
    return a - b;
}

fn num_mul(a: Num, b: Num) -> Num {
    return a * b;
}

fn num_div(a: Num, b: Num) -> Num {
    return a / b;
}

fn num_recip(x: Num) -> Num {
    return 1.0 / x;
}

fn num_neg(x: Num) -> Num {
    return bitcast<f32>(bitcast<u32>(x) ^ F32_SIGN_BIT);
}

fn num_abs(x: Num) -> Num {
    return bitcast<f32>(f32_abs_bits(x));
}

fn num_copysign(x: Num, sign: Num) -> Num {
    return f32_with_sign(x, sign);
}

// The smaller of the two; NaN if either is.
fn num_minimum(a: Num, b: Num) -> Num {
    return f32_or_nan(f32_or_nan(select(b, a, a < b), b), a);
}

// The larger of the two; NaN if either is.
fn num_maximum(a: Num, b: Num) -> Num {
    return f32_or_nan(f32_or_nan(select(b, a, a > b), b), a);
}

// From 2^23 on every number is whole, infinity and NaN included.
fn num_floor(x: Num) -> Num {
    return f32_or_bits(floor(x), bitcast<u32>(x), f32_abs_bits(x) >= 0x4b000000u);
}

fn num_ceil(x: Num) -> Num {
    return f32_or_bits(ceil(x), bitcast<u32>(x), f32_abs_bits(x) >= 0x4b000000u);
}

// To the nearest whole number, ties to even.
fn num_round(x: Num) -> Num {
    return f32_or_bits(round(x), bitcast<u32>(x), f32_abs_bits(x) >= 0x4b000000u);
}

fn num_trunc(x: Num) -> Num {
    return f32_or_bits(trunc(x), bitcast<u32>(x), f32_abs_bits(x) >= 0x4b000000u);
}

// -1, 0 or 1; NaN for NaN.
fn num_sign(x: Num) -> Num {
    let one = (bitcast<u32>(x) & F32_SIGN_BIT) | 0x3f800000u;
    return f32_or_nan(bitcast<f32>(select(one, 0u, f32_abs_bits(x) == 0u)), x);
}

// x - floor(x); NaN for infinities.
fn num_fract(x: Num) -> Num {
    return f32_or_bits(x - floor(x), F32_NAN_BITS, f32_abs_bits(x) >= F32_INF_BITS);
}

// The significand and the exponent of a finite nonzero number as integers: |x| = significand * 2^(exponent - 150).
fn f32_integers(x: f32) -> vec2<u32> {
    let bits = f32_abs_bits(x);
    let exponent = bits >> 23u;
    let fraction = bits & 0x007fffffu;
    return select(vec2<u32>(fraction | 0x00800000u, exponent), vec2<u32>(fraction, 1u), exponent == 0u);
}

// n * 2^(exponent - 150) for n <= 2^24, assembled from bits, so that a subnormal result is not flushed.
fn f32_from_integers(n: u32, exponent: u32) -> f32 {
    let whole = bitcast<u32>(f32(n));
    let normal = (whole >> 23u) + exponent > 150u;
    let subnormal_bits = n << select(exponent - 1u, 0u, normal || n == 0u);
    return bitcast<f32>(select(subnormal_bits, whole + (exponent << 23u) - 0x4b000000u, normal && n != 0u));
}

// The exact remainder of |a| / |b| for finite a and finite nonzero b, or where `upward` what is missing to the next
// multiple of |b|: long division eight bits at a time, at most 35 rounds, as the distance of the exponents demands.
fn f32_remainder(a: f32, b: f32, upward: bool) -> f32 {
    let dividend = f32_integers(a);
    let divisor = f32_integers(b);
    if (dividend.y < divisor.y) {
        return select(abs(a), abs(b) - abs(a), upward && dividend.x != 0u);
    }
    var rest = dividend.x % divisor.x;
    var distance = dividend.y - divisor.y;
    while (distance > 0u && rest != 0u) {
        let step = select(distance, 8u, distance > 8u);
        rest = (rest << step) % divisor.x;
        distance = distance - step;
    }
    return f32_from_integers(select(rest, divisor.x - rest, upward && rest != 0u), divisor.y);
}

// Whether a / b has no remainder because `a` is not finite, `b` is zero, or either is NaN.
fn f32_no_remainder(a: f32, b: f32) -> bool {
    return f32_abs_bits(a) >= F32_INF_BITS || f32_abs_bits(b) == 0u || num_is_nan(b);
}

// The floored modulo of Python and NumPy: the sign of the divisor, NaN for a zero divisor.
fn num_rem(a: Num, b: Num) -> Num {
    if (f32_no_remainder(a, b)) {
        return f32_or_bits(a, F32_NAN_BITS, !num_is_nan(a));
    }
    let opposite = ((bitcast<u32>(a) ^ bitcast<u32>(b)) & F32_SIGN_BIT) != 0u;
    if (num_is_inf(b)) {
        return f32_or_bits(f32_with_sign(a, b), bitcast<u32>(b), opposite && f32_abs_bits(a) != 0u);
    }
    return f32_with_sign(f32_remainder(a, b, opposite), b);
}

// The floor of the exact quotient, as NumPy's floor_divide: consistent with `num_rem`.
fn num_floor_div(a: Num, b: Num) -> Num {
    if (f32_abs_bits(b) == 0u || num_is_nan(a) || num_is_nan(b)) {
        return a / b;
    }
    if (f32_no_remainder(a, b)) {
        return f32_or_bits(a, F32_NAN_BITS, true);
    }
    let opposite = ((bitcast<u32>(a) ^ bitcast<u32>(b)) & F32_SIGN_BIT) != 0u;
    var rest = abs(a);
    var exact = 0.0;
    if (!num_is_inf(b)) {
        // Two small numbers are lifted together, so that their difference from the remainder is not flushed.
        let unit = select(1.0, 18446744073709551616.0, abs(a) < 1e18 && abs(b) < 1e-18);
        rest = f32_remainder(a * unit, b * unit, false);
        exact = (a * unit - f32_with_sign(rest, a)) / (b * unit);
    }
    // The quotient is whole up to its own rounding, so it is taken to the nearest whole number.
    let quotient = select(exact, exact - 1.0, opposite && f32_abs_bits(rest) != 0u);
    let below = num_floor(quotient);
    let floored = select(below, below + 1.0, quotient - below > 0.5);
    let sign = bitcast<f32>(bitcast<u32>(a) ^ bitcast<u32>(b));
    return select(floored, f32_with_sign(0.0, sign), floored == 0.0);
}

fn num_sqrt(x: Num) -> Num {
    let bits = bitcast<u32>(x);
    let negative = bits > F32_SIGN_BIT;
    // Zeros, positive infinity and NaN are their own roots.
    let own = f32_abs_bits(x) == 0u || f32_abs_bits(x) >= F32_INF_BITS;
    return f32_or_bits(sqrt(x), select(F32_NAN_BITS, bits, own && (!negative || num_is_nan(x))), own || negative);
}

// 1 / sqrt(x).
fn num_rsqrt(x: Num) -> Num {
    let bits = bitcast<u32>(x);
    var y = f32_or_bits(1.0 / sqrt(x), F32_NAN_BITS, bits > F32_SIGN_BIT);
    y = f32_or_bits(y, bits | F32_INF_BITS, f32_abs_bits(x) == 0u);
    return f32_or_nan(f32_or_bits(y, 0u, bits == F32_INF_BITS), x);
}

fn num_to_bool(x: Num) -> bool {
    return f32_abs_bits(x) != 0u;
}

// A constant; wider number modules also use the part that f32 rounds away.
fn num_of(high: f32) -> Num {
    return high;
}

fn num_of2(high: f32, low: f32) -> Num {
    return high;
}

fn num_select(condition: bool, if_true: Num, if_false: Num) -> Num {
    return select(if_false, if_true, condition);
}
