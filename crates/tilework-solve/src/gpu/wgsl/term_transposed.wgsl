// What an instance adds to direction `a` of Jᵀ·u.
// jacobian: [residual][column][instance] group by group; rows: u, [residual][instance] group by group.
// needs: entry_at(e), jacobian(i), rows(i)
fn term(e: u32, a: u32, b: u32) -> Num {
    let entry = entry_at(e);
    var at = entry.first_jacobian + (entry.column + a) * entry.n_instances + entry.instance;
    var row = entry.first_residual + entry.instance;
    var sum = num_of(0.0f);
    for (var k = 0u; k < entry.n_residuals; k++) {
        sum = num_add(sum, num_mul(jacobian(at), rows(row)));
        at += entry.n_columns * entry.n_instances;
        row += entry.n_instances;
    }
    return sum;
}
