// What a step promises, and how steep it is: partial sums of ½·δ·(r − g + damping·δ), which is −g·δ − ½·δᵀJᵀJδ because
// r = −g − (JᵀJ + damping)·δ, and partial maxima of |g|. A derivative that is not finite counts as HUGE.
// measures: 256 sums, then 256 maxima, in single precision. Up to 256 workgroups.
// params: n
// needs: state(i), gradient(d), damping(d), measures(i, value), workgroup_sum(local, value), workgroup_max(local, value)
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    var sum = num_of(0.0f);
    var largest = 0.0f;
    for (var d = id.x * 256u + local; d < params.n; d += groups.x * 256u) {
        let delta = state(d);
        let g = gradient(d);
        let rest = num_add(num_sub(state(params.n + d), g), num_mul(damping(d), delta));
        sum = num_add(sum, num_mul(num_of(0.5f), num_mul(delta, rest)));
        largest = max(largest, select(HUGE, min(num_head(num_abs(g)), HUGE), num_is_finite(g)));
    }
    let total = workgroup_sum(local, sum);
    let top = workgroup_max(local, largest);
    if local == 0u {
        measures(id.x, num_head(total));
        measures(256u + id.x, top);
    }
}
