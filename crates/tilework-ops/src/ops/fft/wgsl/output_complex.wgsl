// Stores the first n_results points of a line whose neighbours lie in between: [outer, n_results, n_inner, 2].
// params: n_results, n_inner, scale (bits of an f32)
// needs: y(i, result), STORES_SWAPPED
fn output_point(line: u32, k: u32, point: vec2<f32>) {
    if k < params.n_results {
        let value = select(point, point.yx, STORES_SWAPPED) * bitcast<f32>(params.scale);
        let at = 2u * ((line / params.n_inner * params.n_results + k) * params.n_inner + line % params.n_inner);
        y(at, value.x);
        y(at + 1u, value.y);
    }
}
