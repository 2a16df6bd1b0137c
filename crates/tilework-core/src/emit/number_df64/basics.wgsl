// The df64 number module: a number is an unevaluated sum of two f32, together about 48 bits and the range of f32.
//
// x.x is the nearest f32 to the number, x.y the rest. Infinities and NaN live in x.x, and x.y is 0 then. Everything goes through
// the error-free transformations of `eft_classic.wgsl` or `eft_integer.wgsl`; plain f32 arithmetic is used only for what is small
// against the result, where its rounding, and whatever a compiler does to it, disappears. Relative errors are bounded as proved by
// Joldes, Muller and Popescu (ACM TOMS 44, 2017), u = 2^-24: 3u^2 for sums, 5u^2 for products, 10u^2 for quotients. Where the rest
// would be below 2^-126, that is for numbers below about 2^-100, digits are lost down to those of f32; subnormal numbers may count as 0.

alias Num = vec2<f32>;

// What is small against the result is computed in this type.
alias Low = f32;

// Where exponentials are 0 and infinite.
const NUM_EXP_LOWEST: f32 = -104.0;
const NUM_EXP_HIGHEST: f32 = 89.5;

// hi + lo for |hi| >= |lo|, with nothing beside what is infinite or NaN.
fn df64_join(hi: f32, lo: f32) -> Num {
    let sum = eft_quick_sum(hi, lo);
    return vec2<f32>(sum.x, select(sum.y, 0.0, f32_abs_bits(sum.x) >= F32_INF_BITS));
}

// `x`, or the f32 of these bits alone.
fn df64_or_bits(x: Num, bits: u32, condition: bool) -> Num {
    return vec2<f32>(f32_or_bits(x.x, bits, condition), select(x.y, 0.0, condition));
}

fn num_load(x: vec2<f32>) -> Num {
    return x;
}

fn num_store(x: Num) -> vec2<f32> {
    return x;
}

// The nearest single; also the store of a buffer of singles.
fn num_head(x: Num) -> f32 {
    return x.x;
}

fn num_low(x: Num) -> Low {
    return x.x;
}

fn num_from_low(x: Low) -> Num {
    return vec2<f32>(x, 0.0);
}

// The single that rounds to a half as the number itself does: one with an odd last digit where something is missing.
fn num_sticky(x: Num) -> f32 {
    let bits = bitcast<u32>(x.x);
    let is_exact = f32_abs_bits(x.y) == 0u || (bits & 1u) == 1u;
    let is_above = ((bits ^ bitcast<u32>(x.y)) & F32_SIGN_BIT) == 0u;
    return bitcast<f32>(select(select(bits - 1u, bits + 1u, is_above), bits, is_exact));
}

// A constant, as an f32 and as the sum of two or three.
fn num_of(high: f32) -> Num {
    return vec2<f32>(high, 0.0);
}

fn num_of2(high: f32, low: f32) -> Num {
    return vec2<f32>(high, low);
}

fn num_of3(high: f32, middle: f32, low: f32) -> Num {
    return vec2<f32>(high, middle);
}

fn num_nan() -> Num {
    return vec2<f32>(f32_bits(F32_NAN_BITS), 0.0);
}

fn num_inf() -> Num {
    return vec2<f32>(f32_bits(F32_INF_BITS), 0.0);
}

// Two halves of 16 bits convert exactly.
fn num_from_int(x: i32) -> Num {
    return eft_quick_sum(f32(x >> 16u) * 65536.0, f32(x & 0xffff));
}

fn num_from_uint(x: u32) -> Num {
    return eft_quick_sum(f32(x >> 16u) * 65536.0, f32(x & 0xffffu));
}

fn num_from_bool(x: bool) -> Num {
    return vec2<f32>(select(0.0, 1.0, x), 0.0);
}

// Toward zero, saturating; NaN gives 0.
fn num_to_int(x: Num) -> i32 {
    let whole = num_trunc(x);
    let high = num_ge(whole, num_of(2147483648.0));
    let low = num_le(whole, num_of(-2147483648.0));
    let nan = num_is_nan(x);
    let inside = num_select(high || low || nan, num_of(0.0), whole);
    // The first part may be 2^31: half of it converts, and the sum wraps back.
    let half = floor(inside.x * 0.5);
    let value = i32(half) * 2 + i32(inside.x - half * 2.0) + i32(inside.y);
    let saturated = select(value, select(0x7fffffff, i32(-2147483648), low), high || low);
    return select(saturated, 0, nan);
}

// Toward zero, saturating; NaN gives 0.
fn num_to_uint(x: Num) -> u32 {
    let whole = num_trunc(x);
    let high = num_ge(whole, num_of(4294967296.0));
    let low = num_le(whole, num_of(0.0));
    let nan = num_is_nan(x);
    let inside = num_select(high || low || nan, num_of(0.0), whole);
    let half = floor(inside.x * 0.5);
    let value = u32(half) * 2u + u32(inside.x - half * 2.0) + u32(i32(inside.y));
    let saturated = select(value, select(0xffffffffu, 0u, low), high || low);
    return select(saturated, 0u, nan);
}

fn num_to_bool(x: Num) -> bool {
    return f32_abs_bits(x.x) != 0u;
}

fn num_is_nan(x: Num) -> bool {
    return f32_abs_bits(x.x) > F32_INF_BITS;
}

fn num_is_inf(x: Num) -> bool {
    return f32_abs_bits(x.x) == F32_INF_BITS;
}

fn num_is_finite(x: Num) -> bool {
    return f32_abs_bits(x.x) < F32_INF_BITS;
}

// Whether the sign bit is set, that of -0 too.
fn num_is_negative(x: Num) -> bool {
    return (bitcast<u32>(x.x) & F32_SIGN_BIT) != 0u;
}

// Subnormal numbers count: devices may flush them, and dividing by what is flushed would give NaN.
fn num_is_zero(x: Num) -> bool {
    return f32_abs_bits(x.x) < 0x00800000u;
}

fn num_eq(a: Num, b: Num) -> bool {
    return a.x == b.x && a.y == b.y && !num_is_nan(a) && !num_is_nan(b);
}

fn num_ne(a: Num, b: Num) -> bool {
    return !num_eq(a, b);
}

fn num_lt(a: Num, b: Num) -> bool {
    return (a.x < b.x || (a.x == b.x && a.y < b.y)) && !num_is_nan(a) && !num_is_nan(b);
}

fn num_le(a: Num, b: Num) -> bool {
    return (a.x < b.x || (a.x == b.x && a.y <= b.y)) && !num_is_nan(a) && !num_is_nan(b);
}

fn num_gt(a: Num, b: Num) -> bool {
    return num_lt(b, a);
}

fn num_ge(a: Num, b: Num) -> bool {
    return num_le(b, a);
}

fn num_select(condition: bool, if_true: Num, if_false: Num) -> Num {
    return select(if_false, if_true, condition);
}

fn num_neg(x: Num) -> Num {
    return bitcast<vec2<f32>>(bitcast<vec2<u32>>(x) ^ vec2<u32>(F32_SIGN_BIT));
}

// `x` with its sign flipped where the condition holds.
fn num_neg_if(x: Num, condition: bool) -> Num {
    return bitcast<vec2<f32>>(bitcast<vec2<u32>>(x) ^ vec2<u32>(select(0u, F32_SIGN_BIT, condition)));
}

fn num_add(a: Num, b: Num) -> Num {
    let high = eft_sum(a.x, b.x);
    let low = eft_sum(a.y, b.y);
    let once = eft_quick_sum(high.x, high.y + low.x);
    let sum = df64_join(once.x, low.y + once.y);
    // Near the largest numbers and beyond them the rest is none; -0 - 0 stays -0.
    let is_zero = f32_abs_bits(high.x) == 0u && f32_abs_bits(low.x) == 0u;
    return df64_or_bits(sum, bitcast<u32>(a.x + b.x), is_zero || f32_abs_bits(high.x) >= F32_INF_BITS);
}

fn num_sub(a: Num, b: Num) -> Num {
    return num_add(a, num_neg(b));
}

fn num_mul(a: Num, b: Num) -> Num {
    let high = eft_product(a.x, b.x);
    let product = df64_join(high.x, high.y + (a.x * b.y + a.y * b.x));
    let is_plain = f32_abs_bits(high.x) == 0u || f32_abs_bits(high.x) >= F32_INF_BITS;
    return df64_or_bits(product, bitcast<u32>(high.x), is_plain);
}

// The product of two singles, exactly.
fn num_mul_singles(a: f32, b: f32) -> Num {
    return eft_product(a, b);
}

// x * 2^k for -252 <= k <= 254.
fn num_scale(x: Num, k: i32) -> Num {
    let hi = f32_scale(x.x, k);
    return vec2<f32>(hi, select(f32_scale(x.y, k), 0.0, f32_abs_bits(hi) >= F32_INF_BITS));
}

// The k of a finite x with 2^k <= |x| < 2^(k + 1), by its nearest single; -126 for smaller numbers.
fn num_exponent(x: Num) -> i32 {
    return max(i32(f32_abs_bits(x.x) >> 23u), 1) - 127;
}

// a / b for finite a and b with magnitudes from 1/2 to 2, where no device loses digits: one digit of f32 after the other.
fn df64_div_normal(a: Num, b: Num) -> Num {
    let first = a.x / b.x;
    let rest = num_sub(a, num_mul(b, num_of(first)));
    let second = rest.x / b.x;
    let last = num_sub(rest, num_mul(b, num_of(second)));
    let third = last.x / b.x;
    let quotient = eft_quick_sum(first, second);
    return num_add(quotient, num_of(third));
}

fn num_div(a: Num, b: Num) -> Num {
    if num_is_zero(a) || num_is_zero(b) || !num_is_finite(a) || !num_is_finite(b) {
        return vec2<f32>(a.x / b.x, 0.0);
    }
    let a_exponent = num_exponent(a);
    let b_exponent = num_exponent(b);
    let quotient = df64_div_normal(num_scale(a, -a_exponent), num_scale(b, -b_exponent));
    return num_scale(quotient, a_exponent - b_exponent);
}

// One step of Newton's method doubles the digits of the device's root, whose own errors are two ulp at most.
fn num_sqrt(x: Num) -> Num {
    if num_is_zero(x) || !num_is_finite(x) || num_is_negative(x) {
        let is_own = num_is_zero(x) || num_is_nan(x) || !num_is_negative(x);
        return df64_or_bits(x, F32_NAN_BITS, !is_own);
    }
    // An even exponent leaves the root where the device computes it best.
    let half = num_exponent(x) >> 1u;
    let lifted = num_scale(x, -2 * half);
    let root = sqrt(lifted.x);
    let rest = num_sub(lifted, eft_product(root, root));
    let once = eft_quick_sum(root, rest.x / (2.0 * root));
    return num_scale(once, half);
}
