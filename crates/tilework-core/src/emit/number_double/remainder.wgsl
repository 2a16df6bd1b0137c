// Numbers of twice the digits of f32, continued: remainders. See arithmetic.wgsl for the rules.

// |a| modulo |b| for finite a and finite nonzero b, by long division. Twelve bits of the quotient at a time keep every product exact:
// as long as the quotient has no more, only the last difference rounds, to the last digit of b. Beyond that the result loses what
// the difference of the exponents says.
fn double_remainder(a: Num, b: Num) -> Num {
    let divisor = num_abs(b);
    let exponent = num_exponent(divisor);
    // Between 1 and 2, in two parts of at most 29 bits.
    let normal = num_scale(divisor, -exponent);
    let lead = num_head(normal);
    let normal_head = num_of(lead);
    let normal_tail = num_sub(normal, normal_head);
    var rest = num_abs(a);
    for (var i = 0; i < 200 && num_ge(rest, divisor); i = i + 1) {
        let distance = max(num_exponent(rest) - exponent, 0);
        let skipped = max(distance - 10, 0);
        let scaled = num_scale(rest, -exponent - skipped);
        // Never too large, but perhaps by one too small, and at least 1.
        let digits = num_of(max(floor(num_head(scaled) / lead * 0.9999998), 1.0));
        let less = num_sub(scaled, num_mul(normal_head, digits));
        let left = num_sub(less, num_mul(normal_tail, digits));
        rest = num_abs(num_scale(left, exponent + skipped));
    }
    return rest;
}

// The floored modulo of Python and NumPy: the sign of the divisor, NaN for a zero divisor.
fn num_rem(a: Num, b: Num) -> Num {
    if num_is_nan(a) || num_is_nan(b) || num_is_inf(a) || num_is_zero(b) {
        return num_or_nan(num_nan(), a);
    }
    let opposite = num_is_negative(a) != num_is_negative(b);
    if num_is_inf(b) {
        return num_select(opposite && !num_is_zero(a), b, num_copysign(a, b));
    }
    let rest = double_remainder(a, b);
    let missing = num_sub(num_abs(b), rest);
    return num_copysign(num_select(opposite && !num_is_zero(rest), missing, rest), b);
}

// The floor of the exact quotient, as NumPy's floor_divide: consistent with `num_rem`.
fn num_floor_div(a: Num, b: Num) -> Num {
    if num_is_zero(b) || num_is_nan(a) || num_is_nan(b) {
        return num_div(a, b);
    }
    if num_is_inf(a) {
        return num_nan();
    }
    let opposite = num_is_negative(a) != num_is_negative(b);
    let zero = num_neg_if(num_of(0.0), opposite);
    if num_is_inf(b) {
        return num_select(opposite && !num_is_zero(a), num_of(-1.0), zero);
    }
    // Without the remainder the quotient is whole up to its own rounding.
    let quotient = num_round(num_div(num_sub(a, num_rem(a, b)), b));
    return num_select(num_is_zero(quotient), zero, quotient);
}
