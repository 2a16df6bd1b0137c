// Scan of short rows:  y[row, c] = x[row, 0] * ... * x[row, c], where * is combine; without x[row, c] if exclusive.
// x: [n_rows, n_cols] as elements x(i), already reversed for a backward scan, whose results are stored from the end. Element c
// of row (o, i) of the result is at (o * n_cols + c) * n_inner + i. One invocation per row.
// params: n_rows, n_cols, n_inner
// needs: x(i), y(i, result), Acc, combine(a, b), identity(), IS_EXCLUSIVE, IS_BACKWARD (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let row = id.x + id.y * groups.x * 256u;
    if row < params.n_rows {
        let first = (row / params.n_inner) * params.n_cols * params.n_inner + row % params.n_inner;
        var sum = identity();
        for (var col = 0u; col < params.n_cols; col++) {
            let after = combine(sum, x(row * params.n_cols + col));
            let place = select(col, params.n_cols - 1u - col, IS_BACKWARD);
            if IS_EXCLUSIVE {
                y(first + place * params.n_inner, sum);
            } else {
                y(first + place * params.n_inner, after);
            }
            sum = after;
        }
    }
}
