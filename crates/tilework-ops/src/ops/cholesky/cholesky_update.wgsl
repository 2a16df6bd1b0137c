// What is left to factorize after a panel:  w'[r, c] = w[r, c] - sum over the panel's columns k of L[r, k] * L[c, k], r and c >= base
// For the tiles of rank_update.wgsl; those above the diagonal are never read, so never computed.
// params: n, base
// needs: x(i), panel_at(i), next(i, result) (generated)
fn is_wanted(tile_row: u32, tile_col: u32) -> bool {
    return tile_row >= tile_col;
}

fn w(batch: u32, row: u32, col: u32) -> f32 {
    return x((batch * params.n + params.base + row) * params.n + params.base + col);
}

fn left(batch: u32, row: u32, k: u32) -> f32 {
    return panel_at((batch * params.n + params.base + row) * 32u + k);
}

fn right(batch: u32, k: u32, col: u32) -> f32 {
    return panel_at((batch * params.n + params.base + col) * 32u + k);
}

fn put(batch: u32, row: u32, col: u32, value: f32) {
    next((batch * params.n + params.base + row) * params.n + params.base + col, value);
}
