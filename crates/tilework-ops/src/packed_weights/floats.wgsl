// Weights that are floats: four of a group of 32 and the four 16 further on, and their products with vectors
// row: where the row begins, in words; group: which 32 weights; part: 0 to 3, which four of the first 16.
// needs: four_floats(row, col) (floats_quads.wgsl or floats_single.wgsl), add_four
struct Pair {
    low: vec4<f32>,
    high: vec4<f32>,
}

fn weights(row: u32, group: u32, part: u32) -> Pair {
    let col = group * 32u + part * 4u;
    return Pair(four_floats(row, col), four_floats(row, col + 16u));
}

struct Weights {
    values: Pair,
}

fn read_weights(row: u32, group: u32, part: u32) -> Weights {
    return Weights(weights(row, group, part));
}

// Adds the products of eight weights with eight elements of a vector; their sums matter where weights are codes.
fn add_products(sum: f32, weights: Weights, x: Pair, x_sums: vec2<f32>) -> f32 {
    return add_four(add_four(sum, weights.values.low, x.low), weights.values.high, x.high);
}
