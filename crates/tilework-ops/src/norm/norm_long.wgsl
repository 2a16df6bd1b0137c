// Normalisation of rows too long for registers:  y[r, c] as in norm.wgsl, the row being read again for each of three passes
// One workgroup per row; each invocation strides over the packs of the row.
// params: n_rows, n_cols, n_inner, epsilon (bits of an f32)
// needs: x_pack(i), y_pack(i, results), WG, PACK, CENTERED (generated); row_sum; affine(row, col, values)
fn each_row(row: u32, lane: u32) {
    let end = select(0u, params.n_cols, row < params.n_rows);
    let first = (row / params.n_inner) * params.n_cols * params.n_inner + row % params.n_inner;
    let n = num_from_uint(params.n_cols);
    var mean = num_of(0.0);
    if CENTERED {
        var sum = num_of(0.0);
        for (var col = lane * PACK; col < end; col += WG * PACK) {
            var read = x_pack(first + col * params.n_inner);
            for (var j = 0u; j < PACK; j++) {
                sum = num_add(sum, read[j]);
            }
        }
        mean = num_div(row_sum(sum, 0u, lane), n);
    }
    var squares = num_of(0.0);
    for (var col = lane * PACK; col < end; col += WG * PACK) {
        var read = x_pack(first + col * params.n_inner);
        for (var j = 0u; j < PACK; j++) {
            let difference = num_sub(read[j], mean);
            squares = num_add(squares, num_mul(difference, difference));
        }
    }
    let variance = num_div(row_sum(squares, 1u, lane), n);
    let scale = num_rsqrt(num_add(variance, num_load(bitcast<f32>(params.epsilon))));
    for (var col = lane * PACK; col < end; col += WG * PACK) {
        var read = x_pack(first + col * params.n_inner);
        for (var j = 0u; j < PACK; j++) {
            read[j] = num_mul(num_sub(read[j], mean), scale);
        }
        y_pack(first + col * params.n_inner, affine(row, col, read));
    }
}
