// Product of up to four rows with a matrix:  y[b, r, c] = sum over k of a[b, r, k] * b[b, k, c]
// The matrix is read once, whatever the number of rows, in loads of 16 bytes. A workgroup computes 4 QUADS columns; SLICES
// invocations share the k of each four of them and their sums go through a tree. Neighbouring invocations read neighbouring
// memory: along the columns of a matrix with even rows (QUADS = 16), along k of one with even columns (QUADS = 1).
// Rows past m repeat the last one and are not stored. Needs n >= 4; columns at the edge as in store.wgsl.
// params: m, n, k, y_row, y_col
// needs: Block, add_row_product, a_place, a_quad, b_place, b_block, y(i, result), QUADS, SLICES (generated)
var<workgroup> partial: array<array<vec4<f32>, 4>, QUADS * SLICES>;

fn store_sum(batch: u32, row: u32, col: u32, sum: f32) {
    y(batch * params.m * params.n + row * params.y_row + col * params.y_col, sum);
}

@compute @workgroup_size(QUADS * SLICES)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let batch = group.z;
    let slice = lane / QUADS;
    let own_col = ((group.x + group.y * groups.x) * QUADS + lane % QUADS) * 4u;
    let col = min(own_col, params.n - 4u);
    let b_at = b_place(batch, col);
    let last = params.m - 1u;
    let a_at0 = a_place(batch, 0u);
    let a_at1 = a_place(batch, min(1u, last));
    let a_at2 = a_place(batch, min(2u, last));
    let a_at3 = a_place(batch, min(3u, last));
    var sums0 = vec4(0.0);
    var sums1 = vec4(0.0);
    var sums2 = vec4(0.0);
    var sums3 = vec4(0.0);
    for (var block = slice; block < (params.k + 3u) / 4u; block += SLICES) {
        let columns = b_block(b_at, block);
        sums0 = add_row_product(sums0, a_quad(a_at0, block), columns);
        if params.m > 1u {
            sums1 = add_row_product(sums1, a_quad(a_at1, block), columns);
            sums2 = add_row_product(sums2, a_quad(a_at2, block), columns);
            sums3 = add_row_product(sums3, a_quad(a_at3, block), columns);
        }
    }
    partial[lane][0] = sums0;
    partial[lane][1] = sums1;
    partial[lane][2] = sums2;
    partial[lane][3] = sums3;
    workgroupBarrier();
    for (var width = SLICES / 2u; width > 0u; width >>= 1u) {
        if slice < width {
            partial[lane][0] += partial[lane + width * QUADS][0];
            partial[lane][1] += partial[lane + width * QUADS][1];
            partial[lane][2] += partial[lane + width * QUADS][2];
            partial[lane][3] += partial[lane + width * QUADS][3];
        }
        workgroupBarrier();
    }
    // The first slice's invocations hold the sums of their columns; a row each for the first four slices to store.
    if slice < params.m && own_col < params.n {
        let sums = partial[lane % QUADS][slice];
        if col >= own_col {
            store_sum(batch, slice, col, sums.x);
        }
        if col + 1u >= own_col {
            store_sum(batch, slice, col + 1u, sums.y);
        }
        if col + 2u >= own_col {
            store_sum(batch, slice, col + 2u, sums.z);
        }
        if col + 3u >= own_col {
            store_sum(batch, slice, col + 3u, sums.w);
        }
    }
}
