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

// The bits of positive infinity; anything above, without its sign, is NaN.
const F32_INF_BITS: u32 = 0x7f800000u;
const F32_NAN_BITS: u32 = 0x7fc00000u;
const F32_SIGN_BIT: u32 = 0x80000000u;

// The bits of |x|.
fn f32_abs_bits(x: f32) -> u32 {
    return bitcast<u32>(x) & 0x7fffffffu;
}

// `x`, or the number with these bits where the condition holds. Selecting integers keeps NaN out of float arithmetic.
fn f32_or_bits(x: f32, bits: u32, condition: bool) -> f32 {
    return bitcast<f32>(select(bitcast<u32>(x), bits, condition));
}

// `y`, or `x` itself where `x` is NaN.
fn f32_or_nan(y: f32, x: f32) -> f32 {
    return f32_or_bits(y, bitcast<u32>(x), f32_abs_bits(x) > F32_INF_BITS);
}

// The leading 12 bits of the significand. The product of two heads is exact, and x - head(x) is exact.
fn f32_head(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u);
}

// `x` without its last bit: a sum that went through here cannot be cancelled algebraically.
fn f32_trim(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) & 0xfffffffeu);
}

// 2^k for -126 <= k <= 127.
fn f32_pow2(k: i32) -> f32 {
    return bitcast<f32>(u32(k + 127) << 23u);
}

// x * 2^k for -252 <= k <= 254, rounded once also when the result is subnormal.
fn f32_scale(x: f32, k: i32) -> f32 {
    let half = k >> 1u;
    return x * f32_pow2(half) * f32_pow2(k - half);
}

// `x` limited to [low, high].
fn f32_limit(x: f32, low: f32, high: f32) -> f32 {
    let raised = select(x, low, x < low);
    return select(raised, high, raised > high);
}

// The magnitude of `x` with the sign of `sign`.
fn f32_with_sign(x: f32, sign: f32) -> f32 {
    return bitcast<f32>((bitcast<u32>(x) & 0x7fffffffu) | (bitcast<u32>(sign) & F32_SIGN_BIT));
}

// `x` with its sign flipped where `sign` is negative.
fn f32_flip_sign(x: f32, sign: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ (bitcast<u32>(sign) & F32_SIGN_BIT));
}

fn num_load(x: f32) -> Num {
    return x;
}

fn num_store(x: Num) -> f32 {
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

const F32_LOG2_E: f32 = 1.442695;
// ln 2 in two pieces; the first has 14 bits, so that its product with any exponent is exact.
const F32_LN2_HEAD: f32 = 0.69311523;
const F32_LN2_TAIL: f32 = 3.1946183e-05;

// hi + lo = k * ln 2 + r with |r| <= ln 2 / 2; gives r and k.
fn f32_exp_reduce(hi: f32, lo: f32) -> vec2<f32> {
    let k = round((hi + lo) * F32_LOG2_E);
    return vec2<f32>((hi - k * F32_LN2_HEAD) + (lo - k * F32_LN2_TAIL), k);
}

// factor * 2^bias * e^(hi + lo) for a small `lo`. The factor joins before the last rounding, which saves an error.
fn f32_exp_times(hi: f32, lo: f32, factor: f32, bias: i32) -> f32 {
    let reduced = f32_exp_reduce(f32_limit(hi, -150.0, 90.0), lo);
    let r = reduced.x;
    var p = 0.0013820775;
    p = p * r + 0.008369248;
    p = p * r + 0.04166828;
    p = p * r + 0.16666517;
    p = p * r + 0.49999994;
    let grown = r * r * p + r;
    return f32_scale(factor * grown + factor, i32(reduced.y) + bias);
}

// 2^(hi + lo) for -200 <= hi <= 200 and a small `lo`.
fn f32_exp2_sum(hi: f32, lo: f32) -> f32 {
    let k = round(hi + lo);
    let r = (hi - k) + lo;
    var p = 0.00015331966;
    p = p * r + 0.0013392963;
    p = p * r + 0.0096185;
    p = p * r + 0.055503562;
    p = p * r + 0.24022648;
    p = p * r + 0.6931472;
    return f32_or_bits(f32_scale(r * p + 1.0, i32(k)), F32_INF_BITS, k > 128.0);
}

fn num_exp(x: Num) -> Num {
    let y = f32_exp_times(x, 0.0, 1.0, 0);
    return f32_or_nan(f32_or_bits(y, F32_INF_BITS, x > 89.0), x);
}

fn num_exp2(x: Num) -> Num {
    return f32_or_nan(f32_exp2_sum(f32_limit(x, -160.0, 130.0), 0.0), x);
}

// e^x - 1, accurate near zero.
fn num_expm1(x: Num) -> Num {
    let reduced = f32_exp_reduce(f32_limit(x, -20.0, 90.0), 0.0);
    let r = reduced.x;
    var p = 0.00019766072;
    p = p * r + 0.0013933225;
    p = p * r + 0.008333542;
    p = p * r + 0.041666485;
    p = p * r + 0.16666666;
    p = p * r + 0.5;
    let grown = r * r * p + r;
    // e^x - 1 = 2^k * (grown + (1 - 2^-k)), where 2^-k no longer counts from k = 127 on.
    let k = i32(reduced.y);
    let inverse = bitcast<f32>(u32(select(127 - k, 0, k > 127)) << 23u);
    let y = f32_or_bits(f32_scale((1.0 - inverse) + grown, k), F32_INF_BITS, x > 89.0);
    return f32_or_bits(y, bitcast<u32>(x), abs(x) < 2.9e-8 || num_is_nan(x));
}

// The bits of sqrt(1/2).
const F32_SQRT_HALF_BITS: u32 = 0x3f3504f3u;
const F32_LOG2_E_HEAD: f32 = 1.4423828;
const F32_LOG2_E_TAIL: f32 = 0.0003122284;
const F32_LOG10_E: f32 = 0.4342945;
const F32_LOG10_E_HEAD: f32 = 0.4342041;
const F32_LOG10_E_TAIL: f32 = 9.038034e-05;
const F32_LOG10_2_HEAD: f32 = 0.3010254;
const F32_LOG10_2_TAIL: f32 = 4.605039e-06;

// The e and the 1 + f of a positive normal x = 2^e * (1 + f), with sqrt(1/2) <= 1 + f < sqrt(2).
fn f32_split_mantissa(x: f32) -> vec2<f32> {
    let offset = bitcast<u32>(x) - F32_SQRT_HALF_BITS;
    let mantissa = bitcast<f32>((offset & 0x007fffffu) + F32_SQRT_HALF_BITS);
    return vec2<f32>(f32(bitcast<i32>(offset) >> 23u), mantissa);
}

// The exponent e and the exact fraction f of a positive finite x = 2^e * (1 + f). A subnormal is its bits times 2^-149;
// going through the integer works even where subnormals are flushed.
fn f32_split_log(x: f32) -> vec2<f32> {
    let bits = bitcast<u32>(x);
    let subnormal = bits < 0x00800000u;
    let parts = f32_split_mantissa(f32_or_bits(x, bitcast<u32>(f32(bits)), subnormal));
    return vec2<f32>(select(parts.x, parts.x - 149.0, subnormal), parts.y - 1.0);
}

// ln(1 + f) - f for the reduced range.
fn f32_log_rest(f: f32) -> f32 {
    var p = -0.07633847;
    p = p * f + 0.12762944;
    p = p * f - 0.13160796;
    p = p * f + 0.14201534;
    p = p * f - 0.16623294;
    p = p * f + 0.20001242;
    p = p * f - 0.25000823;
    p = p * f + 0.3333333;
    return f * f * (f * p - 0.5);
}

// The value of a logarithm where x is not positive and finite.
fn f32_log_edges(x: f32, y: f32) -> f32 {
    let bits = bitcast<u32>(x);
    let zero = (bits & 0x7fffffffu) == 0u;
    let special = select(select(F32_NAN_BITS, F32_INF_BITS, bits == F32_INF_BITS), 0xff800000u, zero);
    return f32_or_bits(y, special, zero || bits >= F32_INF_BITS);
}

fn num_log(x: Num) -> Num {
    let parts = f32_split_log(x);
    let f = parts.y;
    let y = parts.x * F32_LN2_HEAD + (f + (f32_log_rest(f) + parts.x * F32_LN2_TAIL));
    return f32_log_edges(x, y);
}

fn num_log2(x: Num) -> Num {
    let parts = f32_split_log(x);
    let f = parts.y;
    let f_head = f32_head(f);
    let rest = (f - f_head) + f32_log_rest(f);
    let y = (parts.x + f_head * F32_LOG2_E_HEAD) + (f_head * F32_LOG2_E_TAIL + rest * F32_LOG2_E);
    return f32_log_edges(x, y);
}

fn num_log10(x: Num) -> Num {
    let parts = f32_split_log(x);
    let f = parts.y;
    let f_head = f32_head(f);
    let rest = (f - f_head) + f32_log_rest(f);
    let small = (f_head * F32_LOG10_E_TAIL + parts.x * F32_LOG10_2_TAIL) + rest * F32_LOG10_E;
    let y = (parts.x * F32_LOG10_2_HEAD + f_head * F32_LOG10_E_HEAD) + small;
    return f32_log_edges(x, y);
}

// ln(1 + x) + shift * ln 2 for finite x > -1, without the edge cases.
fn f32_log1p_shifted(x: f32, shift: f32) -> f32 {
    // The rounded sum only chooses the exponent. The fraction comes from x itself: 2^-e * x + (2^-e - 1).
    let parts = f32_split_mantissa(1.0 + x);
    let large = parts.x > 24.0;
    let unit = f32_pow2(select(-i32(parts.x), 0, large));
    let f = select(x * unit + (unit - 1.0), parts.y - 1.0, large);
    let exponent = parts.x + shift;
    return exponent * F32_LN2_HEAD + (f + (f32_log_rest(f) + exponent * F32_LN2_TAIL));
}

// ln(1 + x), accurate near zero.
fn num_log1p(x: Num) -> Num {
    let bits = bitcast<u32>(x);
    let y = f32_or_bits(f32_log1p_shifted(x, 0.0), 0xff800000u, bits == 0xbf800000u);
    let outside = f32_or_bits(y, F32_NAN_BITS, bits > 0xbf800000u);
    return f32_or_bits(outside, bits, abs(x) < 2.9e-8 || (bits >= F32_INF_BITS && bits < F32_SIGN_BIT));
}

// pi/2 in units of 2^-13 and 2^-37 quarter turns; the head has 12 bits.
const F32_PIO2_HEAD_13: f32 = 0.0001916885375976562;
const F32_PIO2_TAIL_13: f32 = 5.9060888e-08;
const F32_PIO2_37: f32 = 1.1429048e-11;

// a * b as 64 bits, the low word first.
fn f32_mul_wide(a: u32, b: u32) -> vec2<u32> {
    let a_low = a & 0xffffu;
    let a_high = a >> 16u;
    let b_low = b & 0xffffu;
    let b_high = b >> 16u;
    let low = a_low * b_low;
    let cross = a_high * b_low + (low >> 16u);
    let middle = a_low * b_high + (cross & 0xffffu);
    return vec2<u32>((middle << 16u) | (low & 0xffffu), a_high * b_high + (cross >> 16u) + (middle >> 16u));
}

// |x| * 2/pi modulo 4 as 64 bits of fixed point, two of them before the point, for |x| >= 1/2: the reduction of Payne
// and Hanek with the window of 2/pi that the exponent asks for. The high word comes first.
fn f32_turns(bits: u32) -> vec2<u32> {
    let exponent = bits >> 23u;
    let significand = (bits & 0x007fffffu) | 0x00800000u;
    // From 1 on the significand is doubled, so that the exponents 127..=254 ask for exactly 128 windows.
    let wide = exponent >= 127u;
    let factor = select(significand, significand << 1u, wide);
    let start = select(0u, exponent - 127u, wide);
    // The bits of 2/pi after 26 zeros, from the chosen word on.
    let by_two = (start & 64u) != 0u;
    let near = vec4<u32>(0x00000028u, 0xbe60db93u, 0x91054a7fu, 0x09d5f47du);
    let far = vec4<u32>(0x91054a7fu, 0x09d5f47du, 0x4d377036u, 0xd8a5664fu);
    let even = select(near, far, by_two);
    let odd = vec4<u32>(even.yzw, select(0x4d377036u, 0x10e4107fu, by_two));
    let words = select(even, odd, (start & 32u) != 0u);
    let shift = vec3<u32>(start & 31u);
    let window = (words.xyz << shift) | ((words.yzw >> vec3<u32>(1u)) >> (vec3<u32>(31u) - shift));
    let low = f32_mul_wide(factor, window.z);
    let middle = f32_mul_wide(factor, window.y);
    let sum = middle.x + low.y;
    let carry = select(0u, 1u, sum < middle.x);
    return vec2<u32>(factor * window.x + middle.y + carry, sum);
}

// |x| = quadrant * pi/2 + (hi + lo) with |hi| <= pi/4 and the quadrant modulo 4; gives hi, lo and the quadrant.
fn f32_angle(x: f32) -> vec3<f32> {
    let magnitude = abs(x);
    let turns = f32_turns(f32_abs_bits(x));
    // The nearest quarter turn, then the signed rest: 30 bits in the high word and 32 more in the low one.
    let quadrant = (turns.x + 0x20000000u) >> 30u;
    let signed_rest = turns.x - (quadrant << 30u);
    let sign = select(0u, 0xffffffffu, (signed_rest & F32_SIGN_BIT) != 0u);
    let rest = signed_rest ^ sign;
    let low = turns.y ^ sign;
    // Three pieces that convert exactly, in units of 2^-13, 2^-37 and 2^-61 quarter turns.
    let a = f32(rest >> 17u);
    let b = f32(((rest & 0x1ffffu) << 7u) | (low >> 25u));
    let c = f32((low >> 1u) & 0xffffffu);
    let main = a * F32_PIO2_HEAD_13;
    let small = a * F32_PIO2_TAIL_13 + (b + c * 5.9604645e-08) * F32_PIO2_37;
    let hi = f32_trim(main + small);
    let lo = (main - hi) + small;
    let flip = bitcast<f32>(sign & F32_SIGN_BIT);
    let reduced = vec3<f32>(f32_flip_sign(hi, flip), f32_flip_sign(lo, flip), f32(quadrant));
    return select(reduced, vec3<f32>(magnitude, 0.0, 0.0), magnitude < 0.7853982);
}

fn f32_sin_poly(hi: f32, lo: f32) -> f32 {
    let z = hi * hi;
    var p = -0.00019518285;
    p = p * z + 0.008332189;
    p = p * z - 0.16666655;
    return hi + (hi * z * p + lo);
}

fn f32_cos_poly(hi: f32, lo: f32) -> f32 {
    let z = hi * hi;
    var p = 2.4432564e-05;
    p = p * z - 0.0013887311;
    p = p * z + 0.041666646;
    return 1.0 + (z * z * p - (0.5 * z + hi * lo));
}

// The sine of a reduced angle, `quadrant` quarter turns ahead.
fn f32_sin_quadrant(angle: vec3<f32>, quadrant: u32) -> f32 {
    let odd = (quadrant & 1u) != 0u;
    let y = select(f32_sin_poly(angle.x, angle.y), f32_cos_poly(angle.x, angle.y), odd);
    return bitcast<f32>(bitcast<u32>(y) ^ ((quadrant & 2u) << 30u));
}

fn num_sin(x: Num) -> Num {
    let angle = f32_angle(x);
    let y = f32_flip_sign(f32_sin_quadrant(angle, u32(angle.z)), x);
    return f32_or_bits(y, F32_NAN_BITS, f32_abs_bits(x) >= F32_INF_BITS);
}

fn num_cos(x: Num) -> Num {
    let angle = f32_angle(x);
    let y = f32_sin_quadrant(angle, u32(angle.z) + 1u);
    return f32_or_bits(y, F32_NAN_BITS, f32_abs_bits(x) >= F32_INF_BITS);
}

fn num_tan(x: Num) -> Num {
    let angle = f32_angle(x);
    let z = angle.x * angle.x;
    var p = 0.004372303;
    p = p * z + 9.889193e-05;
    p = p * z + 0.010827066;
    p = p * z + 0.0212863;
    p = p * z + 0.054058906;
    p = p * z + 0.13332675;
    p = p * z + 0.3333335;
    let t = angle.x + (angle.x * z * p + angle.y * (1.0 + z));
    let odd = (u32(angle.z) & 1u) != 0u;
    let y = select(t, -1.0 / t, odd);
    return f32_or_bits(f32_flip_sign(y, x), F32_NAN_BITS, f32_abs_bits(x) >= F32_INF_BITS);
}

// pi and pi/2, each as the nearest f32 and the rest.
const F32_PI: f32 = 3.1415927;
const F32_PI_REST: f32 = -8.742278e-08;
const F32_PIO2: f32 = 1.5707964;
const F32_PIO2_REST: f32 = -4.371139e-08;

// asin(|x|) for |x| <= 1/2, and asin(sqrt((1 - |x|) / 2)) for |x| > 1/2; one polynomial serves both.
fn f32_asin_halves(x: f32) -> vec2<f32> {
    let magnitude = abs(x);
    let rest = (1.0 - magnitude) * 0.5;
    let z = select(rest, magnitude * magnitude, magnitude <= 0.5);
    var p = 0.042157013;
    p = p * z + 0.024185503;
    p = p * z + 0.04546902;
    p = p * z + 0.0749531;
    p = p * z + 0.16666752;
    let root = sqrt(select(rest, 0.0, rest <= 0.0));
    return vec2<f32>(magnitude + magnitude * z * p, root + root * z * p);
}

// NaN outside [-1, 1].
fn num_asin(x: Num) -> Num {
    let halves = f32_asin_halves(x);
    let y = select(F32_PIO2 - (2.0 * halves.y - F32_PIO2_REST), halves.x, abs(x) <= 0.5);
    return f32_or_bits(f32_with_sign(y, x), F32_NAN_BITS, f32_abs_bits(x) > 0x3f800000u);
}

// NaN outside [-1, 1].
fn num_acos(x: Num) -> Num {
    let halves = f32_asin_halves(x);
    let center = F32_PIO2 - (f32_flip_sign(halves.x, x) - F32_PIO2_REST);
    let side = select(2.0 * halves.y, F32_PI - (2.0 * halves.y - F32_PI_REST), x < 0.0);
    let y = select(side, center, abs(x) <= 0.5);
    return f32_or_bits(y, F32_NAN_BITS, f32_abs_bits(x) > 0x3f800000u);
}

// atan(t) for 0 <= t <= 1.
fn f32_atan_poly(t: f32) -> f32 {
    let z = t * t;
    var p = -0.0017870689;
    p = p * z + 0.010885485;
    p = p * z - 0.03112406;
    p = p * z + 0.057904202;
    p = p * z - 0.08400377;
    p = p * z + 0.10951155;
    p = p * z - 0.1426405;
    p = p * z + 0.19998531;
    p = p * z - 0.333333;
    return t + t * z * p;
}

fn num_atan(x: Num) -> Num {
    let magnitude = abs(x);
    let steep = magnitude > 1.0;
    let inverse = select(1.0 / magnitude, 0.0, f32_abs_bits(x) == F32_INF_BITS);
    let a = f32_atan_poly(select(magnitude, inverse, steep));
    return f32_or_nan(f32_with_sign(select(a, F32_PIO2 - (a - F32_PIO2_REST), steep), x), x);
}

// The angle of the point (x, y), in [-pi, pi], with the signed zeros and infinities of C99.
fn num_atan2(y: Num, x: Num) -> Num {
    let across = abs(y);
    let along = abs(x);
    let steep = f32_abs_bits(y) > f32_abs_bits(x);
    let low = select(across, along, steep);
    let high = select(along, across, steep);
    // The quotient is scaled away from the ends of the range: a divider may work through the reciprocal.
    let unit = select(select(1.0, 2.3283064e-10, high > 1.2676506e30), 4294967296.0, high < 7.888609e-31);
    var t = (low * unit) / (high * unit);
    t = select(t, 0.0, low == 0.0);
    t = select(t, select(0.0, 1.0, f32_abs_bits(low) == F32_INF_BITS), f32_abs_bits(high) == F32_INF_BITS);
    let a = f32_atan_poly(t);
    // What the angle counts from, and whether it counts backwards.
    let behind = (bitcast<u32>(x) & F32_SIGN_BIT) != 0u;
    let base = select(select(0.0, F32_PI, behind), F32_PIO2, steep);
    let base_rest = select(select(0.0, F32_PI_REST, behind), F32_PIO2_REST, steep);
    let signed_a = select(a, -a, steep != behind);
    let angle = f32_with_sign(base + (signed_a + base_rest), y);
    return f32_or_nan(f32_or_nan(angle, x), y);
}

// Above this, x + sqrt(x^2 +- 1) is 2x to the last bit.
const F32_DOUBLES: f32 = 16777216.0;

fn num_sinh(x: Num) -> Num {
    let magnitude = abs(x);
    let z = x * x;
    var p = 2.7822132e-06;
    p = p * z + 0.00019842896;
    p = p * z + 0.0083333105;
    p = p * z + 0.16666667;
    let near = magnitude + magnitude * z * p;
    let half = f32_exp_times(magnitude, 0.0, 1.0, -1);
    let far = f32_or_bits(half - 0.25 / half, F32_INF_BITS, magnitude > 89.5);
    return f32_or_nan(f32_with_sign(select(far, near, magnitude < 1.0), x), x);
}

fn num_cosh(x: Num) -> Num {
    let half = f32_exp_times(abs(x), 0.0, 1.0, -1);
    return f32_or_nan(f32_or_bits(half + 0.25 / half, F32_INF_BITS, abs(x) > 89.5), x);
}

fn num_tanh(x: Num) -> Num {
    let magnitude = abs(x);
    let z = x * x;
    var p = -0.005713842;
    p = p * z + 0.020647498;
    p = p * z - 0.05374252;
    p = p * z + 0.1333148;
    p = p * z - 0.33333284;
    let near = magnitude + magnitude * z * p;
    // From 10 on the result is 1.
    let growth = f32_exp_times(2.0 * select(magnitude, 10.0, magnitude > 10.0), 0.0, 1.0, 0);
    let far = 1.0 - 2.0 / (growth + 1.0);
    return f32_or_nan(f32_with_sign(select(far, near, magnitude < 0.62), x), x);
}

fn num_asinh(x: Num) -> Num {
    let magnitude = abs(x);
    let z = x * x;
    var p = -0.0132284;
    p = p * z + 0.028163496;
    p = p * z - 0.044383317;
    p = p * z + 0.07498642;
    p = p * z - 0.16666643;
    let near = magnitude + magnitude * z * p;
    // asinh x = log1p(x + x^2 / (1 + sqrt(1 + x^2))).
    let doubles = magnitude > F32_DOUBLES;
    let growth = select(magnitude + z / (1.0 + sqrt(z + 1.0)), magnitude, doubles);
    let far = f32_log1p_shifted(growth, select(0.0, 1.0, doubles));
    let y = f32_with_sign(select(far, near, magnitude < 0.5), x);
    return f32_or_bits(y, bitcast<u32>(x), f32_abs_bits(x) >= F32_INF_BITS);
}

// NaN below 1.
fn num_acosh(x: Num) -> Num {
    // acosh x = log1p(t + sqrt(t * (t + 2))) with the exact t = x - 1.
    let t = x - 1.0;
    let doubles = x > F32_DOUBLES;
    let growth = select(t + sqrt(t * (t + 2.0)), x, doubles);
    let y = f32_log1p_shifted(growth, select(0.0, 1.0, doubles));
    let bits = bitcast<u32>(x);
    return f32_or_bits(y, select(F32_NAN_BITS, bits, bits == F32_INF_BITS), bits < 0x3f800000u || bits >= F32_INF_BITS);
}

// NaN outside [-1, 1].
fn num_atanh(x: Num) -> Num {
    let magnitude = abs(x);
    let z = x * x;
    var p = 0.1763785;
    p = p * z + 0.05160436;
    p = p * z + 0.11816386;
    p = p * z + 0.14223786;
    p = p * z + 0.20002453;
    p = p * z + 0.33333302;
    let near = magnitude + magnitude * z * p;
    let far = 0.5 * f32_log1p_shifted((2.0 * magnitude) / (1.0 - magnitude), 0.0);
    let bits = f32_abs_bits(x);
    let y = f32_or_bits(select(far, near, magnitude < 0.5), F32_INF_BITS, bits == 0x3f800000u);
    return f32_or_bits(f32_with_sign(y, x), F32_NAN_BITS, bits > 0x3f800000u);
}

// 1/3, and 2 * log2(e), each with a head of 12 bits.
const F32_THIRD: f32 = 0.33333334;
const F32_THIRD_HEAD: f32 = 0.33325195;
const F32_THIRD_TAIL: f32 = 8.138021e-05;
const F32_TWO_LOG2_E: f32 = 2.88539;
const F32_TWO_LOG2_E_HEAD: f32 = 2.8847656;
const F32_TWO_LOG2_E_TAIL: f32 = 0.0006244568;

// log2 of a positive finite x as a head of 12 bits and a tail, good to about 2^-34 of its size.
fn f32_log2_extended(x: f32) -> vec2<f32> {
    let parts = f32_split_log(x);
    let exponent = parts.x;
    let f = parts.y;
    // s = f / (2 + f) in two pieces, the second from the exact remainder of the division.
    let d = 2.0 + f;
    let d_head = f32_head(d);
    let d_tail = (2.0 - d_head) + f;
    let s = f / d;
    let s_head = f32_head(s);
    let s_tail = ((f - s_head * d_head) - s_head * d_tail) / d;
    // atanh(s) = s * (1 + q), with q = s^2 / 3 + s^4 * (...) in two pieces as well.
    let z = s_head * s_head;
    let z_head = f32_head(z);
    let z_tail = (z - z_head) + s_tail * (s_head + s);
    let z_all = s * s;
    var p = 0.11709758;
    p = p * z_all + 0.14273547;
    p = p * z_all + 0.20000076;
    let q_main = z_head * F32_THIRD_HEAD;
    let q_rest = (z_head * F32_THIRD_TAIL + z_tail * F32_THIRD) + z_all * z_all * p;
    let q_head = f32_head(q_main + q_rest);
    let q_tail = (q_main - q_head) + q_rest;
    let product = s_head * q_head;
    let rest = s_tail + (s_head * q_tail + s_tail * q_head);
    let half_head = f32_head(s_head + (product + rest));
    let half_tail = ((s_head - half_head) + product) + rest;
    // ln(1 + f) = 2 * atanh(s); now to base 2, and the exponent on top.
    let main = half_head * F32_TWO_LOG2_E_HEAD;
    let small = half_head * F32_TWO_LOG2_E_TAIL + half_tail * F32_TWO_LOG2_E;
    let hi = f32_head(exponent + (main + small));
    return vec2<f32>(hi, ((exponent - hi) + main) + small);
}

// The sign of a power and its special cases.
fn f32_pow_edges(x: f32, y: f32, magnitude: f32) -> f32 {
    let exponent = abs(y);
    let base_bits = f32_abs_bits(x);
    let exponent_bits = f32_abs_bits(y);
    // From 2^23 on every exponent is whole, from 2^24 on even.
    let whole = exponent_bits >= 0x4b000000u || floor(exponent) == exponent;
    let odd = whole && exponent_bits < 0x4b800000u && floor(exponent * 0.5) != exponent * 0.5;
    let negative_x = (bitcast<u32>(x) & F32_SIGN_BIT) != 0u;
    let positive_y = (bitcast<u32>(y) & F32_SIGN_BIT) == 0u;
    let vanishes = (base_bits < 0x3f800000u) == positive_y;
    let extreme = base_bits == 0u || base_bits == F32_INF_BITS || exponent_bits == F32_INF_BITS;
    var p = select(bitcast<u32>(magnitude), select(F32_INF_BITS, 0u, vanishes), extreme);
    p = select(p, 0x3f800000u, base_bits == 0x3f800000u && exponent_bits == F32_INF_BITS);
    p = select(p, p | F32_SIGN_BIT, odd && negative_x);
    p = select(p, F32_NAN_BITS, negative_x && base_bits != 0u && !whole && base_bits != F32_INF_BITS);
    p = select(p, F32_NAN_BITS, base_bits > F32_INF_BITS || exponent_bits > F32_INF_BITS);
    p = select(p, 0x3f800000u, exponent_bits == 0u || bitcast<u32>(x) == 0x3f800000u);
    return bitcast<f32>(p);
}

// x^y with the special cases of C99.
fn num_pow(x: Num, y: Num) -> Num {
    let log = f32_log2_extended(abs(x));
    // y * log2(base) as an exact product of heads and the rest. Beyond 2^40 every power except that of 1 overflows or
    // vanishes, so a limited exponent decides the same.
    let limited = f32_limit(y, -1099511627776.0, 1099511627776.0);
    let y_head = f32_head(limited);
    let y_tail = limited - y_head;
    let hi = y_head * log.x;
    let lo = y_head * log.y + y_tail * (log.x + log.y);
    let magnitude = f32_exp2_sum(f32_limit(hi, -200.0, 200.0), select(lo, 0.0, abs(hi) > 200.0));
    return f32_pow_edges(x, y, magnitude);
}

fn num_cbrt(x: Num) -> Num {
    // A subnormal is its bits times 2^-149; with one more factor of two the scale 2^-150 has a cube root.
    // Near the ends of the range 2^-30 and 2^30 keep the cubes finite and normal.
    let bits = f32_abs_bits(x);
    let subnormal = bits < 0x00800000u;
    let small = bits < 0x10000000u;
    let large = bits >= 0x70000000u;
    let normal = abs(x) * select(select(1.0, 1073741824.0, small), 9.313226e-10, large);
    let magnitude = f32_or_bits(normal, bitcast<u32>(f32(bits) * 2.0), subnormal);
    // A third of the bit pattern is a third of the exponent: within 5 %.
    let guess = bitcast<f32>(bitcast<u32>(magnitude) / 3u + 709956137u);
    // One step of Halley to 13 bits; then one from a 12-bit head, whose square is exact.
    let cube = guess * guess * guess;
    let root_head = f32_head(guess * ((cube + 2.0 * magnitude) / (2.0 * cube + magnitude)));
    let quotient = magnitude / (root_head * root_head);
    let root = root_head + root_head * ((quotient - root_head) / (2.0 * root_head + quotient));
    let back = select(select(1.0, 0.0009765625, small), 8.881784e-16, subnormal);
    let y = root * select(back, 1024.0, large);
    return f32_or_bits(f32_with_sign(y, x), bitcast<u32>(x), bits == 0u || bits >= F32_INF_BITS);
}

// sqrt(x^2 + y^2) without overflow on the way; infinite if either side is, even beside NaN.
fn num_hypot(x: Num, y: Num) -> Num {
    let a = abs(x);
    let b = abs(y);
    let longer = select(b, a, a > b);
    let large = longer > 1.1529215e18;
    let small = longer < 9.094947e-13;
    // 2^-70 and 2^90 keep both squares inside the range and normal, with their inverses exact.
    let unit = select(select(1.0, 8.4703295e-22, large), 1.2379401e27, small);
    let back = select(select(1.0, 1.1805916e21, large), 8.077936e-28, small);
    let a_scaled = a * unit;
    let b_scaled = b * unit;
    let length = sqrt(a_scaled * a_scaled + b_scaled * b_scaled) * back;
    let infinite = f32_abs_bits(x) == F32_INF_BITS || f32_abs_bits(y) == F32_INF_BITS;
    return f32_or_bits(f32_or_nan(f32_or_nan(length, x), y), F32_INF_BITS, infinite);
}

// 1 / (x + shift) and its relative error, for a short `shift`. The error joins an exponent, where it is free; it covers
// both the sum and a division that is off by a few ulp.
fn f32_inverse_sum(x: f32, shift: f32) -> vec2<f32> {
    let sum = x + shift;
    let sum_head = f32_head(sum);
    let sum_tail = (shift - sum_head) + x;
    let inverse = 1.0 / sum;
    let inverse_head = f32_head(inverse);
    let inverse_tail = inverse - inverse_head;
    return vec2<f32>(inverse, ((1.0 - inverse_head * sum_head) - inverse_head * sum_tail) - inverse_tail * sum);
}

// erf(x) for |x| <= 1/2.
fn f32_erf_near(x: f32) -> f32 {
    let z = x * x;
    var p = 0.0047205808;
    p = p * z - 0.026758738;
    p = p * z + 0.112828545;
    p = p * z - 0.3761261;
    p = p * z + 0.12837917;
    // For tiny x the product alone would be subnormal.
    let tiny = abs(x) < 1e-30;
    let lifted = select(x, x * 16777216.0, tiny);
    let y = lifted + lifted * p;
    return select(y, y * 5.9604645e-08, tiny);
}

// erfc(x) for x >= 1/2: e^(-x^2), with the square in two pieces, times a factor that varies slowly.
fn f32_erfc_far(magnitude: f32) -> f32 {
    // From 11 on the result is zero.
    let x = select(magnitude, 11.0, magnitude > 11.0);
    let q = (x - 2.0) / (x + 2.0);
    var p = -0.000101756516;
    p = p * q - 0.0006413953;
    p = p * q + 0.00056732935;
    p = p * q + 0.004336539;
    p = p * q - 0.0040025655;
    p = p * q - 0.027107548;
    p = p * q + 0.08202458;
    p = p * q - 0.08301521;
    p = p * q - 0.046381902;
    p = p * q + 0.6384892;
    let inverse = f32_inverse_sum(x, 0.5);
    let x_head = f32_head(x);
    let square = x_head * x_head;
    let square_rest = (x - x_head) * (x + x_head);
    return f32_exp_times(-square, inverse.y - square_rest, p * inverse.x, 0);
}

fn num_erf(x: Num) -> Num {
    let magnitude = abs(x);
    let y = select(1.0 - f32_erfc_far(magnitude), f32_erf_near(magnitude), magnitude < 0.5);
    return f32_or_nan(f32_with_sign(y, x), x);
}

fn num_erfc(x: Num) -> Num {
    let tail = f32_erfc_far(abs(x));
    let outer = select(tail, 2.0 - tail, x < 0.0);
    return f32_or_nan(select(outer, 1.0 - f32_erf_near(x), abs(x) < 0.5), x);
}

// 1 / (1 + e^-x).
fn num_sigmoid(x: Num) -> Num {
    let decay = f32_exp_times(-abs(x), 0.0, 1.0, 0);
    return f32_or_nan(select(1.0, decay, x < 0.0) / (1.0 + decay), x);
}

// ln(1 + e^x).
fn num_softplus(x: Num) -> Num {
    let decay = f32_exp_times(-abs(x), 0.0, 1.0, 0);
    let grown = select(0.0, x, x > 0.0) + num_log1p(decay);
    return f32_or_bits(grown, bitcast<u32>(x), f32_abs_bits(x) > F32_INF_BITS || bitcast<u32>(x) == F32_INF_BITS);
}

// 2^-24; products with a tail are lifted by 2^24 while the tail alone would be subnormal.
const F32_UNLIFT: f32 = 5.9604645e-08;

// x * sigmoid(w) for the -|w| given as hi + lo, where w has the sign of x. At minus infinity the limit, -0.
fn f32_step_times(x: f32, hi: f32, lo: f32) -> f32 {
    let lifted = f32_exp_times(hi, lo, 1.0, 24);
    let limited = select(x, -200.0, x < -200.0);
    let weight = 1.0 + lifted * F32_UNLIFT;
    // x times the lifted exponential, with x as its factor.
    let falling = f32_exp_times(hi, lo, limited, 24) / weight * F32_UNLIFT;
    let y = select(x / weight, falling, x < 0.0);
    return f32_or_bits(y, bitcast<u32>(x), f32_abs_bits(x) > F32_INF_BITS || bitcast<u32>(x) == F32_INF_BITS);
}

// x * sigmoid(x).
fn num_silu(x: Num) -> Num {
    return f32_step_times(x, -abs(x), 0.0);
}

// 2^24 * erfc(u / sqrt(2)) / 2 for u >= 0.6, the lifted tail of the normal distribution.
fn f32_gelu_tail(magnitude: f32) -> f32 {
    // From 16 on the tail is zero.
    let u = select(magnitude, 16.0, magnitude > 16.0);
    let q = (u - 4.0) / (u + 4.0);
    var p = 0.0006619904;
    p = p * q - 0.00049920677;
    p = p * q - 0.00509869;
    p = p * q + 0.020070639;
    p = p * q - 0.039920434;
    p = p * q + 0.046526507;
    p = p * q - 0.017094586;
    p = p * q - 0.054104045;
    p = p * q + 0.44845054;
    let inverse = f32_inverse_sum(u, 0.75);
    let u_head = f32_head(u);
    let square = u_head * u_head;
    let square_rest = (u - u_head) * (u + u_head);
    return f32_exp_times(-0.5 * square, inverse.y - 0.5 * square_rest, p * inverse.x, 24);
}

// x / 2 * (1 + erf(x / sqrt(2))); at minus infinity the limit, -0.
fn num_gelu(x: Num) -> Num {
    // Near zero the normal distribution is an odd polynomial above 1/2.
    let z = x * x;
    var p = 0.00012169559;
    p = p * z - 0.0011969457;
    p = p * z + 0.009976695;
    p = p * z - 0.06649074;
    p = p * z + 0.3989423;
    let near = x * (0.5 + x * p);
    let tail = f32_gelu_tail(abs(x));
    let falling = select(x, -16.0, x < -16.0);
    let far = select(x * (1.0 - tail * F32_UNLIFT), falling * tail * F32_UNLIFT, x < 0.0);
    let y = select(far, near, abs(x) < 0.6);
    return f32_or_bits(y, bitcast<u32>(x), f32_abs_bits(x) > F32_INF_BITS || bitcast<u32>(x) == F32_INF_BITS);
}

// 2 * sqrt(2/pi), and the same times 0.044715, each with a head of 12 bits.
const F32_GELU_LINEAR_HEAD: f32 = 1.5957031;
const F32_GELU_LINEAR_TAIL: f32 = 6.59966e-05;
const F32_GELU_CUBIC: f32 = 0.071354814;
const F32_GELU_CUBIC_HEAD: f32 = 0.0713501;
const F32_GELU_CUBIC_TAIL: f32 = 4.7186163e-06;

// The tanh approximation of gelu, x / 2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3))); at minus infinity -0.
fn num_gelu_tanh(x: Num) -> Num {
    // It equals x * sigmoid(w) with w = x * (c1 + c3 * x^2), here for |x| and with w in two pieces.
    let u = select(abs(x), 16.0, abs(x) > 16.0);
    let u_head = f32_head(u);
    let u_tail = u - u_head;
    let square = u_head * u_head;
    let square_head = f32_head(square);
    let square_tail = (square - square_head) + u_tail * (u + u_head);
    let main = square_head * F32_GELU_CUBIC_HEAD;
    let rest = (square_head * F32_GELU_CUBIC_TAIL + F32_GELU_LINEAR_TAIL) + square_tail * F32_GELU_CUBIC;
    let slope_head = f32_head(F32_GELU_LINEAR_HEAD + (main + rest));
    let slope_tail = ((F32_GELU_LINEAR_HEAD - slope_head) + main) + rest;
    let w_rest = u_head * slope_tail + u_tail * (slope_head + slope_tail);
    return f32_step_times(x, -(u_head * slope_head), -w_rest);
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
