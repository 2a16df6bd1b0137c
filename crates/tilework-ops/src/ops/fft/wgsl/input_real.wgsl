// Point j of a line of real numbers.
// params: n_items
// needs: x(i)
fn input_point(line: u32, j: u32) -> vec2<f32> {
    return vec2<f32>(x(line * params.n_items + j), 0.0);
}
