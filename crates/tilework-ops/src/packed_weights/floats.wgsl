// Weights that are floats, as they are multiplied with vectors
// needs: four_floats(row, col) (floats_quads.wgsl or floats_single.wgsl)
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

// One product a statement: each becomes a multiply-add.
fn add_four(sum: f32, a: vec4<f32>, b: vec4<f32>) -> f32 {
    var result = sum;
    result += a.x * b.x;
    result += a.y * b.y;
    result += a.z * b.z;
    result += a.w * b.w;
    return result;
}
