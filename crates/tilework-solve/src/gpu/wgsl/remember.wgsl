// If a trial was taken: the step to it and the change of the gradient, in the place of the oldest of their kind.
// way, gradient, trial_gradient: [n]; steps, changes: [MEMORY, n]. One invocation per direction.
// params: n
// needs: way(d), gradient(d), trial_gradient(d), status(i), steps(i, value), changes(i, value)
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let d = id.x + id.y * groups.x * 64u;
    if d < params.n && status(STATUS_TURN) == TURN_REMEMBER {
        let at = u32(status(STATUS_NEWEST)) * params.n + d;
        steps(at, num_mul(num_of(status(STATUS_RADIUS)), way(d)));
        changes(at, num_sub(trial_gradient(d), gradient(d)));
    }
}
