// Weights that are the high halves of 32-bit floats (bfloat16), in pairs
// row: where the row begins, in words; col: which weight of it.
// needs: w(i)
fn float_at(row: u32, col: u32) -> f32 {
    let word = w(row + col / 2u);
    return bitcast<f32>(select(word << 16u, word & 0xffff0000u, (col & 1u) != 0u));
}

// Four of them, the first of which is a fourth one.
fn quad_at(row: u32, col: u32) -> vec4<f32> {
    let at = row + col / 2u;
    let first = w(at);
    let second = w(at + 1u);
    return bitcast<vec4<f32>>(vec4<u32>(first << 16u, first & 0xffff0000u, second << 16u, second & 0xffff0000u));
}
