// What an instance adds to entry (a, b) of a block of JᵀJ on the diagonal.
// jacobian: [residual][column][instance] group by group.
// needs: entry_at(e), jacobian(i)
fn term(e: u32, a: u32, b: u32) -> Num {
    let entry = entry_at(e);
    var at = entry.first_jacobian + entry.column * entry.n_instances + entry.instance;
    var sum = num_of(0.0f);
    for (var k = 0u; k < entry.n_residuals; k++) {
        sum = num_add(sum, num_mul(jacobian(at + a * entry.n_instances), jacobian(at + b * entry.n_instances)));
        at += entry.n_columns * entry.n_instances;
    }
    return sum;
}
