// Product of many vectors with packed weights:  y[v, r] = inverse[v] * sum over c of x[v, c] * w[r, c]
// A workgroup computes 32 vectors by 32 rows; an invocation 4 by 4 of them. Of each group of 32 columns weights are widened once per
// workgroup, into workgroup memory. With a gate, rows 2r and 2r + 1 give result r.
// params: n_vectors, n_rows, n_results, n_groups, row_words, n_row_tiles, n_cols
// needs: prepare(lane), weights(row, group, part), x_quad(vector, col), inverse(vector), add_four, activation, y(i, result), GATE (generated)
// Rows of quads are nine apart, so that neighbouring rows lie in different banks.
const PITCH: u32 = 9u;
var<workgroup> w_tile: array<vec4<f32>, 32 * PITCH>;
var<workgroup> x_tile: array<vec4<f32>, 32 * PITCH>;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group_id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let tile = group_id.x + group_id.y * groups.x;
    let first_row = tile % params.n_row_tiles * 32u;
    let first_vector = tile / params.n_row_tiles * 32u;
    let rows = lane % 8u;
    let vectors = lane / 8u;
    prepare(lane);
    var sums0 = vec4<f32>(0.0);
    var sums1 = vec4<f32>(0.0);
    var sums2 = vec4<f32>(0.0);
    var sums3 = vec4<f32>(0.0);
    for (var group = 0u; group < params.n_groups; group++) {
        // Two parts of 8 weights and four quads of the vectors for each invocation.
        for (var at = lane; at < 128u; at += 64u) {
            let row = at / 4u;
            let part = at % 4u;
            var pair = Pair(vec4<f32>(0.0), vec4<f32>(0.0));
            if first_row + row < params.n_rows {
                pair = weights((first_row + row) * params.row_words, group, part);
            }
            w_tile[row * PITCH + part] = pair.low;
            w_tile[row * PITCH + 4u + part] = pair.high;
        }
        for (var at = lane; at < 256u; at += 64u) {
            let vector = at / 8u;
            var quad = vec4<f32>(0.0);
            if first_vector + vector < params.n_vectors {
                quad = x_quad(first_vector + vector, group * 32u + at % 8u * 4u);
            }
            x_tile[vector * PITCH + at % 8u] = quad;
        }
        workgroupBarrier();
        for (var c = 0u; c < 8u; c++) {
            let w0 = w_tile[rows * 4u * PITCH + c];
            let w1 = w_tile[(rows * 4u + 1u) * PITCH + c];
            let w2 = w_tile[(rows * 4u + 2u) * PITCH + c];
            let w3 = w_tile[(rows * 4u + 3u) * PITCH + c];
            let x0 = x_tile[vectors * 4u * PITCH + c];
            let x1 = x_tile[(vectors * 4u + 1u) * PITCH + c];
            let x2 = x_tile[(vectors * 4u + 2u) * PITCH + c];
            let x3 = x_tile[(vectors * 4u + 3u) * PITCH + c];
            sums0 = vec4<f32>(add_four(sums0.x, w0, x0), add_four(sums0.y, w1, x0), add_four(sums0.z, w2, x0), add_four(sums0.w, w3, x0));
            sums1 = vec4<f32>(add_four(sums1.x, w0, x1), add_four(sums1.y, w1, x1), add_four(sums1.z, w2, x1), add_four(sums1.w, w3, x1));
            sums2 = vec4<f32>(add_four(sums2.x, w0, x2), add_four(sums2.y, w1, x2), add_four(sums2.z, w2, x2), add_four(sums2.w, w3, x2));
            sums3 = vec4<f32>(add_four(sums3.x, w0, x3), add_four(sums3.y, w1, x3), add_four(sums3.z, w2, x3), add_four(sums3.w, w3, x3));
        }
        workgroupBarrier();
    }
    let vector = first_vector + vectors * 4u;
    let row = first_row + rows * 4u;
    store(vector, row, sums0);
    store(vector + 1u, row, sums1);
    store(vector + 2u, row, sums2);
    store(vector + 3u, row, sums3);
}

// Stores the sums of four rows with one vector.
fn store(vector: u32, row: u32, sums: vec4<f32>) {
    if vector >= params.n_vectors {
        return;
    }
    let scaled = sums * inverse(vector);
    let start = vector * params.n_results;
    if GATE == 0u {
        for (var j = 0u; j < 4u; j++) {
            if row + j < params.n_rows {
                y(start + row + j, scaled[j]);
            }
        }
        return;
    }
    if row + 1u < params.n_rows {
        y(start + row / 2u, activation(scaled.x) * scaled.y);
    }
    if row + 3u < params.n_rows {
        y(start + row / 2u + 1u, activation(scaled.z) * scaled.w);
    }
}
