// Product of up to four vectors with packed weights:  y[v, r] = sum over c of x[v, c] * w[r, c]
// 16 invocations share ROWS_PER_LANE rows, each with 8 weights of every fourth group at a time, so that neighbours read neighbouring
// words; what it reads of the vectors serves all of its rows. Normalised vectors (NORMAL) are divided by their root mean square at the
// end, since it is a factor of the whole sum. With a gate, rows 2r and 2r + 1 give result r.
// params: n_vectors, n_rows, n_results, n_groups, row_words, n_cols, epsilon (bits of an f32)
// needs: prepare(lane), read_weights(row, group, part), add_products, Pair, x_quad(vector, col), x_squares, activation, y(i, result), N_VECTORS,
// ROWS_PER_LANE, NORMAL, GATE (generated)
const LANES: u32 = 16u;
const SETS: u32 = 8u;
const ROWS: u32 = SETS * ROWS_PER_LANE;
const N_SUMS: u32 = N_VECTORS * ROWS_PER_LANE;
var<workgroup> partial: array<array<f32, LANES * SETS>, N_SUMS>;
var<workgroup> inverses: array<f32, N_VECTORS>;

// Adds up the first `n` lists of partial sums, in spans of lanes.
fn tree(lane: u32, n: u32, first_width: u32, span: u32) {
    for (var width = first_width; width > 0u; width >>= 1u) {
        if lane % span < width {
            for (var s = 0u; s < n; s++) {
                partial[s][lane] += partial[s][lane + width];
            }
        }
        workgroupBarrier();
    }
}

// The product of a vector with one of the rows of this workgroup.
fn total(vector: u32, row: u32) -> f32 {
    let sum = partial[vector * ROWS_PER_LANE + row % ROWS_PER_LANE][row / ROWS_PER_LANE * LANES];
    return select(sum, sum * inverses[vector], NORMAL);
}

@compute @workgroup_size(128)
fn main(
    @builtin(workgroup_id) group_id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let first_row = (group_id.x + group_id.y * groups.x) * ROWS;
    prepare(lane);
    if NORMAL {
        var squares = array<f32, N_VECTORS>();
        for (var col = lane * 4u; col < params.n_cols; col += LANES * SETS * 4u) {
            for (var v = 0u; v < N_VECTORS; v++) {
                squares[v] += x_squares(v, col);
            }
        }
        for (var v = 0u; v < N_VECTORS; v++) {
            partial[v][lane] = squares[v];
        }
        workgroupBarrier();
        tree(lane, N_VECTORS, LANES * SETS / 2u, LANES * SETS);
        if lane < N_VECTORS {
            let mean = partial[lane][0] / f32(params.n_cols);
            inverses[lane] = 1.0 / sqrt(mean + bitcast<f32>(params.epsilon));
        }
        workgroupBarrier();
    }
    // Lanes past the last row repeat it; nobody reads their sums.
    var rows = array<u32, ROWS_PER_LANE>();
    for (var r = 0u; r < ROWS_PER_LANE; r++) {
        let row = first_row + lane / LANES * ROWS_PER_LANE + r;
        rows[r] = min(row, max(params.n_rows, 1u) - 1u) * params.row_words;
    }
    let part = lane % 4u;
    var sums = array<f32, N_SUMS>();
    for (var group = lane % LANES / 4u; group < params.n_groups; group += LANES / 4u) {
        let col = group * 32u + part * 4u;
        var quads = array<Pair, N_VECTORS>();
        var of_quads = array<vec2<f32>, N_VECTORS>();
        for (var v = 0u; v < N_VECTORS; v++) {
            let low = x_quad(v, col);
            let high = x_quad(v, col + 16u);
            quads[v] = Pair(low, high);
            of_quads[v] = vec2<f32>((low.x + low.y) + (low.z + low.w), (high.x + high.y) + (high.z + high.w));
        }
        for (var r = 0u; r < ROWS_PER_LANE; r++) {
            let weights = read_weights(rows[r], group, part);
            for (var v = 0u; v < N_VECTORS; v++) {
                let s = v * ROWS_PER_LANE + r;
                sums[s] = add_products(sums[s], weights, quads[v], of_quads[v]);
            }
        }
    }
    for (var s = 0u; s < N_SUMS; s++) {
        partial[s][lane] = sums[s];
    }
    workgroupBarrier();
    tree(lane, N_SUMS, LANES / 2u, LANES);
    if lane >= ROWS * N_VECTORS {
        return;
    }
    let vector = lane / ROWS;
    let own = lane % ROWS;
    if first_row + own >= params.n_rows || vector >= params.n_vectors {
        return;
    }
    let start = vector * params.n_results;
    if GATE == 0u {
        y(start + first_row + own, total(vector, own));
    } else if own % 2u == 0u {
        y(start + (first_row + own) / 2u, activation(total(vector, own)) * total(vector, own + 1u));
    }
}
