// Point j of a line of complex numbers; the parts exchanged if an inverse transform begins here.
// params: n_items
// needs: x(i), READS_SWAPPED
fn input_point(line: u32, j: u32) -> vec2<f32> {
    let at = 2u * (line * params.n_items + j);
    let point = vec2<f32>(x(at), x(at + 1u));
    return select(point, point.yx, READS_SWAPPED);
}
