// Adds the parts of a convolution that was split along k:  y[g, row, column] = sum over p of parts[g, p, row, column]
// One invocation per result; the parts are added in their order, so the result is the same on every run.
// params: n_results, m, n, n_parts, y_row
// needs: parts(i), y_column(column), y(i, result) (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.x + id.y * groups.x * 256u;
    if i < params.n_results {
        let area = params.m * params.n;
        let first = (i / area) * params.n_parts * area + i % area;
        var sum = parts(first);
        for (var part = 1u; part < params.n_parts; part++) {
            sum = num_add(sum, parts(first + part * area));
        }
        y(y_column(i % params.n) + (i / params.n) * params.y_row, sum);
    }
}
