// What a gather list and the tables of groups say about one argument of one instance.
// entries: [n_entries] of (instance, group · 65536 + first column); tables: GROUP_WORDS words for every group, see `tables.rs`.
// needs: entries(e), tables(word)
struct Entry {
    instance: u32,
    column: u32,
    n_instances: u32,
    n_columns: u32,
    n_residuals: u32,
    first_gradient: u32,
    first_jacobian: u32,
    first_residual: u32,
}

fn entry_at(e: u32) -> Entry {
    let packed = entries(e);
    let words = (packed.y >> 16u) * GROUP_WORDS;
    return Entry(
        packed.x,
        packed.y & 0xffffu,
        tables(words),
        tables(words + 1u),
        tables(words + 2u),
        tables(words + 3u),
        tables(words + 4u),
        tables(words + 5u),
    );
}
