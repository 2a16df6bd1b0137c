// One workgroup per row: calls each_row(row, lane), and combines the invocations of a row by subgroups, with one barrier each.
// The first invocation of a subgroup leaves its subgroup's result at its own place in workgroup memory, all others the neutral
// element; every subgroup then combines all places. So nothing is assumed about which invocations share a subgroup, only that
// subgroups are full: WG is a multiple of their size.
// needs: WG, each_row(row, lane) (the kernel beside it); subgroups; Num = f32
enable subgroups;
var<workgroup> partial: array<array<f32, WG>, 2>;
var<workgroup> partial_key: array<array<u32, WG>, 2>;
var<private> in_subgroup: u32;
var<private> n_subgroup: u32;

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(subgroup_invocation_id) subgroup_lane: u32,
    @builtin(subgroup_size) subgroup_size: u32,
) {
    in_subgroup = subgroup_lane;
    n_subgroup = subgroup_size;
    each_row(group.x + group.y * groups.x, lane);
}

fn row_sum(value: Num, place: u32, lane: u32) -> Num {
    let own = subgroupAdd(value);
    partial[place][lane] = select(0.0, own, in_subgroup == 0u);
    workgroupBarrier();
    var sum = 0.0;
    for (var at = in_subgroup; at < WG; at += n_subgroup) {
        sum += partial[place][at];
    }
    return subgroupAdd(sum);
}

// Floats as integers of the same order, NaN above all, because the maximum of a subgroup need not keep NaN.
fn max_key(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    let ordered = select(bits ^ 0x80000000u, ~bits, (bits & 0x80000000u) != 0u);
    return select(ordered, 0xffffffffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn of_key(key: u32) -> f32 {
    return bitcast<f32>(select(~key, key ^ 0x80000000u, (key & 0x80000000u) != 0u));
}

fn row_max(value: Num, place: u32, lane: u32) -> Num {
    let own = subgroupMax(max_key(value));
    partial_key[place][lane] = select(0u, own, in_subgroup == 0u);
    workgroupBarrier();
    var highest = 0u;
    for (var at = in_subgroup; at < WG; at += n_subgroup) {
        highest = max(highest, partial_key[place][at]);
    }
    return of_key(subgroupMax(highest));
}
