// Reduction of rows:  y[row, part] = combine of x[row, c] for c in the part's range of columns
// x: [n_rows, n_cols] as elements x(i); y: [n_rows, n_parts]. One workgroup per (row, part): each invocation strides over the
// columns, then the 256 partial results meet in a tree of fixed shape, so that equal inputs give equal bits.
// params: n_rows, n_cols, n_parts, part_len
// needs: x(i), y(i, result), Acc, combine(a, b), identity() (generated)
var<workgroup> partial: array<Acc, 256>;

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let unit = group.x + group.y * groups.x;
    // Surplus workgroups of the folded grid reduce nothing and store nothing; they still meet at the barriers.
    let is_real = unit < params.n_rows * params.n_parts;
    let row = unit / params.n_parts;
    let begin = (unit % params.n_parts) * params.part_len;
    let end = select(0u, min(begin + params.part_len, params.n_cols), is_real);

    var sum = identity();
    for (var col = begin + lane; col < end; col += 256u) {
        sum = combine(sum, x(row * params.n_cols + col));
    }
    partial[lane] = sum;
    workgroupBarrier();
    for (var width = 128u; width > 0u; width >>= 1u) {
        if lane < width {
            partial[lane] = combine(partial[lane], partial[lane + width]);
        }
        workgroupBarrier();
    }
    if lane == 0u && is_real {
        y(unit, partial[0]);
    }
}
