// What an instance adds to direction `a` of a block's gradient.
// entries: [n_entries] of (where the slope by the block's first direction is, how far the next one's is);
// parts: gradients of all instances, [column][instance] group by group.
// needs: entries(e), parts(i)
fn term(e: u32, a: u32, b: u32) -> Num {
    let entry = entries(e);
    return parts(entry.x + a * entry.y);
}
