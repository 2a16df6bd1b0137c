// Conjugate gradients for (JᵀJ + diag(damping))·δ = −g begin: δ = 0, r = −g, z = M⁻¹·r, p = z.
// next: δ, r and z of n directions each, 256 partial sums of r·z, then (last r·z, first r·z, steps, is done, what they brought); way: p.
// Up to 256 workgroups, each with every so many directions.
// params: n
// needs: gradient(d), preconditioned(d), next(i, value), way(d, value), workgroup_sum(local, value)
fn residual(d: u32) -> Num {
    return num_neg(gradient(d));
}

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let n = params.n;
    var sum = num_of(0.0f);
    for (var d = id.x * 256u + local; d < n; d += groups.x * 256u) {
        let r = residual(d);
        let z = preconditioned(d);
        next(d, num_of(0.0f));
        next(n + d, r);
        next(2u * n + d, z);
        way(d, z);
        sum = num_add(sum, num_mul(r, z));
    }
    let total = workgroup_sum(local, sum);
    if local == 0u {
        next(3u * n + id.x, total);
    }
    if id.x == 0u && local < 5u {
        next(3u * n + 256u + local, num_of(0.0f));
    }
}
