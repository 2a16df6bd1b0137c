// z = M⁻¹·r for the direction of one invocation, M made of blocks on the diagonal.
// rows: [n_directions] of (first direction of the block, its dim, where the row of the inverse begins, 0).
// needs: rows(d), inverse(i), residual(d)
fn preconditioned(d: u32) -> Num {
    let row = rows(d);
    var sum = num_of(0.0f);
    for (var k = 0u; k < row.y; k++) {
        sum = num_add(sum, num_mul(inverse(row.z + k), residual(row.x + k)));
    }
    return sum;
}
