// Sums of whole parts of one place:  y[o, q, i] = sum over s in part q of x[o, order[s], i], if all of its places are equal
// x: [n_outer, n_indices, n_inner]; place and order: [n_indices], sorted by place; a part is PART neighbors of them; y: [n_outer,
// n_parts, n_inner]. One invocation per element of y adds in order; where a part has several places, its sum is not used and 0.
// params: n_elements, n_indices, n_inner, n_parts
// needs: x(i), place_at(i), order_at(i), y(i, result), PART (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.x + id.y * groups.x * 256u;
    if at < params.n_elements {
        let inner = at % params.n_inner;
        let first = ((at / params.n_inner) % params.n_parts) * PART;
        let outer = at / (params.n_inner * params.n_parts);
        var sum = num_of(0.0);
        if place_at(first) == place_at(first + PART - 1u) {
            for (var s = first; s < first + PART; s++) {
                sum = num_add(sum, x((outer * params.n_indices + order_at(s)) * params.n_inner + inner));
            }
        }
        y(at, sum);
    }
}
