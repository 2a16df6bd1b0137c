// Error-free transformations for the df64 number module, in integers: s + e equals the sum, or the product, exactly.
// Significands are added and multiplied in 32-bit words and rounded to nearest, ties to even, so that no freedom a compiler has
// with floats can touch the result. Slower than `eft_classic.wgsl`, whose bits it gives. Subnormal numbers count as zero.

// A magnitude of up to 50 bits, high word first, times 2^(exponent - 150), as the nearest f32 and the f32 that is missing.
// No branches here and below: compilers copy these functions to hundreds of places.
fn eft_round(high: u32, low: u32, exponent: i32, sign: u32) -> vec2<f32> {
    let n_bits = select(32u - countLeadingZeros(low), 64u - countLeadingZeros(high), high != 0u);
    let shift = max(n_bits, 24u) - 24u;
    // Without a shift there is no high word.
    let kept = (low >> shift) | (high << ((32u - shift) & 31u));
    let rest = low & ((1u << shift) - 1u);
    let half = 1u << ((shift - 1u) & 31u);
    let up = rest > half || (rest == half && (kept & 1u) != 0u);
    let s = eft_pack(select(kept, kept + 1u, up), exponent + i32(shift), sign);
    // What is missing is itself an f32: where it has more than 24 bits, it ends in zeros.
    let missing = select(rest, (1u << shift) - rest, up);
    let e = eft_pack(missing, exponent, select(sign, sign ^ F32_SIGN_BIT, up));
    return bitcast<vec2<f32>>(vec2<u32>(s, select(e, 0u, (s & F32_INF_BITS) == F32_INF_BITS)));
}

// The bits of n * 2^(exponent - 150), exact if n has at most 24 significant bits; 0 below the normal numbers, infinity above.
fn eft_pack(n: u32, exponent: i32, sign: u32) -> u32 {
    let zeros = countLeadingZeros(n);
    let fraction = ((n << (zeros & 31u)) >> 8u) & 0x007fffffu;
    let field = exponent + 8 - i32(zeros);
    let bits = select((u32(field) << 23u) | fraction, F32_INF_BITS, field > 254);
    return sign | select(bits, 0u, field < 1 || n == 0u);
}

// a + b.
fn eft_sum(a: f32, b: f32) -> vec2<f32> {
    let swapped = f32_abs_bits(b) > f32_abs_bits(a);
    let big = select(bitcast<u32>(a), bitcast<u32>(b), swapped);
    let small = select(bitcast<u32>(b), bitcast<u32>(a), swapped);
    let big_field = (big >> 23u) & 255u;
    let small_field = (small >> 23u) & 255u;
    let distance = big_field - small_field;
    let shift = min(distance, 26u);
    let significand = (big & 0x007fffffu) | 0x00800000u;
    let addend = (small & 0x007fffffu) | 0x00800000u;
    let big_low = significand << shift;
    let big_high = (significand >> 1u) >> (31u - shift);
    let opposite = ((big ^ small) & F32_SIGN_BIT) != 0u;
    let sum_low = big_low + addend;
    let low = select(sum_low, big_low - addend, opposite);
    let carried = big_high + select(0u, 1u, sum_low < addend);
    let high = select(carried, big_high - select(0u, 1u, big_low < addend), opposite);
    let sign = select(big & F32_SIGN_BIT, 0u, (high | low) == 0u);
    let rounded = eft_round(high, low, i32(small_field), sign);
    // Less than a quarter of the last digit changes nothing; beside zero there is nothing to add.
    let far = vec2<f32>(bitcast<f32>(big), select(bitcast<f32>(small), 0.0, small_field == 0u));
    let apart = select(rounded, far, distance > 25u || small_field == 0u);
    let zero = vec2<f32>(bitcast<f32>(big & small & F32_SIGN_BIT), 0.0);
    let finite = select(apart, zero, big_field == 0u);
    return select(finite, vec2<f32>(a + b, 0.0), big_field == 255u);
}

// a + b for |a| >= |b| or a = 0.
fn eft_quick_sum(a: f32, b: f32) -> vec2<f32> {
    return eft_sum(a, b);
}

// a * b.
fn eft_product(a: f32, b: f32) -> vec2<f32> {
    let sign = (bitcast<u32>(a) ^ bitcast<u32>(b)) & F32_SIGN_BIT;
    let a_field = f32_abs_bits(a) >> 23u;
    let b_field = f32_abs_bits(b) >> 23u;
    let m = (bitcast<u32>(a) & 0x007fffffu) | 0x00800000u;
    let n = (bitcast<u32>(b) & 0x007fffffu) | 0x00800000u;
    // Twelve bits by twelve, so that no partial product exceeds a word.
    let tails = (m & 0xfffu) * (n & 0xfffu);
    let cross = (m >> 12u) * (n & 0xfffu) + (m & 0xfffu) * (n >> 12u);
    let heads = (m >> 12u) * (n >> 12u);
    let low = (cross << 12u) + tails;
    let with_heads = low + (heads << 24u);
    let carry = select(0u, 1u, low < tails) + select(0u, 1u, with_heads < low);
    let high = (heads >> 8u) + (cross >> 20u) + carry;
    let rounded = eft_round(high, with_heads, i32(a_field) + i32(b_field) - 150, sign);
    let finite = select(rounded, vec2<f32>(bitcast<f32>(sign), 0.0), min(a_field, b_field) == 0u);
    return select(finite, vec2<f32>(a * b, 0.0), max(a_field, b_field) == 255u);
}
