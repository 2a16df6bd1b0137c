// Weights that are 32-bit floats
// row: where the row begins, in words; col: which weight of it.
// needs: w(i)
fn float_at(row: u32, col: u32) -> f32 {
    return bitcast<f32>(w(row + col));
}
