// Four weights that are floats, where rows are whole quads; those past the end of a row are 0
// params: n_cols
// needs: quad_at(row, col) (one file each, by format)
fn four_floats(row: u32, col: u32) -> vec4<f32> {
    if col >= params.n_cols {
        return vec4<f32>(0.0);
    }
    return quad_at(row, col);
}
