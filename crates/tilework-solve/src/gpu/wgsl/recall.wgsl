// The next direction, as coefficients of the basis, from nothing but products of its vectors: the two loops of L-BFGS without a long vector
// (W. Chen, Z. Wang and J. Zhou, Large-scale L-BFGS using MapReduce, 2014).
// dots: as in basis_dots.wgsl; memory, next_memory: cost, slope, then from MEMORY_PRODUCTS the products of all pairs, then from
// MEMORY_FACTORS the coefficients; decided: the cost at the trial. One workgroup.
// params: n_partials
// needs: dots(i), memory(i), decided(i), status(i), next_memory(i, value), next_status(i, value), workgroup_sum(local, value)
const NO_COLUMN: u32 = 3u;
var<workgroup> fresh: array<Num, 3u * (2u * MEMORY + 1u)>;
var<workgroup> factors: array<Num, 2u * MEMORY + 1u>;

// The column of `fresh` that vector j is.
fn column(j: u32) -> u32 {
    let newest = u32(status(STATUS_NEWEST));
    if j == newest {
        return 0u;
    }
    if j == MEMORY + newest {
        return 1u;
    }
    return select(NO_COLUMN, 2u, j == 2u * MEMORY);
}

// The product of vectors i and j, as they are now.
fn product(i: u32, j: u32) -> Num {
    let by_j = column(j);
    if by_j != NO_COLUMN {
        return fresh[3u * i + by_j];
    }
    let by_i = column(i);
    if by_i != NO_COLUMN {
        return fresh[3u * j + by_i];
    }
    return memory(MEMORY_PRODUCTS + i * BASIS + j);
}

// The product of the direction so far with vector j.
fn along(j: u32) -> Num {
    var sum = num_of(0.0f);
    for (var i = 0u; i < BASIS; i++) {
        sum = num_add(sum, num_mul(factors[i], product(i, j)));
    }
    return sum;
}

fn clear_factors() {
    for (var i = 0u; i < BASIS; i++) {
        factors[i] = num_of(0.0f);
    }
    factors[2u * MEMORY] = num_of(-1.0f);
}

// The place of the change that is `age` older than the newest.
fn place(newest: u32, age: u32) -> u32 {
    return (newest + MEMORY - age) % MEMORY;
}

fn two_loops(newest: u32, n_changes: u32) {
    clear_factors();
    if n_changes == 0u {
        return;
    }
    var alphas = array<Num, MEMORY>();
    for (var age = 0u; age < n_changes; age++) {
        let k = place(newest, age);
        let alpha = num_div(along(k), product(k, MEMORY + k));
        alphas[k] = alpha;
        factors[MEMORY + k] = num_sub(factors[MEMORY + k], alpha);
    }
    let scale = num_div(product(newest, MEMORY + newest), product(MEMORY + newest, MEMORY + newest));
    for (var i = 0u; i < BASIS; i++) {
        factors[i] = num_mul(factors[i], scale);
    }
    for (var age = n_changes; age > 0u; age--) {
        let k = place(newest, age - 1u);
        let beta = num_div(along(MEMORY + k), product(k, MEMORY + k));
        factors[k] = num_add(factors[k], num_sub(alphas[k], beta));
    }
}

// Whether there is curvature along the newest step; without it the matrix would not stay positive.
fn is_curved(newest: u32) -> bool {
    let curvature = product(newest, MEMORY + newest);
    let lengths = num_mul(product(newest, newest), product(MEMORY + newest, MEMORY + newest));
    return num_gt(curvature, num_mul(num_of(1e-12f), num_sqrt(lengths)));
}

fn recall() {
    let newest = u32(status(STATUS_NEWEST));
    var n_changes = u32(status(STATUS_CHANGES));
    let turn = status(STATUS_TURN);
    var next_place = newest;
    if turn == TURN_FORGET {
        n_changes = 0u;
    } else if is_curved(newest) {
        n_changes = min(n_changes + 1u, MEMORY);
        next_place = (newest + 1u) % MEMORY;
    } else {
        // What was the oldest is lost to the step that is not remembered.
        n_changes = min(n_changes, MEMORY - 1u);
    }
    let last = select((newest + MEMORY - 1u) % MEMORY, newest, next_place != newest);
    two_loops(last, n_changes);
    var slope = along(2u * MEMORY);
    if !(num_lt(slope, num_of(0.0f)) && num_is_finite(slope)) {
        n_changes = 0u;
        clear_factors();
        slope = along(2u * MEMORY);
    }
    // Nothing is known of the scale at first: begin with a step of moderate length.
    let steepness = sqrt(num_head(product(2u * MEMORY, 2u * MEMORY)));
    let first = min(1.0f / max(steepness, 1e-36f), 1.0f);
    next_memory(MEMORY_SLOPE, slope);
    next_status(STATUS_RADIUS, select(1.0f, first, n_changes == 0u));
    next_status(STATUS_CHANGES, f32(n_changes));
    next_status(STATUS_NEWEST, f32(next_place));
    next_status(STATUS_TRIALS, 0.0f);
    next_status(STATUS_LOW, 0.0f);
    next_status(STATUS_HIGH, HUGE);
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    for (var k = 0u; k < 3u * BASIS; k++) {
        var part = num_of(0.0f);
        if local < params.n_partials {
            part = dots(k * 256u + local);
        }
        let sum = workgroup_sum(local, part);
        if local == 0u {
            fresh[k] = sum;
        }
    }
    workgroupBarrier();
    let turns = status(STATUS_TURN) != TURN_NONE;
    for (var e = local; e < BASIS * BASIS; e += 256u) {
        if turns {
            next_memory(MEMORY_PRODUCTS + e, product(e / BASIS, e % BASIS));
        } else {
            next_memory(MEMORY_PRODUCTS + e, memory(MEMORY_PRODUCTS + e));
        }
    }
    if local == 0u {
        for (var i = 0u; i < STATUS_WORDS; i++) {
            next_status(i, status(i));
        }
        next_memory(MEMORY_COST, num_select(status(STATUS_ACCEPTED) != 0.0f, decided(0u), memory(MEMORY_COST)));
        next_memory(MEMORY_SLOPE, memory(MEMORY_SLOPE));
        for (var i = 0u; i < BASIS; i++) {
            factors[i] = memory(MEMORY_FACTORS + i);
        }
        if turns {
            recall();
        }
        for (var i = 0u; i < BASIS; i++) {
            next_memory(MEMORY_FACTORS + i, factors[i]);
        }
    }
}
