// Reduction of rows:  y[row, part] = combine of x[row, c] for c in the part's range of columns
// x: [n_rows, n_cols] as elements x(i); y: [n_rows, n_parts]. One workgroup per (row, part): each invocation strides over the
// columns, each subgroup combines its invocations by exchanges of fixed shape, and what the subgroups have meets in workgroup
// memory, with one barrier. The first invocation of a subgroup leaves its result at its own place, all others the neutral
// element, and every subgroup combines all places: so nothing is assumed about which invocations share a subgroup, only that
// subgroups are full, 256 being a multiple of their size.
// params: n_rows, n_cols, n_parts, part_len
// needs: x(i), y(i, result), Acc, combine(a, b), identity(), in_subgroup(value, size) (generated); subgroups
enable subgroups;
var<workgroup> partial: array<Acc, 256>;

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(subgroup_invocation_id) subgroup_lane: u32,
    @builtin(subgroup_size) subgroup_size: u32,
) {
    let unit = group.x + group.y * groups.x;
    // Surplus workgroups of the folded grid reduce nothing and store nothing; they still meet at the barrier.
    let is_real = unit < params.n_rows * params.n_parts;
    let row = unit / params.n_parts;
    let begin = (unit % params.n_parts) * params.part_len;
    let end = select(0u, min(begin + params.part_len, params.n_cols), is_real);

    var sum = identity();
    for (var col = begin + lane; col < end; col += 256u) {
        sum = combine(sum, x(row * params.n_cols + col));
    }
    let own = in_subgroup(sum, subgroup_size);
    partial[lane] = select(identity(), own, subgroup_lane == 0u);
    workgroupBarrier();
    var all = identity();
    for (var at = subgroup_lane; at < 256u; at += subgroup_size) {
        all = combine(all, partial[at]);
    }
    let result = in_subgroup(all, subgroup_size);
    if lane == 0u && is_real {
        y(unit, result);
    }
}
