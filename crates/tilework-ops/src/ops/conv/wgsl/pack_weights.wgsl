// Weights as the rows of a matrix:  packed[group, row, k] = weight[group, row, channel, tap] with k = channel * n_taps + tap
// Rows are as long as the next multiple of four, filled with zeros, so that they are read in loads of 16 bytes.
// One invocation per element of the result.
// params: n_packed, row_len, k, m, n_taps, n_taps_x
// needs: weight_at(group, row, channel, tap_y, tap_x), packed(i, result) (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.x + id.y * groups.x * 256u;
    if at < params.n_packed {
        let k = min(at % params.row_len, params.k - 1u);
        let row = at / params.row_len;
        let tap = k % params.n_taps;
        let weight = weight_at(row / params.m, row % params.m, k / params.n_taps, tap / params.n_taps_x, tap % params.n_taps_x);
        packed(at, select(num_of(0.0), weight, at % params.row_len < params.k));
    }
}
