// The conjugate of Bluestein's sequence, wrapped around a line of n_padded points.
// params: n_chirp, n_padded
// needs: chirp(j), complex.wgsl
fn load_point(line: u32, j: u32) -> vec2<f32> {
    let distance = min(j, params.n_padded - j);
    var value = vec2<f32>(0.0);
    if distance < params.n_chirp {
        value = complex_conj(chirp(distance));
    }
    return value;
}
