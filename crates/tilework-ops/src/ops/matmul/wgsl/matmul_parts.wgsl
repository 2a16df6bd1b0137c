// Adds the parts of a product that was split along k:  y[b, i] = sum over p of parts[b, p, i]
// One invocation per element of y; the parts are added in their order, so the result is the same on every run.
// params: n_elements, area, n_parts
// needs: parts(i), y(i, result) (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.x + id.y * groups.x * 256u;
    if i < params.n_elements {
        let first = (i / params.area) * params.n_parts * params.area + i % params.area;
        var sum = parts(first);
        for (var part = 1u; part < params.n_parts; part++) {
            sum = num_add(sum, parts(first + part * params.area));
        }
        y(i, sum);
    }
}
