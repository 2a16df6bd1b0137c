// Position of the extreme:  y[row] = first column whose x[row, col] no other beats
// x: [n_rows, n_cols] as elements x(i); y: [n_rows] of i32. One workgroup per row: each invocation strides over the columns
// keeping its first best, then pairs meet in a tree; between equals the smaller column wins, so the order is immaterial.
// params: n_rows, n_cols
// needs: x(i), y(i, result), Acc, beats(a, b) (generated)
var<workgroup> best_value: array<Acc, 256>;
var<workgroup> best_col: array<u32, 256>;

const NO_COL: u32 = 0xffffffffu;

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let row = group.x + group.y * groups.x;
    let end = select(0u, params.n_cols, row < params.n_rows);
    var col = NO_COL;
    var value: Acc;
    for (var c = lane; c < end; c += 256u) {
        let candidate = x(row * params.n_cols + c);
        if col == NO_COL || beats(candidate, value) {
            value = candidate;
            col = c;
        }
    }
    best_value[lane] = value;
    best_col[lane] = col;
    workgroupBarrier();
    for (var width = 128u; width > 0u; width >>= 1u) {
        if lane < width {
            let other = best_value[lane + width];
            let other_col = best_col[lane + width];
            let mine = best_value[lane];
            let my_col = best_col[lane];
            let is_tie = !beats(mine, other) && !beats(other, mine);
            if other_col != NO_COL && (my_col == NO_COL || beats(other, mine) || (is_tie && other_col < my_col)) {
                best_value[lane] = other;
                best_col[lane] = other_col;
            }
        }
        workgroupBarrier();
    }
    if lane == 0u && row < params.n_rows {
        y(row, i32(best_col[0]));
    }
}
