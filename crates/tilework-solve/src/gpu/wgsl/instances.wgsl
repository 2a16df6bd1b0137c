// All instances of a group: computes every root of its expression once per instance.
// One invocation per instance; the grid of workgroups is folded over x and y, so that any number of instances fits.
// params: n_instances
// needs: instance(i) (generated)
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.x + id.y * groups.x * 64u;
    if i < params.n_instances {
        instance(i);
    }
}
