// One panel of the Cholesky factor:  columns first .. first + 32 of L, where w = A - (the product of the columns before)
// x: [n_batch, n, n] as elements x(i), the lower triangle is read. One workgroup of 256 invocations per (matrix, 64 rows below
// the diagonal block): it factorizes the block of 32 x 32 together with its rows, in workgroup memory, column by column, so
// that no workgroup waits for another. An invocation keeps to one column and every eighth row. Columns are divided by the root
// of their pivot at the end, which leaves one barrier per column. A pivot that is not above 0 becomes NaN.
// params: n, first, n_tiles, n_units
// needs: x(i), y(i, result), panel(i, result), num_sqrt, F32_INF_BITS, F32_NAN_BITS (generated)
const N_ROWS: u32 = 96u;
// One more than the columns, so that reads down a column meet different banks.
const STRIDE: u32 = 33u;
var<workgroup> tile: array<f32, 3168>;

// Below 0, 0 and NaN have no bits in this range.
fn is_positive(x: f32) -> bool {
    return bitcast<u32>(x) - 1u < F32_INF_BITS;
}

// The row of the matrix that row `row` of the tile stands for.
fn matrix_row(row: u32, tile_index: u32) -> u32 {
    return params.first + row + select(0u, tile_index * 64u, row >= 32u);
}

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let unit = group.x + group.y * groups.x;
    // Surplus workgroups of the folded grid factorize the identity and store nothing; they still meet at the barriers.
    let is_real = unit < params.n_units;
    let start = (unit / params.n_tiles) * params.n * params.n;
    let tile_index = unit % params.n_tiles;
    let own_col = lane % 32u;
    let col = params.first + own_col;
    for (var row = lane / 32u; row < N_ROWS; row += 8u) {
        let at_row = matrix_row(row, tile_index);
        var value = select(0.0, 1.0, row == own_col);
        if is_real && at_row < params.n && col <= at_row {
            value = x(start + at_row * params.n + col);
        }
        tile[row * STRIDE + own_col] = value;
    }
    workgroupBarrier();
    for (var k = 0u; k < 32u; k++) {
        if own_col > k {
            let pivot = tile[k * STRIDE + k];
            let scaled = f32_or_bits(tile[own_col * STRIDE + k] / pivot, F32_NAN_BITS, !is_positive(pivot));
            for (var row = lane / 32u; row < N_ROWS; row += 8u) {
                if row >= own_col {
                    tile[row * STRIDE + own_col] -= tile[row * STRIDE + k] * scaled;
                }
            }
        }
        workgroupBarrier();
    }
    if is_real && col < params.n {
        let pivot = tile[own_col * STRIDE + own_col];
        let root = f32_or_bits(num_sqrt(pivot), F32_NAN_BITS, !is_positive(pivot));
        // The block itself is stored by the first workgroup of its matrix only.
        for (var row = lane / 32u + select(0u, 32u, tile_index > 0u); row < N_ROWS; row += 8u) {
            let at_row = matrix_row(row, tile_index);
            if at_row < params.n {
                let below = tile[row * STRIDE + own_col] / root;
                let result = select(select(0.0, below, row > own_col), root, row == own_col);
                y(start + at_row * params.n + col, result);
                panel((unit / params.n_tiles * params.n + at_row) * 32u + own_col, result);
            }
        }
        // Above the block there is nothing.
        for (var row = tile_index * 8u + lane / 32u; row < params.first; row += params.n_tiles * 8u) {
            y(start + row * params.n + col, 0.0);
        }
    }
}
