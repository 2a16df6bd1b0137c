// Four weights that are floats, one at a time; those past the end of a row are 0
// params: n_cols
// needs: w(i), float_at(row, col) (one file each, by format)
fn four_floats(row: u32, col: u32) -> vec4<f32> {
    var four = vec4<f32>(0.0);
    for (var j = 0u; j < 4u; j++) {
        if col + j < params.n_cols {
            four[j] = float_at(row, col + j);
        }
    }
    return four;
}
