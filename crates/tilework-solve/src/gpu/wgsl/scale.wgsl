// step[d] = length·way[d]: how far the search goes this time. One invocation per direction.
// way, step: [n]; status: see `status.rs`
// params: n
// needs: way(d), status(i), step(d, value)
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let d = id.x + id.y * groups.x * 64u;
    if d < params.n {
        step(d, num_mul(num_of(status(STATUS_RADIUS)), way(d)));
    }
}
