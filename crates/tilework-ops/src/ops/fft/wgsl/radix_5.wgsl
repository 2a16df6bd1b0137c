// A stage of radix 5 in workgroup memory:  tile[(i - k) * 5 + k + p * done] = sum_q root(p * q, 5) * root(k * q, 5 * done) *
// tile[i + q * RADIX / 5] with k = i % done, for all UNITS transforms of RADIX points. An invocation holds what it computed
// until everybody has read.
// needs: tile, RADIX, UNITS, complex.wgsl
const N_BUTTERFLIES_5: u32 = RADIX / 5u * UNITS;
const PER_LANE_5: u32 = (N_BUTTERFLIES_5 + 255u) / 256u;

fn stage_5(lane: u32, done: u32) {
    let step = N_BUTTERFLIES_5;
    var held: array<vec2<f32>, 5u * PER_LANE_5>;
    for (var b = 0u; b < PER_LANE_5; b++) {
        let at = lane + b * 256u;
        if at < N_BUTTERFLIES_5 {
            let w1 = root((at / UNITS) % done, 5u * done);
            let w2 = complex_mul(w1, w1);
            let w3 = complex_mul(w1, w2);
            let w4 = complex_mul(w2, w2);
            let v0 = tile[at];
            let v1 = complex_mul(tile[at + 1u * step], w1);
            let v2 = complex_mul(tile[at + 2u * step], w2);
            let v3 = complex_mul(tile[at + 3u * step], w3);
            let v4 = complex_mul(tile[at + 4u * step], w4);
            let near_sum = v1 + v4;
            let near_difference = v1 - v4;
            let far_sum = v2 + v3;
            let far_difference = v2 - v3;
            // Cosines and sines of one and two fifths of a turn.
            let near = v0 + 0.309017 * near_sum - 0.80901699 * far_sum;
            let far = v0 - 0.80901699 * near_sum + 0.309017 * far_sum;
            let near_side = complex_turned(0.95105652 * near_difference + 0.58778525 * far_difference);
            let far_side = complex_turned(0.58778525 * near_difference - 0.95105652 * far_difference);
            held[b * 5u] = v0 + near_sum + far_sum;
            held[b * 5u + 1u] = near + near_side;
            held[b * 5u + 2u] = far + far_side;
            held[b * 5u + 3u] = far - far_side;
            held[b * 5u + 4u] = near - near_side;
        }
    }
    workgroupBarrier();
    for (var b = 0u; b < PER_LANE_5; b++) {
        let at = lane + b * 256u;
        if at < N_BUTTERFLIES_5 {
            let i = at / UNITS;
            let k = i % done;
            let to = ((i - k) * 5u + k) * UNITS + at % UNITS;
            for (var p = 0u; p < 5u; p++) {
                tile[to + p * done * UNITS] = held[b * 5u + p];
            }
        }
    }
    workgroupBarrier();
}
