// Numbers of twice the digits of f32, continued: exponentials and logarithms. See arithmetic.wgsl for the rules.

fn double_ln2() -> Num {
    return num_of3(0.6931472, -1.9046542e-9, -8.783184e-17);
}

// A number as 2^k and what is left of it.
struct DoubleParts {
    rest: Num,
    k: i32,
}

// e^r - 1 for |r| <= 0.36, by its Taylor series.
fn double_expm1_series(r: Num) -> Num {
    let low = num_low(r);
    var p_low = Low(7.647163731819816e-13);
    p_low = p_low * low + 1.1470745597729725e-11;
    p_low = p_low * low + 1.6059043836821613e-10;
    p_low = p_low * low + 2.08767569878681e-09;
    p_low = p_low * low + 2.505210838544172e-08;
    p_low = p_low * low + 2.755731922398589e-07;
    p_low = p_low * low + 2.7557319223985893e-06;
    p_low = p_low * low + 2.48015873015873e-05;
    var p = num_from_low(p_low);
    var terms = array<vec3<f32>, 6>(
        vec3<f32>(0.0001984127, -2.7255969e-12, 5.438221e-20),
        vec3<f32>(0.0013888889, -3.3631094e-11, 1.4648776e-18),
        vec3<f32>(0.008333334, -4.346172e-10, 1.8503718e-18),
        vec3<f32>(0.041666668, -1.2417635e-9, 3.7007435e-17),
        vec3<f32>(0.16666667, -4.967054e-9, 1.4802974e-16),
        vec3<f32>(0.5, 0.0, 0.0),
    );
    for (var i = 0; i < 6; i = i + 1) {
        let term = terms[i];
        p = num_mul_add(p, r, num_of3(term.x, term.y, term.z));
    }
    return num_mul_add(num_mul(r, r), p, r);
}

// x + extra = k * ln 2 + r with |r| about ln 2 / 2; gives k and e^r - 1. `extra` is small, and |x| has an exponential at all.
fn double_exp_parts(x: Num, extra: Num) -> DoubleParts {
    let k = round(num_head(x) * 1.442695);
    // The first part of ln 2 has 14 bits, so that its product with k is exact and the difference keeps every digit of x.
    let once = num_sub(x, num_mul_singles(k, 0.69311523));
    let r = num_add(num_sub(once, num_mul(num_of(k), num_of3(3.1946183e-5, 1.646595e-12, -1.1458353e-20))), extra);
    return DoubleParts(double_expm1_series(r), i32(k));
}

// `x` limited to where an exponential is neither 0 nor infinite, and a little beyond.
fn double_exp_limit(x: Num) -> Num {
    let single = num_head(x);
    let low = num_of(NUM_EXP_LOWEST);
    let high = num_of(NUM_EXP_HIGHEST);
    return num_select(single < NUM_EXP_LOWEST, low, num_select(single > NUM_EXP_HIGHEST, high, x));
}

// 2^bias * e^(x + extra) for a small `extra`.
fn double_exp_sum(x: Num, extra: Num, bias: i32) -> Num {
    let parts = double_exp_parts(double_exp_limit(x), extra);
    return num_scale(num_add(num_of(1.0), parts.rest), parts.k + bias);
}

fn num_exp(x: Num) -> Num {
    return num_or_nan(double_exp_sum(x, num_of(0.0), 0), x);
}

fn num_exp2(x: Num) -> Num {
    let single = num_head(x);
    let low = num_of(1.5 * NUM_EXP_LOWEST);
    let high = num_of(1.5 * NUM_EXP_HIGHEST);
    let limited = num_select(single < 1.5 * NUM_EXP_LOWEST, low, num_select(single > 1.5 * NUM_EXP_HIGHEST, high, x));
    let k = round(num_head(limited));
    let grown = double_expm1_series(num_mul(num_sub(limited, num_of(k)), double_ln2()));
    return num_or_nan(num_scale(num_add(num_of(1.0), grown), i32(k)), x);
}

// e^x - 1, accurate near zero.
fn num_expm1(x: Num) -> Num {
    if abs(num_head(x)) < 0.35 {
        return num_select(num_is_zero(x), x, double_expm1_series(x));
    }
    let parts = double_exp_parts(double_exp_limit(x), num_of(0.0));
    // e^x - 1 = 2^k * (rest + (1 - 2^-k)); far below zero it is -1.
    let inverse = num_scale(num_of(1.0), -max(parts.k, -60));
    let grown = num_add(num_sub(num_of(1.0), inverse), parts.rest);
    let y = num_scale(grown, max(parts.k, -60));
    return num_or_nan(num_select(num_head(x) < -40.0, num_of(-1.0), y), x);
}

// ln((1 + s) / (1 - s)) = 2 atanh(s) for |s| <= 0.18, by its Taylor series.
fn double_log_series(s: Num) -> Num {
    let z = num_mul(s, s);
    let low = num_low(z);
    var p_low = Low(0.04);
    p_low = p_low * low + 0.043478260869565216;
    p_low = p_low * low + 0.047619047619047616;
    p_low = p_low * low + 0.05263157894736842;
    p_low = p_low * low + 0.058823529411764705;
    p_low = p_low * low + 0.06666666666666667;
    p_low = p_low * low + 0.07692307692307693;
    p_low = p_low * low + 0.09090909090909091;
    var p = num_from_low(p_low);
    var terms = array<vec3<f32>, 4>(
        vec3<f32>(0.11111111, -8.278423e-10, 6.1679057e-18),
        vec3<f32>(0.14285715, -6.386212e-9, 6.344132e-17),
        vec3<f32>(0.2, -2.9802323e-9, 4.440892e-17),
        vec3<f32>(0.33333334, -9.934108e-9, 2.9605948e-16),
    );
    for (var i = 0; i < 4; i = i + 1) {
        let term = terms[i];
        p = num_mul_add(p, z, num_of3(term.x, term.y, term.z));
    }
    return num_scale(num_mul_add(num_mul(s, z), p, s), 1);
}

// The k and the ln(m) of a positive finite x = 2^k * m with m from about sqrt(1/2) to sqrt(2).
fn double_log_parts(x: Num) -> DoubleParts {
    let k = num_exponent(x);
    let m = num_scale(x, -k);
    let is_upper = num_head(m) > 1.4142135;
    let near = num_select(is_upper, num_scale(m, -1), m);
    let one = num_of(1.0);
    let logarithm = double_log_series(num_div(num_sub(near, one), num_add(near, one)));
    return DoubleParts(logarithm, select(k, k + 1, is_upper));
}

// The value of a logarithm where x is not positive and finite.
fn double_log_edges(x: Num, y: Num) -> Num {
    let edge = num_select(num_is_zero(x), num_neg(num_inf()), num_select(num_is_negative(x), num_nan(), num_inf()));
    return num_or_nan(num_select(num_is_zero(x) || num_is_negative(x) || num_is_inf(x), edge, y), x);
}

fn num_log(x: Num) -> Num {
    let parts = double_log_parts(x);
    return double_log_edges(x, num_mul_add(num_of(f32(parts.k)), double_ln2(), parts.rest));
}

// Exact for powers of two.
fn num_log2(x: Num) -> Num {
    let parts = double_log_parts(x);
    return double_log_edges(x, num_mul_add(parts.rest, num_of3(1.442695, 1.925963e-8, -4.2373395e-16), num_of(f32(parts.k))));
}

fn num_log10(x: Num) -> Num {
    let parts = double_log_parts(x);
    let scaled = num_mul(num_of(f32(parts.k)), num_of3(0.30103, -1.4320989e-8, -5.8314877e-17));
    return double_log_edges(x, num_mul_add(parts.rest, num_of3(0.4342945, -1.010305e-8, -1.00039104e-16), scaled));
}

// ln(1 + x), accurate near zero.
fn num_log1p(x: Num) -> Num {
    let single = num_head(x);
    if single > -0.29 && single < 0.41 {
        let y = double_log_series(num_div(x, num_add(x, num_of(2.0))));
        return num_select(num_is_zero(x), x, y);
    }
    return num_log(num_add(x, num_of(1.0)));
}

// x^y with the special cases of C99. What the exponent of x contributes is exact in its leading part.
fn num_pow(x: Num, y: Num) -> Num {
    let one = num_of(1.0);
    if num_is_zero(y) || num_eq(x, one) {
        return one;
    }
    if num_is_nan(x) || num_is_nan(y) {
        return num_or_nan(x, y);
    }
    let is_whole = num_eq(num_trunc(y), y);
    let half = num_scale(y, -1);
    let is_odd = is_whole && num_is_finite(y) && num_ne(num_trunc(half), half);
    if num_is_negative(x) && num_is_finite(x) && !num_is_zero(x) && !is_whole {
        return num_nan();
    }
    let magnitude = num_abs(x);
    var power = one;
    if !num_eq(magnitude, one) {
        power = double_pow(magnitude, y);
    }
    return num_neg_if(power, num_is_negative(x) && is_odd);
}

// x^y for x >= 0 other than 1.
fn double_pow(x: Num, y: Num) -> Num {
    let rises = (num_lt(x, num_of(1.0))) == num_is_negative(y);
    let extreme = num_select(rises, num_inf(), num_of(0.0));
    if num_is_zero(x) || num_is_inf(x) || num_is_inf(y) {
        return extreme;
    }
    let parts = double_log_parts(x);
    let n = num_of(f32(parts.k));
    let estimate = num_head(y) * num_head(num_mul_add(n, double_ln2(), parts.rest));
    if estimate < NUM_EXP_LOWEST || estimate > NUM_EXP_HIGHEST {
        return extreme;
    }
    // y * k in a leading part without rounding and the rest; the whole turns of 2 leave before anything small is added.
    let y_head = num_of(num_head(y));
    let leading = num_mul(y_head, n);
    let trailing = num_mul(num_sub(y, y_head), n);
    let whole = num_round(leading);
    let fraction = num_add(num_sub(leading, whole), trailing);
    let r = num_mul_add(fraction, double_ln2(), num_mul(y, parts.rest));
    let grown = double_exp_parts(r, num_of(0.0));
    return num_scale(num_add(num_of(1.0), grown.rest), num_to_int(whole) + grown.k);
}
