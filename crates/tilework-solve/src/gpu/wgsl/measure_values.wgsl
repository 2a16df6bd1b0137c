// Partial sums of |trial − x|² and of |x|² over all numbers of all parameters.
// measures: 256 sums of the first, then 256 of the second, in single precision. Up to 256 workgroups.
// params: n
// needs: x(i), trial(i), measures(i, value), workgroup_sum(local, value)
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    var moved = num_of(0.0f);
    var length = num_of(0.0f);
    for (var i = id.x * 256u + local; i < params.n; i += groups.x * 256u) {
        let change = num_sub(trial(i), x(i));
        moved = num_add(moved, num_mul(change, change));
        length = num_add(length, num_mul(x(i), x(i)));
    }
    let all_moved = workgroup_sum(local, moved);
    let all_length = workgroup_sum(local, length);
    if local == 0u {
        measures(id.x, num_head(all_moved));
        measures(256u + id.x, num_head(all_length));
    }
}
