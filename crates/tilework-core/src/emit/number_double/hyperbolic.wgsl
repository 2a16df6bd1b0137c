// Numbers of twice the digits of f32, continued: hyperbolic functions and their inverses. See arithmetic.wgsl for the rules.

// Beyond this the smaller of e^x and e^-x no longer counts.
const DOUBLE_ONE_SIDED: f32 = 22.0;

fn num_sinh(x: Num) -> Num {
    let magnitude = num_abs(x);
    if num_head(magnitude) > DOUBLE_ONE_SIDED {
        return num_copysign(double_exp_sum(magnitude, num_of(0.0), -1), x);
    }
    // (e - 1/e) / 2 in terms of e - 1, which keeps its digits near zero.
    let grown = num_expm1(magnitude);
    let sum = num_add(grown, num_div(grown, num_add(grown, num_of(1.0))));
    return num_or_nan(num_copysign(num_scale(sum, -1), x), x);
}

fn num_cosh(x: Num) -> Num {
    let magnitude = num_abs(x);
    if num_head(magnitude) > DOUBLE_ONE_SIDED {
        return double_exp_sum(magnitude, num_of(0.0), -1);
    }
    let grown = num_exp(magnitude);
    return num_or_nan(num_scale(num_add(grown, num_recip(grown)), -1), x);
}

fn num_tanh(x: Num) -> Num {
    let magnitude = num_abs(x);
    if num_head(magnitude) > DOUBLE_ONE_SIDED {
        return num_copysign(num_of(1.0), x);
    }
    let grown = num_expm1(num_scale(magnitude, 1));
    return num_or_nan(num_copysign(num_div(grown, num_add(grown, num_of(2.0))), x), x);
}

// From here on the square of a number hides a one.
const DOUBLE_LARGE: f32 = 2.68435456e8;

fn num_asinh(x: Num) -> Num {
    let magnitude = num_abs(x);
    if num_head(magnitude) > DOUBLE_LARGE {
        return num_copysign(num_add(num_log(magnitude), double_ln2()), x);
    }
    let one = num_of(1.0);
    let square = num_mul(magnitude, magnitude);
    let rest = num_div(square, num_add(num_sqrt(num_add(square, one)), one));
    return num_copysign(num_log1p(num_add(magnitude, rest)), x);
}

// NaN below 1.
fn num_acosh(x: Num) -> Num {
    if num_head(x) > DOUBLE_LARGE {
        return num_add(num_log(x), double_ln2());
    }
    let above = num_sub(x, num_of(1.0));
    let root = num_sqrt(num_mul(above, num_add(x, num_of(1.0))));
    return num_select(num_lt(x, num_of(1.0)), num_nan(), num_log1p(num_add(above, root)));
}

// NaN outside [-1, 1], infinite at its ends.
fn num_atanh(x: Num) -> Num {
    let magnitude = num_abs(x);
    let one = num_of(1.0);
    if num_eq(magnitude, one) {
        return num_copysign(num_inf(), x);
    }
    let ratio = num_div(num_scale(magnitude, 1), num_sub(one, magnitude));
    return num_select(num_gt(magnitude, one), num_nan(), num_copysign(num_scale(num_log1p(ratio), -1), x));
}
