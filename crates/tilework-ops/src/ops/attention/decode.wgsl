// Attention of few queries, first pass: each workgroup takes the keys of one split and leaves, for each of its queries, the highest
// score, the sum of weights and the weighted sum of values
// q: [n_batch, n_heads, n_q, d]. The queries that share keys (n_group heads with n_q queries each) are rows; a workgroup takes ROWS of
// them, up to 512 columns, and of the blocks of 128 keys every n_splits-th, so that all splits have work however full the cache is.
// partial: for each (row of y, split): dv sums, then highest score and sum of weights.
// One invocation has one key of a block, then 8 keys of one row, then one quad of columns for every n_lanes-th key.
// params: n_units, n_heads, n_group, n_q, n_kv, d, dv, n_splits, n_row_tiles, n_column_tiles and the strides of q, k, v
// needs: q_load(start, col), k_load, v_load, partial(i, value), ROWS, D_QUADS (generated); common.wgsl
var<workgroup> queries: array<vec4<f32>, ROWS * D_QUADS>;
var<workgroup> weights: array<array<f32, 128>, ROWS>;
var<workgroup> row_parts: array<array<f32, 16>, ROWS>;
var<workgroup> shrinks: array<f32, ROWS>;
var<workgroup> lane_sums: array<vec4<f32>, 128>;

@compute @workgroup_size(128)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let unit = group.x + group.y * groups.x;
    let is_real = unit < params.n_units;
    let split = unit % params.n_splits;
    let column = (unit / params.n_splits % params.n_column_tiles) * 512u;
    let tile = unit / params.n_splits / params.n_column_tiles;
    let first_row = (tile % params.n_row_tiles) * ROWS;
    let n_kv_heads = params.n_heads / params.n_group;
    let kv_head = tile / params.n_row_tiles % n_kv_heads;
    let batch = tile / params.n_row_tiles / n_kv_heads;
    let n_rows = params.n_group * params.n_q;
    let k_start = params.k_first + batch * params.k_batch + kv_head * params.k_head;
    let v_start = params.v_first + batch * params.v_batch + kv_head * params.v_head;
    let past = n_past();
    let end_key = select(0u, end_seen(params.n_q - 1u, past), is_real);

    for (var at = lane; at < ROWS * D_QUADS; at += 128u) {
        let row = first_row + at / D_QUADS;
        let head = kv_head * params.n_group + row / params.n_q;
        let q_start = params.q_first + batch * params.q_batch + head * params.q_head + (row % params.n_q) * params.q_row;
        var quad = vec4<f32>(0.0);
        if is_real && row < n_rows {
            quad = q_load(q_start, (at % D_QUADS) * 4u);
        }
        queries[at] = quad;
    }
    // In the second step an invocation has a row and a sixteenth of its keys, in the third a quad of columns.
    let own_row = lane / 16u;
    let part = lane % 16u;
    let n_quads = (min(params.dv - column, 512u) + 3u) / 4u;
    let n_lanes = 128u / n_quads;
    let quad = lane % n_quads;
    let first_lane = lane / n_quads;
    var sums: array<vec4<f32>, ROWS>;
    var highest = LOWEST;
    var total = 0.0;
    workgroupBarrier();
    for (var key = split * 128u; key < end_key; key += params.n_splits * 128u) {
        let at = key + lane;
        var products = array<f32, ROWS>();
        if at < end_key {
            let row_start = k_start + at * params.k_row;
            for (var c = 0u; c < D_QUADS; c++) {
                let k = k_load(row_start, c * 4u);
                for (var r = 0u; r < ROWS; r++) {
                    // One product a statement: each becomes a multiply-add.
                    let q = queries[r * D_QUADS + c];
                    products[r] += q.x * k.x;
                    products[r] += q.y * k.y;
                    products[r] += q.z * k.z;
                    products[r] += q.w * k.w;
                }
            }
        }
        for (var r = 0u; r < ROWS; r++) {
            let row = first_row + r;
            let query = row % params.n_q;
            let head = kv_head * params.n_group + row / params.n_q;
            var s = LOWEST;
            if row < n_rows && at >= first_seen(query, past) && at < end_seen(query, past) {
                s = score(products[r], batch, head, query, at);
            }
            weights[r][lane] = s;
        }
        workgroupBarrier();
        if own_row < ROWS {
            var now = weights[own_row][part];
            for (var step = 1u; step < 8u; step++) {
                now = max(now, weights[own_row][part + 16u * step]);
            }
            row_parts[own_row][part] = now;
        }
        workgroupBarrier();
        if own_row < ROWS {
            var now = highest;
            for (var x = 0u; x < 16u; x++) {
                now = max(now, row_parts[own_row][x]);
            }
            let shrink = exp2(highest - now);
            var own = 0.0;
            for (var step = 0u; step < 8u; step++) {
                let w = weight(weights[own_row][part + 16u * step], now);
                weights[own_row][part + 16u * step] = w;
                own += w;
            }
            total = total * shrink + own;
            highest = now;
            if part == 0u {
                shrinks[own_row] = shrink;
            }
        }
        workgroupBarrier();
        for (var r = 0u; r < ROWS; r++) {
            sums[r] *= shrinks[r];
        }
        let n_block = min(end_key - key, 128u);
        if first_lane < n_lanes {
            for (var j = first_lane; j < n_block; j += n_lanes) {
                let v = v_load(v_start + (key + j) * params.v_row, column + quad * 4u);
                for (var r = 0u; r < ROWS; r++) {
                    sums[r] += weights[r][j] * v;
                }
            }
        }
        workgroupBarrier();
    }
    if own_row < ROWS {
        row_parts[own_row][part] = total;
    }
    workgroupBarrier();
    for (var r = 0u; r < ROWS; r++) {
        lane_sums[lane] = sums[r];
        workgroupBarrier();
        let row = first_row + r;
        let head = kv_head * params.n_group + row / params.n_q;
        let y_row = (batch * params.n_heads + head) * params.n_q + row % params.n_q;
        let start = (y_row * params.n_splits + split) * (params.dv + 2u);
        if is_real && row < n_rows {
            if lane < n_quads {
                var sum = lane_sums[lane];
                for (var x = 1u; x < n_lanes; x++) {
                    sum += lane_sums[lane + x * n_quads];
                }
                for (var j = 0u; j < 4u; j++) {
                    if column + quad * 4u + j < params.dv {
                        partial(start + column + quad * 4u + j, sum[j]);
                    }
                }
            }
            if own_row == r && part == 0u && column == 0u {
                var all = 0.0;
                for (var x = 0u; x < 16u; x++) {
                    all += row_parts[r][x];
                }
                partial(start + params.dv, highest);
                partial(start + params.dv + 1u, all);
            }
        }
        workgroupBarrier();
    }
}
