// Neighborhood attention:  y[b, h, p, :] = sum over the window^2 keys j around p of softmax_j(q_p . k_j) * v[b, h, j, :]
// q, k: [n_batch, n_heads, height, width, d], v, y: [.., dv]. The window of a query is centered on it, but moved inward at the borders,
// and takes every dilation-th position in both directions. A workgroup takes 4 queries that follow each other in a head and up to
// 256 columns, and walks over their keys 64 at a time. One invocation has one key of each query, then 4 keys of one query, then quads
// of columns. Weights are relative to the maximum so far, and what was summed before is scaled down when that rises.
// params: n_units, n_heads, height, width, window, dilation, d, dv, n_query_tiles, n_column_tiles, scale (bits of an f32, over ln 2)
// and the strides of q, k, v
// needs: q_load(start, col), k_load, v_load, y_store(row, col, value), D_QUADS, N_SUMS (generated); Num = f32
const LOWEST: f32 = -3.0e38;
var<workgroup> queries: array<array<vec4<f32>, D_QUADS>, 4>;
var<workgroup> weights: array<array<f32, 64>, 4>;
var<workgroup> places: array<array<u32, 64>, 4>; // of keys: row << 16 | column
var<workgroup> row_parts: array<array<f32, 16>, 4>;
var<workgroup> shrinks: array<f32, 4>;

// Key `step` of the window of position `at` of an axis of `size` positions: among those that are a multiple of the dilation away,
// the window begins half of itself before, but within the axis.
fn neighbor(at: u32, size: u32, step: u32) -> u32 {
    let first = at % params.dilation;
    let own = i32(at / params.dilation);
    let n = i32((size - first + params.dilation - 1u) / params.dilation);
    let start = clamp(own - i32(params.window / 2u), 0, n - i32(params.window));
    return first + (u32(start) + step) * params.dilation;
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let unit = group.x + group.y * groups.x;
    let is_real = unit < params.n_units;
    let column = (unit % params.n_column_tiles) * 256u;
    let first_query = (unit / params.n_column_tiles % params.n_query_tiles) * 4u;
    let head_unit = unit / params.n_column_tiles / params.n_query_tiles;
    let head = head_unit % params.n_heads;
    let batch = head_unit / params.n_heads;
    let n_queries = params.height * params.width;
    let q_start = params.q_first + batch * params.q_batch + head * params.q_head;
    let k_start = params.k_first + batch * params.k_batch + head * params.k_head;
    let v_start = params.v_first + batch * params.v_batch + head * params.v_head;
    let n_keys = select(0u, params.window * params.window, is_real);
    for (var at = lane; at < 4u * D_QUADS; at += 64u) {
        let query = first_query + at / D_QUADS;
        var quad = vec4<f32>(0.0);
        if is_real && query < n_queries {
            let start = q_start + (query / params.width) * params.q_row + (query % params.width) * params.q_place;
            quad = q_load(start, (at % D_QUADS) * 4u);
        }
        queries[at / D_QUADS][at % D_QUADS] = quad;
    }
    let own_row = lane / 16u;
    let part = lane % 16u;
    let n_quads = (min(params.dv - column, 256u) + 3u) / 4u;
    var sums: array<vec4<f32>, N_SUMS>;
    var highest = LOWEST;
    var total = 0.0;
    workgroupBarrier();
    for (var key = 0u; key < n_keys; key += 64u) {
        for (var r = 0u; r < 4u; r++) {
            let query = first_query + r;
            let step = key + lane;
            var s = LOWEST;
            var place = 0u;
            if step < n_keys && query < n_queries {
                let row = neighbor(query / params.width, params.height, step / params.window);
                let col = neighbor(query % params.width, params.width, step % params.window);
                place = (row << 16u) | col;
                let start = k_start + row * params.k_row + col * params.k_place;
                var product = 0.0;
                for (var c = 0u; c < D_QUADS; c++) {
                    // One product a statement: each becomes a multiply-add.
                    let q = queries[r][c];
                    let k = k_load(start, c * 4u);
                    product += q.x * k.x;
                    product += q.y * k.y;
                    product += q.z * k.z;
                    product += q.w * k.w;
                }
                s = product * bitcast<f32>(params.scale);
            }
            weights[r][lane] = s;
            places[r][lane] = place;
        }
        workgroupBarrier();
        var now = max(max(weights[own_row][part], weights[own_row][part + 16u]), weights[own_row][part + 32u]);
        now = max(now, weights[own_row][part + 48u]);
        row_parts[own_row][part] = now;
        workgroupBarrier();
        now = highest;
        for (var x = 0u; x < 16u; x++) {
            now = max(now, row_parts[own_row][x]);
        }
        let shrink = exp2(highest - now);
        total *= shrink;
        for (var step = 0u; step < 4u; step++) {
            let s = weights[own_row][part + 16u * step];
            let w = select(exp2(s - now), 0.0, s <= LOWEST);
            weights[own_row][part + 16u * step] = w;
            total += w;
        }
        highest = now;
        if part == 0u {
            shrinks[own_row] = shrink;
        }
        workgroupBarrier();
        let n_block = min(n_keys - key, 64u);
        for (var i = 0u; i < N_SUMS; i++) {
            let at = lane + i * 64u;
            let r = min(at / n_quads, 3u);
            if at < 4u * n_quads && first_query + r < n_queries {
                var sum = sums[i] * shrinks[r];
                for (var j = 0u; j < n_block; j++) {
                    let place = places[r][j];
                    let start = v_start + (place >> 16u) * params.v_row + (place & 0xffffu) * params.v_place;
                    sum += weights[r][j] * v_load(start, column + (at % n_quads) * 4u);
                }
                sums[i] = sum;
            }
        }
        workgroupBarrier();
    }
    row_parts[own_row][part] = total;
    workgroupBarrier();
    for (var i = 0u; i < N_SUMS; i++) {
        let at = lane + i * 64u;
        let r = min(at / n_quads, 3u);
        if is_real && at < 4u * n_quads && first_query + r < n_queries {
            var all = 0.0;
            for (var x = 0u; x < 16u; x++) {
                all += row_parts[r][x];
            }
            let row = (head_unit * n_queries + first_query + r) * params.dv;
            y_store(row, column + (at % n_quads) * 4u, sums[i] / all);
        }
    }
}
