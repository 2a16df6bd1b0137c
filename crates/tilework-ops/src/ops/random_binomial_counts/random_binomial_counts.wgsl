// Binomial counts:  the rarer of success and failure, of probability q, by waiting times floor(log(u) / log(1 - q)) + 1 if n q < 10, else
//   floor((2 a / s + b) u + n q + 1/2) by transformed rejection (Hörmann, 1993), kept as distance from floor(n q)
// n: [n_elements] of i32; p: [n_elements]; y: [n_elements] of i32; state: [4] of u32. One invocation per element, which takes the words
// of the counters (element, block, state[2..4]).
// params: n_elements
// needs: state(i), n_at(i), p_at(i), y(i, result), N_BLOCKS, N_TRIES, random_counts.wgsl, philox.wgsl (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.x + id.y * groups.x * 256u;
    if at < params.n_elements {
        y(at, binomial_count(at, n_at(at), p_at(at)));
    }
}

fn binomial_words(element: u32, block: u32) -> vec4<u32> {
    return philox(vec4<u32>(element, block, state(2u), state(3u)), vec2<u32>(state(0u), state(1u)));
}

fn binomial_count(element: u32, n: i32, p: Num) -> i32 {
    let one = num_of(1.0);
    if n < 0 || !(num_ge(p, num_of(0.0)) && num_le(p, one)) {
        return -1;
    }
    let is_mostly_success = num_gt(p, num_of(0.5));
    let q = num_select(is_mostly_success, num_sub(one, p), p);
    var k = 0;
    if num_lt(num_mul(num_from_int(n), q), num_of(10.0)) {
        k = binomial_waiting(element, n, q);
    } else {
        k = binomial_rejection(element, n, q);
    }
    return select(k, n - k, is_mostly_success);
}

fn binomial_waiting(element: u32, n: i32, q: Num) -> i32 {
    if num_eq(q, num_of(0.0)) {
        return 0;
    }
    let log_failure = num_log1p(num_neg(q));
    var tries = num_of(0.0);
    var count = 0;
    for (var block = 0u; block < N_BLOCKS; block++) {
        let words = binomial_words(element, block);
        for (var part = 0u; part < 4u; part++) {
            let wait = num_floor(num_div(num_log(count_unit(words[part])), log_failure));
            tries = num_add(tries, num_add(wait, num_of(1.0)));
            if num_gt(tries, num_from_int(n)) {
                return count;
            }
            count++;
        }
    }
    return count;
}

fn binomial_scale(k: i32) -> Num {
    let size = num_from_int(max(k, 1));
    let full = num_add(num_mul(num_of(0.5), num_log(num_mul(num_of(6.2831855), size))), count_stirling_rest(size));
    return num_select(k > 0, full, num_of(0.0));
}

// Of a count k that is this far from the mean; without what is the same for all counts.
fn binomial_log_probability(n: i32, q: Num, distance: Num, k: i32) -> Num {
    let mean = num_mul(num_from_int(n), q);
    let failures = num_mul(num_from_int(n), num_sub(num_of(1.0), q));
    let above = num_mul(mean, count_deviance(num_div(distance, mean)));
    let below = num_mul(failures, count_deviance(num_div(num_neg(distance), failures)));
    return num_neg(num_add(num_add(num_add(above, below), binomial_scale(k)), binomial_scale(n - k)));
}

fn binomial_rejection(element: u32, n: i32, q: Num) -> i32 {
    let mean = num_mul(num_from_int(n), q);
    let deviation = num_sqrt(num_mul(mean, num_sub(num_of(1.0), q)));
    let b = num_add(num_of(1.15), num_mul(num_of(2.53), deviation));
    let a = num_add(num_add(num_of(-0.0873), num_mul(num_of(0.0248), b)), num_mul(num_of(0.01), q));
    let squeeze = num_sub(num_of(0.92), num_div(num_of(4.2), b));
    let peak = num_mul(num_add(num_of(2.83), num_div(num_of(5.1), b)), deviation);
    let base = num_floor(mean);
    let rest = num_sub(mean, base);
    // The mode is floor(n q + q).
    let to_mode = num_floor(num_add(rest, q));
    let mode = num_to_int(base) + num_to_int(to_mode);
    let highest = binomial_log_probability(n, q, num_sub(to_mode, rest), mode);
    for (var attempt = 0u; attempt < N_TRIES; attempt++) {
        let words = binomial_words(element, attempt);
        let u = count_half_steps(words.x);
        let v = count_unit(words.y);
        let distance = count_distance(a, b, u, num_add(rest, num_of(0.5)), num_of(1e9));
        let k = num_to_int(base) + num_to_int(distance);
        if num_ge(num_sub(num_of(0.5), num_abs(u)), num_of(0.07)) && num_le(v, squeeze) {
            return k;
        }
        if k >= 0 && k <= n {
            let height = num_log(num_div(num_mul(v, peak), count_density(a, b, u)));
            let limit = num_sub(binomial_log_probability(n, q, num_sub(distance, rest), k), highest);
            if num_le(height, limit) {
                return k;
            }
        }
    }
    return num_to_int(base);
}
