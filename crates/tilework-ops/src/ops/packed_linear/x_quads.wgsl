// Four elements of a vector times those of the norm, where vectors are whole quads; 0 past the end
// params: n_cols
// needs: x_pack(i), norm_pack(i) (generated)
fn x_quad(vector: u32, col: u32) -> vec4<f32> {
    if col >= params.n_cols {
        return vec4<f32>(0.0);
    }
    let quad = x_pack(vector * params.n_cols + col);
    let norms = norm_pack(col);
    return vec4<f32>(quad[0] * norms[0], quad[1] * norms[1], quad[2] * norms[2], quad[3] * norms[3]);
}

// The sum of squares of four elements.
fn x_squares(vector: u32, col: u32) -> f32 {
    let quad = x_pack(vector * params.n_cols + col);
    return quad[0] * quad[0] + quad[1] * quad[1] + quad[2] * quad[2] + quad[3] * quad[3];
}
