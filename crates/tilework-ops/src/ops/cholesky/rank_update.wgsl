// Product of 32 columns with 32 rows, subtracted:  put(b, r, c, w(b, r, c) - sum over k < 32 of left(b, r, k) * right(b, k, c))
// Rows and columns count from 0 to n_rows and n_cols. One workgroup of 256 invocations per tile of 64 x 64, each computes 4 x 4;
// both operands go through workgroup memory once, four rows or columns to a vector.
// params: n_rows, n_cols, n_tiles_down, n_tiles_across, n_units
// needs: w(b, r, c), left(b, r, k), right(b, k, c), put(b, r, c, value), is_wanted(tile_row, tile_col)
var<workgroup> left_tile: array<vec4<f32>, 512>;
var<workgroup> right_tile: array<vec4<f32>, 512>;

fn left_or_zero(batch: u32, row: u32, k: u32) -> f32 {
    if row < params.n_rows {
        return left(batch, row, k);
    }
    return 0.0;
}

fn right_or_zero(batch: u32, k: u32, col: u32) -> f32 {
    if col < params.n_cols {
        return right(batch, k, col);
    }
    return 0.0;
}

fn put_difference(batch: u32, row: u32, col: u32, sum: f32) {
    if row < params.n_rows && col < params.n_cols {
        put(batch, row, col, w(batch, row, col) - sum);
    }
}

fn put_four(batch: u32, row: u32, col: u32, sums: vec4<f32>) {
    put_difference(batch, row, col, sums.x);
    put_difference(batch, row, col + 1u, sums.y);
    put_difference(batch, row, col + 2u, sums.z);
    put_difference(batch, row, col + 3u, sums.w);
}

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let unit = group.x + group.y * groups.x;
    let n_tiles = params.n_tiles_down * params.n_tiles_across;
    let batch = unit / n_tiles;
    let tile_row = (unit % n_tiles) / params.n_tiles_across;
    let tile_col = unit % params.n_tiles_across;
    // Surplus workgroups of the folded grid and tiles nobody reads do nothing; they still meet at the barrier.
    let is_real = unit < params.n_units && is_wanted(tile_row, tile_col);
    let first_row = tile_row * 64u;
    let first_col = tile_col * 64u;
    if is_real {
        for (var at = lane; at < 512u; at += 256u) {
            // Neighbors along k for the left operand, along columns for the right one: as they lie in memory.
            let k = at % 32u;
            let row = first_row + (at / 32u) * 4u;
            left_tile[k * 16u + at / 32u] = vec4<f32>(
                left_or_zero(batch, row, k),
                left_or_zero(batch, row + 1u, k),
                left_or_zero(batch, row + 2u, k),
                left_or_zero(batch, row + 3u, k),
            );
            let col = first_col + (at % 16u) * 4u;
            right_tile[at] = vec4<f32>(
                right_or_zero(batch, at / 16u, col),
                right_or_zero(batch, at / 16u, col + 1u),
                right_or_zero(batch, at / 16u, col + 2u),
                right_or_zero(batch, at / 16u, col + 3u),
            );
        }
    }
    workgroupBarrier();
    let own_row = lane / 16u;
    let own_col = lane % 16u;
    var sums0 = vec4<f32>(0.0);
    var sums1 = vec4<f32>(0.0);
    var sums2 = vec4<f32>(0.0);
    var sums3 = vec4<f32>(0.0);
    for (var k = 0u; k < 32u; k++) {
        let column = left_tile[k * 16u + own_row];
        let row = right_tile[k * 16u + own_col];
        sums0 += column.x * row;
        sums1 += column.y * row;
        sums2 += column.z * row;
        sums3 += column.w * row;
    }
    if is_real {
        let row = first_row + own_row * 4u;
        let col = first_col + own_col * 4u;
        put_four(batch, row, col, sums0);
        put_four(batch, row + 1u, col, sums1);
        put_four(batch, row + 2u, col, sums2);
        put_four(batch, row + 3u, col, sums3);
    }
}
