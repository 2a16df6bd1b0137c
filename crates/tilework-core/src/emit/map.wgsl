// A fused expression alone: computes every element of its grid once.
// One invocation per element; the grid of workgroups is folded over x and y, so that any number of elements fits.
// params: n_elements
// needs: map_element(i) (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.x + id.y * groups.x * 256u;
    if i < params.n_elements {
        map_element(i);
    }
}
