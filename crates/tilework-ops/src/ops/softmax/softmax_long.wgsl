// Softmax of rows too long for registers:  y[r, c] as in softmax.wgsl, the row being read again for each of three passes
// One workgroup per row; each invocation strides over the packs of the row.
// params: n_rows, n_cols, n_inner
// needs: x_pack(i), y_pack(i, results), WG, PACK, IS_LOG (generated); row_max, row_sum
fn each_row(row: u32, lane: u32) {
    let end = select(0u, params.n_cols, row < params.n_rows);
    let first = (row / params.n_inner) * params.n_cols * params.n_inner + row % params.n_inner;
    let lowest = num_of(f32_bits(0xff800000u));
    var highest = lowest;
    for (var col = lane * PACK; col < end; col += WG * PACK) {
        var read = x_pack(first + col * params.n_inner);
        for (var j = 0u; j < PACK; j++) {
            highest = num_maximum(highest, read[j]);
        }
    }
    highest = row_max(highest, 0u, lane);

    // With no finite maximum every difference would be NaN; shifting by 0 keeps exp(-inf) = 0.
    let is_masked = num_eq(highest, lowest);
    let shift = num_select(is_masked, num_of(0.0), highest);
    var sum = num_of(0.0);
    for (var col = lane * PACK; col < end; col += WG * PACK) {
        var read = x_pack(first + col * params.n_inner);
        for (var j = 0u; j < PACK; j++) {
            sum = num_add(sum, num_exp(num_sub(read[j], shift)));
        }
    }
    let total = num_select(is_masked, num_of(1.0), row_sum(sum, 1u, lane));
    let scale = num_recip(total);
    let log_total = num_log(total);
    for (var col = lane * PACK; col < end; col += WG * PACK) {
        let at = first + col * params.n_inner;
        var read = x_pack(at);
        for (var j = 0u; j < PACK; j++) {
            let shifted = num_sub(read[j], shift);
            if IS_LOG {
                read[j] = num_sub(shifted, log_total);
            } else {
                read[j] = num_mul(num_exp(shifted), scale);
            }
        }
        y_pack(at, read);
    }
}
