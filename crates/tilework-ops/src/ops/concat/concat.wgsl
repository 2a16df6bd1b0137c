// One input of a join:  y[o, first + r] = x[o, r]
// x: [n_outer, row_len]; y: [n_outer, out_row_len]. One invocation per element of x; one pass per input, each writing its own
// part of y.
// params: n_elements, row_len, out_row_len, first
// needs: x(i), y(i, result) (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.x + id.y * groups.x * 256u;
    if at < params.n_elements {
        y((at / params.row_len) * params.out_row_len + params.first + at % params.row_len, x(at));
    }
}
