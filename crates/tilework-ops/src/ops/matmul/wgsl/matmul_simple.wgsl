// Matrix product, the readable version:  y[b, r, c] = sum over k of a[b, r, k] * b[b, k, c]
// One invocation per element of y; operands are read by address through their strides, batches through their offsets.
// Kept for small products and as the kernel to learn from; the others read each operand far less often.
// params: m, n, k, n_batch, a_row, a_col, b_row, b_col and the batch layout
// needs: a(i), b(i), y(i, result), a_batch(i), b_batch(i) (generated)
@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    let batch = id.z;
    if row < params.m && col < params.n {
        let a_start = a_batch(batch) + row * params.a_row;
        let b_start = b_batch(batch) + col * params.b_col;
        var sum = num_of(0.0);
        for (var k = 0u; k < params.k; k++) {
            sum = num_add(sum, num_mul(a(a_start + k * params.a_col), b(b_start + k * params.b_row)));
        }
        y((batch * params.m + row) * params.n + col, sum);
    }
}
