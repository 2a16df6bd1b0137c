// q = JᵀJ·p + damping·p, and partial sums of p·q.
// gathered: JᵀJ·p; product: q of n directions, then 256 partial sums. Up to 256 workgroups.
// params: n
// needs: gathered(d), damping(d), way(d), product(i, value), workgroup_sum(local, value)
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    var sum = num_of(0.0f);
    for (var d = id.x * 256u + local; d < params.n; d += groups.x * 256u) {
        let q = num_add(gathered(d), num_mul(damping(d), way(d)));
        product(d, q);
        sum = num_add(sum, num_mul(way(d), q));
    }
    let total = workgroup_sum(local, sum);
    if local == 0u {
        product(params.n + id.x, total);
    }
}
