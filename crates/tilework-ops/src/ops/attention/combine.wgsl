// Attention of few queries, second pass:  y[row, c] = sum over splits of 2^(highest_s - highest) * sums_s[c], over the same of weights
// partial: for each (row, split) dv sums, then highest score and sum of weights. One invocation per element of y. A row that saw
// no key gives 0.
// params: n_elements, dv, n_splits
// needs: partial(i), y(i, result) (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.x + id.y * groups.x * 256u;
    if at >= params.n_elements {
        return;
    }
    let row = at / params.dv;
    let start = row * params.n_splits * (params.dv + 2u);
    var highest = partial(start + params.dv);
    for (var split = 1u; split < params.n_splits; split++) {
        highest = max(highest, partial(start + split * (params.dv + 2u) + params.dv));
    }
    var sum = 0.0;
    var total = 0.0;
    for (var split = 0u; split < params.n_splits; split++) {
        let place = start + split * (params.dv + 2u);
        let factor = exp2(partial(place + params.dv) - highest);
        sum += factor * partial(place + at % params.dv);
        total += factor * partial(place + params.dv + 1u);
    }
    y(at, select(sum / total, 0.0, total == 0.0));
}
