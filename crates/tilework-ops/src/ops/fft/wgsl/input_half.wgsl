// Point j of all n_points of a line of which the first n_points / 2 + 1 = n_items are given, n_points odd; the others are
// their conjugates. The parts are exchanged, because the transform is inverse.
// params: n_items, n_points
// needs: x(i)
fn input_point(line: u32, j: u32) -> vec2<f32> {
    let is_given = j < params.n_items;
    let at = 2u * (line * params.n_items + select(params.n_points - j, j, is_given));
    let imaginary = select(-x(at + 1u), x(at + 1u), is_given);
    return vec2<f32>(select(imaginary, 0.0, j == 0u), x(at));
}
