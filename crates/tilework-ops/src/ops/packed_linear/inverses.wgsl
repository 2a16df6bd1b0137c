// Inverse root mean squares:  inverse[v] = 1 / sqrt(mean over c of x[v, c]^2 + epsilon)
// x: [n_vectors, n_cols]. One workgroup per vector.
// params: n_vectors, n_cols, epsilon (bits of an f32)
// needs: x(i), inverse(i, result) (generated)
var<workgroup> partial: array<f32, 128>;

@compute @workgroup_size(128)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let vector = group.x + group.y * groups.x;
    var sum = 0.0;
    if vector < params.n_vectors {
        for (var col = lane; col < params.n_cols; col += 128u) {
            let element = x(vector * params.n_cols + col);
            sum += element * element;
        }
    }
    partial[lane] = sum;
    workgroupBarrier();
    for (var width = 64u; width > 0u; width >>= 1u) {
        if lane < width {
            partial[lane] += partial[lane + width];
        }
        workgroupBarrier();
    }
    if lane == 0u && vector < params.n_vectors {
        inverse(vector, 1.0 / sqrt(partial[0] / f32(params.n_cols) + bitcast<f32>(params.epsilon)));
    }
}
