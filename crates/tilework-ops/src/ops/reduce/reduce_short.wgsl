// Reduction of short rows:  y[row] = combine of x[row, c] over all columns
// x: [n_rows, n_cols] as elements x(i); y: [n_rows]. One invocation per row: with fewer columns than a workgroup has
// invocations, a tree would leave most of them idle.
// params: n_rows, n_cols
// needs: x(i), y(i, result), Acc, combine(a, b), identity() (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let row = id.x + id.y * groups.x * 256u;
    if row < params.n_rows {
        var sum = identity();
        for (var col = 0u; col < params.n_cols; col++) {
            sum = combine(sum, x(row * params.n_cols + col));
        }
        y(row, sum);
    }
}
