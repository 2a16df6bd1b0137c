// Poisson counts:  for rates below 10 how many even numbers can be multiplied until the product is at most exp(-rate), for larger ones
//   floor((2 a / s + b) u + rate + 0.43) by transformed rejection (Hörmann, 1993), kept as distance from floor(rate)
// rate: [n_elements]; y: [n_elements] of i32; state: [4] of u32. One invocation per element, which takes the words of the counters
// (element, block, state[2..4]).
// params: n_elements
// needs: state(i), rate_at(i), y(i, result), N_BLOCKS, N_TRIES, random_counts.wgsl, philox.wgsl (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.x + id.y * groups.x * 256u;
    if at < params.n_elements {
        y(at, poisson_count(at, rate_at(at)));
    }
}

fn poisson_words(element: u32, block: u32) -> vec4<u32> {
    return philox(vec4<u32>(element, block, state(2u), state(3u)), vec2<u32>(state(0u), state(1u)));
}

fn poisson_count(element: u32, rate: Num) -> i32 {
    if !num_ge(rate, num_of(0.0)) {
        return -1;
    }
    if num_gt(rate, num_of(2147000000.0)) {
        return 2147483647;
    }
    if num_lt(rate, num_of(10.0)) {
        return poisson_product(element, rate);
    }
    return poisson_rejection(element, rate);
}

fn poisson_product(element: u32, rate: Num) -> i32 {
    let limit = num_exp(num_neg(rate));
    var left = num_of(1.0);
    var count = 0;
    for (var block = 0u; block < N_BLOCKS; block++) {
        let words = poisson_words(element, block);
        for (var part = 0u; part < 4u; part++) {
            left = num_mul(left, count_unit(words[part]));
            if num_le(left, limit) {
                return count;
            }
            count++;
        }
    }
    return count;
}

fn poisson_rejection(element: u32, rate: Num) -> i32 {
    let b = num_add(num_of(0.931), num_mul(num_of(2.53), num_sqrt(rate)));
    let a = num_add(num_of(-0.059), num_mul(num_of(0.02483), b));
    let peak = num_add(num_of(1.1239), num_div(num_of(1.1328), num_sub(b, num_of(3.4))));
    let squeeze = num_sub(num_of(0.9277), num_div(num_of(3.6224), num_sub(b, num_of(2.0))));
    let base = num_floor(rate);
    let rest = num_sub(rate, base);
    for (var attempt = 0u; attempt < N_TRIES; attempt++) {
        let words = poisson_words(element, attempt);
        let u = count_half_steps(words.x);
        let v = count_unit(words.y);
        let s = num_sub(num_of(0.5), num_abs(u));
        let distance = count_distance(a, b, u, num_add(rest, num_of(0.43)), num_of(480000.0));
        let k = num_to_int(base) + num_to_int(distance);
        if num_ge(s, num_of(0.07)) && num_le(v, squeeze) {
            return k;
        }
        let is_outside = k < 0 || (num_lt(s, num_of(0.013)) && num_gt(v, s));
        let height = num_log(num_div(num_mul(v, peak), count_density(a, b, u)));
        if !is_outside && num_le(height, poisson_log_probability(rate, num_sub(distance, rest), k)) {
            return k;
        }
    }
    return num_to_int(base);
}

// Of a count k that is this far from the rate.
fn poisson_log_probability(rate: Num, distance: Num, k: i32) -> Num {
    let size = num_from_int(max(k, 1));
    let full = num_add(num_mul(num_of(0.5), num_log(num_mul(num_of(6.2831855), size))), count_stirling_rest(size));
    let scale = num_select(k > 0, full, num_of(0.0));
    return num_sub(num_neg(num_mul(rate, count_deviance(num_div(distance, rate)))), scale);
}
