// Weights that are 32-bit floats
// row: where the row begins, in words; col: which weight of it.
// needs: w(i)
fn float_at(row: u32, col: u32) -> f32 {
    return bitcast<f32>(w(row + col));
}

// Four of them, the first of which is a fourth one.
fn quad_at(row: u32, col: u32) -> vec4<f32> {
    let at = row + col;
    return bitcast<vec4<f32>>(vec4<u32>(w(at), w(at + 1u), w(at + 2u), w(at + 3u)));
}
