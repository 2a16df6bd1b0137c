// The h complex points whose inverse transform has the even and odd ones of 2h real points as its parts:
//   Z_k = E + i * O with E = X_k + conj X_(h-k) and O = (X_k - conj X_(h-k)) * conj root(k, 2h)
// x: [n_lines, h + 1, 2], of which the imaginary parts at both ends do not matter; y: [n_lines, h, 2]. One invocation per point.
// params: n_elements (points of y), n_half (h)
// needs: x(i), y(i, result), complex.wgsl (generated)
fn x_point(line: u32, k: u32) -> vec2<f32> {
    let at = 2u * (line * (params.n_half + 1u) + k);
    return vec2<f32>(x(at), select(x(at + 1u), 0.0, k == 0u || k == params.n_half));
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.x + id.y * groups.x * 256u;
    if at < params.n_elements {
        let line = at / params.n_half;
        let k = at % params.n_half;
        let a = x_point(line, k);
        let b = complex_conj(x_point(line, params.n_half - k));
        let odd = complex_mul(a - b, complex_conj(root(k, 2u * params.n_half)));
        y(2u * at, a.x + b.x - odd.y);
        y(2u * at + 1u, a.y + b.y + odd.x);
    }
}
