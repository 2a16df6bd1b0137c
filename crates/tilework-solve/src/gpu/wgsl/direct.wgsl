// The next direction from its coefficients, or the old one while a search goes on. One invocation per direction.
// memory: as in recall.wgsl, with the coefficients of this iteration; way, next_way: [n]
// params: n
// needs: basis(j, d), memory(i), status(i), way(d), next_way(d, value)
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let d = id.x + id.y * groups.x * 64u;
    if d >= params.n {
        return;
    }
    if status(STATUS_TURN) == TURN_NONE {
        next_way(d, way(d));
        return;
    }
    var sum = num_of(0.0f);
    for (var j = 0u; j < BASIS; j++) {
        sum = num_add(sum, num_mul(memory(MEMORY_FACTORS + j), basis(j, d)));
    }
    next_way(d, sum);
}
