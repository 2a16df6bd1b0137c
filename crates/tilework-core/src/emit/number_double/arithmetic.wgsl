// Numbers of about twice the digits of f32, in terms of a module that defines Num: what is the same for df64 and f64.
//
// Such a module (`number_df64/`, `number_f64/`) has num_add, num_mul, num_div, num_sqrt, num_scale and num_exponent. Everything in
// `number_double/` is written with those, to the digits of f64 and with the special values of the f64 definitions. Series are
// summed from their far end: first in `Low`, as long as its digits suffice, then in `Num`. Constants are sums of up to three f32.

// a * b + c, rounded after each.
fn num_mul_add(a: Num, b: Num, c: Num) -> Num {
    return num_add(num_mul(a, b), c);
}

fn num_recip(x: Num) -> Num {
    return num_div(num_of(1.0), x);
}

fn num_abs(x: Num) -> Num {
    return num_neg_if(x, num_is_negative(x));
}

// The magnitude of `x` with the sign of `sign`.
fn num_copysign(x: Num, sign: Num) -> Num {
    return num_neg_if(x, num_is_negative(x) != num_is_negative(sign));
}

// `y`, or `x` itself where `x` is NaN.
fn num_or_nan(y: Num, x: Num) -> Num {
    return num_select(num_is_nan(x), x, y);
}

// -1, 0 or 1; NaN for NaN.
fn num_sign(x: Num) -> Num {
    let one = num_neg_if(num_of(1.0), num_is_negative(x));
    return num_select(num_is_zero(x) || num_is_nan(x), x, one);
}

// The smaller of the two; NaN if either is.
fn num_minimum(a: Num, b: Num) -> Num {
    return num_or_nan(num_or_nan(num_select(num_lt(a, b), a, b), b), a);
}

// The larger of the two; NaN if either is.
fn num_maximum(a: Num, b: Num) -> Num {
    return num_or_nan(num_or_nan(num_select(num_gt(a, b), a, b), b), a);
}

// 1 / sqrt(x).
fn num_rsqrt(x: Num) -> Num {
    return num_div(num_of(1.0), num_sqrt(x));
}

// x = m * 8^k with 1 <= |m| < 8 has the root of m times 2^k. A guess by bits, three steps in f32, two in Num.
fn num_cbrt(x: Num) -> Num {
    if num_is_zero(x) || !num_is_finite(x) {
        return x;
    }
    // Rounded down, also below zero; the offset is a multiple of 3.
    let k = (num_exponent(x) + 3000) / 3 - 1000;
    let m = num_abs(num_scale(x, -3 * k));
    let single = num_head(m);
    var guess = bitcast<f32>(bitcast<u32>(single) / 3u + 709921077u);
    for (var i = 0; i < 3; i = i + 1) {
        guess = guess - (guess * guess * guess - single) / (3.0 * guess * guess);
    }
    var root = num_of(guess);
    for (var i = 0; i < 2; i = i + 1) {
        let square = num_mul(root, root);
        let rest = num_sub(m, num_mul(square, root));
        root = num_add(root, num_div(rest, num_mul(square, num_of(3.0))));
    }
    return num_copysign(num_scale(root, k), x);
}

// sqrt(x^2 + y^2) without overflow; infinite where either is, whatever the other.
fn num_hypot(x: Num, y: Num) -> Num {
    if num_is_inf(x) || num_is_inf(y) {
        return num_inf();
    }
    let larger = num_maximum(num_abs(x), num_abs(y));
    if num_is_nan(larger) || num_is_zero(larger) {
        return larger;
    }
    let k = num_exponent(larger);
    let a = num_scale(x, -k);
    let b = num_scale(y, -k);
    return num_scale(num_sqrt(num_mul_add(a, a, num_mul(b, b))), k);
}
