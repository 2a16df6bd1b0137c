// The f32 number module, continued: trigonometric functions and their inverses. See basics.wgsl for the rules.

// pi/2 in units of 2^-13 and 2^-37 quarter turns; the head has 12 bits.
const F32_PIO2_HEAD_13: f32 = 0.0001916885375976562;
const F32_PIO2_TAIL_13: f32 = 5.9060888e-08;
const F32_PIO2_37: f32 = 1.1429048e-11;

// a * b as 64 bits, the low word first.
fn f32_mul_wide(a: u32, b: u32) -> vec2<u32> {
    let a_low = a & 0xffffu;
    let a_high = a >> 16u;
    let b_low = b & 0xffffu;
    let b_high = b >> 16u;
    let low = a_low * b_low;
    let cross = a_high * b_low + (low >> 16u);
    let middle = a_low * b_high + (cross & 0xffffu);
    return vec2<u32>((middle << 16u) | (low & 0xffffu), a_high * b_high + (cross >> 16u) + (middle >> 16u));
}

// |x| * 2/pi modulo 4 as 64 bits of fixed point, two of them before the point, for |x| >= 1/2: the reduction of Payne
// and Hanek with the window of 2/pi that the exponent asks for. The high word comes first.
fn f32_turns(bits: u32) -> vec2<u32> {
    let exponent = bits >> 23u;
    let significand = (bits & 0x007fffffu) | 0x00800000u;
    // From 1 on the significand is doubled, so that the exponents 127..=254 ask for exactly 128 windows.
    let wide = exponent >= 127u;
    let factor = select(significand, significand << 1u, wide);
    let start = select(0u, exponent - 127u, wide);
    // The bits of 2/pi after 26 zeros, from the chosen word on.
    let by_two = (start & 64u) != 0u;
    let near = vec4<u32>(0x00000028u, 0xbe60db93u, 0x91054a7fu, 0x09d5f47du);
    let far = vec4<u32>(0x91054a7fu, 0x09d5f47du, 0x4d377036u, 0xd8a5664fu);
    let even = select(near, far, by_two);
    let odd = vec4<u32>(even.yzw, select(0x4d377036u, 0x10e4107fu, by_two));
    let words = select(even, odd, (start & 32u) != 0u);
    let shift = vec3<u32>(start & 31u);
    let window = (words.xyz << shift) | ((words.yzw >> vec3<u32>(1u)) >> (vec3<u32>(31u) - shift));
    let low = f32_mul_wide(factor, window.z);
    let middle = f32_mul_wide(factor, window.y);
    let sum = middle.x + low.y;
    let carry = select(0u, 1u, sum < middle.x);
    return vec2<u32>(factor * window.x + middle.y + carry, sum);
}

// |x| = quadrant * pi/2 + (hi + lo) with |hi| <= pi/4 and the quadrant modulo 4; gives hi, lo and the quadrant.
fn f32_angle(x: f32) -> vec3<f32> {
    let magnitude = abs(x);
    let turns = f32_turns(f32_abs_bits(x));
    // The nearest quarter turn, then the signed rest: 30 bits in the high word and 32 more in the low one.
    let quadrant = (turns.x + 0x20000000u) >> 30u;
    let signed_rest = turns.x - (quadrant << 30u);
    let sign = select(0u, 0xffffffffu, (signed_rest & F32_SIGN_BIT) != 0u);
    let rest = signed_rest ^ sign;
    let low = turns.y ^ sign;
    // Three pieces that convert exactly, in units of 2^-13, 2^-37 and 2^-61 quarter turns.
    let a = f32(rest >> 17u);
    let b = f32(((rest & 0x1ffffu) << 7u) | (low >> 25u));
    let c = f32((low >> 1u) & 0xffffffu);
    let main = a * F32_PIO2_HEAD_13;
    let small = a * F32_PIO2_TAIL_13 + (b + c * 5.9604645e-08) * F32_PIO2_37;
    let hi = f32_trim(main + small);
    let lo = (main - hi) + small;
    let flip = bitcast<f32>(sign & F32_SIGN_BIT);
    let reduced = vec3<f32>(f32_flip_sign(hi, flip), f32_flip_sign(lo, flip), f32(quadrant));
    return select(reduced, vec3<f32>(magnitude, 0.0, 0.0), magnitude < 0.7853982);
}

fn f32_sin_poly(hi: f32, lo: f32) -> f32 {
    let z = hi * hi;
    var p = -0.00019518285;
    p = p * z + 0.008332189;
    p = p * z - 0.16666655;
    return hi + (hi * z * p + lo);
}

fn f32_cos_poly(hi: f32, lo: f32) -> f32 {
    let z = hi * hi;
    var p = 2.4432564e-05;
    p = p * z - 0.0013887311;
    p = p * z + 0.041666646;
    return 1.0 + (z * z * p - (0.5 * z + hi * lo));
}

// The sine of a reduced angle, `quadrant` quarter turns ahead.
fn f32_sin_quadrant(angle: vec3<f32>, quadrant: u32) -> f32 {
    let odd = (quadrant & 1u) != 0u;
    let y = select(f32_sin_poly(angle.x, angle.y), f32_cos_poly(angle.x, angle.y), odd);
    return bitcast<f32>(bitcast<u32>(y) ^ ((quadrant & 2u) << 30u));
}

fn num_sin(x: Num) -> Num {
    let angle = f32_angle(x);
    let y = f32_flip_sign(f32_sin_quadrant(angle, u32(angle.z)), x);
    return f32_or_bits(y, F32_NAN_BITS, f32_abs_bits(x) >= F32_INF_BITS);
}

fn num_cos(x: Num) -> Num {
    let angle = f32_angle(x);
    let y = f32_sin_quadrant(angle, u32(angle.z) + 1u);
    return f32_or_bits(y, F32_NAN_BITS, f32_abs_bits(x) >= F32_INF_BITS);
}

fn num_tan(x: Num) -> Num {
    let angle = f32_angle(x);
    let z = angle.x * angle.x;
    var p = 0.004372303;
    p = p * z + 9.889193e-05;
    p = p * z + 0.010827066;
    p = p * z + 0.0212863;
    p = p * z + 0.054058906;
    p = p * z + 0.13332675;
    p = p * z + 0.3333335;
    let t = angle.x + (angle.x * z * p + angle.y * (1.0 + z));
    let odd = (u32(angle.z) & 1u) != 0u;
    let y = select(t, -1.0 / t, odd);
    return f32_or_bits(f32_flip_sign(y, x), F32_NAN_BITS, f32_abs_bits(x) >= F32_INF_BITS);
}

// pi and pi/2, each as the nearest f32 and the rest.
const F32_PI: f32 = 3.1415927;
const F32_PI_REST: f32 = -8.742278e-08;
const F32_PIO2: f32 = 1.5707964;
const F32_PIO2_REST: f32 = -4.371139e-08;

// asin(|x|) for |x| <= 1/2, and asin(sqrt((1 - |x|) / 2)) for |x| > 1/2; one polynomial serves both.
fn f32_asin_halves(x: f32) -> vec2<f32> {
    let magnitude = abs(x);
    let rest = (1.0 - magnitude) * 0.5;
    let z = select(rest, magnitude * magnitude, magnitude <= 0.5);
    var p = 0.042157013;
    p = p * z + 0.024185503;
    p = p * z + 0.04546902;
    p = p * z + 0.0749531;
    p = p * z + 0.16666752;
    let root = sqrt(select(rest, 0.0, rest <= 0.0));
    return vec2<f32>(magnitude + magnitude * z * p, root + root * z * p);
}

// NaN outside [-1, 1].
fn num_asin(x: Num) -> Num {
    let halves = f32_asin_halves(x);
    let y = select(F32_PIO2 - (2.0 * halves.y - F32_PIO2_REST), halves.x, abs(x) <= 0.5);
    return f32_or_bits(f32_with_sign(y, x), F32_NAN_BITS, f32_abs_bits(x) > 0x3f800000u);
}

// NaN outside [-1, 1].
fn num_acos(x: Num) -> Num {
    let halves = f32_asin_halves(x);
    let center = F32_PIO2 - (f32_flip_sign(halves.x, x) - F32_PIO2_REST);
    let side = select(2.0 * halves.y, F32_PI - (2.0 * halves.y - F32_PI_REST), x < 0.0);
    let y = select(side, center, abs(x) <= 0.5);
    return f32_or_bits(y, F32_NAN_BITS, f32_abs_bits(x) > 0x3f800000u);
}

// atan(t) for 0 <= t <= 1.
fn f32_atan_poly(t: f32) -> f32 {
    let z = t * t;
    var p = -0.0017870689;
    p = p * z + 0.010885485;
    p = p * z - 0.03112406;
    p = p * z + 0.057904202;
    p = p * z - 0.08400377;
    p = p * z + 0.10951155;
    p = p * z - 0.1426405;
    p = p * z + 0.19998531;
    p = p * z - 0.333333;
    return t + t * z * p;
}

fn num_atan(x: Num) -> Num {
    let magnitude = abs(x);
    let steep = magnitude > 1.0;
    let inverse = select(1.0 / magnitude, 0.0, f32_abs_bits(x) == F32_INF_BITS);
    let a = f32_atan_poly(select(magnitude, inverse, steep));
    return f32_or_nan(f32_with_sign(select(a, F32_PIO2 - (a - F32_PIO2_REST), steep), x), x);
}

// The angle of the point (x, y), in [-pi, pi], with the signed zeros and infinities of C99.
fn num_atan2(y: Num, x: Num) -> Num {
    let across = abs(y);
    let along = abs(x);
    let steep = f32_abs_bits(y) > f32_abs_bits(x);
    let low = select(across, along, steep);
    let high = select(along, across, steep);
    // The quotient is scaled away from the ends of the range: a divider may work through the reciprocal.
    let unit = select(select(1.0, 2.3283064e-10, high > 1.2676506e30), 4294967296.0, high < 7.888609e-31);
    var t = (low * unit) / (high * unit);
    t = select(t, 0.0, low == 0.0);
    t = select(t, select(0.0, 1.0, f32_abs_bits(low) == F32_INF_BITS), f32_abs_bits(high) == F32_INF_BITS);
    let a = f32_atan_poly(t);
    // What the angle counts from, and whether it counts backwards.
    let behind = (bitcast<u32>(x) & F32_SIGN_BIT) != 0u;
    let base = select(select(0.0, F32_PI, behind), F32_PIO2, steep);
    let base_rest = select(select(0.0, F32_PI_REST, behind), F32_PIO2_REST, steep);
    let signed_a = select(a, -a, steep != behind);
    let angle = f32_with_sign(base + (signed_a + base_rest), y);
    return f32_or_nan(f32_or_nan(angle, x), y);
}
