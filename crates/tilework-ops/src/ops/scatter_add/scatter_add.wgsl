// Sums rows by index:  y[o, p, i] = sum of x[o, j, i] over all j with index[j] = p
// x: [n_outer, n_indices, n_inner], index: [n_indices] of i32, y: [n_outer, n_axis, n_inner]. One invocation per element of y
// looks through all indices in order: no atomics, and the same bits on every run.
// params: n_elements, n_indices, n_axis, n_inner
// needs: x(i), index_at(i), y(i, result) (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.x + id.y * groups.x * 256u;
    if at < params.n_elements {
        let inner = at % params.n_inner;
        let place = (at / params.n_inner) % params.n_axis;
        let outer = at / (params.n_inner * params.n_axis);
        var sum = num_of(0.0);
        for (var j = 0u; j < params.n_indices; j++) {
            let index = index_at(j);
            let from_start = select(index, index + i32(params.n_axis), index < 0);
            if u32(clamp(from_start, 0, i32(params.n_axis) - 1)) == place {
                sum = num_add(sum, x((outer * params.n_indices + j) * params.n_inner + inner));
            }
        }
        y(at, sum);
    }
}
