// The next direction of conjugate gradients: p = z + β·p with β = r·z / last r·z, summed by every workgroup for itself.
// state: as in pcg_start.wgsl. Up to 256 workgroups.
// params: n, n_partials
// needs: state(i), way(d), next_way(d, value), workgroup_sum(local, value)
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let n = params.n;
    var part = num_of(0.0f);
    if local < params.n_partials {
        part = state(3u * n + local);
    }
    let rho = workgroup_sum(local, part);
    // Once the system is solved both sums may be 0, and their ratio nothing to go on with.
    let goes_on = num_eq(state(3u * n + 256u + 3u), num_of(0.0f));
    let beta = num_select(goes_on, num_div(rho, state(3u * n + 256u)), num_of(0.0f));
    for (var d = id.x * 256u + local; d < n; d += groups.x * 256u) {
        next_way(d, num_add(state(2u * n + d), num_mul(beta, way(d))));
    }
}
