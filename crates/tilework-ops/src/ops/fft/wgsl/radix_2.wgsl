// A stage of radix 2 in workgroup memory:  tile[(i - k) * 2 + k + p * done] = sum_q root(p * q, 2) * root(k * q, 2 * done) *
// tile[i + q * RADIX / 2] with k = i % done, for all UNITS transforms of RADIX points. An invocation holds what it computed
// until everybody has read.
// needs: tile, RADIX, UNITS, complex.wgsl
const N_BUTTERFLIES_2: u32 = RADIX / 2u * UNITS;
const PER_LANE_2: u32 = (N_BUTTERFLIES_2 + 255u) / 256u;

fn stage_2(lane: u32, done: u32) {
    let step = N_BUTTERFLIES_2;
    var held: array<vec2<f32>, 2u * PER_LANE_2>;
    for (var b = 0u; b < PER_LANE_2; b++) {
        let at = lane + b * 256u;
        if at < N_BUTTERFLIES_2 {
            let w1 = root((at / UNITS) % done, 2u * done);
            let v0 = tile[at];
            let v1 = complex_mul(tile[at + 1u * step], w1);
            held[b * 2u] = v0 + v1;
            held[b * 2u + 1u] = v0 - v1;
        }
    }
    workgroupBarrier();
    for (var b = 0u; b < PER_LANE_2; b++) {
        let at = lane + b * 256u;
        if at < N_BUTTERFLIES_2 {
            let i = at / UNITS;
            let k = i % done;
            let to = ((i - k) * 2u + k) * UNITS + at % UNITS;
            for (var p = 0u; p < 2u; p++) {
                tile[to + p * done * UNITS] = held[b * 2u + p];
            }
        }
    }
    workgroupBarrier();
}
