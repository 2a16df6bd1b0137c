// Stores both parts of each point as neighbours along the axis, which are the even and odd ones of a real line:
// [outer, 2 * n_results, n_inner]. The parts come exchanged, because the transform is inverse.
// params: n_results, n_inner, scale (bits of an f32)
// needs: y(i, result)
fn output_point(line: u32, k: u32, point: vec2<f32>) {
    if k < params.n_results {
        let at = (line / params.n_inner * params.n_results + k) * 2u * params.n_inner + line % params.n_inner;
        y(at, point.y * bitcast<f32>(params.scale));
        y(at + params.n_inner, point.x * bitcast<f32>(params.scale));
    }
}
