// Partial sums of gradient·way, the slope along the line, and partial maxima of |gradient|. A derivative that is not finite counts as HUGE.
// gradient, way: [n]; measures: 256 sums, then 256 maxima. Up to 256 workgroups.
// params: n
// needs: gradient(d), way(d), measures(i, value), workgroup_sum(local, value), workgroup_max(local, value)
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    var sum = num_of(0.0f);
    var largest = 0.0f;
    for (var d = id.x * 256u + local; d < params.n; d += groups.x * 256u) {
        let g = gradient(d);
        sum = num_add(sum, num_mul(g, way(d)));
        largest = max(largest, select(HUGE, min(num_head(num_abs(g)), HUGE), num_is_finite(g)));
    }
    let total = workgroup_sum(local, sum);
    let top = workgroup_max(local, largest);
    if local == 0u {
        measures(id.x, total);
        measures(256u + id.x, num_of(top));
    }
}
