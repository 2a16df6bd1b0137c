// Weights that are floats: four of a group of 32 and the four 16 further on; those past the end of a row are 0
// params: n_cols
// needs: w(i), float_at(row, col) (one file each, by format)
struct Pair {
    low: vec4<f32>,
    high: vec4<f32>,
}

fn weights(row: u32, group: u32, part: u32) -> Pair {
    let col = group * 32u + part * 4u;
    return Pair(four_floats(row, col), four_floats(row, col + 16u));
}

fn four_floats(row: u32, col: u32) -> vec4<f32> {
    var four = vec4<f32>(0.0);
    for (var j = 0u; j < 4u; j++) {
        if col + j < params.n_cols {
            four[j] = float_at(row, col + j);
        }
    }
    return four;
}
