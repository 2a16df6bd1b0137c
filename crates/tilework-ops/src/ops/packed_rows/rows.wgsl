// Rows of packed weights:  y[j, c] = w[index[j], c]
// One invocation per 8 weights: four of the first 16 of a group of 32, and the four 16 further on.
// A negative index counts from the end; one out of range is moved to the nearest end.
// params: n_units, n_groups, n_rows, row_words, n_cols
// needs: prepare(lane), weights(row, group, part), index_at(i), y(i, result) (generated)
@compute @workgroup_size(256)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    prepare(lane);
    let unit = id.x + id.y * groups.x * 256u;
    if unit >= params.n_units {
        return;
    }
    let part = unit % 4u;
    let group = unit / 4u % params.n_groups;
    let j = unit / (4u * params.n_groups);
    let index = index_at(j);
    let from_start = select(index, index + i32(params.n_rows), index < 0);
    let picked = u32(clamp(from_start, 0, i32(params.n_rows) - 1));
    let pair = weights(picked * params.row_words, group, part);
    let col = group * 32u + part * 4u;
    for (var k = 0u; k < 4u; k++) {
        if col + k < params.n_cols {
            y(j * params.n_cols + col + k, pair.low[k]);
        }
        if col + 16u + k < params.n_cols {
            y(j * params.n_cols + col + 16u + k, pair.high[k]);
        }
    }
}
