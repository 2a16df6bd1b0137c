// Reads b of any strides, element by element; past the end of k there are zeros.
// params: k, b_row, b_col
// needs: Block, b(i), b_batch(i) (generated)
fn b_place(batch: u32, col: u32) -> u32 {
    return b_batch(batch) + col * params.b_col;
}

fn b_quad(place: u32, k: u32) -> vec4<f32> {
    let at = place + min(k, params.k - 1u) * params.b_row;
    let quad = vec4(b(at), b(at + params.b_col), b(at + 2u * params.b_col), b(at + 3u * params.b_col));
    return select(vec4(0.0), quad, k < params.k);
}

// k = 4 block and its three successors, against columns from the one of `place` on.
fn b_block(place: u32, block: u32) -> Block {
    let k = 4u * block;
    return Block(b_quad(place, k), b_quad(place, k + 1u), b_quad(place, k + 2u), b_quad(place, k + 3u));
}
