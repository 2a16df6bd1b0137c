// The transform of 2h real points from that of h complex ones, whose parts are the even and odd points:
//   X_k = E + root(k, 2h) * O with E = (Z_k + conj Z_(h-k)) / 2 and O = -i * (Z_k - conj Z_(h-k)) / 2, Z_h = Z_0
// z: [n_lines, h, 2]; y: [outer, h + 1, n_inner, 2]. One invocation per point of y.
// params: n_elements (points of y), n_half (h), n_inner, scale (bits of an f32)
// needs: z(i), y(i, result), complex.wgsl (generated)
fn z_point(line: u32, k: u32) -> vec2<f32> {
    let at = 2u * (line * params.n_half + k % params.n_half);
    return vec2<f32>(z(at), z(at + 1u));
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.x + id.y * groups.x * 256u;
    if at < params.n_elements {
        let k = (at / params.n_inner) % (params.n_half + 1u);
        let outer = at / (params.n_inner * (params.n_half + 1u));
        let line = outer * params.n_inner + at % params.n_inner;
        let a = z_point(line, k);
        let b = complex_conj(z_point(line, params.n_half - k));
        let value = 0.5 * (a + b + complex_mul(root(k, 2u * params.n_half), complex_turned(a - b)));
        // The ends are real, and exactly so.
        let is_end = k == 0u || k == params.n_half;
        y(2u * at, value.x * bitcast<f32>(params.scale));
        y(2u * at + 1u, select(value.y * bitcast<f32>(params.scale), 0.0, is_end));
    }
}
