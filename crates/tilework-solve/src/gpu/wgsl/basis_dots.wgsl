// Partial sums of the products of every vector of the basis with the newest step, the newest change, and the gradient.
// dots: [BASIS][3][256]. Workgroup j·n_partials + w sums share w of vector j.
// params: n, n_partials
// needs: basis(j, d), status(i), dots(i, value), workgroup_sum(local, value)
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let group = id.x + id.y * groups.x;
    let j = min(group / params.n_partials, BASIS - 1u);
    let share = group % params.n_partials;
    let newest = u32(status(STATUS_NEWEST));
    let zero = num_of(0.0f);
    var sums = array<Num, 3>(zero, zero, zero);
    for (var d = share * 256u + local; d < params.n; d += params.n_partials * 256u) {
        let b = basis(j, d);
        sums[0] = num_add(sums[0], num_mul(b, basis(newest, d)));
        sums[1] = num_add(sums[1], num_mul(b, basis(MEMORY + newest, d)));
        sums[2] = num_add(sums[2], num_mul(b, basis(2u * MEMORY, d)));
    }
    let step_sum = workgroup_sum(local, sums[0]);
    let change_sum = workgroup_sum(local, sums[1]);
    let gradient_sum = workgroup_sum(local, sums[2]);
    if local == 0u && group < BASIS * params.n_partials {
        dots((3u * j) * 256u + share, step_sum);
        dots((3u * j + 1u) * 256u + share, change_sum);
        dots((3u * j + 2u) * 256u + share, gradient_sum);
    }
}
