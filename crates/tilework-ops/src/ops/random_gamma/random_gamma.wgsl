// Gamma samples by rejection (Marsaglia and Tsang, 2000):  d * v with d = alpha - 1/3, v = (1 + z / sqrt(9 d))^3 for normal z,
//   if log(u) < z^2 / 2 + d - d v + d log(v); for alpha < 1 the sample of alpha + 1 times u^(1 / alpha)
// alpha, y: [n_elements]; state: [4] of u32. One invocation per element; try t takes the words of counter (element, t, state[2..4]).
// params: n_elements
// needs: state(i), alpha_at(i), y(i, result), N_TRIES, philox.wgsl (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.x + id.y * groups.x * 256u;
    if at < params.n_elements {
        y(at, gamma_sample(at, alpha_at(at)));
    }
}

// A word as a number in (0, 1], in steps of 2^-24.
fn unit(word: u32) -> Num {
    return num_of(f32((word >> 8u) + 1u) * 5.9604645e-8);
}

fn gamma_sample(element: u32, alpha: Num) -> Num {
    let one = num_of(1.0);
    let is_small = num_lt(alpha, one);
    let d = num_sub(num_select(is_small, num_add(alpha, one), alpha), num_of(0.33333334));
    let c = num_recip(num_sqrt(num_mul(num_of(9.0), d)));
    var result = d;
    for (var attempt = 0u; attempt < N_TRIES; attempt++) {
        let words = philox(vec4<u32>(element, attempt, state(2u), state(3u)), vec2<u32>(state(0u), state(1u)));
        let turn = num_of(f32(words.y >> 8u) * 5.9604645e-8);
        let radius = num_sqrt(num_mul(num_of(-2.0), num_log(unit(words.x))));
        let normal = num_mul(radius, num_cos(num_mul(num_of(6.2831855), turn)));
        let base = num_add(one, num_mul(c, normal));
        let cube = num_mul(base, num_mul(base, base));
        let limit = num_sub(num_add(num_mul(num_of(0.5), num_mul(normal, normal)), d), num_mul(d, cube));
        let is_inside = num_gt(base, num_of(0.0));
        let log_cube = num_log(num_select(is_inside, cube, one));
        if is_inside && num_lt(num_log(unit(words.z)), num_add(limit, num_mul(d, log_cube))) {
            let boost = num_exp(num_div(num_log(unit(words.w)), alpha));
            result = num_select(is_small, num_mul(num_mul(d, cube), boost), num_mul(d, cube));
            break;
        }
    }
    let is_positive = num_gt(alpha, num_of(0.0));
    return num_select(is_positive, result, num_of(f32_bits(0x7fc00000u)));
}
