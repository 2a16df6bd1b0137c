// Reads b whose rows are even in memory: four neighbouring columns in one load.
// Rows begin at multiples of four elements, and n and k are multiples of four.
// params: b_row
// needs: Block, b4(i), b_batch(i) (generated)
fn b_place(batch: u32, col: u32) -> u32 {
    return (b_batch(batch) + col) / 4u;
}

// k = 4 block and its three successors, against columns from the one of `place` on.
fn b_block(place: u32, block: u32) -> Block {
    let stride = params.b_row / 4u;
    let at = place + block * 4u * stride;
    return Block(b4(at), b4(at + stride), b4(at + 2u * stride), b4(at + 3u * stride));
}
