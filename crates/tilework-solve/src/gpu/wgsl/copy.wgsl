// to[i] = from[i], in whatever precision each is stored. One invocation per number.
// from, to: [n]
// params: n
// needs: from_at(i), to(i, value)
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.x + id.y * groups.x * 64u;
    if i < params.n {
        to(i, from_at(i));
    }
}
