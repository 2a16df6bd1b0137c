// Reads a whose rows are even in memory: four neighbours along k in one load.
// Rows begin at multiples of four elements, and k is a multiple of four.
// params: a_row
// needs: Block, a4(i), a_batch(i) (generated)
fn a_place(batch: u32, row: u32) -> u32 {
    return (a_batch(batch) + row * params.a_row) / 4u;
}

// One row against k = 4 block and its three successors.
fn a_quad(place: u32, block: u32) -> vec4<f32> {
    return a4(place + block);
}

// Rows from the one of `place` on, against k = 4 block and its three successors.
fn a_block(place: u32, block: u32) -> Block {
    let at = place + block;
    let stride = params.a_row / 4u;
    return Block(a4(at), a4(at + stride), a4(at + 2u * stride), a4(at + 3u * stride));
}
