// Reads b whose columns are even in memory (a transposed matrix, as layers keep their weights): four neighbours along k in
// one load. Columns begin at multiples of four elements, and k is a multiple of four.
// params: b_col
// needs: Block, transposed, b4(i), b_batch(i) (generated)
fn b_place(batch: u32, col: u32) -> u32 {
    return (b_batch(batch) + col * params.b_col) / 4u;
}

// k = 4 block and its three successors, against columns from the one of `place` on.
fn b_block(place: u32, block: u32) -> Block {
    let at = place + block;
    let stride = params.b_col / 4u;
    return transposed(Block(b4(at), b4(at + stride), b4(at + 2u * stride), b4(at + 3u * stride)));
}
