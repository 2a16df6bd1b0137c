// A stage of radix 3 in workgroup memory:  tile[(i - k) * 3 + k + p * done] = sum_q root(p * q, 3) * root(k * q, 3 * done) *
// tile[i + q * RADIX / 3] with k = i % done, for all UNITS transforms of RADIX points. An invocation holds what it computed
// until everybody has read.
// needs: tile, RADIX, UNITS, complex.wgsl
const N_BUTTERFLIES_3: u32 = RADIX / 3u * UNITS;
const PER_LANE_3: u32 = (N_BUTTERFLIES_3 + 255u) / 256u;

fn stage_3(lane: u32, done: u32) {
    let step = N_BUTTERFLIES_3;
    var held: array<vec2<f32>, 3u * PER_LANE_3>;
    for (var b = 0u; b < PER_LANE_3; b++) {
        let at = lane + b * 256u;
        if at < N_BUTTERFLIES_3 {
            let w1 = root((at / UNITS) % done, 3u * done);
            let w2 = complex_mul(w1, w1);
            let v0 = tile[at];
            let v1 = complex_mul(tile[at + 1u * step], w1);
            let v2 = complex_mul(tile[at + 2u * step], w2);
            let sum = v1 + v2;
            let middle = v0 - 0.5 * sum;
            let side = complex_turned(0.8660254 * (v1 - v2));
            held[b * 3u] = v0 + sum;
            held[b * 3u + 1u] = middle + side;
            held[b * 3u + 2u] = middle - side;
        }
    }
    workgroupBarrier();
    for (var b = 0u; b < PER_LANE_3; b++) {
        let at = lane + b * 256u;
        if at < N_BUTTERFLIES_3 {
            let i = at / UNITS;
            let k = i % done;
            let to = ((i - k) * 3u + k) * UNITS + at % UNITS;
            for (var p = 0u; p < 3u; p++) {
                tile[to + p * done * UNITS] = held[b * 3u + p];
            }
        }
    }
    workgroupBarrier();
}
