// What an instance adds to entry (a, b) of a block of JᵀJ on the diagonal.
// entries: as in term_transposed.wgsl; jacobian: [residual][column][instance] group by group.
// needs: entries(e), jacobian(i)
fn term(e: u32, a: u32, b: u32) -> Num {
    let entry = entries(e);
    let n_residuals = entry.w & 0xffffu;
    let stride = (entry.w >> 16u) * entry.y;
    var at = entry.x;
    var sum = num_of(0.0f);
    for (var k = 0u; k < n_residuals; k++) {
        sum = num_add(sum, num_mul(jacobian(at + a * entry.y), jacobian(at + b * entry.y)));
        at += stride;
    }
    return sum;
}
