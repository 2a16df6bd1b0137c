// One pass of a Fourier transform of lines of n points: Stockham's stage of a large radix, itself a transform in workgroup memory.
//   With m = n / RADIX and unit i of a line, k = i % done:
//   y[(i - k) * RADIX + k + p * done] = sum_q root(k * q, done * RADIX) * root(p * q, RADIX) * x[i + q * m]
// A line that fits is one pass with done = m = 1. A workgroup takes UNITS units, neighbours in memory; point q of unit t is
// tile[q * UNITS + t]. Inverse transforms exchange real and imaginary parts on the way in and out (load_point, store_point).
// params: n_units (of all lines), n_steps (m), done
// needs: load_point(line, j), store_point(line, k, value), transform_tile(lane), RADIX, UNITS, READS_LINES, STORES_LINES,
//   IS_FIRST (generated)
var<workgroup> tile: array<vec2<f32>, RADIX * UNITS>;

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let first = (group.x + group.y * groups.x) * UNITS;
    for (var at = lane; at < RADIX * UNITS; at += 256u) {
        // Neighbouring invocations read neighbours in memory: points of one unit, or one point of neighbouring units.
        let q = select(at / UNITS, at % RADIX, READS_LINES);
        let t = select(at % UNITS, at / RADIX, READS_LINES);
        let unit = first + t;
        var value = vec2<f32>(0.0);
        if unit < params.n_units {
            let i = unit % params.n_steps;
            value = load_point(unit / params.n_steps, i + q * params.n_steps);
            if !IS_FIRST {
                value = complex_mul(value, root((i % params.done) * q, params.done * RADIX));
            }
        }
        tile[q * UNITS + t] = value;
    }
    workgroupBarrier();
    transform_tile(lane);
    for (var at = lane; at < RADIX * UNITS; at += 256u) {
        let q = select(at / UNITS, at % RADIX, STORES_LINES);
        let t = select(at % UNITS, at / RADIX, STORES_LINES);
        let unit = first + t;
        if unit < params.n_units {
            let i = unit % params.n_steps;
            let k = i % params.done;
            store_point(unit / params.n_steps, (i - k) * RADIX + k + q * params.done, tile[q * UNITS + t]);
        }
    }
}
