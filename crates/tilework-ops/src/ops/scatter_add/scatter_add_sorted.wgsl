// Sums rows by index:  y[o, p, i] = sum of x[o, order[s], i] over all s with start[p] <= s < start[p + 1]
// x: [n_outer, n_indices, n_inner]; order: [n_indices], the rows sorted by the place they go to; y: [n_outer, n_axis, n_inner].
// One invocation per element of y adds rows up to the first whole part, the sums of whole parts, and the rows behind them, in
// order: the same bits on every run, and a place that all rows go to takes n_indices / PART steps.
// params: n_elements, n_indices, n_axis, n_inner, n_parts
// needs: x(i), order_at(i), start_at(i), part_at(i), y(i, result), PART (generated)
fn row(outer: u32, s: u32, inner: u32) -> Num {
    return x((outer * params.n_indices + order_at(s)) * params.n_inner + inner);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.x + id.y * groups.x * 256u;
    if at < params.n_elements {
        let inner = at % params.n_inner;
        let place = (at / params.n_inner) % params.n_axis;
        let outer = at / (params.n_inner * params.n_axis);
        let begin = start_at(place);
        let end = start_at(place + 1u);
        let first_part = (begin + PART - 1u) / PART;
        let after_parts = max(end / PART, first_part);
        var sum = num_of(0.0);
        for (var s = begin; s < min(first_part * PART, end); s++) {
            sum = num_add(sum, row(outer, s, inner));
        }
        for (var part = first_part; part < after_parts; part++) {
            sum = num_add(sum, part_at((outer * params.n_parts + part) * params.n_inner + inner));
        }
        for (var s = after_parts * PART; s < end; s++) {
            sum = num_add(sum, row(outer, s, inner));
        }
        y(at, sum);
    }
}
