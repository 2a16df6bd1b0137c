// Half precision in memory: two numbers to a word, the first in the low half. Reading is WGSL's own; writing is the integer
// arithmetic of half.rs, because pack2x16float may give anything for what is too large and need
// not round to nearest.

// Number `index` of a buffer, whose word holds it and a neighbor.
fn half_load(word: u32, index: u32) -> Num {
    return num_of(unpack2x16float(word >> ((index & 1u) * 16u)).x);
}

// Four numbers in two words.
fn half_quad(words: vec2<u32>) -> vec4<f32> {
    return vec4<f32>(unpack2x16float(words.x), unpack2x16float(words.y));
}

// Bits of the half nearest to x, ties to even.
fn half_bits(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    let magnitude = bits & 0x7fffffffu;
    let normal = min((magnitude + 0xfffu + ((magnitude >> 13u) & 1u) - 0x38000000u) >> 13u, 0x7c00u);
    // Below 2^-14: the significand in units of 2^-24. A shift by 25 leaves nothing, however small the number.
    let shift = min(126u - min(magnitude >> 23u, 112u), 25u);
    let significand = (magnitude & 0x7fffffu) | 0x800000u;
    let subnormal = (significand + (1u << (shift - 1u)) - 1u + ((significand >> shift) & 1u)) >> shift;
    let finite = select(normal, subnormal, magnitude < 0x38800000u);
    let half = select(finite, 0x7e00u | ((magnitude >> 13u) & 0x3ffu), magnitude > F32_INF_BITS);
    return half | ((bits >> 16u) & 0x8000u);
}

// The word of two numbers.
fn half_store(low: Num, high: Num) -> u32 {
    return half_bits(num_sticky(low)) | (half_bits(num_sticky(high)) << 16u);
}

// The nearest bfloat16: the upper half of the word, ties to even.
fn num_round_bfloat(x: Num) -> Num {
    let bits = bitcast<u32>(num_sticky(x));
    let rounded = (bits + 0x7fffu + ((bits >> 16u) & 1u)) & 0xffff0000u;
    return num_of(bitcast<f32>(select(rounded, bits | 0x400000u, (bits & 0x7fffffffu) > F32_INF_BITS)));
}

fn num_round_half(x: Num) -> Num {
    return num_of(unpack2x16float(half_bits(num_sticky(x))).x);
}
