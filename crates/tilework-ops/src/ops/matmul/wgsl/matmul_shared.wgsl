// Matrix product by register tiles:  y[b, r, c] = sum over k of a[b, r, k] * b[b, k, c]
// A workgroup of 16 x 8 invocations computes 64 rows and 128 columns, each invocation 8 rows by 4 columns twice, 64 apart, in
// steps of 16 along k. The step's piece of b goes through workgroup memory, where it is read 8 times; a comes straight
// from memory, since an invocation needs a row of it once and its 16 neighbours ask for the same. Per 4 k an invocation
// issues 256 multiply-adds, 8 loads and 8 reads of workgroup memory at addresses that differ by constants.
// Needs m >= 8 and n >= 4. Group z is a batch element and a part of k; each part has its own result in y.
// params: m, n, k, n_parts, part_blocks
// needs: Block, add_product, a_place, a_block, b_place, b_block, store_block

// [k % 4][half of the columns][16 (k / 4) + invocation x]
var<workgroup> b_tile: array<array<array<vec4<f32>, 64>, 2>, 4>;

fn tile_block(half: u32, at: u32) -> Block {
    return Block(b_tile[0][half][at], b_tile[1][half][at], b_tile[2][half][at], b_tile[3][half][at]);
}

@compute @workgroup_size(16, 8)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let batch = group.z / params.n_parts;
    let own_row = (group.y * 8u + local.y) * 8u;
    let own_col = group.x * 128u + local.x * 4u;
    let row = min(own_row, params.m - 8u);
    let upper_place = a_place(batch, row);
    let lower_place = a_place(batch, row + 4u);
    // What this invocation copies of b: one block of the 4 (along k) by 32 in a step.
    let copy_col = min(group.x * 128u + (lane % 32u) * 4u, params.n - 4u);
    let copy_place = b_place(batch, copy_col);
    let copy_half = (lane / 16u) % 2u;
    let copy_at = (lane / 32u) * 16u + lane % 16u;
    let first_block = (group.z % params.n_parts) * params.part_blocks;
    let end_block = min(first_block + params.part_blocks, (params.k + 3u) / 4u);

    var upper_left = Block();
    var upper_right = Block();
    var lower_left = Block();
    var lower_right = Block();
    for (var block = first_block; block < end_block; block += 4u) {
        let copy = b_block(copy_place, min(block + lane / 32u, end_block - 1u));
        workgroupBarrier();
        b_tile[0][copy_half][copy_at] = copy.x;
        b_tile[1][copy_half][copy_at] = copy.y;
        b_tile[2][copy_half][copy_at] = copy.z;
        b_tile[3][copy_half][copy_at] = copy.w;
        workgroupBarrier();
        let n_steps = min(end_block - block, 4u);
        for (var step = 0u; step < n_steps; step++) {
            let upper = a_block(upper_place, block + step);
            let lower = a_block(lower_place, block + step);
            let left = tile_block(0u, step * 16u + local.x);
            upper_left = add_product(upper_left, upper, left);
            lower_left = add_product(lower_left, lower, left);
            let right = tile_block(1u, step * 16u + local.x);
            upper_right = add_product(upper_right, upper, right);
            lower_right = add_product(lower_right, lower, right);
        }
    }
    let start = group.z * params.m * params.n;
    let left_corner = Corner(start, own_row, own_col);
    let left_col = min(own_col, params.n - 4u);
    store_block(left_corner, row, left_col, upper_left);
    store_block(left_corner, row + 4u, left_col, lower_left);
    let right_corner = Corner(start, own_row, own_col + 64u);
    let right_col = min(own_col + 64u, params.n - 4u);
    store_block(right_corner, row, right_col, upper_right);
    store_block(right_corner, row + 4u, right_col, lower_right);
}
