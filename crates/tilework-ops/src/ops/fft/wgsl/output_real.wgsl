// Stores the real part of each point (which is the second one, because the transform is inverse): [outer, n_results, n_inner].
// params: n_results, n_inner, scale (bits of an f32)
// needs: y(i, result)
fn output_point(line: u32, k: u32, point: vec2<f32>) {
    if k < params.n_results {
        let at = (line / params.n_inner * params.n_results + k) * params.n_inner + line % params.n_inner;
        y(at, point.y * bitcast<f32>(params.scale));
    }
}
