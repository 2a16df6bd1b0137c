// The bits of an f32: what every number module is built on, wider ones too. See basics.wgsl for the rules.

// The bits of positive infinity; anything above, without its sign, is NaN.
const F32_INF_BITS: u32 = 0x7f800000u;
const F32_NAN_BITS: u32 = 0x7fc00000u;
const F32_SIGN_BIT: u32 = 0x80000000u;

// The bits of |x|.
fn f32_abs_bits(x: f32) -> u32 {
    return bitcast<u32>(x) & 0x7fffffffu;
}

// `x`, or the number with these bits where the condition holds. Selecting integers keeps NaN out of float arithmetic.
fn f32_or_bits(x: f32, bits: u32, condition: bool) -> f32 {
    return bitcast<f32>(select(bitcast<u32>(x), bits, condition));
}

// `y`, or `x` itself where `x` is NaN.
fn f32_or_nan(y: f32, x: f32) -> f32 {
    return f32_or_bits(y, bitcast<u32>(x), f32_abs_bits(x) > F32_INF_BITS);
}

// The leading 12 bits of the significand. The product of two heads is exact, and x - head(x) is exact.
fn f32_head(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u);
}

// `x` without its last bit: a sum that went through here cannot be cancelled algebraically.
fn f32_trim(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) & 0xfffffffeu);
}

// 2^k for -126 <= k <= 127.
fn f32_pow2(k: i32) -> f32 {
    return bitcast<f32>(u32(k + 127) << 23u);
}

// x * 2^k for -252 <= k <= 254, rounded once also when the result is subnormal.
fn f32_scale(x: f32, k: i32) -> f32 {
    let half = k >> 1u;
    return x * f32_pow2(half) * f32_pow2(k - half);
}

// `x` limited to [low, high].
fn f32_limit(x: f32, low: f32, high: f32) -> f32 {
    let raised = select(x, low, x < low);
    return select(raised, high, raised > high);
}

// The magnitude of `x` with the sign of `sign`.
fn f32_with_sign(x: f32, sign: f32) -> f32 {
    return bitcast<f32>((bitcast<u32>(x) & 0x7fffffffu) | (bitcast<u32>(sign) & F32_SIGN_BIT));
}

// `x` with its sign flipped where `sign` is negative.
fn f32_flip_sign(x: f32, sign: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ (bitcast<u32>(sign) & F32_SIGN_BIT));
}
