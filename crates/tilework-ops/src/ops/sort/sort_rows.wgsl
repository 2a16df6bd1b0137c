// Sort of rows that fit into a tile:  put(row, position, key, index) for all positions in order
// x: [n_rows, n_cols] as elements x(i), n_cols <= 1024. One workgroup per row: the keys are split by two bits at a time, from
// the lowest, in workgroup memory. Places past the row hold the largest key and, being last, stay last.
// params: n_rows, n_cols, n_inner, n_kept
// needs: key_at(i), put(row, position, key, index), split(lane, shift), N_BITS (generated)
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let row = group.x + group.y * groups.x;
    // Surplus workgroups of the folded grid sort nothing and store nothing; they still meet at the barriers.
    let end = select(0u, params.n_cols, row < params.n_rows);
    for (var col = lane; col < TILE; col += 256u) {
        keys[col] = 0xffffffffu;
        indices[col] = col;
        if col < end {
            keys[col] = key_at(row * params.n_cols + col);
        }
    }
    workgroupBarrier();
    for (var shift = 0u; shift < N_BITS; shift += 2u) {
        split(lane, shift);
    }
    for (var position = lane; position < end; position += 256u) {
        put(row, position, keys[position], indices[position]);
    }
}
