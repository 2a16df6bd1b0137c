// The result of Bluestein's convolution (its parts exchanged by the way back) times the sequence.
// params: n_chirp
// needs: output_point(line, k, point), chirp(j), complex.wgsl
fn store_point(line: u32, k: u32, value: vec2<f32>) {
    if k < params.n_chirp {
        output_point(line, k, complex_mul(value.yx, chirp(k)));
    }
}
