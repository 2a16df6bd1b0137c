// Weights of packed rows:  weight = scale * value(code) + least, for four weights of a group of 32 and the four 16 further on
// row: where the row begins, in words; group: which 32 weights; part: 0 to 3, which four of the first 16.
// needs: add_four, codes(row, group, part), scales(row, group) (one file each, by format), HALVES_DIFFER (generated): whether the first and the
// last 16 weights of a group have scales of their own
struct Pair {
    low: vec4<f32>,
    high: vec4<f32>,
}

fn weights(row: u32, group: u32, part: u32) -> Pair {
    let values = codes(row, group, part);
    let factors = scales(row, group);
    return Pair(values.low * factors.x + factors.y, values.high * factors.z + factors.w);
}

// Weights as they are multiplied with vectors: scales are factors of sums.
struct Weights {
    values: Pair,
    factors: vec4<f32>,
}

fn read_weights(row: u32, group: u32, part: u32) -> Weights {
    return Weights(codes(row, group, part), scales(row, group));
}

// Adds the products of eight weights with eight elements of a vector, of which four each are added up in `x_sums`.
fn add_products(sum: f32, weights: Weights, x: Pair, x_sums: vec2<f32>) -> f32 {
    let factors = weights.factors;
    let low = add_four(0.0, weights.values.low, x.low);
    if HALVES_DIFFER {
        let high = add_four(0.0, weights.values.high, x.high);
        let first = low * factors.x + (x_sums.x * factors.y + sum);
        return high * factors.z + (x_sums.y * factors.w + first);
    }
    let both = add_four(low, weights.values.high, x.high);
    return both * factors.x + ((x_sums.x + x_sums.y) * factors.y + sum);
}

// Four unsigned bytes.
fn bytes(word: u32) -> vec4<f32> {
    return vec4<f32>(
        f32(word & 0xffu),
        f32((word >> 8u) & 0xffu),
        f32((word >> 16u) & 0xffu),
        f32(word >> 24u),
    );
}
