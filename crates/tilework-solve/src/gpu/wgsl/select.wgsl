// next[i] = trial[i] if the trial was accepted, x[i] if not. One invocation per number.
// x, trial, next: [n]
// params: n
// needs: x(i), trial(i), status(i), next(i, value)
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.x + id.y * groups.x * 64u;
    if i < params.n {
        next(i, num_select(status(STATUS_ACCEPTED) != 0.0f, trial(i), x(i)));
    }
}
