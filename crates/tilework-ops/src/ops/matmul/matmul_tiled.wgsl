// Matrix product by register tiles:  y[b, r, c] = sum over k of a[b, r, k] * b[b, k, c]
// A workgroup of 16 x 16 invocations computes a 64 x 64 tile of y, 4 x 4 elements each, in steps of 16 along k: both operands'
// tiles are copied to workgroup memory once and read from there 16 times. Edges are padded with zeros.
// params: m, n, k, a_row, a_col, b_row, b_col and the batch layout
// needs: a(i), b(i), y(i, result), a_batch(i), b_batch(i) (generated)
var<workgroup> a_tile: array<array<Num, 64>, 16>; // [k][row]
var<workgroup> b_tile: array<array<Num, 64>, 16>; // [k][col]

@compute @workgroup_size(16, 16)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let first_row = group.y * 64u;
    let first_col = group.x * 64u;
    let batch = group.z;
    let a_start = a_batch(batch);
    let b_start = b_batch(batch);
    var sums: array<array<Num, 4>, 4>;
    for (var row = 0u; row < 4u; row++) {
        for (var col = 0u; col < 4u; col++) {
            sums[row][col] = num_of(0.0);
        }
    }
    for (var first_k = 0u; first_k < params.k; first_k += 16u) {
        for (var step = 0u; step < 4u; step++) {
            let at = lane + step * 256u;
            // Neighbouring invocations read neighbouring k of a, and neighbouring columns of b.
            let a_k = at % 16u;
            let a_r = at / 16u;
            var left = num_of(0.0);
            if first_row + a_r < params.m && first_k + a_k < params.k {
                left = a(a_start + (first_row + a_r) * params.a_row + (first_k + a_k) * params.a_col);
            }
            a_tile[a_k][a_r] = left;
            let b_c = at % 64u;
            let b_k = at / 64u;
            var right = num_of(0.0);
            if first_k + b_k < params.k && first_col + b_c < params.n {
                right = b(b_start + (first_k + b_k) * params.b_row + (first_col + b_c) * params.b_col);
            }
            b_tile[b_k][b_c] = right;
        }
        workgroupBarrier();
        for (var k = 0u; k < 16u; k++) {
            for (var row = 0u; row < 4u; row++) {
                let left = a_tile[k][local.y * 4u + row];
                for (var col = 0u; col < 4u; col++) {
                    sums[row][col] = num_add(sums[row][col], num_mul(left, b_tile[k][local.x * 4u + col]));
                }
            }
        }
        workgroupBarrier();
    }
    for (var row = 0u; row < 4u; row++) {
        for (var col = 0u; col < 4u; col++) {
            let r = first_row + local.y * 4u + row;
            let c = first_col + local.x * 4u + col;
            if r < params.m && c < params.n {
                y((batch * params.m + r) * params.n + c, sums[row][col]);
            }
        }
    }
}
