// Reads a of any strides, element by element; past the end of k there are zeros.
// params: k, a_row, a_col
// needs: Block, a(i), a_batch(i) (generated)
fn a_place(batch: u32, row: u32) -> u32 {
    return a_batch(batch) + row * params.a_row;
}

fn a_element(row_at: u32, k: u32) -> f32 {
    let element = a(row_at + min(k, params.k - 1u) * params.a_col);
    return select(0.0, element, k < params.k);
}

// One row against k = 4 block and its three successors.
fn a_quad(place: u32, block: u32) -> vec4<f32> {
    let k = 4u * block;
    return vec4(a_element(place, k), a_element(place, k + 1u), a_element(place, k + 2u), a_element(place, k + 3u));
}

// Rows from the one of `place` on, against k = 4 block and its three successors.
fn a_block(place: u32, block: u32) -> Block {
    return Block(
        a_quad(place, block),
        a_quad(place + params.a_row, block),
        a_quad(place + 2u * params.a_row, block),
        a_quad(place + 3u * params.a_row, block),
    );
}
