// The product of two transforms of n_padded points, that of a line and the one for all, with its parts exchanged: the way back.
// params: n_padded
// needs: x(i), filter_at(i)
fn load_point(line: u32, j: u32) -> vec2<f32> {
    let at = 2u * (line * params.n_padded + j);
    return complex_mul(vec2<f32>(x(at), x(at + 1u)), vec2<f32>(filter_at(2u * j), filter_at(2u * j + 1u))).yx;
}
