// Rotary position embedding:  (a, b) -> amplitude * (a cos t - b sin t, a sin t + b cos t), t = 2 pi * position * turns[pair]
// x, y: [n_rows, n_dims], row r at sequence place r % n_seq; the first 2 * n_pairs elements of a row are rotated, the rest copied.
// A pair is (2p, 2p + 1) if INTERLEAVED, else (p, p + n_pairs). One invocation per PACK pairs, or per PACK elements to copy.
// turns[p] is a fraction of 2^-64 turns in two words, high ones first, so that position * turns modulo one turn is integer
// arithmetic and as exact at position 100 000 as at 1.
// params: n_units, n_seq, n_dims, n_pairs, amplitude (bits of an f32)
// needs: x_pack(i), y_pack(i, results), position(i), turns(i), PACK, INTERLEAVED, BACKWARD, IS_START (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let unit = id.x + id.y * groups.x * 256u;
    if unit >= params.n_units {
        return;
    }
    let per_row = (params.n_dims - params.n_pairs) / PACK;
    let row = unit / per_row;
    let pair = (unit % per_row) * PACK;
    let first = row * params.n_dims;
    if pair >= params.n_pairs {
        let at = first + params.n_pairs + pair;
        y_pack(at, x_pack(at));
        return;
    }
    let place = row % params.n_seq;
    var steps: i32;
    if IS_START {
        steps = i32(position(0u)) + i32(place);
    } else {
        steps = i32(position(place));
    }
    let left_at = select(first + pair, first + 2u * pair, INTERLEAVED);
    let right_at = select(left_at + params.n_pairs, left_at + PACK, INTERLEAVED);
    var left = x_pack(left_at);
    var right = x_pack(right_at);
    let amplitude = num_load(bitcast<f32>(params.amplitude));
    for (var j = 0u; j < PACK; j++) {
        let rotation = rotation_by(steps, turns(pair + j), turns(params.n_pairs + pair + j));
        let cosine = num_mul(amplitude, rotation.cosine);
        let sine = num_mul(amplitude, rotation.sine);
        // Interleaved, the two packs are one run of elements: pair j is 2j and 2j + 1 of it.
        var a = left[j];
        var b = right[j];
        if INTERLEAVED {
            a = run_element(left, right, 2u * j);
            b = run_element(left, right, 2u * j + 1u);
        }
        rotated_a[j] = num_sub(num_mul(a, cosine), num_mul(b, sine));
        rotated_b[j] = num_add(num_mul(a, sine), num_mul(b, cosine));
    }
    for (var j = 0u; j < PACK; j++) {
        if INTERLEAVED {
            left[j] = alternating(j);
            right[j] = alternating(PACK + j);
        } else {
            left[j] = rotated_a[j];
            right[j] = rotated_b[j];
        }
    }
    y_pack(left_at, left);
    y_pack(right_at, right);
}

var<private> rotated_a: array<Num, PACK>;
var<private> rotated_b: array<Num, PACK>;

// Element `at` of the run that is `low` followed by `high`.
fn run_element(low: array<Num, PACK>, high: array<Num, PACK>, at: u32) -> Num {
    var lows = low;
    var highs = high;
    return num_select(at < PACK, lows[min(at, PACK - 1u)], highs[select(0u, at - PACK, at >= PACK)]);
}

// Element `at` of the rotated pairs, interleaved.
fn alternating(at: u32) -> Num {
    return num_select(at % 2u == 0u, rotated_a[at / 2u], rotated_b[at / 2u]);
}

struct Rotation {
    cosine: Num,
    sine: Num,
}

// Cosine and sine of `steps` times the fraction of a turn in two words.
fn rotation_by(steps: i32, high: u32, low: u32) -> Rotation {
    let n = u32(abs(steps));
    // The high word of the fraction modulo one turn: the product of n with the high word, and the carry of that with the low one.
    var turn = n * high + high_product(n, low);
    if (steps < 0) != BACKWARD {
        turn = 0u - turn;
    }
    // The nearest quarter turn, and the rest between -1/8 and 1/8 of a turn in radians.
    let quadrant = (turn + 0x20000000u) >> 30u;
    let rest = f32(bitcast<i32>(turn - (quadrant << 30u))) * 1.4629180792671596e-9;
    // The polynomials of Cephes' sinf and cosf (Moshier, 1992), good to one unit in the last place on this range.
    let square = rest * rest;
    let sine = rest + rest * square * (-1.6666654611e-1 + square * (8.3321608736e-3 - square * 1.9515295891e-4));
    let cosine = 1.0 - 0.5 * square
        + square * square * (4.166664568298827e-2 + square * (-1.388731625493765e-3 + square * 2.443315711809948e-5));
    let is_odd = (quadrant & 1u) != 0u;
    let sine_sign = select(1.0, -1.0, quadrant >= 2u);
    let cosine_sign = select(1.0, -1.0, quadrant == 1u || quadrant == 2u);
    return Rotation(
        num_load(cosine_sign * select(cosine, sine, is_odd)),
        num_load(sine_sign * select(sine, cosine, is_odd)),
    );
}

// The high word of a * b.
fn high_product(a: u32, b: u32) -> u32 {
    let a_low = a & 0xffffu;
    let a_high = a >> 16u;
    let b_low = b & 0xffffu;
    let b_high = b >> 16u;
    let cross = a_high * b_low + ((a_low * b_low) >> 16u);
    let middle = a_low * b_high + (cross & 0xffffu);
    return a_high * b_high + (cross >> 16u) + (middle >> 16u);
}
