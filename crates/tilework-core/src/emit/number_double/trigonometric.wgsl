// Numbers of twice the digits of f32, continued: trigonometry and its inverses. See arithmetic.wgsl for the rules.

fn double_pio2() -> Num {
    return num_of3(1.5707964, -4.371139e-8, -1.7151245e-15);
}

fn double_pi() -> Num {
    return num_of3(3.1415927, -8.742278e-8, -3.430249e-15);
}

// x as `k` quarter turns, modulo 4, and an angle of about pi/4 at most. Every round takes a multiple of pi/2 with 24 bits away:
// pi/2 is a sum of two f32, whose products with it are exact, and a rest of another 48 bits. One round is right up to 2^24, three
// lose no digit of f64 up to 2^50. Beyond 2^60, where neighbors of f64 are many turns apart, the angle counts as 0.
fn double_angle(x: Num) -> DoubleParts {
    var rest = x;
    // Kept apart until the end, so that nothing large rounds it.
    var tail = num_of(0.0);
    var quadrant = 0;
    if !(abs(num_head(x)) < 1.0e18) {
        rest = num_of(0.0);
    }
    for (var i = 0; i < 4 && abs(num_head(rest)) > 0.7853983; i = i + 1) {
        let k = round(num_head(rest) * 0.63661975);
        rest = num_sub(rest, num_mul_singles(k, 1.5707964));
        rest = num_sub(rest, num_mul_singles(k, -4.371139e-8));
        tail = num_sub(tail, num_mul(num_of(k), num_of3(-1.7151245e-15, 1.0562999e-23, 8.4784276e-32)));
        // From 2^26 on every f32 is a multiple of 4.
        quadrant = quadrant + select(0, i32(k), abs(k) < 67108864.0);
    }
    return DoubleParts(num_add(rest, tail), quadrant & 3);
}

// sin(r) for |r| <= 0.8, by its Taylor series.
fn double_sin_series(r: Num) -> Num {
    let z = num_mul(r, r);
    let low = num_low(z);
    var p_low = Low(-8.22063524662433e-18);
    p_low = p_low * low + 2.8114572543455206e-15;
    p_low = p_low * low - 7.647163731819816e-13;
    p_low = p_low * low + 1.6059043836821613e-10;
    p_low = p_low * low - 2.505210838544172e-08;
    var p = num_from_low(p_low);
    var terms = array<vec3<f32>, 4>(
        vec3<f32>(2.7557319e-6, 3.7935712e-14, 1.5082265e-21),
        vec3<f32>(-0.0001984127, 2.7255969e-12, -5.438221e-20),
        vec3<f32>(0.008333334, -4.346172e-10, 1.8503718e-18),
        vec3<f32>(-0.16666667, 4.967054e-9, -1.4802974e-16),
    );
    for (var i = 0; i < 4; i = i + 1) {
        let term = terms[i];
        p = num_mul_add(p, z, num_of3(term.x, term.y, term.z));
    }
    return num_mul_add(num_mul(r, z), p, r);
}

// cos(r) for |r| <= 0.8, by its Taylor series.
fn double_cos_series(r: Num) -> Num {
    let z = num_mul(r, r);
    let low = num_low(z);
    var p_low = Low(4.110317623312165e-19);
    p_low = p_low * low - 1.5619206968586225e-16;
    p_low = p_low * low + 4.779477332387385e-14;
    p_low = p_low * low - 1.1470745597729725e-11;
    p_low = p_low * low + 2.08767569878681e-09;
    var p = num_from_low(p_low);
    var terms = array<vec3<f32>, 4>(
        vec3<f32>(-2.755732e-7, 7.575112e-15, 1.8799053e-22),
        vec3<f32>(2.4801588e-5, -3.406996e-13, 6.797776e-21),
        vec3<f32>(-0.0013888889, 3.3631094e-11, -1.4648776e-18),
        vec3<f32>(0.041666668, -1.2417635e-9, 3.7007435e-17),
    );
    for (var i = 0; i < 4; i = i + 1) {
        let term = terms[i];
        p = num_mul_add(p, z, num_of3(term.x, term.y, term.z));
    }
    let even = num_mul_add(p, z, num_of(-0.5));
    return num_mul_add(even, z, num_of(1.0));
}

fn num_sin(x: Num) -> Num {
    let angle = double_angle(x);
    var y = num_of(0.0);
    if (angle.k & 1) == 0 {
        y = double_sin_series(angle.rest);
    } else {
        y = double_cos_series(angle.rest);
    }
    let signed = num_neg_if(y, (angle.k & 2) != 0);
    return num_select(num_is_finite(x), num_select(num_is_zero(x), x, signed), num_nan());
}

fn num_cos(x: Num) -> Num {
    let angle = double_angle(x);
    var y = num_of(0.0);
    if (angle.k & 1) == 0 {
        y = double_cos_series(angle.rest);
    } else {
        y = double_sin_series(angle.rest);
    }
    let signed = num_neg_if(y, angle.k == 1 || angle.k == 2);
    return num_select(num_is_finite(x), signed, num_nan());
}

fn num_tan(x: Num) -> Num {
    let angle = double_angle(x);
    let sine = double_sin_series(angle.rest);
    let cosine = double_cos_series(angle.rest);
    let is_odd = (angle.k & 1) != 0;
    let y = num_div(num_select(is_odd, num_neg(cosine), sine), num_select(is_odd, sine, cosine));
    return num_select(num_is_finite(x), num_select(num_is_zero(x), x, y), num_nan());
}

// atan(n / 8).
fn double_atan_eighths(n: i32) -> Num {
    switch n {
        case 0: { return num_of(0.0); }
        case 1: { return num_of3(0.124354996, -1.2403822e-9, -3.08809e-17); }
        case 2: { return num_of3(0.24497867, -3.1786778e-9, -7.256797e-17); }
        case 3: { return num_of3(0.35877067, 1.7639499e-9, 3.0887334e-17); }
        case 4: { return num_of3(0.4636476, 5.0121587e-9, -3.2812372e-17); }
        case 5: { return num_of3(0.5585993, 2.2111598e-8, 4.3863358e-16); }
        case 6: { return num_of3(0.6435011, 5.8689373e-9, 1.268571e-16); }
        case 7: { return num_of3(0.71883, 1.01883355e-8, 4.226108e-16); }
        default: { return num_of3(0.7853982, -2.1855694e-8, -8.5756226e-16); }
    }
}

// atan(low / high) for 0 <= low <= high, high finite and not zero. The nearest eighth c leaves atan((low - c*high) / (high + c*low)),
// an argument of at most 1/16.
fn double_atan_ratio(low: Num, high: Num) -> Num {
    let k = num_exponent(high);
    let y = num_scale(low, -k);
    let x = num_scale(high, -k);
    let n = round(num_head(y) / num_head(x) * 8.0);
    let c = num_of(n * 0.125);
    let t = num_div(num_sub(y, num_mul(c, x)), num_mul_add(c, y, x));
    let z = num_mul(t, t);
    return num_add(double_atan_eighths(i32(n)), double_atan_series(t, z));
}

// atan(t) for |t| <= 1/16, by its Taylor series.
fn double_atan_series(t: Num, z: Num) -> Num {
    let low = num_low(z);
    var p_low = Low(0.058823529411764705);
    p_low = p_low * low - 0.06666666666666667;
    p_low = p_low * low + 0.07692307692307693;
    p_low = p_low * low - 0.09090909090909091;
    p_low = p_low * low + 0.1111111111111111;
    p_low = p_low * low - 0.14285714285714285;
    var p = num_from_low(p_low);
    var terms = array<vec3<f32>, 2>(
        vec3<f32>(0.2, -2.9802323e-9, 4.440892e-17),
        vec3<f32>(-0.33333334, 9.934108e-9, -2.9605948e-16),
    );
    for (var i = 0; i < 2; i = i + 1) {
        let term = terms[i];
        p = num_mul_add(p, z, num_of3(term.x, term.y, term.z));
    }
    return num_mul_add(num_mul(t, z), p, t);
}

fn num_atan(x: Num) -> Num {
    return num_atan2(x, num_of(1.0));
}

// The angle of the point (x, y), in [-pi, pi], with the signed zeros and infinities of C99.
fn num_atan2(y: Num, x: Num) -> Num {
    if num_is_nan(x) || num_is_nan(y) {
        return num_or_nan(x, y);
    }
    // Infinities are directions: 1 against 0, or 1 against 1.
    let any_infinite = num_is_inf(x) || num_is_inf(y);
    let along = num_select(any_infinite, num_from_bool(num_is_inf(x)), num_abs(x));
    let across = num_select(any_infinite, num_from_bool(num_is_inf(y)), num_abs(y));
    let steep = num_gt(across, along);
    let low = num_select(steep, along, across);
    let high = num_select(steep, across, along);
    var angle = num_of(0.0);
    if !num_is_zero(low) {
        angle = double_atan_ratio(low, high);
    }
    let first = num_select(steep, num_sub(double_pio2(), angle), angle);
    let half = num_select(num_is_negative(x), num_sub(double_pi(), first), first);
    return num_neg_if(half, num_is_negative(y));
}

// The sine that belongs to the cosine x, sqrt((1 - x) (1 + x)); NaN outside [-1, 1].
fn double_other_side(x: Num) -> Num {
    let one = num_of(1.0);
    return num_sqrt(num_mul(num_sub(one, x), num_add(one, x)));
}

// NaN outside [-1, 1].
fn num_asin(x: Num) -> Num {
    return num_atan2(x, double_other_side(x));
}

// NaN outside [-1, 1].
fn num_acos(x: Num) -> Num {
    return num_atan2(double_other_side(x), x);
}
