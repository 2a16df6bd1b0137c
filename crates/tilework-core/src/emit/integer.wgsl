// Integers and truth values: what the scalar table means for i32, u32 and bool.
// Sums and products wrap. Division by zero gives 0 and rounds towards minus infinity, as in NumPy.

fn int_add(a: i32, b: i32) -> i32 { return a + b; }
fn int_sub(a: i32, b: i32) -> i32 { return a - b; }
fn int_mul(a: i32, b: i32) -> i32 { return a * b; }
fn int_neg(x: i32) -> i32 { return -x; }
fn int_abs(x: i32) -> i32 { return abs(x); }
fn int_sign(x: i32) -> i32 { return sign(x); }
fn int_minimum(a: i32, b: i32) -> i32 { return min(a, b); }
fn int_maximum(a: i32, b: i32) -> i32 { return max(a, b); }
// The quotient of -2147483648 and -1 wraps to itself, so negate instead of dividing.
fn int_floor_div(a: i32, b: i32) -> i32 {
    if b == 0 { return 0; }
    if b == -1 { return -a; }
    let quotient = a / b;
    let remainder = a - quotient * b;
    return select(quotient, quotient - 1, remainder != 0 && (remainder < 0) != (b < 0));
}
fn int_rem(a: i32, b: i32) -> i32 {
    if b == 0 || b == -1 { return 0; }
    let remainder = a - (a / b) * b;
    return select(remainder, remainder + b, remainder != 0 && (remainder < 0) != (b < 0));
}
fn int_eq(a: i32, b: i32) -> bool { return a == b; }
fn int_ne(a: i32, b: i32) -> bool { return a != b; }
fn int_lt(a: i32, b: i32) -> bool { return a < b; }
fn int_le(a: i32, b: i32) -> bool { return a <= b; }
fn int_gt(a: i32, b: i32) -> bool { return a > b; }
fn int_ge(a: i32, b: i32) -> bool { return a >= b; }
fn int_bit_and(a: i32, b: i32) -> i32 { return a & b; }
fn int_bit_or(a: i32, b: i32) -> i32 { return a | b; }
fn int_bit_xor(a: i32, b: i32) -> i32 { return a ^ b; }
fn int_bit_not(x: i32) -> i32 { return ~x; }
// WGSL takes the shift modulo 32; a shift by 32 or more (or by a negative number) empties the word.
fn int_shift_left(a: i32, b: i32) -> i32 { return select(0, a << (u32(b) & 31u), u32(b) < 32u); }
fn int_shift_right(a: i32, b: i32) -> i32 { return a >> min(u32(b), 31u); }
fn int_to_uint(x: i32) -> u32 { return u32(x); }
fn int_to_bool(x: i32) -> bool { return x != 0; }

fn uint_add(a: u32, b: u32) -> u32 { return a + b; }
fn uint_sub(a: u32, b: u32) -> u32 { return a - b; }
fn uint_mul(a: u32, b: u32) -> u32 { return a * b; }
fn uint_neg(x: u32) -> u32 { return 0u - x; }
fn uint_abs(x: u32) -> u32 { return x; }
fn uint_sign(x: u32) -> u32 { return min(x, 1u); }
fn uint_minimum(a: u32, b: u32) -> u32 { return min(a, b); }
fn uint_maximum(a: u32, b: u32) -> u32 { return max(a, b); }
fn uint_floor_div(a: u32, b: u32) -> u32 { return select(a / max(b, 1u), 0u, b == 0u); }
fn uint_rem(a: u32, b: u32) -> u32 { return select(a % max(b, 1u), 0u, b == 0u); }
fn uint_eq(a: u32, b: u32) -> bool { return a == b; }
fn uint_ne(a: u32, b: u32) -> bool { return a != b; }
fn uint_lt(a: u32, b: u32) -> bool { return a < b; }
fn uint_le(a: u32, b: u32) -> bool { return a <= b; }
fn uint_gt(a: u32, b: u32) -> bool { return a > b; }
fn uint_ge(a: u32, b: u32) -> bool { return a >= b; }
fn uint_bit_and(a: u32, b: u32) -> u32 { return a & b; }
fn uint_bit_or(a: u32, b: u32) -> u32 { return a | b; }
fn uint_bit_xor(a: u32, b: u32) -> u32 { return a ^ b; }
fn uint_bit_not(x: u32) -> u32 { return ~x; }
fn uint_shift_left(a: u32, b: u32) -> u32 { return select(0u, a << (b & 31u), b < 32u); }
fn uint_shift_right(a: u32, b: u32) -> u32 { return select(0u, a >> (b & 31u), b < 32u); }
fn uint_to_int(x: u32) -> i32 { return i32(x); }
fn uint_to_bool(x: u32) -> bool { return x != 0u; }

fn bool_and(a: bool, b: bool) -> bool { return a && b; }
fn bool_or(a: bool, b: bool) -> bool { return a || b; }
fn bool_xor(a: bool, b: bool) -> bool { return a != b; }
fn bool_not(x: bool) -> bool { return !x; }
fn bool_to_int(x: bool) -> i32 { return select(0, 1, x); }
fn bool_to_uint(x: bool) -> u32 { return select(0u, 1u, x); }

// A float from its bits. A constant that is infinite or not a number must come this way: WGSL refuses it as a literal.
fn f32_bits(bits: u32) -> f32 { return bitcast<f32>(bits); }
