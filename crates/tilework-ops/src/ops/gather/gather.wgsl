// Rows picked by index:  y[o, j, i] = x[o, index[j], i]
// x: [n_outer, n_axis, n_inner], index: [n_indices] of i32, y: [n_outer, n_indices, n_inner]. One invocation per element of y.
// A negative index counts from the end; one out of range is moved to the nearest end.
// params: n_elements, n_indices, n_axis, n_inner
// needs: x(i), index_at(i), y(i, result) (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.x + id.y * groups.x * 256u;
    if at < params.n_elements {
        let inner = at % params.n_inner;
        let j = (at / params.n_inner) % params.n_indices;
        let outer = at / (params.n_inner * params.n_indices);
        let index = index_at(j);
        let from_start = select(index, index + i32(params.n_axis), index < 0);
        let picked = u32(clamp(from_start, 0, i32(params.n_axis) - 1));
        y(at, x((outer * params.n_axis + picked) * params.n_inner + inner));
    }
}
