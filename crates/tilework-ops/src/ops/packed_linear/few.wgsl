// Product of up to four vectors with packed weights:  y[v, r] = sum over c of x[v, c] * w[r, c]
// A workgroup computes 8 rows; 16 invocations share a row, each with 8 weights of every fourth group at a time, so that neighbours
// read neighbouring words, and all vectors while it has them. Normalised vectors (NORMAL) are divided by their root mean square at the
// end, since it is a factor of the whole sum. With a gate, rows 2r and 2r + 1 give result r.
// params: n_vectors, n_rows, n_results, n_groups, row_words, n_cols, epsilon (bits of an f32)
// needs: weights(row, group, part), x_quad(vector, col), x_squares, activation, y(i, result), N_VECTORS, NORMAL, GATE (generated)
const LANES: u32 = 16u;
const ROWS: u32 = 8u;
var<workgroup> partial: array<array<f32, LANES * ROWS>, N_VECTORS>;
var<workgroup> inverses: array<f32, N_VECTORS>;

fn tree(lane: u32, first_width: u32, span: u32) {
    for (var width = first_width; width > 0u; width >>= 1u) {
        if lane % span < width {
            for (var v = 0u; v < N_VECTORS; v++) {
                partial[v][lane] += partial[v][lane + width];
            }
        }
        workgroupBarrier();
    }
}

@compute @workgroup_size(128)
fn main(
    @builtin(workgroup_id) group_id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let first_row = (group_id.x + group_id.y * groups.x) * ROWS;
    let row = first_row + lane / LANES;
    if NORMAL {
        var squares = array<f32, N_VECTORS>();
        for (var col = lane * 4u; col < params.n_cols; col += LANES * ROWS * 4u) {
            for (var v = 0u; v < N_VECTORS; v++) {
                squares[v] += x_squares(v, col);
            }
        }
        for (var v = 0u; v < N_VECTORS; v++) {
            partial[v][lane] = squares[v];
        }
        workgroupBarrier();
        tree(lane, LANES * ROWS / 2u, LANES * ROWS);
        if lane < N_VECTORS {
            let mean = partial[lane][0] / f32(params.n_cols);
            inverses[lane] = 1.0 / sqrt(mean + bitcast<f32>(params.epsilon));
        }
        workgroupBarrier();
    }
    var sums = array<f32, N_VECTORS>();
    if row < params.n_rows {
        let row_at = row * params.row_words;
        let part = lane % 4u;
        for (var group = lane % LANES / 4u; group < params.n_groups; group += LANES / 4u) {
            let pair = weights(row_at, group, part);
            let col = group * 32u + part * 4u;
            for (var v = 0u; v < N_VECTORS; v++) {
                let low = x_quad(v, col);
                let high = x_quad(v, col + 16u);
                // One product a statement: each becomes a multiply-add.
                sums[v] += pair.low.x * low.x;
                sums[v] += pair.low.y * low.y;
                sums[v] += pair.low.z * low.z;
                sums[v] += pair.low.w * low.w;
                sums[v] += pair.high.x * high.x;
                sums[v] += pair.high.y * high.y;
                sums[v] += pair.high.z * high.z;
                sums[v] += pair.high.w * high.w;
            }
        }
    }
    for (var v = 0u; v < N_VECTORS; v++) {
        partial[v][lane] = sums[v];
    }
    workgroupBarrier();
    tree(lane, LANES / 2u, LANES);
    if lane >= ROWS * N_VECTORS {
        return;
    }
    let vector = lane / ROWS;
    let own = lane % ROWS;
    let own_row = first_row + own;
    if own_row >= params.n_rows || vector >= params.n_vectors {
        return;
    }
    let factor = select(1.0, inverses[vector], NORMAL);
    let sum = partial[vector][own * LANES] * factor;
    if GATE == 0u {
        y(vector * params.n_results + own_row, sum);
    } else if own % 2u == 0u {
        let other = partial[vector][(own + 1u) * LANES] * factor;
        y(vector * params.n_results + own_row / 2u, activation(sum) * other);
    }
}
