// Pieces of the transformed rejection of counts (Hörmann, 1993), shared by the Poisson and the binomial distribution.
// params: none
// needs: Num (generated)

// A word as a number in (0, 1], in steps of 2^-24.
fn count_unit(word: u32) -> Num {
    return num_of(f32((word >> 8u) + 1u) * 5.9604645e-8);
}

// A word as a number between -1/2 and 1/2 that is neither: the middle of one of 2^23 steps.
fn count_half_steps(word: u32) -> Num {
    return num_of((f32(word >> 9u) + 0.5) * 1.1920929e-7 - 0.5);
}

// (1 + x) log(1 + x) - x; 1 at -1.
fn count_deviance(x: Num) -> Num {
    let one = num_of(1.0);
    let is_end = num_le(x, num_of(-1.0));
    let inside = num_select(is_end, num_of(0.0), x);
    return num_select(is_end, one, num_sub(num_mul(num_add(one, inside), num_log1p(inside)), inside));
}

// What Stirling's formula for log k! lacks, of k above 0.
fn count_stirling_rest(k: Num) -> Num {
    let square = num_mul(k, k);
    let third = num_sub(num_of(0.0027777778), num_div(num_of(0.0007936508), square));
    return num_div(num_sub(num_of(0.083333336), num_div(third, square)), k);
}

// The distance from the mean that u leads to, not farther than largest.
fn count_distance(a: Num, b: Num, u: Num, shift: Num, largest: Num) -> Num {
    let s = num_sub(num_of(0.5), num_abs(u));
    let slope = num_add(num_div(num_mul(num_of(2.0), a), s), b);
    let distance = num_floor(num_add(num_mul(slope, u), shift));
    return num_minimum(num_maximum(distance, num_neg(largest)), largest);
}

// By how much the density of u is smaller than that of what it leads to.
fn count_density(a: Num, b: Num, u: Num) -> Num {
    let s = num_sub(num_of(0.5), num_abs(u));
    return num_add(num_div(a, num_mul(s, s)), b);
}
