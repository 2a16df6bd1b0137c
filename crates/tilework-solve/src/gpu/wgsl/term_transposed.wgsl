// What an instance adds to direction `a` of Jᵀ·u.
// entries: [n_entries] of (where the slope of the first residual by the block's first direction is, how far the next direction's is,
// where the first residual is, columns · 65536 + residuals);
// jacobian: [residual][column][instance] group by group; rows: u, [residual][instance] group by group.
// needs: entries(e), jacobian(i), rows(i)
fn term(e: u32, a: u32, b: u32) -> Num {
    let entry = entries(e);
    let n_residuals = entry.w & 0xffffu;
    let stride = (entry.w >> 16u) * entry.y;
    var at = entry.x + a * entry.y;
    var row = entry.z;
    var sum = num_of(0.0f);
    for (var k = 0u; k < n_residuals; k++) {
        sum = num_add(sum, num_mul(jacobian(at), rows(row)));
        at += stride;
        row += entry.y;
    }
    return sum;
}
