// A stage of radix 4 in workgroup memory:  tile[(i - k) * 4 + k + p * done] = sum_q root(p * q, 4) * root(k * q, 4 * done) *
// tile[i + q * RADIX / 4] with k = i % done, for all UNITS transforms of RADIX points. An invocation holds what it computed
// until everybody has read.
// needs: tile, RADIX, UNITS, complex.wgsl
const N_BUTTERFLIES_4: u32 = RADIX / 4u * UNITS;
const PER_LANE_4: u32 = (N_BUTTERFLIES_4 + 255u) / 256u;

fn stage_4(lane: u32, done: u32) {
    let step = N_BUTTERFLIES_4;
    var held: array<vec2<f32>, 4u * PER_LANE_4>;
    for (var b = 0u; b < PER_LANE_4; b++) {
        let at = lane + b * 256u;
        if at < N_BUTTERFLIES_4 {
            let w1 = root((at / UNITS) % done, 4u * done);
            let w2 = complex_mul(w1, w1);
            let w3 = complex_mul(w1, w2);
            let v0 = tile[at];
            let v1 = complex_mul(tile[at + 1u * step], w1);
            let v2 = complex_mul(tile[at + 2u * step], w2);
            let v3 = complex_mul(tile[at + 3u * step], w3);
            let even_sum = v0 + v2;
            let even_difference = v0 - v2;
            let odd_sum = v1 + v3;
            let odd_difference = complex_turned(v1 - v3);
            held[b * 4u] = even_sum + odd_sum;
            held[b * 4u + 1u] = even_difference + odd_difference;
            held[b * 4u + 2u] = even_sum - odd_sum;
            held[b * 4u + 3u] = even_difference - odd_difference;
        }
    }
    workgroupBarrier();
    for (var b = 0u; b < PER_LANE_4; b++) {
        let at = lane + b * 256u;
        if at < N_BUTTERFLIES_4 {
            let i = at / UNITS;
            let k = i % done;
            let to = ((i - k) * 4u + k) * UNITS + at % UNITS;
            for (var p = 0u; p < 4u; p++) {
                tile[to + p * done * UNITS] = held[b * 4u + p];
            }
        }
    }
    workgroupBarrier();
}
