// Weights that are 16-bit floats, in pairs
// row: where the row begins, in words; col: which weight of it.
// needs: w(i)
fn float_at(row: u32, col: u32) -> f32 {
    let both = unpack2x16float(w(row + col / 2u));
    return select(both.x, both.y, (col & 1u) != 0u);
}

// Four of them, the first of which is a fourth one.
fn quad_at(row: u32, col: u32) -> vec4<f32> {
    let at = row + col / 2u;
    return vec4<f32>(unpack2x16float(w(at)), unpack2x16float(w(at + 1u)));
}
