// Matrix product without workgroup memory:  y[b, r, c] = sum over k of a[b, r, k] * b[b, k, c]
// An invocation computes a block of 4 x 4 and reads what it needs from memory; its neighbours in the workgroup of 8 x 8 find
// most of it in the cache. No barriers, few registers: best on small GPUs and on those whose workgroup memory is no faster.
// Needs m >= 4 and n >= 4. Group z is a batch element and a part of k; each part has its own result in y.
// params: m, n, k, n_parts, part_blocks
// needs: Block, add_product, a_place, a_block, b_place, b_block, store_block
@compute @workgroup_size(8, 8)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let batch = group.z / params.n_parts;
    let own_row = (group.y * 8u + local.y) * 4u;
    let own_col = (group.x * 8u + local.x) * 4u;
    let row = min(own_row, params.m - 4u);
    let col = min(own_col, params.n - 4u);
    let a_at = a_place(batch, row);
    let b_at = b_place(batch, col);
    let first_block = (group.z % params.n_parts) * params.part_blocks;
    let end_block = min(first_block + params.part_blocks, (params.k + 3u) / 4u);
    var sums = Block();
    for (var block = first_block; block < end_block; block++) {
        sums = add_product(sums, a_block(a_at, block), b_block(b_at, block));
    }
    store_block(Corner(group.z * params.m * params.n, own_row, own_col), row, col, sums);
}
