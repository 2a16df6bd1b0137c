// The points of a line times Bluestein's sequence, followed by zeros.
// params: n_chirp
// needs: input_point(line, j), chirp(j), complex.wgsl
fn load_point(line: u32, j: u32) -> vec2<f32> {
    var value = vec2<f32>(0.0);
    if j < params.n_chirp {
        value = complex_mul(input_point(line, j), chirp(j));
    }
    return value;
}
