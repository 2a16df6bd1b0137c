// Softmax along one axis:  y[r, c] = exp(x[r, c] - max_c x[r, .]) / sum_c exp(...), or its logarithm
// Row r = (o, i) has element c at (o * n_cols + c) * n_inner + i. One workgroup per row; each invocation strides over columns.
// Subtracting the row maximum keeps exp in range. A row of only -inf gives 0 (or -inf), not NaN.
// params: n_rows, n_cols, n_inner
// needs: x(i), y(i, result), IS_LOG (generated)
var<workgroup> partial: array<Num, 256>;

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let row = group.x + group.y * groups.x;
    let end = select(0u, params.n_cols, row < params.n_rows);
    let first = (row / params.n_inner) * params.n_cols * params.n_inner + row % params.n_inner;
    let lowest = num_of(f32_bits(0xff800000u));

    var highest = lowest;
    for (var col = lane; col < end; col += 256u) {
        highest = num_maximum(highest, x(first + col * params.n_inner));
    }
    partial[lane] = highest;
    workgroupBarrier();
    for (var width = 128u; width > 0u; width >>= 1u) {
        if lane < width {
            partial[lane] = num_maximum(partial[lane], partial[lane + width]);
        }
        workgroupBarrier();
    }
    highest = partial[0];
    workgroupBarrier();

    // With no finite maximum every difference would be NaN; shifting by 0 keeps exp(-inf) = 0.
    let is_masked = num_eq(highest, lowest);
    let shift = num_select(is_masked, num_of(0.0), highest);
    var sum = num_of(0.0);
    for (var col = lane; col < end; col += 256u) {
        sum = num_add(sum, num_exp(num_sub(x(first + col * params.n_inner), shift)));
    }
    partial[lane] = sum;
    workgroupBarrier();
    for (var width = 128u; width > 0u; width >>= 1u) {
        if lane < width {
            partial[lane] = num_add(partial[lane], partial[lane + width]);
        }
        workgroupBarrier();
    }
    let total = num_select(is_masked, num_of(1.0), partial[0]);
    let scale = num_recip(total);
    let log_total = num_log(total);
    for (var col = lane; col < end; col += 256u) {
        let at = first + col * params.n_inner;
        let shifted = num_sub(x(at), shift);
        if IS_LOG {
            y(at, num_sub(shifted, log_total));
        } else {
            y(at, num_mul(num_exp(shifted), scale));
        }
    }
}
