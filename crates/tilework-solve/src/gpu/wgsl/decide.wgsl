// Takes the trial or leaves it, as the trust region of the CPU does: gain ratio, new radius, reasons to stop.
// costs, trial_costs: partial sums of the cost at x and at the trial; steps: as in measure_step.wgsl; moves: as in measure_values.wgsl;
// status, next_status: see `status.rs`. One workgroup.
// Once there is a reason to stop, nothing changes any more: iterations that were already on their way do no harm.
// params: n_costs, n_steps, n_moves, n_scalars, and as bits of floats gradient_tolerance, function_tolerance, parameter_tolerance, rounding, noise
// needs: costs(i), trial_costs(i), steps(i), moves(i), solved(i), status(i), next_status(i, value), workgroup_sum, workgroup_max
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    let zero = num_of(0.0f);
    var parts = array<Num, 5>(zero, zero, zero, zero, zero);
    var slope = 0.0f;
    if local < params.n_costs {
        parts[0] = costs(local);
        parts[1] = trial_costs(local);
    }
    if local < params.n_steps {
        parts[2] = num_of(steps(local));
        slope = steps(256u + local);
    }
    if local < params.n_moves {
        parts[3] = num_of(moves(local));
        parts[4] = num_of(moves(256u + local));
    }
    let cost = workgroup_sum(local, parts[0]);
    let trial_cost = workgroup_sum(local, parts[1]);
    let predicted = num_head(workgroup_sum(local, parts[2]));
    let gradient_max = workgroup_max(local, slope);
    let step_norm = sqrt(num_head(workgroup_sum(local, parts[3])));
    let x_norm = sqrt(num_head(workgroup_sum(local, parts[4])));
    if local == 0u {
        for (var i = 0u; i < STATUS_WORDS; i++) {
            next_status(i, status(i));
        }
        next_status(STATUS_ACCEPTED, 0.0f);
        if status(STATUS_REASON) == 0.0f {
            decide(cost, trial_cost, predicted, gradient_max, step_norm, x_norm);
        }
    }
}

// Whether a step changed the cost, and promised to, by no more than `limit`.
fn is_within(change: Num, predicted: f32, limit: Num) -> bool {
    return num_le(num_abs(change), limit) && num_le(num_of(predicted), limit);
}

fn decide(cost: Num, trial_cost: Num, predicted: f32, gradient_max: f32, step_norm: f32, x_norm: f32) {
    let parameter = bitcast<f32>(params.parameter_tolerance);
    let is_real = num_is_finite(trial_cost);
    let change = num_select(is_real, num_sub(cost, trial_cost), num_of(-1.0f));
    let decrease = num_head(change);
    let least = num_mul(num_of(bitcast<f32>(params.function_tolerance)), num_abs(cost));
    var reason = REASON_NONE;
    if !num_is_finite(cost) || gradient_max >= HUGE {
        reason = REASON_NO_PROGRESS;
    } else if gradient_max <= bitcast<f32>(params.gradient_tolerance) {
        reason = REASON_GRADIENT;
    }
    let has_stopped = reason != REASON_NONE;
    if !has_stopped && is_real && step_norm <= parameter * (x_norm + parameter) {
        reason = REASON_STEP;
    } else if !has_stopped && is_real && num_le(num_abs(change), least) {
        reason = REASON_COST;
    }
    // Close to a minimum the cost is flat, and half of the digits are found by steps whose effect drowns in rounding: they are taken
    // as long as they become shorter.
    let rounding = bitcast<f32>(params.rounding);
    let is_fine = bitcast<f32>(params.function_tolerance) < rounding;
    let may_be_noise = is_within(change, predicted, num_mul(num_of(bitcast<f32>(params.noise)), cost));
    let is_blind = !has_stopped && is_real && is_fine && may_be_noise;
    let is_shorter = is_blind && step_norm < 0.9f * status(STATUS_BLIND);
    if is_shorter {
        next_status(STATUS_BLIND, step_norm);
        reason = select(reason, REASON_NONE, reason == REASON_COST);
    }
    let quality = select(decrease / predicted, 1.0f, is_shorter);
    let is_lower = is_real && num_gt(change, num_of(0.0f));
    let is_accepted = is_shorter || (!has_stopped && is_lower && (quality > 1e-3f || reason != REASON_NONE));
    var radius = status(STATUS_RADIUS);
    var factor = status(STATUS_FACTOR);
    if is_accepted {
        let bend = 2.0f * quality - 1.0f;
        radius = min(radius / max(1.0f - bend * bend * bend, 1.0f / 3.0f), 1e16f);
        factor = 2.0f;
    } else if !has_stopped {
        radius = radius / factor;
        factor = 2.0f * factor;
        if is_blind && reason == REASON_NONE && is_within(change, predicted, num_mul(num_of(rounding), cost)) {
            reason = REASON_COST;
        } else if radius < 1e-32f && reason == REASON_NONE {
            reason = select(REASON_NO_PROGRESS, REASON_COST, is_blind);
        }
    }
    next_status(STATUS_RADIUS, radius);
    next_status(STATUS_FACTOR, factor);
    next_status(STATUS_REASON, reason);
    next_status(STATUS_ACCEPTED, select(0.0f, 1.0f, is_accepted));
    let n_records = status(STATUS_RECORDS);
    next_status(STATUS_RECORDS, n_records + 1.0f);
    let at = STATUS_HEAD + (u32(n_records) % RECORDS) * RECORD_WORDS;
    let high = num_head(cost);
    let after = num_select(is_accepted, trial_cost, cost);
    let after_high = num_head(after);
    next_status(at, high);
    next_status(at + 1u, num_head(num_sub(cost, num_of(high))));
    next_status(at + 2u, after_high);
    next_status(at + 3u, num_head(num_sub(after, num_of(after_high))));
    next_status(at + 4u, select(0.0f, decrease, is_accepted));
    next_status(at + 5u, gradient_max);
    next_status(at + 6u, select(step_norm, 0.0f, has_stopped));
    next_status(at + 7u, radius);
    next_status(at + 8u, select(0.0f, 1.0f, is_accepted));
    next_status(at + 9u, num_head(solved(params.n_scalars + 2u)));
    next_status(at + 10u, num_head(solved(params.n_scalars + 3u)));
}
