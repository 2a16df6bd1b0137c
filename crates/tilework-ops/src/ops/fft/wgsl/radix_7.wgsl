// A stage of radix 7 in workgroup memory:  tile[(i - k) * 7 + k + p * done] = sum_q root(p * q, 7) * root(k * q, 7 * done) *
// tile[i + q * RADIX / 7] with k = i % done, for all UNITS transforms of RADIX points. An invocation holds what it computed
// until everybody has read.
// needs: tile, RADIX, UNITS, complex.wgsl
const N_BUTTERFLIES_7: u32 = RADIX / 7u * UNITS;
const PER_LANE_7: u32 = (N_BUTTERFLIES_7 + 255u) / 256u;

fn stage_7(lane: u32, done: u32) {
    let step = N_BUTTERFLIES_7;
    var held: array<vec2<f32>, 7u * PER_LANE_7>;
    for (var b = 0u; b < PER_LANE_7; b++) {
        let at = lane + b * 256u;
        if at < N_BUTTERFLIES_7 {
            let w1 = root((at / UNITS) % done, 7u * done);
            let w2 = complex_mul(w1, w1);
            let w3 = complex_mul(w1, w2);
            let w4 = complex_mul(w2, w2);
            let w5 = complex_mul(w2, w3);
            let w6 = complex_mul(w3, w3);
            let v0 = tile[at];
            let v1 = complex_mul(tile[at + 1u * step], w1);
            let v2 = complex_mul(tile[at + 2u * step], w2);
            let v3 = complex_mul(tile[at + 3u * step], w3);
            let v4 = complex_mul(tile[at + 4u * step], w4);
            let v5 = complex_mul(tile[at + 5u * step], w5);
            let v6 = complex_mul(tile[at + 6u * step], w6);
            let sum_1 = v1 + v6;
            let sum_2 = v2 + v5;
            let sum_3 = v3 + v4;
            let difference_1 = v1 - v6;
            let difference_2 = v2 - v5;
            let difference_3 = v3 - v4;
            // Cosines and sines of one, two and three sevenths of a turn.
            let middle_1 = v0 + 0.6234898 * sum_1 - 0.22252093 * sum_2 - 0.90096887 * sum_3;
            let middle_2 = v0 - 0.22252093 * sum_1 - 0.90096887 * sum_2 + 0.6234898 * sum_3;
            let middle_3 = v0 - 0.90096887 * sum_1 + 0.6234898 * sum_2 - 0.22252093 * sum_3;
            let side_1 = complex_turned(0.78183148 * difference_1 + 0.97492791 * difference_2 + 0.43388374 * difference_3);
            let side_2 = complex_turned(0.97492791 * difference_1 - 0.43388374 * difference_2 - 0.78183148 * difference_3);
            let side_3 = complex_turned(0.43388374 * difference_1 - 0.78183148 * difference_2 + 0.97492791 * difference_3);
            held[b * 7u] = v0 + sum_1 + sum_2 + sum_3;
            held[b * 7u + 1u] = middle_1 + side_1;
            held[b * 7u + 2u] = middle_2 + side_2;
            held[b * 7u + 3u] = middle_3 + side_3;
            held[b * 7u + 4u] = middle_3 - side_3;
            held[b * 7u + 5u] = middle_2 - side_2;
            held[b * 7u + 6u] = middle_1 - side_1;
        }
    }
    workgroupBarrier();
    for (var b = 0u; b < PER_LANE_7; b++) {
        let at = lane + b * 256u;
        if at < N_BUTTERFLIES_7 {
            let i = at / UNITS;
            let k = i % done;
            let to = ((i - k) * 7u + k) * UNITS + at % UNITS;
            for (var p = 0u; p < 7u; p++) {
                tile[to + p * done * UNITS] = held[b * 7u + p];
            }
        }
    }
    workgroupBarrier();
}
