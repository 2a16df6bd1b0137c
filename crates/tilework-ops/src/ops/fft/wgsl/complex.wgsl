// Complex numbers as vec2(real, imaginary), and roots of unity from exact fractions of a turn.
// params: none
// needs: f32_sin_poly, f32_cos_poly (number module)

fn complex_mul(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// -i * a
fn complex_turned(a: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(a.y, -a.x);
}

fn complex_conj(a: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(a.x, -a.y);
}

// exp(-2 pi i * k / n) for k < n < 2^28. The nearest quarter turn is found in integers, so the angle left for the polynomials
// lies within an eighth of a turn and its error is relative to itself.
fn root(k: u32, n: u32) -> vec2<f32> {
    let eighths = 8u * k;
    let quadrant = (eighths + n) / (2u * n);
    let rest = i32(eighths) - i32(2u * n * quadrant);
    let angle = f32(rest) / f32(n) * 0.7853981633974483;
    let s = f32_sin_poly(angle, 0.0);
    let c = f32_cos_poly(angle, 0.0);
    let is_odd = (quadrant & 1u) != 0u;
    let cosine = select(c, s, is_odd);
    let sine = select(s, c, is_odd);
    // Quarters 1 and 2 have a negative cosine, 2 and 3 a negative sine.
    let cosine_sign = select(1.0, -1.0, quadrant == 1u || quadrant == 2u);
    let sine_sign = select(1.0, -1.0, quadrant == 2u || quadrant == 3u);
    return vec2<f32>(cosine_sign * cosine, -sine_sign * sine);
}
