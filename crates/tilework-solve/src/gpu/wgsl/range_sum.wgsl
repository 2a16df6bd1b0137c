// sums[k] = Σ parts[i] for i in starts[k]..starts[k + 1], one after the other: what was summed in segments becomes one number.
// starts: [n_sums + 1]; sums: [n_sums]. One invocation per sum.
// params: n_sums
// needs: starts(k), parts(i), sums(k, sum)
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let k = id.x + id.y * groups.x * 64u;
    if k >= params.n_sums {
        return;
    }
    var sum = num_of(0.0f);
    for (var i = starts(k); i < starts(k + 1u); i++) {
        sum = num_add(sum, parts(i));
    }
    sums(k, sum);
}
