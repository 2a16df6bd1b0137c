// One block of a lower triangular system:  rows first .. first + 32 of X, where w = B - (the product with the rows before)
// a: [n_batch, n, n] as elements a(i); w: [n_batch, n, n_rhs] as elements w_at(i). One workgroup of 256 invocations per (system, 64
// right hand sides): block and right hand sides lie in workgroup memory, and once a row is known its multiples are subtracted
// from those after it. An invocation keeps to one column and every fourth row. Rows are divided by their diagonal at the end, which
// leaves one barrier per row. An upper triangle comes as a lower one with rows and columns in the opposite order.
// params: n, n_rhs, first, n_tiles, n_units
// needs: a(i), w_at(i), y(i, result), block(i, result), IS_UNIT, IS_BACKWARD (generated)

// One more than the columns, so that reads down a column meet different banks.
const STRIDE: u32 = 33u;
var<workgroup> triangle: array<f32, 1056>;
var<workgroup> rest: array<f32, 2048>;

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let unit = group.x + group.y * groups.x;
    // Surplus workgroups of the folded grid solve with the identity and store nothing; they still meet at the barriers.
    let is_real = unit < params.n_units;
    let batch = unit / params.n_tiles;
    for (var at = lane; at < 1024u; at += 256u) {
        let row = at / 32u;
        let col = at % 32u;
        var value = select(0.0, 1.0, row == col);
        if is_real && params.first + row < params.n && select(col <= row, col < row, IS_UNIT) {
            value = a((batch * params.n + params.first + row) * params.n + params.first + col);
        }
        triangle[row * STRIDE + col] = value;
    }
    let own_col = lane % 64u;
    let rhs = (unit % params.n_tiles) * 64u + own_col;
    for (var row = lane / 64u; row < 32u; row += 4u) {
        var value = 0.0;
        if is_real && params.first + row < params.n && rhs < params.n_rhs {
            value = w_at((batch * params.n + params.first + row) * params.n_rhs + rhs);
        }
        rest[row * 64u + own_col] = value;
    }
    workgroupBarrier();
    for (var k = 0u; k < 32u; k++) {
        let solved = rest[k * 64u + own_col] / triangle[k * STRIDE + k];
        for (var row = lane / 64u; row < 32u; row += 4u) {
            if row > k {
                rest[row * 64u + own_col] -= triangle[row * STRIDE + k] * solved;
            }
        }
        workgroupBarrier();
    }
    if is_real && rhs < params.n_rhs {
        for (var row = lane / 64u; row < 32u; row += 4u) {
            let at_row = params.first + row;
            if at_row < params.n {
                let result = rest[row * 64u + own_col] / triangle[row * STRIDE + row];
                let stored = select(at_row, params.n - 1u - at_row, IS_BACKWARD);
                y((batch * params.n + stored) * params.n_rhs + rhs, result);
                block((batch * 32u + row) * params.n_rhs + rhs, result);
            }
        }
    }
}
