// A stage of radix 8 in workgroup memory:  tile[(i - k) * 8 + k + p * done] = sum_q root(p * q, 8) * root(k * q, 8 * done) *
// tile[i + q * RADIX / 8] with k = i % done, for all UNITS transforms of RADIX points. An invocation holds what it computed
// until everybody has read.
// needs: tile, RADIX, UNITS, complex.wgsl
const N_BUTTERFLIES_8: u32 = RADIX / 8u * UNITS;
const PER_LANE_8: u32 = (N_BUTTERFLIES_8 + 255u) / 256u;

fn stage_8(lane: u32, done: u32) {
    let step = N_BUTTERFLIES_8;
    var held: array<vec2<f32>, 8u * PER_LANE_8>;
    for (var b = 0u; b < PER_LANE_8; b++) {
        let at = lane + b * 256u;
        if at < N_BUTTERFLIES_8 {
            let w1 = root((at / UNITS) % done, 8u * done);
            let w2 = complex_mul(w1, w1);
            let w3 = complex_mul(w1, w2);
            let w4 = complex_mul(w2, w2);
            let w5 = complex_mul(w2, w3);
            let w6 = complex_mul(w3, w3);
            let w7 = complex_mul(w3, w4);
            let v0 = tile[at];
            let v1 = complex_mul(tile[at + 1u * step], w1);
            let v2 = complex_mul(tile[at + 2u * step], w2);
            let v3 = complex_mul(tile[at + 3u * step], w3);
            let v4 = complex_mul(tile[at + 4u * step], w4);
            let v5 = complex_mul(tile[at + 5u * step], w5);
            let v6 = complex_mul(tile[at + 6u * step], w6);
            let v7 = complex_mul(tile[at + 7u * step], w7);
            // The even and the odd points by radix 4, then those together.
            let a_sum = v0 + v4;
            let a_difference = v0 - v4;
            let b_sum = v2 + v6;
            let b_difference = complex_turned(v2 - v6);
            let c_sum = v1 + v5;
            let c_difference = v1 - v5;
            let d_sum = v3 + v7;
            let d_difference = complex_turned(v3 - v7);
            let odd_0 = c_sum + d_sum;
            let odd_1 = complex_mul(c_difference + d_difference, vec2<f32>(0.70710678, -0.70710678));
            let odd_2 = complex_turned(c_sum - d_sum);
            let odd_3 = complex_mul(c_difference - d_difference, vec2<f32>(-0.70710678, -0.70710678));
            let even_0 = a_sum + b_sum;
            let even_1 = a_difference + b_difference;
            let even_2 = a_sum - b_sum;
            let even_3 = a_difference - b_difference;
            held[b * 8u] = even_0 + odd_0;
            held[b * 8u + 1u] = even_1 + odd_1;
            held[b * 8u + 2u] = even_2 + odd_2;
            held[b * 8u + 3u] = even_3 + odd_3;
            held[b * 8u + 4u] = even_0 - odd_0;
            held[b * 8u + 5u] = even_1 - odd_1;
            held[b * 8u + 6u] = even_2 - odd_2;
            held[b * 8u + 7u] = even_3 - odd_3;
        }
    }
    workgroupBarrier();
    for (var b = 0u; b < PER_LANE_8; b++) {
        let at = lane + b * 256u;
        if at < N_BUTTERFLIES_8 {
            let i = at / UNITS;
            let k = i % done;
            let to = ((i - k) * 8u + k) * UNITS + at % UNITS;
            for (var p = 0u; p < 8u; p++) {
                tile[to + p * done * UNITS] = held[b * 8u + p];
            }
        }
    }
    workgroupBarrier();
}
