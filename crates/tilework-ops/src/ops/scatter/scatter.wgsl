// Rows put into their places:  y[o, p, i] = rows[o, winner[p] - 1, i], or x[o, p, i] where there is no winner
// x and y: [n_outer, n_axis, n_inner], rows: [n_outer, n_indices, n_inner], winner: [n_axis]. One invocation per element of y.
// params: n_elements, n_indices, n_axis, n_inner
// needs: x(i), rows(i), winner_at(i), y(i, result) (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.x + id.y * groups.x * 256u;
    if at < params.n_elements {
        let inner = at % params.n_inner;
        let place = (at / params.n_inner) % params.n_axis;
        let outer = at / (params.n_inner * params.n_axis);
        let winner = winner_at(place);
        if winner == 0u {
            y(at, x(at));
        } else {
            y(at, rows((outer * params.n_indices + winner - 1u) * params.n_inner + inner));
        }
    }
}
