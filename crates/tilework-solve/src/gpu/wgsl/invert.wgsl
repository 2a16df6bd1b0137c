// The preconditioner: (B + diag(damping))⁻¹ of every diagonal block B of JᵀJ, and the damping itself.
// damping = clamp(diagonal · scale, 1e-6, 1e32) / scale / radius; scale = 1/(1 + √diagonal)² of the first iteration, when scales are 0.
// blocks: [n_blocks] of (first direction, dim, first number in upper, first number in inverse), dim <= MAX_DIM;
// upper: rows of upper triangles; inverse: whole matrices. One invocation per block.
// A block that has no Cholesky factor in this precision is inverted as if it were diagonal.
// params: n_blocks
// needs: blocks(k), upper(i), scales(d), status(i), damping(d, value), inverse(i, value), next_scales(d, value), MAX_DIM, STATUS_RADIUS
fn scale_of(diagonal: Num, known: Num) -> Num {
    let root = num_add(num_of(1.0f), num_sqrt(diagonal));
    return num_select(num_gt(known, num_of(0.0f)), known, num_recip(num_mul(root, root)));
}

fn damping_of(diagonal: Num, scale: Num, radius: Num) -> Num {
    let scaled = num_mul(diagonal, scale);
    let raised = num_select(num_ge(scaled, num_of(1e-6f)), scaled, num_of(1e-6f));
    let kept = num_select(num_le(raised, num_of(1e32f)), raised, num_of(1e32f));
    return num_div(num_div(kept, scale), radius);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let k = id.x + id.y * groups.x * 64u;
    if k >= params.n_blocks {
        return;
    }
    let block = blocks(k);
    let dim = block.y;
    let radius = num_of(status(STATUS_RADIUS));
    // The lower triangle, row by row; becomes the factor.
    var factor: array<Num, MAX_DIM * MAX_DIM>;
    var diagonals: array<Num, MAX_DIM>;
    var at = block.z;
    for (var i = 0u; i < dim; i++) {
        let scale = scale_of(upper(at), scales(block.x + i));
        let added = damping_of(upper(at), scale, radius);
        next_scales(block.x + i, scale);
        damping(block.x + i, added);
        diagonals[i] = num_add(upper(at), added);
        factor[i * MAX_DIM + i] = diagonals[i];
        for (var j = i + 1u; j < dim; j++) {
            factor[j * MAX_DIM + i] = upper(at + j - i);
        }
        at += dim - i;
    }
    var is_positive = true;
    for (var i = 0u; i < dim; i++) {
        for (var j = 0u; j <= i; j++) {
            var sum = factor[i * MAX_DIM + j];
            for (var m = 0u; m < j; m++) {
                sum = num_sub(sum, num_mul(factor[i * MAX_DIM + m], factor[j * MAX_DIM + m]));
            }
            if i == j {
                is_positive = is_positive && num_gt(sum, num_of(0.0f));
                factor[i * MAX_DIM + i] = num_sqrt(sum);
            } else {
                factor[i * MAX_DIM + j] = num_div(sum, factor[j * MAX_DIM + j]);
            }
        }
    }
    for (var col = 0u; col < dim; col++) {
        var x: array<Num, MAX_DIM>;
        for (var i = 0u; i < dim; i++) {
            var sum = num_of(select(0.0f, 1.0f, i == col));
            for (var m = 0u; m < i; m++) {
                sum = num_sub(sum, num_mul(factor[i * MAX_DIM + m], x[m]));
            }
            x[i] = num_div(sum, factor[i * MAX_DIM + i]);
        }
        for (var back = 0u; back < dim; back++) {
            let i = dim - 1u - back;
            var sum = x[i];
            for (var m = i + 1u; m < dim; m++) {
                sum = num_sub(sum, num_mul(factor[m * MAX_DIM + i], x[m]));
            }
            x[i] = num_div(sum, factor[i * MAX_DIM + i]);
        }
        for (var row = 0u; row < dim; row++) {
            let alone = num_select(row == col, num_recip(diagonals[row]), num_of(0.0f));
            inverse(block.w + row * dim + col, num_select(is_positive, x[row], alone));
        }
    }
}
