// The f32 number module, continued: exponentials and logarithms. See basics.wgsl for the rules.

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
