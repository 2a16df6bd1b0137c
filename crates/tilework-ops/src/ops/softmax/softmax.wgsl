// Softmax along one axis:  y[r, c] = exp(x[r, c] - max_c x[r, .]) / sum_c exp(...), or its logarithm
// Row r = (o, i) has element c at (o * n_cols + c) * n_inner + i. One workgroup per row. Every invocation reads its packs of the
// row once and keeps them in registers. Subtracting the row maximum keeps exp in range. A row of only -inf gives 0 (or -inf), not
// NaN.
// params: n_rows, n_cols, n_inner
// needs: x_pack(i), y_pack(i, results), WG, PACK, N_PACKS, IS_LOG (generated); row_max, row_sum
fn each_row(row: u32, lane: u32) {
    let end = select(0u, params.n_cols, row < params.n_rows);
    let first = (row / params.n_inner) * params.n_cols * params.n_inner + row % params.n_inner;
    let lowest = num_of(f32_bits(0xff800000u));
    var kept: array<array<Num, PACK>, N_PACKS>;
    var highest = lowest;
    for (var k = 0u; k < N_PACKS; k++) {
        let col = (k * WG + lane) * PACK;
        if col < end {
            kept[k] = x_pack(first + col * params.n_inner);
            for (var j = 0u; j < PACK; j++) {
                highest = num_maximum(highest, kept[k][j]);
            }
        }
    }
    highest = row_max(highest, 0u, lane);

    // With no finite maximum every difference would be NaN; shifting by 0 keeps exp(-inf) = 0.
    let is_masked = num_eq(highest, lowest);
    let shift = num_select(is_masked, num_of(0.0), highest);
    var sum = num_of(0.0);
    for (var k = 0u; k < N_PACKS; k++) {
        if (k * WG + lane) * PACK < end {
            for (var j = 0u; j < PACK; j++) {
                let shifted = num_sub(kept[k][j], shift);
                let exponential = num_exp(shifted);
                sum = num_add(sum, exponential);
                if IS_LOG {
                    kept[k][j] = shifted;
                } else {
                    kept[k][j] = exponential;
                }
            }
        }
    }
    let total = num_select(is_masked, num_of(1.0), row_sum(sum, 1u, lane));
    let scale = num_recip(total);
    let log_total = num_log(total);
    for (var k = 0u; k < N_PACKS; k++) {
        let col = (k * WG + lane) * PACK;
        if col < end {
            for (var j = 0u; j < PACK; j++) {
                if IS_LOG {
                    kept[k][j] = num_sub(kept[k][j], log_total);
                } else {
                    kept[k][j] = num_mul(kept[k][j], scale);
                }
            }
            y_pack(first + col * params.n_inner, kept[k]);
        }
    }
}
