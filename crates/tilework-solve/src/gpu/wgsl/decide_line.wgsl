// Looks at one trial of a line search, as the CPU does: a length that lowers the cost enough and leaves a flatter slope is taken, one that
// does not reach far enough is doubled, otherwise the interval is halved (weak Wolfe conditions).
// trial_costs: partial sums of the cost at the trial; line: as in measure_line.wgsl; moves: as in measure_values.wgsl; memory: as in
// recall.wgsl; status, next_status: see `status.rs`; decided: the cost at the trial. One workgroup.
// Once there is a reason to stop, nothing changes any more: trials that were already on their way do no harm.
// params: n_costs, n_line, n_moves, and as bits of floats gradient_tolerance, function_tolerance, parameter_tolerance
// needs: trial_costs(i), line(i), moves(i), memory(i), status(i), next_status(i, value), decided(i, value), workgroup_sum, workgroup_max
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    let zero = num_of(0.0f);
    var parts = array<Num, 4>(zero, zero, zero, zero);
    var top = 0.0f;
    if local < params.n_costs {
        parts[0] = trial_costs(local);
    }
    if local < params.n_line {
        parts[1] = line(local);
        top = num_head(line(256u + local));
    }
    if local < params.n_moves {
        parts[2] = num_of(moves(local));
        parts[3] = num_of(moves(256u + local));
    }
    let cost = workgroup_sum(local, parts[0]);
    let slope = workgroup_sum(local, parts[1]);
    let gradient_max = workgroup_max(local, top);
    let step_norm = sqrt(num_head(workgroup_sum(local, parts[2])));
    let x_norm = sqrt(num_head(workgroup_sum(local, parts[3])));
    if local == 0u {
        for (var i = 0u; i < STATUS_WORDS; i++) {
            next_status(i, status(i));
        }
        next_status(STATUS_ACCEPTED, 0.0f);
        next_status(STATUS_TURN, TURN_NONE);
        decided(0u, cost);
        if status(STATUS_REASON) == REASON_NONE {
            if status(STATUS_STARTED) == 0.0f {
                begin(cost, gradient_max);
            } else {
                look(Trial(cost, slope, gradient_max, step_norm, x_norm));
            }
        }
    }
}

struct Trial {
    cost: Num,
    slope: Num,
    gradient_max: f32,
    step_norm: f32,
    x_norm: f32,
}

// The first point is taken as it is.
fn begin(cost: Num, gradient_max: f32) {
    next_status(STATUS_STARTED, 1.0f);
    next_status(STATUS_GRADIENT_MAX, gradient_max);
    next_status(STATUS_ACCEPTED, 1.0f);
    next_status(STATUS_TURN, TURN_FORGET);
    if !num_is_finite(cost) {
        next_status(STATUS_REASON, REASON_NO_PROGRESS);
        record(cost, cost, false, 0.0f);
    } else if gradient_max <= bitcast<f32>(params.gradient_tolerance) {
        next_status(STATUS_REASON, REASON_GRADIENT);
        record(cost, cost, false, 0.0f);
    } else if gradient_max >= HUGE {
        next_status(STATUS_REASON, REASON_NO_PROGRESS);
        record(cost, cost, false, 0.0f);
    }
}

fn look(trial: Trial) {
    let cost = memory(MEMORY_COST);
    let slope = memory(MEMORY_SLOPE);
    let length = status(STATUS_RADIUS);
    let trials = status(STATUS_TRIALS) + 1.0f;
    let promised = num_mul(num_of(MIN_DECREASE * length), slope);
    let is_real = num_is_finite(trial.cost) && trial.gradient_max < HUGE;
    let is_lower = is_real && num_le(trial.cost, num_add(cost, promised));
    let is_flat = num_ge(trial.slope, num_mul(num_of(MAX_SLOPE), slope));
    var low = status(STATUS_LOW);
    var high = status(STATUS_HIGH);
    if is_lower {
        low = length;
    } else {
        high = length;
    }
    let next_length = select(2.0f * length, 0.5f * (low + high), high < HUGE);
    let has_room = next_length != low && next_length != high && next_length > 1e-36f && next_length < 1e36f;
    let goes_on = has_room && trials < MAX_TRIALS;
    next_status(STATUS_TRIALS, trials);
    next_status(STATUS_LOW, low);
    next_status(STATUS_HIGH, high);
    if is_lower && (is_flat || !goes_on) {
        take(trial, cost);
    } else if goes_on {
        next_status(STATUS_RADIUS, next_length);
    } else if low > 0.0f {
        // The best so far is taken when it comes by again.
        next_status(STATUS_RADIUS, low);
    } else {
        // Perhaps the memory misleads; without one there is nowhere to go.
        let is_lost = status(STATUS_CHANGES) == 0.0f;
        next_status(STATUS_TURN, TURN_FORGET);
        next_status(STATUS_REASON, select(REASON_NONE, REASON_NO_PROGRESS, is_lost));
        record(cost, cost, false, 0.0f);
    }
}

fn take(trial: Trial, cost: Num) {
    let decrease = num_sub(cost, trial.cost);
    var reason = REASON_NONE;
    let parameter_tolerance = bitcast<f32>(params.parameter_tolerance);
    let function_tolerance = num_of(bitcast<f32>(params.function_tolerance));
    if trial.gradient_max <= bitcast<f32>(params.gradient_tolerance) {
        reason = REASON_GRADIENT;
    } else if trial.step_norm <= parameter_tolerance * (trial.x_norm + parameter_tolerance) {
        reason = REASON_STEP;
    } else if num_le(num_abs(decrease), num_mul(function_tolerance, num_abs(cost))) {
        reason = REASON_COST;
    }
    next_status(STATUS_ACCEPTED, 1.0f);
    next_status(STATUS_TURN, TURN_REMEMBER);
    next_status(STATUS_REASON, reason);
    next_status(STATUS_GRADIENT_MAX, trial.gradient_max);
    record(cost, trial.cost, true, trial.step_norm);
}

// Notes an iteration down; see `Record`.
fn record(before: Num, after: Num, is_accepted: bool, step_norm: f32) {
    let n_records = status(STATUS_RECORDS);
    next_status(STATUS_RECORDS, n_records + 1.0f);
    let at = STATUS_HEAD + (u32(n_records) % RECORDS) * RECORD_WORDS;
    let head = num_head(before);
    let after_head = num_head(after);
    next_status(at, head);
    next_status(at + 1u, num_head(num_sub(before, num_of(head))));
    next_status(at + 2u, after_head);
    next_status(at + 3u, num_head(num_sub(after, num_of(after_head))));
    next_status(at + 4u, num_head(num_sub(before, after)));
    next_status(at + 5u, status(STATUS_GRADIENT_MAX));
    next_status(at + 6u, step_norm);
    next_status(at + 7u, status(STATUS_RADIUS));
    next_status(at + 8u, select(0.0f, 1.0f, is_accepted));
    next_status(at + 9u, status(STATUS_TRIALS) + 1.0f);
    next_status(at + 10u, 1.0f);
}
