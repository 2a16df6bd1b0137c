// The peak rate of reading memory: each invocation adds 16 vectors of four, 256 apart, and stores one number.
// Neighbouring invocations read neighbouring vectors.
// params: n_quads
// needs: x4(i), y(i, result) (generated)
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let tile = group.x + group.y * groups.x;
    let first = tile * 4096u + lane;
    var sum = vec4(0.0);
    for (var step = 0u; step < 16u; step++) {
        sum += x4(min(first + step * 256u, params.n_quads - 1u));
    }
    y(tile * 256u + lane, dot(sum, vec4(1.0)));
}
