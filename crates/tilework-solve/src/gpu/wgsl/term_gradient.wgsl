// What an instance adds to direction `a` of a block's gradient.
// parts: gradients of all instances, [column][instance] group by group.
// needs: entry_at(e), parts(i)
fn term(e: u32, a: u32, b: u32) -> Num {
    let entry = entry_at(e);
    return parts(entry.first_gradient + (entry.column + a) * entry.n_instances + entry.instance);
}
