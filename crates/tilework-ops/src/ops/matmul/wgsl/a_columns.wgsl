// Reads a whose columns are even in memory (a transposed matrix): four neighbouring rows in one load.
// Columns begin at multiples of four elements, and m and k are multiples of four.
// params: a_col
// needs: Block, transposed, a4(i), a_batch(i) (generated)
fn a_place(batch: u32, row: u32) -> u32 {
    return (a_batch(batch) + row) / 4u;
}

// Rows from the one of `place` on, against k = 4 block and its three successors.
fn a_block(place: u32, block: u32) -> Block {
    let stride = params.a_col / 4u;
    let at = place + block * 4u * stride;
    return transposed(Block(a4(at), a4(at + stride), a4(at + 2u * stride), a4(at + 3u * stride)));
}
