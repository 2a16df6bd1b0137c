// The df64 number module, continued: whole numbers. See basics.wgsl for the rules.

// The next whole number below; a part that is whole leaves the decision to the other. The sign of zero stays.
fn num_floor(x: Num) -> Num {
    let high = f32_or_bits(floor(x.x), bitcast<u32>(x.x), f32_abs_bits(x.x) >= 0x4b000000u);
    let low = f32_or_bits(floor(x.y), bitcast<u32>(x.y), f32_abs_bits(x.y) >= 0x4b000000u);
    let both = df64_join(high, low);
    return select(vec2<f32>(high, 0.0), both, high == x.x && low != 0.0);
}

fn num_ceil(x: Num) -> Num {
    return num_neg(num_floor(num_neg(x)));
}

fn num_trunc(x: Num) -> Num {
    let whole = num_floor(vec2<f32>(abs(x.x), select(x.y, -x.y, num_is_negative(x))));
    return num_neg_if(whole, num_is_negative(x));
}

// To the nearest whole number, ties to even.
fn num_round(x: Num) -> Num {
    let below = num_floor(x);
    let rest = num_sub(x, below);
    let half = num_scale(below, -1);
    let is_odd = num_ne(num_floor(half), half);
    let is_up = num_gt(rest, num_of(0.5)) || (num_eq(rest, num_of(0.5)) && is_odd);
    let rounded = num_select(is_up, num_add(below, num_of(1.0)), below);
    // -0.3 becomes -0.
    let signed = df64_or_bits(rounded, bitcast<u32>(x.x) & F32_SIGN_BIT, num_is_zero(rounded));
    return num_select(num_is_finite(x), signed, x);
}

// x - floor(x); NaN for infinities.
fn num_fract(x: Num) -> Num {
    return num_select(num_is_finite(x), num_sub(x, num_floor(x)), num_nan());
}
