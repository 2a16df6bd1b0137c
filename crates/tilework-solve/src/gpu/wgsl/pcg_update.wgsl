// A step of conjugate gradients: α = r·z / p·q, δ + α·p, r − α·q, z = M⁻¹·r.
// Every workgroup sums the partial sums for itself, in the same order. The system is solved if r·z fell below `tolerance` times the first
// one, or if this step brought (½·α·r·z) less than `flatness` of the mean of all, and hopeless if p·q is not positive: from then on α is 0
// and nothing changes.
// state, next: as in pcg_start.wgsl; product: as in pcg_product.wgsl. `n_partials` workgroups.
// params: n, n_partials, tolerance, flatness (bits of floats)
// needs: state(i), way(d), product(i), preconditioned(d), next(i, value), workgroup_sum(local, value)
var<private> alpha: Num;

fn residual(d: u32) -> Num {
    return num_sub(state(params.n + d), num_mul(alpha, product(d)));
}

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let n = params.n;
    let scalars = 3u * n + 256u;
    let has_partial = local < params.n_partials;
    var part = num_of(0.0f);
    var curve = num_of(0.0f);
    if has_partial {
        part = state(3u * n + local);
        curve = product(n + local);
    }
    let rho = workgroup_sum(local, part);
    let curvature = workgroup_sum(local, curve);
    let steps = state(scalars + 2u);
    let zero = num_of(0.0f);
    let first = num_select(num_gt(steps, zero), state(scalars + 1u), rho);
    let target_rho = num_mul(num_of(bitcast<f32>(params.tolerance)), first);
    let goes_on = num_eq(state(scalars + 3u), zero) && num_gt(rho, target_rho) && num_gt(curvature, zero);
    alpha = num_select(goes_on, num_div(rho, curvature), zero);
    var sum = num_of(0.0f);
    for (var d = id.x * 256u + local; d < n; d += groups.x * 256u) {
        let r = residual(d);
        let z = preconditioned(d);
        next(d, num_add(state(d), num_mul(alpha, way(d))));
        next(n + d, r);
        next(2u * n + d, z);
        sum = num_add(sum, num_mul(r, z));
    }
    let total = workgroup_sum(local, sum);
    if local == 0u {
        next(3u * n + id.x, total);
    }
    if id.x == 0u && local == 0u {
        next(scalars, rho);
        next(scalars + 1u, first);
        let gain = num_mul(num_of(0.5f), num_mul(alpha, rho));
        let gains = num_add(state(scalars + 4u), gain);
        let next_steps = num_add(steps, num_of(select(0.0f, 1.0f, goes_on)));
        let is_flat = num_lt(num_mul(next_steps, gain), num_mul(num_of(bitcast<f32>(params.flatness)), gains));
        next(scalars + 2u, next_steps);
        next(scalars + 3u, num_of(select(1.0f, 0.0f, goes_on && !is_flat)));
        next(scalars + 4u, gains);
    }
}
