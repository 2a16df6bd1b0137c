// What is left of the right hand sides after a block:  w'[r, c] = w[r, c] - sum over the block's rows k of a[r, k] * X[k, c], r >= base
// For the tiles of rank_update.wgsl.
// params: n, n_rhs, base
// needs: a(i), w_at(i), block_at(i), next(i, result) (generated)
fn is_wanted(tile_row: u32, tile_col: u32) -> bool {
    return true;
}

fn w(batch: u32, row: u32, col: u32) -> f32 {
    return w_at((batch * params.n + params.base + row) * params.n_rhs + col);
}

fn left(batch: u32, row: u32, k: u32) -> f32 {
    return a((batch * params.n + params.base + row) * params.n + params.base - 32u + k);
}

fn right(batch: u32, k: u32, col: u32) -> f32 {
    return block_at((batch * 32u + k) * params.n_rhs + col);
}

fn put(batch: u32, row: u32, col: u32, value: f32) {
    next((batch * params.n + params.base + row) * params.n_rhs + col, value);
}
