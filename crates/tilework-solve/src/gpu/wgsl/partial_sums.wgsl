// sums[w] = Σ values[i] over the share of workgroup w: elements w·256 + lane, and every so many workgroups further.
// values: [n]; sums: [number of workgroups], at most 256 of them. The shape of the tree depends on n only.
// params: n
// needs: values(i), sums(w, sum), workgroup_sum(local, value)
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    var sum = num_of(0.0f);
    for (var i = id.x * 256u + local; i < params.n; i += groups.x * 256u) {
        sum = num_add(sum, values(i));
    }
    let total = workgroup_sum(local, sum);
    if local == 0u {
        sums(id.x, total);
    }
}
