// The f32 number module, continued: hyperbolic functions, powers, error function and activations. See basics.wgsl.

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
