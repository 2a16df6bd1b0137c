// Normalisation of rows:  y[r, c] = (x[r, c] - mean_r) / sqrt(mean of (x[r, .] - mean_r)^2 + epsilon), then weight and bias
// Row r = (o, i) has element c at (o * n_cols + c) * n_inner + i. One workgroup per row. Every invocation reads its packs of the
// row once and keeps them in registers; the mean comes first, so that squares are of differences and nothing cancels.
// Without CENTERED the mean is taken to be 0.
// params: n_rows, n_cols, n_inner, epsilon (bits of an f32)
// needs: x_pack(i), y_pack(i, results), WG, PACK, N_PACKS, CENTERED (generated); row_sum; affine(row, col, values)
fn each_row(row: u32, lane: u32) {
    let end = select(0u, params.n_cols, row < params.n_rows);
    let first = (row / params.n_inner) * params.n_cols * params.n_inner + row % params.n_inner;
    let n = num_from_uint(params.n_cols);
    var kept: array<array<Num, PACK>, N_PACKS>;
    var sum = num_of(0.0);
    for (var k = 0u; k < N_PACKS; k++) {
        let col = (k * WG + lane) * PACK;
        if col < end {
            kept[k] = x_pack(first + col * params.n_inner);
            for (var j = 0u; j < PACK; j++) {
                sum = num_add(sum, kept[k][j]);
            }
        }
    }
    var mean = num_of(0.0);
    if CENTERED {
        mean = num_div(row_sum(sum, 0u, lane), n);
    }
    var squares = num_of(0.0);
    for (var k = 0u; k < N_PACKS; k++) {
        if (k * WG + lane) * PACK < end {
            for (var j = 0u; j < PACK; j++) {
                kept[k][j] = num_sub(kept[k][j], mean);
                squares = num_add(squares, num_mul(kept[k][j], kept[k][j]));
            }
        }
    }
    let variance = num_div(row_sum(squares, 1u, lane), n);
    let scale = num_rsqrt(num_add(variance, num_load(bitcast<f32>(params.epsilon))));
    for (var k = 0u; k < N_PACKS; k++) {
        let col = (k * WG + lane) * PACK;
        if col < end {
            for (var j = 0u; j < PACK; j++) {
                kept[k][j] = num_mul(kept[k][j], scale);
            }
            y_pack(first + col * params.n_inner, affine(row, col, kept[k]));
        }
    }
}
