// Attention of many queries:  y[b, h, i, :] = sum over keys j that i sees of softmax_j(q_i . k_j) * v[b, h / group, j, :]
// q: [n_batch, n_heads, n_q, d], k: [.., n_kv, d], v: [.., n_kv, dv], y: [n_batch, n_heads, n_q, dv]. A workgroup takes 64 queries
// and up to 32 * N_CHUNKS columns of y, and walks over the keys they see 32 at a time. Invocation (x, y) of 8 x 16 has the scores
// of queries y, y + 16, y + 32, y + 48 with keys 4x .. 4x + 3, and of every 32 columns of the result 4x .. 4x + 3 for the same
// queries. Scores never leave the workgroup: weights are relative to the maximum so far, and what was summed before is scaled down
// when that rises. A query that sees no key gives 0.
// params: n_units, n_heads, n_group, n_q, n_kv, d, dv, n_query_tiles and the strides of q, k, v
// needs: q_load(start, col), k_load, v_load, y_store(row, col, value), N_CHUNKS (generated); common.wgsl
const STRIDE: u32 = 9u; // quads from row to row: one more than are used keeps neighbouring rows in different banks
var<workgroup> wide: array<vec4<f32>, 576>; // a part of 64 queries, then the weights of 32 keys for each
var<workgroup> narrow: array<vec4<f32>, 288>; // a part of 32 keys, then of 32 values
var<workgroup> row_parts: array<array<f32, 8>, 64>;

@compute @workgroup_size(8, 16)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let unit = group.x + group.y * groups.x;
    let is_real = unit < params.n_units;
    let n_column_tiles = (params.dv + 32u * N_CHUNKS - 1u) / (32u * N_CHUNKS);
    let column = (unit % n_column_tiles) * 32u * N_CHUNKS;
    let first_query = (unit / n_column_tiles % params.n_query_tiles) * 64u;
    let head_unit = unit / n_column_tiles / params.n_query_tiles;
    let head = head_unit % params.n_heads;
    let batch = head_unit / params.n_heads;
    let kv_head = head / params.n_group;
    let q_start = params.q_first + batch * params.q_batch + head * params.q_head;
    let k_start = params.k_first + batch * params.k_batch + kv_head * params.k_head;
    let v_start = params.v_first + batch * params.v_batch + kv_head * params.v_head;
    let past = n_past();
    let last_query = min(first_query + 64u, params.n_q) - 1u;
    let first_key = first_seen(first_query, past) & 0xffffffe0u;
    let end_key = select(0u, end_seen(last_query, past), is_real);

    var sums: array<array<vec4<f32>, 4>, N_CHUNKS>;
    var highest = vec4<f32>(LOWEST);
    var totals = vec4<f32>(0.0);
    for (var key = first_key; key < end_key; key += 32u) {
        var scores = array<vec4<f32>, 4>();
        for (var depth = 0u; depth < params.d; depth += 32u) {
            for (var step = 0u; step < 4u; step++) {
                let at = lane + step * 128u;
                let query = first_query + at / 8u;
                let col = depth + (at % 8u) * 4u;
                var quad = vec4<f32>(0.0);
                if query < params.n_q && col < params.d {
                    quad = q_load(q_start + query * params.q_row, col);
                }
                wide[(at / 8u) * STRIDE + at % 8u] = quad;
            }
            for (var step = 0u; step < 2u; step++) {
                let at = lane + step * 128u;
                let row = at / 8u;
                let col = depth + (at % 8u) * 4u;
                var quad = vec4<f32>(0.0);
                if key + row < end_key && col < params.d {
                    quad = k_load(k_start + (key + row) * params.k_row, col);
                }
                // Keys 4x + j of all x lie together, so that neighbouring invocations read neighbouring rows.
                narrow[((row % 4u) * 8u + row / 4u) * STRIDE + at % 8u] = quad;
            }
            workgroupBarrier();
            for (var c = 0u; c < 8u; c++) {
                let k0 = narrow[local.x * STRIDE + c];
                let k1 = narrow[(8u + local.x) * STRIDE + c];
                let k2 = narrow[(16u + local.x) * STRIDE + c];
                let k3 = narrow[(24u + local.x) * STRIDE + c];
                for (var r = 0u; r < 4u; r++) {
                    // One product a statement: each becomes a multiply-add.
                    let q = wide[(local.y + 16u * r) * STRIDE + c];
                    scores[r] += q.x * vec4<f32>(k0.x, k1.x, k2.x, k3.x);
                    scores[r] += q.y * vec4<f32>(k0.y, k1.y, k2.y, k3.y);
                    scores[r] += q.z * vec4<f32>(k0.z, k1.z, k2.z, k3.z);
                    scores[r] += q.w * vec4<f32>(k0.w, k1.w, k2.w, k3.w);
                }
            }
            workgroupBarrier();
        }
        for (var r = 0u; r < 4u; r++) {
            let query = first_query + local.y + 16u * r;
            let first = first_seen(query, past);
            let end = end_seen(query, past);
            for (var j = 0u; j < 4u; j++) {
                let at = key + local.x * 4u + j;
                var s = LOWEST;
                if at >= first && at < end && query < params.n_q {
                    s = score(scores[r][j], batch, head, query, at);
                }
                scores[r][j] = s;
            }
            let two = max(scores[r].xy, scores[r].zw);
            row_parts[local.y + 16u * r][local.x] = max(two.x, two.y);
        }
        workgroupBarrier();
        for (var r = 0u; r < 4u; r++) {
            let row = local.y + 16u * r;
            var now = highest[r];
            for (var x = 0u; x < 8u; x++) {
                now = max(now, row_parts[row][x]);
            }
            let shrink = exp2(highest[r] - now);
            let s = scores[r];
            let weights = vec4<f32>(weight(s.x, now), weight(s.y, now), weight(s.z, now), weight(s.w, now));
            totals[r] = totals[r] * shrink + (weights.x + weights.y) + (weights.z + weights.w);
            highest[r] = now;
            wide[row * STRIDE + local.x] = weights;
            for (var chunk = 0u; chunk < N_CHUNKS; chunk++) {
                sums[chunk][r] *= shrink;
            }
        }
        for (var chunk = 0u; chunk < N_CHUNKS; chunk++) {
            for (var step = 0u; step < 2u; step++) {
                let at = lane + step * 128u;
                let row = key + at / 8u;
                let col = column + chunk * 32u + (at % 8u) * 4u;
                var quad = vec4<f32>(0.0);
                if row < end_key && col < params.dv {
                    quad = v_load(v_start + row * params.v_row, col);
                }
                narrow[(at / 8u) * STRIDE + at % 8u] = quad;
            }
            workgroupBarrier();
            // A copy, because an index that is not known when compiling costs a branch for every access.
            var own = sums[chunk];
            for (var c = 0u; c < 8u; c++) {
                let v0 = narrow[(4u * c) * STRIDE + local.x];
                let v1 = narrow[(4u * c + 1u) * STRIDE + local.x];
                let v2 = narrow[(4u * c + 2u) * STRIDE + local.x];
                let v3 = narrow[(4u * c + 3u) * STRIDE + local.x];
                for (var r = 0u; r < 4u; r++) {
                    let p = wide[(local.y + 16u * r) * STRIDE + c];
                    own[r] += p.x * v0;
                    own[r] += p.y * v1;
                    own[r] += p.z * v2;
                    own[r] += p.w * v3;
                }
            }
            sums[chunk] = own;
            workgroupBarrier();
        }
    }
    for (var r = 0u; r < 4u; r++) {
        row_parts[local.y + 16u * r][local.x] = totals[r];
    }
    workgroupBarrier();
    for (var r = 0u; r < 4u; r++) {
        let query = first_query + local.y + 16u * r;
        var total = 0.0;
        for (var x = 0u; x < 8u; x++) {
            total += row_parts[local.y + 16u * r][x];
        }
        let inverse = select(1.0 / total, 0.0, total == 0.0);
        for (var chunk = 0u; chunk < N_CHUNKS; chunk++) {
            let col = column + chunk * 32u + local.x * 4u;
            if is_real && query < params.n_q && col < params.dv {
                y_store(((batch * params.n_heads + head) * params.n_q + query) * params.dv, col, sums[chunk][r] * inverse);
            }
        }
    }
}
