// Numbers of twice the digits of f32, continued: the error function and activations. See arithmetic.wgsl for the rules.

// erf(x) for |x| <= 3/4: x times a polynomial of x^2 through the Chebyshev nodes.
fn double_erf_near(x: Num) -> Num {
    let z = num_mul(x, x);
    let low = num_low(z);
    var p_low = Low(7.272272607932984e-11);
    p_low = p_low * low - 1.1958260314139839e-09;
    p_low = p_low * low + 1.4776603534204896e-08;
    p_low = p_low * low - 1.6364011649216931e-07;
    p_low = p_low * low + 1.646203988432755e-06;
    p_low = p_low * low - 1.4925648275827883e-05;
    var p = num_from_low(p_low);
    var terms = array<vec3<f32>, 7>(
        vec3<f32>(0.000120553326, 3.1496414e-12, -1.03017326e-19),
        vec3<f32>(-0.0008548327, 2.255481e-14, 4.3666624e-22),
        vec3<f32>(0.005223978, -2.197242e-10, -2.648953e-18),
        vec3<f32>(-0.026866172, 8.6389645e-10, -1.6936023e-17),
        vec3<f32>(0.11283792, -1.39319e-9, 1.842146e-17),
        vec3<f32>(-0.37612638, -1.0257194e-8, -3.751328e-16),
        vec3<f32>(1.1283792, -5.8635383e-8, -6.5079844e-16),
    );
    for (var i = 0; i < 7; i = i + 1) {
        let term = terms[i];
        p = num_mul_add(p, z, num_of3(term.x, term.y, term.z));
    }
    return num_mul(x, p);
}

// erfc(x) for 3/4 <= x <= 27.5. As Shepherd and Laframboise (1981) do: (1 + 2x) e^(x^2) erfc(x) is smooth, here a polynomial
// of t = (x - 4) / (x + 4) through the Chebyshev nodes.
fn double_erfc_far(x: Num) -> Num {
    let t = num_div(num_sub(x, num_of(4.0)), num_add(x, num_of(4.0)));
    let low = num_low(t);
    var p_low = Low(-1.9343154965564292e-08);
    p_low = p_low * low + 7.965334082634639e-08;
    p_low = p_low * low + 8.399559723613153e-08;
    p_low = p_low * low - 7.947306321892627e-07;
    p_low = p_low * low + 2.8235709692774264e-07;
    p_low = p_low * low + 5.691904610931307e-06;
    var p = num_from_low(p_low);
    var terms = array<vec3<f32>, 15>(
        vec3<f32>(-1.1215078e-5, 2.3959375e-13, -6.4098557e-21),
        vec3<f32>(-2.4392775e-5, 7.1120047e-13, 5.579761e-21),
        vec3<f32>(0.00015061922, 3.138859e-13, -2.1911526e-21),
        vec3<f32>(-0.00019925818, 4.0335825e-12, -1.5140546e-19),
        vec3<f32>(-0.00075777277, 5.131277e-12, -8.826374e-20),
        vec3<f32>(0.0050319703, -1.3578318e-10, 2.6348924e-18),
        vec3<f32>(-0.016197734, -5.449725e-10, -2.2279178e-17),
        vec3<f32>(0.037167516, -8.720954e-11, 1.3985498e-18),
        vec3<f32>(-0.066330366, 2.944577e-11, -2.504896e-19),
        vec3<f32>(0.093732834, 1.1369709e-9, 3.8564662e-17),
        vec3<f32>(-0.10103907, 8.742509e-10, 5.210017e-18),
        vec3<f32>(0.068097055, -7.036717e-10, 2.2776418e-17),
        vec3<f32>(0.015379652, -2.7832084e-10, 5.8581556e-18),
        vec3<f32>(-0.13962112, 6.830969e-9, 1.7887288e-16),
        vec3<f32>(1.2329952, -3.3847897e-8, -2.7404332e-16),
    );
    for (var i = 0; i < 15; i = i + 1) {
        let term = terms[i];
        p = num_mul_add(p, t, num_of3(term.x, term.y, term.z));
    }
    // x^2 as the square of its leading 12 bits, which is exact, and the rest.
    let head = f32_head(num_head(x));
    let tail = num_sub(x, num_of(head));
    let rest = num_mul(tail, num_add(x, num_of(head)));
    let decay = double_exp_sum(num_of(-(head * head)), num_neg(rest), 0);
    return num_div(num_mul(decay, p), num_add(num_of(1.0), num_scale(x, 1)));
}

fn num_erf(x: Num) -> Num {
    let single = abs(num_head(x));
    if single <= 0.75 {
        return num_select(num_is_zero(x), x, double_erf_near(x));
    }
    if !(single < 6.5) {
        return num_or_nan(num_copysign(num_of(1.0), x), x);
    }
    return num_copysign(num_sub(num_of(1.0), double_erfc_far(num_abs(x))), x);
}

fn num_erfc(x: Num) -> Num {
    let single = num_head(x);
    if abs(single) <= 0.75 {
        return num_sub(num_of(1.0), double_erf_near(x));
    }
    if !(abs(single) < 27.5) {
        return num_or_nan(num_of(select(0.0, 2.0, single < 0.0)), x);
    }
    let far = double_erfc_far(num_abs(x));
    return num_select(single < 0.0, num_sub(num_of(2.0), far), far);
}

// 1 / (1 + e^-x), without overflow in either direction.
fn num_sigmoid(x: Num) -> Num {
    let decay = num_exp(num_neg(num_abs(x)));
    let top = num_select(num_is_negative(x), decay, num_of(1.0));
    return num_div(top, num_add(num_of(1.0), decay));
}

// ln(1 + e^x).
fn num_softplus(x: Num) -> Num {
    let decay = num_exp(num_neg(num_abs(x)));
    return num_add(num_maximum(x, num_of(0.0)), num_log1p(decay));
}

// x * factor, or the limit -0 at minus infinity.
fn double_times(x: Num, factor: Num) -> Num {
    let is_end = num_is_inf(x) && num_is_negative(x);
    return num_select(is_end, num_neg(num_of(0.0)), num_mul(x, factor));
}

// x * sigmoid(x).
fn num_silu(x: Num) -> Num {
    return double_times(x, num_sigmoid(x));
}

// x / 2 * (1 + erf(x / sqrt(2))).
fn num_gelu(x: Num) -> Num {
    let tail = num_erfc(num_mul(x, num_of3(-0.70710677, -1.21016175e-8, 3.8140337e-16)));
    return double_times(x, num_scale(tail, -1));
}

// x / 2 * (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) = x * sigmoid(2 sqrt(2/pi) (x + 0.044715 x^3)).
fn num_gelu_tanh(x: Num) -> Num {
    // Far out the sigmoid is 0 or 1, and a cube would overflow.
    let single = num_head(x);
    let u = num_select(abs(single) > 100.0, num_copysign(num_of(100.0), x), x);
    let cubic = num_mul_add(num_mul(u, u), num_of3(0.044715, 1.5461444e-9, 5.076828e-17), num_of(1.0));
    return double_times(x, num_sigmoid(num_mul(num_mul(u, cubic), num_of3(1.5957692, -4.534068e-8, 1.2235151e-16))));
}
